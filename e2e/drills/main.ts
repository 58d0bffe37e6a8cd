import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { E2E_ADMIN, makeCompany, makePerson, signedIn } from '../support/people.ts'
import { databaseUrl, freePort, killEngine, makeDataDir, removeDataDir, start, type Running } from '../support/processes.ts'
import { newLedger, startLoad, verify, type Ledger } from './load.ts'

/** Kill drills, run by hand: `npm run drills`, or `npm run drills -- kill-server sigterm`. Takes about five minutes. */
const KILLS = 20
const DATABASE_KILLS = 10
const DATABASE_WRITERS = 12
const STOPS = 5
const SETTLE_MS = 60_000

interface Stage {
  dataDir: string
  port: number
  server: Running
  client: Client
}

type Outcome = Record<string, number | string | string[]>

async function openStage(dataDir: string): Promise<Stage> {
  const port = await freePort()
  const server = await start({ dataDir, port })
  const admin = await signedIn(server.address, E2E_ADMIN)
  const { id: companyId } = await makeCompany(admin, 'Drill Brokers')
  const client = await signedIn(server.address, await makePerson(admin, { role: 'broker', companyId, firstName: 'Dee' }))
  return { dataDir, port, server, client }
}

const targetOf = ({ client, server }: Stage, ledger: Ledger) => ({ client, address: server.address, ledger })

/** What the ledger and the database say at the end of a drill. `stuck` includes jobs that no process runs. */
async function report(stage: Stage, ledger: Ledger): Promise<Outcome> {
  const { lost, half } = await verify(targetOf(stage, ledger))
  const database = new pg.Client({ connectionString: databaseUrl(stage.dataDir) })
  await database.connect()
  const pending = `SELECT name FROM pgboss.job WHERE state IN ('active', 'retry') AND start_after < now() UNION ALL SELECT 'import' FROM imports WHERE activity IS NOT NULL`
  const jobs = async () => (await database.query<{ name: string }>(pending)).rows.map(({ name }) => name)
  const left = await eventually(jobs, (names) => names.length === 0, { withinMs: SETTLE_MS }).catch(jobs)
  await database.end()
  const { acknowledged, unavailable, refused, broken, unexpected, stuck } = ledger
  return { acknowledged, unavailable, refused, broken: broken.length, lost, half, stuck: [...stuck, ...left], unexpected }
}

async function killServer(stage: Stage): Promise<Outcome> {
  const ledger = newLedger()
  const load = startLoad(targetOf(stage, ledger))
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(300 + Math.random() * 2_500)
    await stage.server.kill()
    stage.server = await start({ dataDir: stage.dataDir, port: stage.port })
  }
  await load.stop()
  return { kills: KILLS, ...(await report(stage, ledger)) }
}

/** A commit is visible before it is on the disk: every answered write must survive the end of all processes of PostgreSQL. */
async function killDatabase(stage: Stage): Promise<Outcome> {
  const ledger = newLedger()
  const load = startLoad(targetOf(stage, ledger), DATABASE_WRITERS)
  let killed = 0
  for (let kill = 0; kill < DATABASE_KILLS; kill += 1) {
    await pause(500 + Math.random() * 1_500)
    killed += killEngine(stage.dataDir)
    await pause(1_000)
    await eventually(
      () => fetch(`${stage.server.address}/readyz`).then(({ ok }) => ok),
      (ok) => ok,
    )
  }
  await load.stop()
  return { kills: DATABASE_KILLS, killedProcesses: killed, ...(await report(stage, ledger)) }
}

/** `cut` counts writes that are stored although their connection broke; `late` those acknowledged after the signal. */
async function sigterm(stage: Stage): Promise<Outcome> {
  const ledger = newLedger()
  const codes: (number | null)[] = []
  const stops: number[] = []
  let late = 0
  for (let stop = 0; stop < STOPS; stop += 1) {
    const load = startLoad(targetOf(stage, ledger), 16)
    await pause(1_500)
    const before = ledger.acknowledged
    const began = Date.now()
    await stage.server.stop()
    stops.push(Date.now() - began)
    codes.push(await stage.server.ended)
    late += ledger.acknowledged - before
    await load.stop()
    stage.server = await start({ dataDir: stage.dataDir, port: stage.port })
  }
  let cut = 0
  for (const name of ledger.broken) {
    if (name === undefined) continue
    cut += (await stage.client(accountCalls.index, { query: { search: name } })).meta.total
  }
  return { stops: STOPS, exitCodes: codes.join(), ms: stops.join(), late, cut, ...(await report(stage, ledger)) }
}

/** A second process on the folder, while a document is uploaded through the first. */
async function secondProcess(stage: Stage): Promise<Outcome> {
  const ledger = newLedger()
  const load = startLoad(targetOf(stage, ledger))
  const bytes = randomBytes(UPLOAD_PART_BYTES)
  const { data: account } = await stage.client(accountCalls.create, { body: { name: 'Second process', type: 'standard' } })
  const params = { id: account.id }
  const { data: upload } = await stage.client(fileCalls.startMultipart, { params, body: { filePath: 'a.dat', size: bytes.length } })
  const { data } = await stage.client(fileCalls.signPart, { params: { ...params, upload_id: upload.upload_id }, body: { number: 1 } })
  let goOn = () => undefined as void
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(0, 5_000_000)))
      await new Promise<void>((resolve) => (goOn = resolve))
      controller.enqueue(new Uint8Array(bytes.subarray(5_000_000)))
      controller.close()
    },
  })
  const streamed: RequestInit & { duplex: 'half' } = { method: 'PUT', body, duplex: 'half' }
  const part = fetch(new URL(data.url, stage.server.address), streamed)
  await pause(500)
  const second = await start({ dataDir: stage.dataDir, port: await freePort() })
  goOn()
  const { status } = await part
  await second.stop()
  await load.stop()
  return { partStatus: status, secondExit: String(await second.ended), ...(await report(stage, ledger)) }
}

/** On a small disk of its own; the database and the documents fill it. */
async function fullDisk(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return { skipped: 'this user cannot mount a small disk' }
  }
  const dataDir = join(folder, 'data')
  const stage = await openStage(dataDir)
  const ledger = newLedger()
  const load = startLoad(targetOf(stage, ledger))
  await pause(1_000)
  const filler = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 2_000_000)))
  await pause(8_000)
  const whileFull = { unavailableWhileFull: ledger.unavailable }
  rmSync(filler)
  await eventually(
    () => fetch(`${stage.server.address}/readyz`).then(({ ok }) => ok),
    (ok) => ok,
  )
  const before = ledger.acknowledged
  await pause(2_000)
  await load.stop()
  const outcome = { ...whileFull, acknowledgedAfterwards: ledger.acknowledged - before, ...(await report(stage, ledger)) }
  await stage.server.stop()
  execFileSync('umount', ['-l', folder])
  return outcome
}

const DRILLS = { 'kill-server': killServer, 'kill-database': killDatabase, sigterm, 'second-process': secondProcess }

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
const print = (name: string, outcome: Outcome) => process.stdout.write(`${name}\n${JSON.stringify(outcome, null, 2)}\n`)

for (const [name, drill] of Object.entries(DRILLS)) {
  if (!isWanted(name)) continue
  const stage = await openStage(makeDataDir())
  print(name, await drill(stage))
  await stage.server.stop()
  await removeDataDir(stage.dataDir)
}
if (isWanted('full-disk')) print('full-disk', await fullDisk())
