import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineAccount, EngineBinaries } from './embedded-binaries.ts'
import { isAlive } from './embedded-process.ts'

export const ENGINE_USER = 'plumbline'
const MEBIBYTE = 1024 ** 2
const POLL_MS = 20
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
const LOG_MAX_BYTES = 10 * MEBIBYTE
const SMALL_SHM_BYTES = 512 * MEBIBYTE

export interface Cluster {
  dir: string
  logFile: string
  binaries: EngineBinaries
  account: EngineAccount
  /** Faster, but not durable; for tests. */
  disposable: boolean
}

/** Creates the cluster once, under a temporary name first, so that an interrupted one is never used. */
export function createCluster(cluster: Cluster, password: string): void {
  if (fs.existsSync(join(cluster.dir, 'PG_VERSION'))) return
  const temporary = `${cluster.dir}.new`
  const passwordFile = `${cluster.dir}.pw`
  fs.rmSync(temporary, { recursive: true, force: true })
  fs.mkdirSync(temporary, { recursive: true, mode: 0o700 })
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  if (cluster.account !== undefined) {
    for (const path of [temporary, passwordFile]) fs.chownSync(path, cluster.account.uid, cluster.account.gid)
  }
  const flags = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--data-checksums']
  const access = [`--username=${ENGINE_USER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const sync = cluster.disposable ? ['--no-sync'] : []
  const result = spawnSync(cluster.binaries.initdb, ['-D', temporary, ...flags, ...access, ...sync], {
    ...cluster.account,
    cwd: '/',
    encoding: 'utf8',
    env: engineEnvironment(),
  })
  fs.rmSync(passwordFile, { force: true })
  if (result.status !== 0) {
    throw new Error(`The database could not be created in ${cluster.dir}: ${result.error?.message ?? ''}${result.stderr ?? ''}`.trim())
  }
  fs.rmSync(cluster.dir, { recursive: true, force: true })
  fs.renameSync(temporary, cluster.dir)
}

/** The engine that runs on this cluster, from its pid file. Ignores the pid file of a crashed engine. */
export function runningEngine(cluster: Cluster) {
  const file = join(cluster.dir, 'postmaster.pid')
  if (!fs.existsSync(file)) return undefined
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined
  if (!servesCluster(pid, cluster.dir)) {
    // The id belongs to another process now, and the engine would not start because of the file.
    fs.rmSync(file, { force: true })
    return undefined
  }
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

function servesCluster(pid: number, dir: string): boolean {
  const procFile = `/proc/${pid}/cmdline`
  if (fs.existsSync(procFile)) return fs.readFileSync(procFile, 'utf8').includes(dir)
  const listed = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return listed.status === 0 && listed.stdout.includes(dir)
}

/**
 * Starts the engine, or waits for one that is already starting. Resolves when it accepts connections. It has its own process group,
 * because Ctrl+C in the terminal must not end it before the application.
 */
export async function launch(cluster: Cluster, preferredPort: number) {
  for (let attempt = 1; ; attempt++) {
    const hasExited = runningEngine(cluster) === undefined ? spawnEngine(cluster, await freePort(preferredPort)) : () => true
    const ready = await waitUntilReady(cluster, hasExited)
    if (ready !== undefined) return ready
    if (attempt === 5) throw new Error(`The database did not start. See the end of ${cluster.logFile} for the reason.`)
    // After a crash, child processes of the old engine still hold its shared memory for a moment.
    await sleep(200 * attempt)
  }
}

/** Returns a function that answers whether the new process has exited. */
function spawnEngine(cluster: Cluster, port: number): () => boolean {
  const isTooLong = (fs.statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES
  const log = fs.openSync(cluster.logFile, isTooLong ? 'w' : 'a', 0o600)
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.dir, ...settings(cluster, port).flatMap((s) => ['-c', s])], {
    ...cluster.account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: engineEnvironment(),
  })
  let exited = false
  child.once('exit', () => (exited = true))
  child.once('error', () => (exited = true))
  child.unref()
  fs.closeSync(log)
  return () => exited
}

async function waitUntilReady(cluster: Cluster, hasExited: () => boolean) {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const running = runningEngine(cluster)
    if (running?.ready === true) return running
    if ((running === undefined && hasExited()) || Date.now() > deadline) return undefined
    await sleep(POLL_MS)
  }
}

/** SIGINT disconnects clients and shuts down cleanly, SIGQUIT at once. Returns the pid if the engine runs. */
export function interrupt(cluster: Cluster, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): number | undefined {
  const pid = runningEngine(cluster)?.pid
  if (pid !== undefined) process.kill(pid, signal)
  return pid
}

/** Stops the engine and waits for it. After STOP_TIMEOUT_MS it is killed, and recovers at the next start. */
export async function halt(cluster: Cluster): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const pid = interrupt(cluster, signal)
    if (pid === undefined) return
    const deadline = Date.now() + STOP_TIMEOUT_MS
    while (isAlive(pid) && fs.existsSync(join(cluster.dir, 'postmaster.pid')) && Date.now() < deadline) await sleep(POLL_MS)
  }
}

/** Statements and error details are not logged, because they contain personal data. */
function settings(cluster: Cluster, port: number): string[] {
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=256MB',
    `effective_cache_size=${Math.max(512, Math.floor(totalmem() / 2 / MEBIBYTE))}MB`,
    'work_mem=16MB',
    'maintenance_work_mem=128MB',
    'random_page_cost=1.1',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(hasSmallSharedMemory() ? ['dynamic_shared_memory_type=mmap'] : []),
    ...(cluster.disposable ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ]
}

/** In containers /dev/shm often has 64 MB only, which parallel queries exceed. */
function hasSmallSharedMemory(): boolean {
  if (!fs.existsSync('/dev/shm')) return false
  const { blocks, bsize } = fs.statfsSync('/dev/shm')
  return blocks * bsize < SMALL_SHM_BYTES
}

const engineEnvironment = (): NodeJS.ProcessEnv => ({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

/** The preferred port if it is free, otherwise any free one. */
function freePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (preferred === 0 ? reject(error) : resolve(freePort(0))))
    probe.listen(preferred, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : preferred
      probe.close(() => resolve(port))
    })
  })
}
