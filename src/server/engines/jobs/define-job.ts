import { randomUUID } from 'node:crypto'
import { fromKysely } from 'pg-boss'
import type { z } from 'zod'
import type { Context, WriteContext } from '../context.ts'

export interface JobRun {
  id: string
  /** 1 on the first try. */
  attempt: number
  lastAttempt: boolean
  /** Aborted at shutdown: stop at the next safe point and throw; the job runs again. */
  signal: AbortSignal
}

export interface Job<S extends z.ZodType = z.ZodType> {
  name: string
  input: S
  retries: number
  /** The wait before a retry doubles from 1 second to this. */
  retryDelayMaxSeconds: number
  /** A longer run counts as dead. */
  expiresAfterSeconds: number
  /** Jobs of this kind that run in parallel in one process. */
  concurrency: number
  /** Cron expression (UTC). */
  schedule?: string
  run(ctx: Context, input: z.output<S>, job: JobRun): Promise<void | FinalFailure>
}

/** The job has failed and is not tried again, for this reason. It is logged. */
export interface FinalFailure {
  failed: string
}

type JobOptions<S extends z.ZodType> = Pick<Job<S>, 'name' | 'input' | 'run'> & Partial<Job<S>>

/** Declares a job. It must be idempotent: it can run twice and be killed at any point. `ctx.viewer` is the system; see `loadViewer`. */
export function defineJob<S extends z.ZodType>(options: JobOptions<S>): Job<S> {
  return { retries: 3, retryDelayMaxSeconds: 60, expiresAfterSeconds: 900, concurrency: 1, ...options }
}

interface EnqueueOptions {
  singletonKey?: string
  delayMs?: number
  /** Of the waiting jobs of a kind, the one with the highest priority runs first, then the oldest. */
  priority?: number
}

/**
 * Queues a job in the transaction: it exists if and only if the change is committed. At most one job with a `singletonKey` waits; later
 * ones are merged into it, which keeps its priority.
 */
export async function enqueue<S extends z.ZodType>(
  tx: WriteContext,
  job: Job<S>,
  input: z.input<S>,
  { singletonKey = randomUUID(), delayMs = 0, priority = 0 }: EnqueueOptions = {},
): Promise<void> {
  const data = job.input.parse(input) as object // job inputs are objects by convention of z.object
  const startAfter = Math.ceil(delayMs / 1_000)
  await tx.jobs.boss.send(job.name, data, { db: fromKysely(tx.db), ...keyed(singletonKey), startAfter, priority })
}

/** Of the jobs with this key, at most one waits and one runs. */
export const keyed = (singletonKey: string) => ({ singletonKey, group: { id: singletonKey } })
