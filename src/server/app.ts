import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { openDatabase, openPool, openDatabaseServer, REQUEST_LIMITS } from './db/client.ts'
import { prepareDatabase } from './db/prepare-database.ts'
import { createCaches } from './engines/caches.ts'
import { createDrain } from './engines/http/connections.ts'
import { createServer } from './engines/http/server.ts'
import { mountDocs } from './engines/http/openapi.ts'
import { mountOperations } from './engines/http/operations.ts'
import { mountRoutes } from './engines/http/answer.ts'
import { servePage } from './engines/http/page.ts'
import { createQueueTables, openQueue, runJobs, stopQueue } from './engines/jobs/queue.ts'
import { openMail } from './engines/mail/mail.ts'
import { startRealtime } from './engines/realtime/realtime.ts'
import { registerDiskRoutes } from './engines/storage/disk-routes.ts'
import { openDiskStorage } from './engines/storage/disk.ts'
import type { Services } from './engines/context.ts'
import { linkRights } from './features/account-files/link-rights.ts'
import { jobs, onRegisterChanged, routes } from './features/index.ts'
import { createImportLimit } from './features/imports/staging/import-lock.ts'
import { systemClock, type Clock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import type { Log } from './kernel/log.ts'

export interface Running {
  services: Services
  /** Rejects new work, waits for running work, then closes all connections. */
  stop(): Promise<void>
}

export interface RunningApi extends Running {
  server: FastifyInstance
}

type Parts = {
  config: Config
  log: Log
  clock?: Clock
  /** For programs that rebuild indexes. */
  asOwner?: boolean
}

/** One in LISTS_SHARE pool connections is reserved for list and session reads. */
const LISTS_SHARE = 3
/** Each is read in a process with a heap of up to 96 MB. */
const SHEET_HEADS_AT_ONCE = 2

/** Starts the embedded database if it is used, migrates, connects to all services and creates the caches. */
export async function openServices({ config, log, clock = systemClock, asOwner = false }: Parts) {
  const { stop: stopDatabase, ...urls } = await openDatabaseServer(config, log)
  await prepareDatabase(urls, log, createQueueTables)
  const databaseUrl = asOwner ? (urls.ownerUrl ?? urls.url) : urls.url
  const forLists = Math.ceil(config.databaseConnections / LISTS_SHARE)
  const caches = createCaches()
  const database = openDatabase(databaseUrl, {
    log,
    max: config.databaseConnections - forLists,
    statementNames: caches.statementNames,
    onRightsChanged: (principals) => caches.sessionCache.clear(principals),
  })
  const reader = openPool(databaseUrl, { log, max: forLists, genericPlans: true })
  const storage = await openStorage(config, clock)
  const mail = await openMail(config)
  const queue = await openQueue({ databaseUrl, log, jobs })
  const services: Services = {
    config,
    log,
    clock,
    storage,
    mail,
    jobs: queue,
    limits: REQUEST_LIMITS,
    db: database.db,
    pool: database.pool,
    reader: reader.pool,
    importLimit: createImportLimit(database.pool),
    sheetHeadLimit: pLimit(SHEET_HEADS_AT_ONCE),
    ...caches,
    onRegisterChanged,
  }
  const stop = async () => {
    await stopQueue(queue)
    await mail.close()
    await reader.close()
    await database.close()
    await stopDatabase()
  }
  return { services, storage, stop }
}

/** The S3 SDK is loaded only if used, because it costs memory and start-up time. */
async function openStorage({ storageUrl, dataDir, appUrl, secretKey }: Config, clock: Clock) {
  if (storageUrl === undefined) return openDiskStorage({ dataDir, secret: secretKey, clock })
  const { openS3Storage } = await import('./engines/storage/s3.ts')
  return openS3Storage(storageUrl, appUrl)
}

/** The API, the page, realtime and, if configured, the jobs: one process, one port. */
export async function startApi(parts: Parts, page = join(import.meta.dirname, '../../dist/web')): Promise<RunningApi> {
  const { config, log } = parts
  // The server is built while the database answers.
  const [{ services, storage, stop }, server] = await Promise.all([openServices(parts), createPageServer(config, log, page)])
  const drain = createDrain(server)
  mountOperations(server, services)
  mountRoutes(server, services, routes)
  mountDocs(server, config, routes)
  if (storage.kind === 'disk') await registerDiskRoutes(server, storage, linkRights(services))
  const realtime = await startRealtime(server.server, services)
  await Promise.all([server.ready(), config.worker ? runJobs(services, jobs) : undefined])
  return {
    services,
    server,
    stop: async () => {
      drain.begin()
      await realtime.close()
      await drain.finish(log)
      await stop()
    },
  }
}

async function createPageServer(config: Config, log: Log, page: string): Promise<FastifyInstance> {
  const server = await createServer(config, log)
  await servePage(server, page, config.product.name)
  return server
}

/** A process that only runs jobs. */
export async function startWorker(parts: Parts): Promise<Running> {
  const running = await openServices(parts)
  await runJobs(running.services, jobs)
  return running
}
