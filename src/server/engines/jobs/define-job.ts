import { randomUUID } from 'node:crypto'
import { fromKysely } from 'pg-boss'
import type { z } from 'zod'
import type { Context, WriteContext } from '../context.ts'

export interface JobRun {
  id: string
  /** 1 on the first try. */
  attempt: number
  lastAttempt: boolean
  /** Aborted at shutdown: stop at the next safe point; the job is taken up again. */
  signal: AbortSignal
}

export interface Job<S extends z.ZodType = z.ZodType> {
  name: string
  input: S
  retries: number
  /** A run longer than this is taken to be dead. */
  expiresAfterSeconds: number
  /** Jobs of this kind that one process runs side by side. */
  concurrency: number
  /** Cron expression (UTC), for work nobody asks for. */
  schedule?: string
  run(ctx: Context, input: z.output<S>, job: JobRun): Promise<void>
}

type JobOptions<S extends z.ZodType> = Pick<Job<S>, 'name' | 'input' | 'run'> & Partial<Job<S>>

/**
 * Declares a job. It must be idempotent: it may run twice and may be killed anywhere. `ctx.viewer` is the system; a job that
 * acts for a person loads them with `loadViewer`.
 */
export function defineJob<S extends z.ZodType>(options: JobOptions<S>): Job<S> {
  return { retries: 3, expiresAfterSeconds: 900, concurrency: 1, ...options }
}

interface EnqueueOptions {
  /** At most one waiting job with this key; later requests join it. */
  singletonKey?: string
  delayMs?: number
}

/** Puts a job into the queue inside the transaction: it exists when, and only when, the change does. */
export async function enqueue<S extends z.ZodType>(
  tx: WriteContext,
  job: Job<S>,
  input: z.input<S>,
  options: EnqueueOptions = {},
): Promise<void> {
  const data = job.input.parse(input) as object // job inputs are objects by convention of z.object
  await tx.jobs.boss.send(job.name, data, {
    db: fromKysely(tx.db),
    singletonKey: options.singletonKey ?? randomUUID(),
    ...(options.delayMs === undefined ? {} : { startAfter: Math.ceil(options.delayMs / 1_000) }),
  })
}
