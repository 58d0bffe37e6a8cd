import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { openSession } from '../session/session.commands.ts'

/** How long a transfer may continue after the right to it has ended. */
const CUT_WITHIN_MS = 5_000
/** More than the system buffers of a connection, which hold up to 36 MiB. */
const LARGE = Buffer.alloc(48 * 1024 ** 2, 'large ')
let app: TestApp
let port: number

beforeAll(async () => {
  app = await testApp()
  port = Number(new URL(await app.api.server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.stop())

async function signedInBroker() {
  const { id, companyId } = await makeUser(app.system)
  const { id: accountId } = await makeAccount(app.system, { companyId })
  const { token } = await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: false, address: '' }))
  return { id, accountId, files: `/api/v1/accounts/${accountId}/files`, as: app.bearing(`Bearer ${token}`) }
}

/** Sends the beginning of a request and reads nothing. Resolves to the socket of the server. */
async function begin(head: string): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(app.api.server.server, 'connection') as Promise<[Socket]>
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.pause()
  client.write(head)
  const [server] = await accepted
  return { client, server }
}

const isCut = async (server: Socket): Promise<boolean> =>
  server.destroyed ||
  once(server, 'close', { signal: AbortSignal.timeout(CUT_WITHIN_MS) }).then(
    () => true,
    () => false,
  )

it('a running download whose client does not read is cut when its session ends', async () => {
  const { id, accountId, files, as } = await signedInBroker()
  const file = await makeFile({ ...app.system, viewer: await app.viewer(id) }, accountId, { name: 'roof.txt', bytes: LARGE })
  const url: string = (await as.get(`${files}/${file.id}`)).body.data.url
  const { pathname, search } = new URL(url, 'http://localhost')
  const { client, server } = await begin(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await expect.poll(() => server.writableLength).toBeGreaterThan(0)
  expect(server.destroyed).toBe(false)
  await as.post('/api/v1/logout')
  expect(await isCut(server)).toBe(true)
  // What the system has not yet sent is not sent either: the client learns of the cut as soon as it has read what has arrived.
  const received = once(client, 'error') as Promise<[NodeJS.ErrnoException]>
  client.resume()
  expect((await received)[0].code).toBe('ECONNRESET')
  client.destroy()
})

it('a running upload is cut when its session ends, and nothing is stored', async () => {
  const { files, as } = await signedInBroker()
  const request = { filePath: 'roof.txt', contentType: 'text/plain', size: 1_000 }
  const { postEndpoint, fields } = (await as.post(`${files}/signed-url`, request)).body.data
  const parts = Object.entries<string>(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="roof.txt"\r\nContent-Type: text/plain\r\n\r\nhalf of it'
  const { pathname } = new URL(postEndpoint, 'http://localhost')
  const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n`
  const { client, server } = await begin(`${head}${parts.join('')}${file}`)
  // An upload that is rejected at its beginning is answered, not cut.
  await expect.poll(() => readdir(join(app.dataDir, 'objects', 'incoming'))).not.toHaveLength(0)
  await as.post('/api/v1/logout')
  expect(await isCut(server)).toBe(true)
  expect(await app.system.storage.head(fields.key ?? '')).toBeUndefined()
  client.destroy()
})
