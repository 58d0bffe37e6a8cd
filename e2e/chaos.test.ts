import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { importCalls } from '#contract/import-calls.ts'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { Client } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { E2E_ADMIN, makeCompany, makePerson, signedIn } from './support/people.ts'
import { databaseUrl, engineId, freePort, makeDataDir, removeDataDir, start, type Running } from './support/processes.ts'
import { statementOfValues } from './support/sheets.ts'
import { addDocument, fetchFile, sendBytes } from './support/uploads.ts'

const START_MS = 120_000
const ROWS = 6_000
const DOCUMENTS = 60

let dataDir: string
let port: number
let server: Running
let broker: Client
let database: pg.Client

async function restart(): Promise<void> {
  server = await start({ dataDir, port })
  await database?.end().catch(() => undefined)
  database = new pg.Client({ connectionString: databaseUrl(dataDir) })
  database.on('error', () => undefined)
  await database.connect()
}

beforeAll(async () => {
  dataDir = makeDataDir()
  port = await freePort()
  await restart()
  const admin = await signedIn(server.address, E2E_ADMIN)
  const { id: companyId } = await makeCompany(admin, 'Crash Test Brokers')
  const person = await makePerson(admin, { role: 'broker', companyId, firstName: 'Sam' })
  broker = await signedIn(server.address, person)
}, START_MS)

afterAll(async () => {
  await database?.end().catch(() => undefined)
  await server?.stop()
  if (dataDir !== undefined) await removeDataDir(dataDir)
}, START_MS)

const newAccount = async (name: string) => (await broker(accountCalls.create, { body: { name, type: 'standard' } })).data.id
const propertiesOf = async (id: string) =>
  (await broker(propertyCalls.index, { query: { filter__account_id: id, paginate: '1' } })).meta.total
const importOf = async (id: string) => (await broker(importCalls.show, { params: { id } })).data
const fileOf = async (accountId: string, id: string) => (await broker(fileCalls.show, { params: { id: accountId, file_id: id } })).data

async function beginImport(accountId: string, rows: number): Promise<string> {
  const key = await sendBytes(broker, server.address, {
    accountId,
    name: `schedule ${rows}.csv`,
    bytes: statementOfValues(rows),
    type: 'text/csv',
  })
  return (await broker(importCalls.create, { params: { account_id: accountId }, body: { source: { key } } })).data.id
}

/** Polls the database every few milliseconds, so that the server is killed in the middle of the work. */
async function untilRowExists(query: string, parameters: unknown[]): Promise<void> {
  await eventually(
    async () => (await database.query(query, parameters)).rowCount,
    (found) => found === 1,
    { everyMs: 5, withinMs: 30_000 },
  )
}

describe('a server killed while idle', () => {
  test('has every acknowledged change after a restart, even if the database engine is killed, too', async () => {
    const id = await newAccount('Before the crash')
    const { data } = await broker(propertyCalls.create, {
      body: { account_id: id, address: '1 Main St', city: 'Reno', state: 'NV', country: 'US', building_value: 1_000_000 },
    })
    await broker(accountCalls.update, { params: { id }, body: { name: 'Renamed a moment before' } })
    const engine = engineId(dataDir)
    await server.kill()
    process.kill(engine, 'SIGKILL')
    await restart()
    expect(engineId(dataDir)).not.toBe(engine)
    expect((await broker(accountCalls.show, { params: { id } })).data.name.text).toBe('Renamed a moment before')
    expect((await broker(propertyCalls.show, { params: { id: data.id } })).data.values['building_value']).toBe(1_000_000)
  })
})

