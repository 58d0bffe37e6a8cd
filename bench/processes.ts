import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../e2e/support/processes.ts'
import { E2E_ADMIN } from '../e2e/support/people.ts'
import { readersBytes } from './reader-memory.ts'

export const ROOT = join(import.meta.dirname, '..')
const READY_MS = 120_000

export interface Sample {
  /** Resident memory of the server, and what the processes in which it reads files need in addition. */
  rss: number
  /** Longest time between two iterations of the event loop, including waits for a CPU. */
  stallMs: number
  /** Longest CPU time of the main thread between two iterations. */
  busyMs: number
}

export interface Started {
  address: string
  child: ChildProcess
  /** Ten samples a second from the process; empty without the probe. */
  samples: Sample[]
  /** Milliseconds from the start of the process to its first successful /readyz. */
  readyMs: number
  stop(): Promise<void>
}

interface Start {
  script: string
  env: Record<string, string>
  probe?: boolean
  readyPath?: string
  nodeOptions?: readonly string[]
}

/** Starts a Node script that listens on PORT and waits for its first successful response. */
async function startScript({ script, env, probe = false, readyPath = '/', nodeOptions = [] }: Start): Promise<Started> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const options = [...(probe ? ['--import', join(ROOT, 'bench/probe.ts')] : []), ...nodeOptions]
  const child = spawn(process.execPath, [...options, script], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', APP_URL: address, ...env },
  })
  const abandon = () => child.kill('SIGTERM')
  process.once('exit', abandon)
  child.once('exit', () => process.off('exit', abandon))
  const samples: Sample[] = []
  child.on('message', (sample: Sample) => samples.push({ ...sample, rss: sample.rss + readersBytes(child.pid) }))
  while (!(await answers(`${address}${readyPath}`))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${script} ended before it was ready`)
    if (performance.now() - begun > READY_MS) throw new Error(`${script} was not ready within ${READY_MS / 1_000} s`)
    await pause(5)
  }
  return { address, child, samples, readyMs: performance.now() - begun, stop: () => end(child) }
}

const answers = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

interface StartProduct {
  dataDir: string
  /** Absent: the embedded database of the data folder. */
  databaseUrl?: string
  probe?: boolean
}

/** The product in one process with jobs, on a data folder, with the options of `npm start`. PLUMBLINE_BENCH_NODE adds options, such as --cpu-prof. */
export function startProduct({ dataDir, databaseUrl = '', probe = true }: StartProduct): Promise<Started> {
  return startScript({
    script: 'src/server/main.ts',
    probe,
    readyPath: '/readyz',
    nodeOptions: [
      '--max-semi-space-size=16',
      '--heap-growing-percent=50',
      ...(process.env['PLUMBLINE_BENCH_NODE'] ?? '').split(' ').filter(Boolean),
    ],
    env: productEnvironment(dataDir, databaseUrl),
  })
}

/** Settings of the product on a data folder; without an address, on the embedded database in it. */
export const productEnvironment = (dataDir: string, databaseUrl = ''): Record<string, string> => ({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  ...(databaseUrl === '' ? {} : { SECRET_KEY: 'bench'.repeat(8) }),
  STORAGE_URL: '',
  MAIL_URL: '',
  SEED: 'none',
  ADMIN_EMAIL: E2E_ADMIN.email,
  ADMIN_PASSWORD: E2E_ADMIN.password,
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: join(ROOT, '.cache/compile'),
  MALLOC_ARENA_MAX: '1',
})

/** The bare server on the same database. */
export const startBareServer = (databaseUrl: string): Promise<Started> =>
  startScript({ script: 'bench/bare-server.ts', env: { FLOOR_DATABASE_URL: databaseUrl }, readyPath: '/' })

/** A server whose only answer is this file. */
export const startBareFile = (path: string): Promise<Started> =>
  startScript({ script: 'bench/bare-file.ts', env: { BARE_FILE: path }, readyPath: '/ready' })

/** Runs a program and returns its output; throws with its error output. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(command, args, { cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...options.env } })
  const output: string[] = []
  const complaints: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
  // A program that fails before it reads its input reports the reason by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  const [code] = (await once(child, 'close')) as [number | null] // what the event is documented to carry; `once` throws where the program is missing
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaints.join('').slice(0, 2_000)}`)
  return output.join('')
}

/** Whether a program is installed; figures that need it are skipped otherwise. */
export const hasProgram = (command: string): Promise<boolean> =>
  runProgram(command, ['--version']).then(
    () => true,
    () => false,
  )
