import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { encodingOf } from './compress.ts'

let app: TestApp
let userId: string
beforeAll(async () => {
  app = await testApp()
  const user = await makeUser(app.system)
  userId = user.id
  for (let n = 0; n < 5; n += 1) await makeAccount(app.system, { companyId: user.companyId, name: `Account ${n}` })
})
afterAll(() => app.stop())

const get = (path: string, headers: Record<string, string> = {}) => app.as(userId).get(path, headers)
const withoutId = (bytes: Buffer) => JSON.parse(bytes.toString('utf8')) as unknown

describe('an If-None-Match header', () => {
  test.each([
    ['a weak ETag', (etag: string) => `W/${etag}`],
    ['a list with the ETag', (etag: string) => `"other", ${etag}`],
    ['a list with the weak ETag first', (etag: string) => `W/${etag},"other"`],
    ['an asterisk', () => '*'],
  ])('with %s is answered with 304, in lists and records', async (_what, header) => {
    const path = `/api/v1/accounts/${(await get('/api/v1/accounts')).body.data[0].id}`
    await get(path) // the first opening changes the list
    const [list, record] = [await get('/api/v1/accounts'), await get(path)]
    for (const [url, etag] of [
      ['/api/v1/accounts', String(list.headers['etag'])],
      [path, String(record.headers['etag'])],
    ] as const) {
      const again = await get(url, { 'if-none-match': header(etag) })
      expect([again.status, again.headers['etag']]).toEqual([304, etag])
    }
  })

  test.each([['W/"other"'], ['"other", W/"third"'], ['other'], ['"']])('with %s is answered in full', async (header) => {
    expect((await get('/api/v1/accounts', { 'if-none-match': header })).status).toBe(200)
  })
})

describe('a response above 1 KB', () => {
  test.each([
    ['a list', '/api/v1/accounts'],
    ['another call', '/api/v1/init'],
    ['the document of the interface', '/api/docs/openapi.json'],
  ])('%s is compressed with brotli or gzip, as the client accepts', async (_what, path) => {
    const plain = await get(path)
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding'])
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    expect([br.headers['content-encoding'], br.headers['vary']]).toEqual(['br', 'accept-encoding'])
    expect(br.raw.length).toBeLessThan(plain.raw.length / 2)
    expect(withoutId(brotliDecompressSync(br.raw))).toEqual(plain.body)
    const gz = await get(path, { 'accept-encoding': 'gzip' })
    expect(withoutId(gunzipSync(gz.raw))).toEqual(plain.body)
    expect(Number(gz.headers['content-length'])).toBe(gz.raw.length)
  })

  test('has an ETag for each encoding, and each of them is answered with 304', async () => {
    const tags = await Promise.all(
      ['', 'gzip', 'br'].map(async (encoding) => (await get('/api/v1/accounts', { 'accept-encoding': encoding })).headers['etag']),
    )
    expect(new Set(tags).size).toBe(3)
    for (const etag of tags) {
      const again = await get('/api/v1/accounts', { 'accept-encoding': 'br', 'if-none-match': String(etag) })
      expect([again.status, again.headers['etag'], again.raw.length]).toEqual([304, etag, 0])
    }
  })
})

test('a short response is not compressed', async () => {
  const { headers } = await get('/api/v1/status', { 'accept-encoding': 'br' })
  expect(headers['content-encoding']).toBeUndefined()
})

test('a stored file is sent as it is', async () => {
  const bytes = Buffer.from('plain text, '.repeat(1_000))
  const owner = await makeUser(app.system)
  const account = await makeAccount(app.system, { companyId: owner.companyId })
  const file = await makeFile({ ...app.system, viewer: await app.viewer(owner.id) }, account.id, { bytes })
  const { body } = await app.as(owner.id).get(`/api/v1/accounts/${account.id}/files/${file.id}`)
  const answer = await app.anonymous.get(body.data.url, { 'accept-encoding': 'br, gzip' })
  expect([answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([undefined, String(bytes.length)])
})

test.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Encoding %j selects %s', (header, encoding) => {
  expect(encodingOf(header)).toBe(encoding)
})
