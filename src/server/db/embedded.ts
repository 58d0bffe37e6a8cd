import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { errorCode } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'
import { canReach, engineAccount, engineBinaries, OPEN_DIR } from './embedded-binaries.ts'
import { createCluster, ENGINE_USER, halt, interrupt, launch, runningEngine, type Cluster } from './embedded-engine.ts'
import { hold, release, withLock } from './embedded-process.ts'

const DATABASE = 'plumbline'
const RUNTIME_USER = 'plumbline_app'
const WATCH_EVERY_MS = 1_000
const CONNECT_ATTEMPTS = 10
const CONNECT_PAUSE_MS = 200
const ENDED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'])

const newPassword = () => randomBytes(24).toString('hex')

interface EmbeddedOptions {
  /** Contains the cluster, its port and its password. */
  dataDir: string
  log: Log
  /** Faster, but not durable; for tests. */
  disposable?: boolean
}

/** The passwords are of the owner and of the runtime role, which data folders of earlier versions do not have. */
const State = z.object({ id: z.string(), password: z.string(), runtimePassword: z.string().default(newPassword), port: z.number() })
type State = z.output<typeof State>

/**
 * Starts PostgreSQL 18 from the npm package of the platform in DATA_DIR, on 127.0.0.1 only, with a random password. Uses the
 * engine that a killed process left running, and restarts an engine that was killed, on the same port. Errors are for the user.
 */
export async function startEmbedded({ dataDir, log, disposable = false }: EmbeddedOptions) {
  const home = resolve(dataDir)
  mkdirSync(home, { recursive: true })
  const holders = join(home, 'postgres.users')
  const lock = join(home, 'postgres.lock')
  const stateFile = join(home, 'postgres.json')
  let state: State = { id: '', password: '', runtimePassword: '', port: 0 }

  const start = async (): Promise<Cluster> => {
    state = readState(stateFile)
    const cluster = locateCluster(home, state.id, disposable)
    createCluster(cluster, state.password)
    state = await launchDatabase(cluster, state)
    writeState(stateFile, state)
    hold(holders)
    return cluster
  }

  const startedAt = Date.now()
  const cluster = await withLock(lock, start)
  log.info({ folder: cluster.dir, port: state.port, ms: Date.now() - startedAt }, 'Database ready')

  let restarting: Promise<unknown> = Promise.resolve()
  let idle = true
  const watch = setInterval(() => {
    if (!idle || hasEngine(cluster, log)) return
    idle = false
    log.error('The database stopped unexpectedly and is being restarted')
    restarting = withLock(lock, start)
      .catch((error: unknown) => log.error({ err: error }, 'The database could not be restarted'))
      .finally(() => (idle = true))
  }, WATCH_EVERY_MS)
  watch.unref()
  // For a process that exits without stop(), for example after an uncaught error.
  const leave = () => void (release(holders) || interrupt(cluster))
  process.once('exit', leave)

  return {
    /** Reads and writes rows. */
    url: urlOf(state, RUNTIME_USER, state.runtimePassword),
    /** Owns the tables. */
    ownerUrl: urlOf(state, ENGINE_USER, state.password),
    /** Stops the engine unless another process uses it. */
    async stop(): Promise<void> {
      clearInterval(watch)
      process.off('exit', leave)
      await restarting
      await withLock(lock, async () => {
        if (!release(holders)) await halt(cluster)
      })
    },
  }
}

/** The engine also counts as running while its files cannot be read, as with too many open files: the next check is soon. */
function hasEngine(cluster: Cluster, log: Log): boolean {
  try {
    return runningEngine(cluster) !== undefined
  } catch (error) {
    log.warn({ err: error }, 'Whether the database runs could not be checked')
    return true
  }
}

async function launchDatabase(cluster: Cluster, state: State): Promise<State> {
  for (let attempt = 1; ; attempt += 1) {
    const { port } = await launch(cluster, state.port)
    const launched = { ...state, port }
    try {
      await ensureDatabase(launched)
      return launched
    } catch (error) {
      // An engine that was killed a moment ago still looks alive.
      if (attempt === CONNECT_ATTEMPTS || !ENDED.has(errorCode(error))) throw error
      await sleep(CONNECT_PAUSE_MS)
    }
  }
}

/** DATA_DIR/postgres, or a folder in OPEN_DIR if root's DATA_DIR is closed to the account of the engine. */
function locateCluster(home: string, id: string, disposable: boolean): Cluster {
  const inside = join(home, 'postgres')
  const outside = join(OPEN_DIR, id)
  const account = engineAccount(existsSync(outside) ? outside : inside)
  const dir = canReach(home, account) ? inside : outside
  if (dir === outside) mkdirSync(OPEN_DIR, { recursive: true, mode: 0o755 })
  return { dir, logFile: join(home, 'postgres.log'), binaries: engineBinaries(account), account, disposable }
}

function readState(file: string): State {
  if (existsSync(file)) return State.parse(JSON.parse(readFileSync(file, 'utf8')))
  const state = { id: randomUUID(), password: newPassword(), runtimePassword: newPassword(), port: 0 }
  writeState(file, state)
  return state
}

/** A file that is cut off, as by a full disk, would lose the passwords. */
function writeState(file: string, state: State): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const urlOf = ({ port }: State, user: string, password: string, database = DATABASE) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`

/** Creates the database and the runtime role. */
async function ensureDatabase(state: State): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(state, ENGINE_USER, state.password, 'postgres') })
  await client.connect()
  try {
    const exists = async (query: string, name: string) => (await client.query(query, [name])).rowCount !== 0
    if (!(await exists('select 1 from pg_database where datname = $1', DATABASE))) await client.query(`create database ${DATABASE}`)
    const verb = (await exists('select 1 from pg_roles where rolname = $1', RUNTIME_USER)) ? 'alter' : 'create'
    await client.query(`${verb} role ${RUNTIME_USER} login password ${pg.escapeLiteral(state.runtimePassword)}`)
  } finally {
    await client.end()
  }
}
