import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { ENGINE_USER } from '#server/db/embedded-engine.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { E2E_ADMIN } from './people.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_MS = 60_000
const POLL_MS = 50

export interface Running {
  address: string
  /** SIGKILL: the process cannot finish anything. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  /** The exit code. */
  ended: Promise<number | null>
}

interface Start {
  dataDir: string
  port?: number
  entry?: 'main' | 'worker'
  env?: Record<string, string>
}

/** Starts a real process of the product and waits until it is ready. */
export async function start({ dataDir, port = 0, entry = 'main', env = {} }: Start): Promise<Running> {
  const address = `http://127.0.0.1:${port}`
  const output: string[] = []
  const child = spawn(process.execPath, [`src/server/${entry}.ts`], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      APP_URL: address,
      DATA_DIR: dataDir,
      TMPDIR: join(dataDir, 'tmp'),
      DATABASE_URL: '',
      DATABASE_OWNER_URL: '',
      STORAGE_URL: '',
      MAIL_URL: '',
      SEED: 'none',
      ADMIN_EMAIL: E2E_ADMIN.email,
      ADMIN_PASSWORD: E2E_ADMIN.password,
      LOG_LEVEL: 'info',
      NODE_ENV: 'production',
      ...env,
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const isReady = entry === 'main' ? () => answersReady(address) : async () => output.join('').includes('Worker ready')
  await readiness(child, isReady, output)
  return { address, kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGTERM'), ended }
}

async function readiness(child: ChildProcess, isReady: () => Promise<boolean>, output: readonly string[]): Promise<void> {
  const until = Date.now() + READY_MS
  while (Date.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended before it was ready:\n${output.join('')}`)
    if (await isReady()) return
    await pause(POLL_MS)
  }
  child.kill('SIGKILL')
  throw new Error(`The process did not get ready within ${READY_MS / 1_000} s:\n${output.join('')}`)
}

const answersReady = (address: string) =>
  fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** A new DATA_DIR. The database engine runs as another user when the tests run as root, so the folder is readable. */
export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-processes-'))
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'tmp'))
  return dataDir
}

/** Stops an engine that a killed server left running and removes the folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres.json'))) await (await startEmbedded({ dataDir, log: pino({ level: 'silent' }) })).stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** The URL of the embedded engine of a DATA_DIR as the owner of the tables, for queries that bypass the product. */
export function databaseUrl(dataDir: string): string {
  const { password, port }: { password: string; port: number } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  return `postgres://${ENGINE_USER}:${password}@127.0.0.1:${port}/plumbline`
}

/** The process id of the embedded engine. */
export const engineId = (dataDir: string): number => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/**
 * SIGKILL to the embedded engine and all its processes at once. If only the first one is killed, the others write their buffers before they
 * end, so commits survive that were not on the disk. Returns the number of killed processes.
 */
export function killEngine(dataDir: string): number {
  const main = engineId(dataDir)
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = processes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === main)
  const ids = [main, ...children.flatMap(([id = 0]) => id)]
  const killed = ids.filter((id) => {
    try {
      return process.kill(id, 'SIGKILL')
    } catch {
      return false // ended meanwhile
    }
  })
  return killed.length
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const place = probe.address()
      probe.close(() => (typeof place === 'object' && place !== null ? resolve(place.port) : reject(new Error('There is no free port'))))
    })
  })
}
