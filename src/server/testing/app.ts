import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { startApi, type RunningApi } from '#server/app.ts'
import { SYSTEM, loadViewer, type SignedIn } from '#server/access/viewer.ts'
import { openPool } from '#server/db/client.ts'
import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { ensureRoles } from '#server/features/setup/ensure-roles.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { loadConfig } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from './database.ts'

export interface TestAnswer {
  status: number
  headers: Record<string, unknown>
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as a client would, by name
  body: any
  raw: Buffer
}

export interface As {
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>
  post(path: string, body?: unknown): Promise<TestAnswer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  delete(path: string, body?: unknown): Promise<TestAnswer>
}

export interface TestApp {
  api: RunningApi
  /** The system context, for test data. */
  system: Context
  dataDir: string
  anonymous: As
  /** Calls as the user with this id; the first call opens a session. */
  as(userId: string): As
  /** Calls with this Authorization header, valid or not. */
  bearing(authorization: string | undefined): As
  viewer(userId: string): Promise<SignedIn>
  /** Runs a statement as the owner of the tables, which the app's own role may not. */
  asOwner(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

interface TestAppOptions {
  /** Whether jobs run; off unless a test is about them. */
  worker?: boolean
  env?: Record<string, string>
  /** The server's clock, for a test that moves the time. */
  clock?: Clock
  /** Connects as the owner of the tables, like the seed program. */
  asOwner?: boolean
  /** Replaces the database URL, for a test that interrupts the connection. */
  reach?: (databaseUrl: string) => string
}

/** The whole server with its own database and without a port: requests are injected. */
export async function testApp({
  worker = false,
  env = {},
  clock,
  asOwner = false,
  reach = (url) => url,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-test-'))
  const databaseUrl = reach(database.runtimeUrl)
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: database.url,
    SECRET_KEY: 'test'.repeat(16),
    SEED: 'none',
    LOG_LEVEL: 'error',
    DATABASE_CONNECTIONS: '8',
    WORKER: String(worker),
    ...env,
  })
  const parts = { config, asOwner, log: createLog({ level: config.logLevel }), ...(clock === undefined ? {} : { clock }) }
  const api = await startApi(parts, join(dataDir, 'no-web'))
  const system: Context = { ...api.services, viewer: SYSTEM }
  await transact(system, ensureRoles)
  return {
    api,
    system,
    dataDir,
    anonymous: caller(api, async () => undefined),
    as: (userId) => caller(api, signedIn(system, userId)),
    bearing: (authorization) => caller(api, async () => authorization),
    viewer: async (userId) => {
      const viewer = await loadViewer(system.db, userId)
      if (viewer === undefined) throw new Error(`There is no user ${userId}`)
      return viewer
    },
    asOwner: async (text, values = []) => {
      const { pool, close } = openPool(database.url, { max: 1 })
      try {
        return (await pool.query<Record<string, unknown>>(text, values)).rows
      } finally {
        await close()
      }
    },
    stop: async () => {
      await api.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const tokens = new Map<string, Promise<string>>()

const signedIn = (system: Context, userId: string) => () => {
  const known = tokens.get(userId)
  if (known !== undefined) return known
  const token = transact(system, (tx) => openSession(tx, { userId, kind: 'user', remember: false, address: '127.0.0.1' })).then(
    (pair) => `Bearer ${pair.token}`,
  )
  tokens.set(userId, token)
  return token
}

function caller(api: RunningApi, credential: () => Promise<string | undefined>): As {
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => {
    const authorization = await credential()
    const request: InjectOptions = {
      method,
      url: path,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const answer = await api.server.inject(request)
    const isJson =
      String(answer.headers['content-type'] ?? '').startsWith('application/json') && answer.headers['content-encoding'] === undefined
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson && answer.body !== '' ? JSON.parse(answer.body) : answer.body,
      raw: answer.rawPayload,
    }
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body = {}) => send('POST', path, body),
    put: (path, body = {}, headers) => send('PUT', path, body, headers),
    patch: (path, body = {}, headers) => send('PATCH', path, body, headers),
    delete: (path, body) => send('DELETE', path, body),
  }
}
