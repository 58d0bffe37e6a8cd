import { setTimeout as pause } from 'node:timers/promises'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLedger, startLoad, verify } from './drills/load.ts'
import type { Client } from './support/client.ts'
import { E2E_ADMIN, makeCompany, makePerson, signedIn } from './support/people.ts'
import { freePort, makeDataDir, removeDataDir, start, type Running } from './support/processes.ts'

const WRITERS = 16
let dataDir: string
let port: number
let server: Running
let broker: Client

beforeAll(async () => {
  dataDir = makeDataDir()
  port = await freePort()
  server = await start({ dataDir, port })
  const admin = await signedIn(server.address, E2E_ADMIN)
  const { id: companyId } = await makeCompany(admin, 'Stopping Brokers')
  broker = await signedIn(server.address, await makePerson(admin, { role: 'broker', companyId, firstName: 'Max' }))
})
afterAll(async () => {
  await server?.stop()
  await removeDataDir(dataDir)
})

test('a server that gets SIGTERM under load finishes what runs, accepts nothing new and exits with 0', async () => {
  const ledger = newLedger()
  const target = { client: broker, address: server.address, ledger }
  const load = startLoad(target, WRITERS)
  await pause(1_500)
  const before = ledger.acknowledged
  const began = Date.now()
  await server.stop()
  expect(await server.ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(ledger.acknowledged - before).toBeLessThanOrEqual(WRITERS)
  await load.stop()

  server = await start({ dataDir, port })
  expect(await verify(target)).toEqual({ lost: [], half: [] })
  expect(ledger.unexpected).toEqual([])
  for (const name of ledger.broken.filter((created) => created !== undefined)) {
    expect((await broker(accountCalls.index, { query: { search: name } })).meta.total, `${name}, which was not acknowledged`).toBe(0)
  }
})

test('a second signal ends a server at once that still waits for a request', async () => {
  const { data: account } = await broker(accountCalls.create, { body: { name: 'A slow upload', type: 'standard' } })
  const params = { id: account.id }
  const { data: upload } = await broker(fileCalls.startMultipart, { params, body: { filePath: 'a.dat', size: UPLOAD_PART_BYTES } })
  const { data } = await broker(fileCalls.signPart, { params: { ...params, upload_id: upload.upload_id }, body: { number: 1 } })
  const endless = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await pause(50)
      controller.enqueue(new Uint8Array(10_000))
    },
  })
  const streamed: RequestInit & { duplex: 'half' } = { method: 'PUT', body: endless, duplex: 'half' }
  const part = fetch(new URL(data.url, server.address), streamed).catch(() => 'cut')
  await pause(500)
  const began = Date.now()
  const first = server.stop()
  await pause(500)
  await Promise.all([first, server.stop()])
  expect(await server.ended).toBe(1)
  expect(Date.now() - began).toBeLessThan(5_000)
  expect(await part).toBe('cut')
  server = await start({ dataDir, port })
})