describe('a server killed during an upload, the reading of a file and the building of an archive', () => {
  const bytes = randomBytes(2 * UPLOAD_PART_BYTES + 1_234_567)
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => Buffer.from(`Document ${index}\n`.repeat(2_000 + index)))
  let accountId: string
  let archivedId: string
  let upload: { upload_id: string; key: string }
  let importId: string
  let archiveId: string

  beforeAll(async () => {
    accountId = await newAccount('Uploads')
    archivedId = await newAccount('Archives')
    for (const [index, content] of documents.entries())
      await addDocument(broker, server.address, { accountId: archivedId, name: `document-${index}.txt`, bytes: content })
    upload = (
      await broker(fileCalls.startMultipart, {
        params: { id: accountId },
        body: { filePath: 'survey.pdf', contentType: 'application/pdf', size: bytes.length },
      })
    ).data
    await sendPart(1)
    await sendPart(2)
    const third = sendPart(3, stalled(bytes.subarray(2 * UPLOAD_PART_BYTES, 2 * UPLOAD_PART_BYTES + 300_000))).catch(() => undefined)

    // An upload to an S3 store has no checksums yet, because its bytes do not pass through the server.
    await database.query('UPDATE account_files SET crc32 = NULL, sha256 = NULL WHERE account_id = $1', [archivedId])
    importId = await beginImport(await newAccount('Read'), ROWS)
    await untilRowExists(`SELECT 1 FROM imports WHERE id = $1 AND state = 'uploaded' AND progress_done > 0`, [importId])
    archiveId =
      (await broker(fileCalls.fileAction, { params: { id: archivedId }, body: { action: 'archive', files: 'all' } })).data?.id ?? ''
    await untilRowExists(`SELECT 1 FROM archives WHERE id = $1 AND status = 'processing' AND files_processed > 0`, [archiveId])
    await server.kill()
    await third
    await restart()
  }, START_MS)

  const bytesOfPart = (number: number) => bytes.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)

  async function sendPart(number: number, body: BodyInit = new Uint8Array(bytesOfPart(number))): Promise<void> {
    const { data } = await broker(fileCalls.signPart, { params: { id: accountId, upload_id: upload.upload_id }, body: { number } })
    const answer = await fetch(new URL(data.url, server.address), {
      method: 'PUT',
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    })
    if (!answer.ok) throw new Error(`Part ${number}: ${answer.status} ${await answer.text()}`)
  }

  test('leaves no partly received object in the store', async () => {
    // The file of the cut part stays until it is old enough not to belong to a running upload of another process.
    expect(await readdir(join(dataDir, 'objects/incoming'))).toHaveLength(1)
    expect((await broker(accountCalls.show, { params: { id: archivedId } })).data.files?.total).toBe(DOCUMENTS)
  })

  test('resumes the upload with the stored parts and stores the same bytes', async () => {
    const params = { id: accountId, upload_id: upload.upload_id }
    const arrived = (await broker(fileCalls.listParts, { params })).data.parts
    expect(arrived.map(({ number, size }) => ({ number, size }))).toEqual([
      { number: 1, size: UPLOAD_PART_BYTES },
      { number: 2, size: UPLOAD_PART_BYTES },
    ])
    await sendPart(3)
    const { parts } = (await broker(fileCalls.listParts, { params })).data
    await broker(fileCalls.completeMultipart, { params, body: { parts: parts.map(({ number, etag }) => ({ number, etag })) } })
    const { data } = await broker(fileCalls.register, {
      body: {
        file: { name: 'survey.pdf', size: bytes.length, type: 'application/pdf' },
        s3ObjectLocation: upload.key,
        account_id: accountId,
      },
    })
    const stored = await fetchFile(broker, server.address, accountId, data.id)
    expect(digest(stored)).toBe(digest(bytes))
    expect(await readdir(join(dataDir, 'objects/parts'))).toEqual([])
  })

  test('reads the file again from the start and stores each row once', async () => {
    const done = await eventually(
      () => importOf(importId),
      ({ state, activity }) => activity === null && state !== 'uploaded',
    )
    expect(done).toMatchObject({ state: 'validated', failure: null, counts: { add: ROWS } })
    const { rows } = await database.query<{ rows: number }>('SELECT count(*)::int AS rows FROM import_rows WHERE import_id = $1', [
      importId,
    ])
    expect(rows[0]?.rows).toBe(ROWS + 1)
  })

  test('finishes the archive with every document', async () => {
    await eventually(
      () => fileOf(archivedId, archiveId),
      ({ status }) => status === 'accessible',
    )
    const archive = await fetchFile(broker, server.address, archivedId, archiveId)
    expect(archive.readUInt16LE(archive.length - 12)).toBe(DOCUMENTS + 2) // entries in the end record: the documents, their index and the manifest
    expect(archive.subarray(-22, -18).toString('latin1')).toBe('PK\u0005\u0006')
  })
})

describe('a server killed while checking one import and writing another', () => {
  let checking: { accountId: string; importId: string }
  let writing: { accountId: string; importId: string }
  const seen = new Set<number>()

  beforeAll(async () => {
    const written = await newAccount('Written')
    writing = { accountId: written, importId: await beginImport(written, ROWS) }
    const ready = await eventually(
      () => importOf(writing.importId),
      ({ state }) => state === 'validated',
    )
    const checked = await newAccount('Checked')
    checking = { accountId: checked, importId: await beginImport(checked, ROWS) }
    await untilRowExists(`SELECT 1 FROM imports WHERE id = $1 AND state = 'mapped'`, [checking.importId])
    await broker(importCalls.commit, { params: { id: writing.importId }, body: { version: ready.version } })
    await untilRowExists(`SELECT 1 FROM imports WHERE id = $1 AND state = 'validated' AND activity = 'committing' AND progress_done > 0`, [
      writing.importId,
    ])
    await server.kill()
    await restart()
    seen.add(await propertiesOf(writing.accountId))
  }, START_MS)

  test('repeats the check with the same result', async () => {
    const done = await eventually(
      () => importOf(checking.importId),
      ({ activity }) => activity === null,
    )
    expect(done).toMatchObject({ state: 'validated', failure: null, counts: { add: ROWS } })
    expect(await propertiesOf(checking.accountId)).toBe(0)
  })

  test('shows either none or all of the imported properties at any time, and all of them in the end', async () => {
    const done = await eventually(
      async () => {
        const now = await importOf(writing.importId)
        seen.add(await propertiesOf(writing.accountId))
        return now
      },
      ({ activity }) => activity === null,
    )
    expect(done).toMatchObject({ state: 'committed', failure: null, created: ROWS, updated: 0 })
    seen.add(await propertiesOf(writing.accountId))
    expect([...seen].filter((count) => count !== 0 && count !== ROWS)).toEqual([])
    expect(seen.has(ROWS)).toBe(true)
    const { data } = await broker(accountCalls.show, { params: { id: writing.accountId } })
    expect(data.properties).toBe(ROWS)
  })

  test('writes nothing twice when the browser repeats the commit', async () => {
    const { data } = await broker(importCalls.commit, { params: { id: writing.importId }, body: { version: 1 } })
    expect(data.state).toBe('committed')
    expect(await propertiesOf(writing.accountId)).toBe(ROWS)
  })

  test('leaves no temporary copy of a file', async () => {
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([])
  })
})

test('the server stops on SIGTERM and stops its database', async () => {
  const url = databaseUrl(dataDir)
  await database.end()
  await server.stop()
  const late = new pg.Client({ connectionString: url })
  await expect(late.connect()).rejects.toThrow()
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A request body that sends these bytes and then stalls, like a browser in the middle of a part. */
function stalled(begin: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(begin))
    },
  })
}
