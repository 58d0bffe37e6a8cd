import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#contract/limits.ts'
import { parseStorageUrl } from './s3-client.ts'
import { openS3Storage } from './s3.ts'

test('STORAGE_URL sets endpoint, region, bucket and credentials', () => {
  expect(parseStorageUrl('s3://AKIA:se%2Fcret@127.0.0.1:7480/files?region=eu-central-1&tls=false')).toEqual({
    endpoint: 'http://127.0.0.1:7480',
    region: 'eu-central-1',
    bucket: 'files',
    credentials: { accessKeyId: 'AKIA', secretAccessKey: 'se/cret' },
  })
})

test('STORAGE_URL defaults to TLS, us-east-1 and the credentials of the environment', () => {
  expect(parseStorageUrl('s3://s3.example.com/files')).toEqual({ endpoint: 'https://s3.example.com', region: 'us-east-1', bucket: 'files' })
})

test.each(['', 'files', 'https://s3.example.com/files', 's3://s3.example.com', 's3:///files', 's3://host/a/b'])(
  'rejects the STORAGE_URL %j',
  (text) => {
    expect(() => parseStorageUrl(text)).toThrow('STORAGE_URL must look like')
  },
)

describe('a store that cannot be reached', { timeout: 30_000 }, () => {
  test('opens without an error, and every call throws unavailable', async () => {
    const storage = await openS3Storage('s3://a:b@127.0.0.1:1/files?tls=false', 'http://localhost:3000')
    const unavailable = { kind: 'unavailable', details: { retryAfterSeconds: 30 } }
    await expect(storage.check()).rejects.toMatchObject(unavailable)
    await expect(storage.head('a/b')).rejects.toMatchObject(unavailable)
    await expect(storage.read('a/b')).rejects.toMatchObject(unavailable)
    await expect(storage.put('a/b', 'x', { contentType: 'text/plain' })).rejects.toMatchObject(unavailable)
    await expect(storage.remove('a/b')).rejects.toMatchObject(unavailable)
    await expect(storage.list('a/').next()).rejects.toMatchObject(unavailable)
  })
})

test('a store that does not permit writing is unavailable', async () => {
  const denied = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
  const store = createServer((_request, response) => response.writeHead(403, { 'content-type': 'application/xml' }).end(denied))
  await once(store.listen(0, '127.0.0.1'), 'listening')
  const address = store.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const storage = await openS3Storage(`s3://a:b@127.0.0.1:${port}/files?tls=false`, 'http://localhost:3000')
  const failure = { kind: 'unavailable', message: expect.stringContaining('does not permit') }
  await expect(storage.startMultipart('a/b', { contentType: 'text/plain' })).rejects.toMatchObject(failure)
  store.close()
})

test('download links expire after at most a minute, because the store cannot see that a session has ended', async () => {
  const storage = await openS3Storage('s3://a:b@127.0.0.1:1/files?tls=false', 'http://localhost:3000')
  const options = { fileName: 'a.pdf', contentType: 'application/pdf', disposition: 'inline' } as const
  const url = new URL(await storage.downloadUrl('a/b', { ...options, expiresInMs: HOUR_MS, familyId: 'any' }))
  expect(Number(url.searchParams.get('X-Amz-Expires'))).toBe(60)
})
