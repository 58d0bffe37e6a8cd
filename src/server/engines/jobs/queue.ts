import { createRequire } from 'node:module'
import { PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss'
import { z } from 'zod'
import { SYSTEM } from '#server/access/viewer.ts'
import { JOB_LIMITS, openPool } from '#server/db/client.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Jobs, Services } from '../context.ts'
import { keyed, type Job } from './define-job.ts'
import { idleCollector } from './idle-memory.ts'

const Manifest = z.object({ pgboss: z.object({ schema: z.number() }) })
/** The version of the tables that this pg-boss needs. */
const TABLES_VERSION = Manifest.parse(createRequire(import.meta.url)('pg-boss/package.json')).pgboss.schema

const HEARTBEAT_SECONDS = 20
/** How often jobs of dead processes are looked for. They restart after a missed heartbeat plus this time, not after minutes. */
const SUPERVISE_SECONDS = 5
/** How long the settings of a queue are cached. */
const QUEUE_CACHE_SECONDS = 1
const DELETE_DONE_AFTER_SECONDS = 3 * 24 * 3600
const STOP_TIMEOUT_MS = 20_000

/** Creates the tables of the queue, or updates those of an earlier version. */
export async function createQueueTables(ownerUrl: string): Promise<void> {
  if (await hasCurrentTables(ownerUrl)) return
  const boss = new PgBoss({ connectionString: ownerUrl, application_name: 'plumbline-migrate', max: 1, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Starting pg-boss to find out takes several times as long. */
async function hasCurrentTables(ownerUrl: string): Promise<boolean> {
  const { pool, close } = openPool(ownerUrl, { max: 1, applicationName: 'plumbline-migrate' })
  try {
    const { rows } = await pool.query<{ there: boolean }>("SELECT to_regclass('pgboss.version') IS NOT NULL AS there")
    if (rows[0]?.there !== true) return false
    return (await pool.query('SELECT 1 FROM pgboss.version WHERE version = $1', [TABLES_VERSION])).rowCount === 1
  } finally {
    await close()
  }
}

/** Connects to the queue in PostgreSQL and creates a queue for each kind of job. */
export async function openQueue({ databaseUrl, log, jobs }: { databaseUrl: string; log: Log; jobs: readonly Job[] }): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'plumbline-jobs',
    max: 4,
    migrate: false,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    queueCacheIntervalSeconds: QUEUE_CACHE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue reported an error'))
  await boss.start()
  const stored = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const job of jobs) {
    const options = {
      retryLimit: job.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: job.retryDelayMaxSeconds,
      expireInSeconds: job.expiresAfterSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: DELETE_DONE_AFTER_SECONDS,
      notify: true,
    }
    const queue = stored.get(job.name)
    if (queue !== undefined && isEqual({ ...queue }, options)) continue
    // `short` allows one waiting job per key, and the group of the key one running job. The policy `stately` allows the same, but it reads
    // the running keys from statistics, so it skips a key for up to six seconds after its job has ended.
    await boss.createQueue(job.name, { ...options, policy: 'short' })
    await boss.updateQueue(job.name, options)
  }
  const running: Jobs['running'] = new Map()
  return { boss, stopping: new AbortController(), running, jobEnded: idleCollector(() => running.size === 0) }
}

/** Queues that exist as they should be are not written at each start: two statements for each would take longer than all else it does. */
const isEqual = (stored: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(options).every(([name, value]) => stored[name] === value)

/** Starts to run jobs in this process; resolves when the workers of all kinds have started. */
export async function runJobs(services: Services, jobs: readonly Job[]): Promise<void> {
  await Promise.all(
    jobs.flatMap((job) => [
      ...Array.from({ length: job.concurrency }, () => startWorker(services, job)),
      ...(job.schedule === undefined ? [] : [services.jobs.boss.schedule(job.name, job.schedule, {}, keyed('scheduled'))]),
    ]),
  )
}

/** Runs one job at a time. After a job the worker fetches the next one at once; otherwise it polls every two seconds for delayed jobs. */
async function startWorker(services: Services, job: Job): Promise<void> {
  const { boss } = services.jobs
  const options = {
    includeMetadata: true,
    batchSize: 1,
    perJobResults: true,
    groupConcurrency: 1,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
  } as const
  const worker = { id: '' }
  worker.id = await boss.work<object, void, typeof options>(job.name, options, async ([task]) => {
    if (task === undefined) return []
    boss.notifyWorker(worker.id)
    return [await runJob(services, job, task)]
  })
}

async function runJob(services: Services, job: Job, task: JobWithMetadata): Promise<JobResult> {
  const { stopping, running, jobEnded } = services.jobs
  const log = services.log.child({ job: job.name, jobId: task.id })
  const attempt = task.retryCount + 1
  const startedAt = Date.now()
  running.set(task.id, job.name)
  try {
    const input = job.input.parse(task.data ?? {})
    const outcome = await job.run({ ...services, log, limits: JOB_LIMITS, viewer: SYSTEM }, input, {
      id: task.id,
      attempt,
      lastAttempt: attempt > job.retries,
      signal: AbortSignal.any([task.signal, stopping.signal]),
    })
    if (outcome !== undefined) {
      log.error({ attempt, reason: outcome.failed }, 'Job failed for good')
      // Without a dead letter queue this only means that the job failed and is not retried.
      return { id: task.id, status: 'deadletter', output: outcome }
    }
    log.info({ ms: Date.now() - startedAt, attempt }, 'Job done')
    return { id: task.id, status: 'completed' }
  } catch (error) {
    if (stopping.signal.aborted) log.info({ err: error, attempt }, 'Job stopped; it runs again')
    else log.error({ err: error, attempt }, 'Job failed')
    throw error
  } finally {
    running.delete(task.id)
    jobEnded()
  }
}

/**
 * Fetches no more jobs, signals running ones to stop and waits for them. Throws if some are still running after the timeout: pg-boss has
 * then put them back into the queue, so the process must exit before they commit, or their work is done twice.
 */
export async function stopQueue({ boss, stopping, running }: Jobs, timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
  stopping.abort()
  await boss.stop({ graceful: true, timeout: timeoutMs })
  if (running.size > 0) throw new Error(`Jobs did not stop in ${timeoutMs} ms and run again: ${[...running.values()].join(', ')}`)
}
