import { describe, expect, test } from 'vitest'
import { parseStorageUrl } from './s3-url.ts'
import { openStorage } from './open-storage.ts'

test('names endpoint, region, bucket and keys', () => {
  expect(parseStorageUrl('s3://AKIA:se%2Fcret@127.0.0.1:7480/files?region=eu-central-1&tls=false')).toEqual({
    endpoint: 'http://127.0.0.1:7480',
    region: 'eu-central-1',
    bucket: 'files',
    credentials: { accessKeyId: 'AKIA', secretAccessKey: 'se/cret' },
  })
})

test('means TLS, us-east-1 and the credentials of the machine unless it says otherwise', () => {
  expect(parseStorageUrl('s3://s3.example.com/files')).toEqual({ endpoint: 'https://s3.example.com', region: 'us-east-1', bucket: 'files' })
})

test.each(['', 'files', 'https://s3.example.com/files', 's3://s3.example.com', 's3:///files', 's3://host/a/b'])('%j is refused', (text) => {
  expect(() => parseStorageUrl(text)).toThrow('STORAGE_URL must look like')
})

describe('a store that is away', { timeout: 30_000 }, () => {
  test('does not keep the server from starting, and every call says so', async () => {
    const storageUrl = 's3://a:b@127.0.0.1:1/files?tls=false'
    const storage = await openStorage({ storageUrl, dataDir: 'unused', appUrl: 'http://localhost:3000', secret: 's' })
    const refused = { kind: 'unavailable', details: { retryAfterSeconds: 30 } }
    await expect(storage.check()).rejects.toMatchObject(refused)
    await expect(storage.head('a/b')).rejects.toMatchObject(refused)
    await expect(storage.read('a/b')).rejects.toMatchObject(refused)
    await expect(storage.put('a/b', 'x', { contentType: 'text/plain' })).rejects.toMatchObject(refused)
    await expect(storage.remove('a/b')).rejects.toMatchObject(refused)
    await expect(storage.list('a/').next()).rejects.toMatchObject(refused)
  })
})
