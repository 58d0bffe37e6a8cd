import { PgBoss, type JobWithMetadata } from 'pg-boss'
import { SYSTEM } from '#server/access/viewer.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Jobs, Services } from '../context.ts'
import type { Job } from './define-job.ts'

const HEARTBEAT_SECONDS = 20
/** How often somebody looks for jobs whose process has died: what they did waits for a heartbeat missed and this, not for minutes. */
const SUPERVISE_SECONDS = 5
/** How long a process believes what it was told of the queues: until then it passes by a job whose key was running when it last asked. */
const BELIEVE_SECONDS = 1
const KEEP_DONE_SECONDS = 3 * 24 * 3600
const STOP_AFTER_MS = 20_000

interface QueueOptions {
  databaseUrl: string
  log: Log
  jobs: readonly Job[]
}

/** Connects to the queue in PostgreSQL and makes sure that every kind of job has its queue. Stop it with `jobs.boss.stop`. */
export async function openQueue({ databaseUrl, log, jobs }: QueueOptions): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'plumbline-jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    queueCacheIntervalSeconds: BELIEVE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue reported an error'))
  await boss.start()
  for (const job of jobs) {
    const options = {
      retryLimit: job.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: job.expiresAfterSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: KEEP_DONE_SECONDS,
      notify: true,
    }
    // One waiting and one running job a key: `enqueue` gives every job a key, its own where nobody shares one.
    await boss.createQueue(job.name, { ...options, policy: 'stately' })
    await boss.updateQueue(job.name, options)
  }
  return { boss }
}

/** Begins to run jobs in this process; resolves once all kinds are being listened for. */
export async function runJobs(services: Services, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    for (let worker = 0; worker < job.concurrency; worker += 1) await startWorker(services, job)
    if (job.schedule !== undefined) await services.jobs.boss.schedule(job.name, job.schedule, {}, { singletonKey: 'scheduled' })
  }
}

/** One job after the other: after each the worker asks at once for the next, otherwise every two seconds for delayed ones. */
async function startWorker(services: Services, job: Job): Promise<void> {
  const { boss } = services.jobs
  const options = { includeMetadata: true, batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 } as const
  const own = { id: '' }
  own.id = await boss.work<object, void, typeof options>(job.name, options, async ([task]) => {
    if (task === undefined) return
    boss.notifyWorker(own.id)
    await runOne(services, job, task)
  })
}

async function runOne(services: Services, job: Job, task: JobWithMetadata): Promise<void> {
  const log = services.log.child({ job: job.name, jobId: task.id })
  const attempt = task.retryCount + 1
  const began = Date.now()
  try {
    const input = job.input.parse(task.data ?? {})
    await job.run({ ...services, log, viewer: SYSTEM }, input, {
      id: task.id,
      attempt,
      lastAttempt: attempt > job.retries,
      signal: task.signal,
    })
    log.info({ ms: Date.now() - began, attempt }, 'Job done')
  } catch (error) {
    log.error({ err: error, attempt }, 'Job failed')
    throw error
  }
}

export async function stopQueue(jobs: Jobs): Promise<void> {
  await jobs.boss.stop({ graceful: true, timeout: STOP_AFTER_MS })
}
