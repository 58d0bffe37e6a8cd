import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '#server/kernel/log.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { transact } from '../transaction/transact.ts'
import { defineJob, enqueue, type JobRun } from './define-job.ts'
import { openQueue, runJobs, stopQueue } from './queue.ts'

const TIMEOUT_MS = 1_000

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { LOG_LEVEL: 'silent' } })
})
afterAll(() => app.stop())

/** Stops the queue while a job runs; returns what was logged and the state of the job. */
async function stopDuring(name: string, run: (job: JobRun) => Promise<void>) {
  let logged = ''
  const log = createLog({ level: 'info', destination: { write: (line) => void (logged += line) } })
  const started = vi.fn<() => void>()
  const job = defineJob({
    name,
    input: z.object({}),
    run: async (_ctx, _input, details) => {
      started()
      await run(details)
    },
  })
  const queue = await openQueue({ databaseUrl: app.system.config.databaseUrl ?? '', log, jobs: [job] })
  const ctx = { ...app.system, log, jobs: queue }
  await runJobs(ctx, [job])
  await transact(ctx, (tx) => enqueue(tx, job, {}))
  await vi.waitFor(() => expect(started).toHaveBeenCalled(), { timeout: 15_000 })
  const stopped = stopQueue(queue, TIMEOUT_MS)
  const problem = await stopped.then(
    () => undefined,
    (error: Error) => error.message,
  )
  const { rows } = await sql<{ state: string }>`SELECT state FROM pgboss.job WHERE name = ${name}`.execute(ctx.db)
  return { problem, logged: () => logged, state: rows[0]?.state }
}

describe('stopping the queue', () => {
  it('completes a job that finishes after the signal', async () => {
    const { problem, logged, state } = await stopDuring('finishes', async ({ signal }) => {
      while (!signal.aborted) await sleep(10)
    })
    expect({ problem, state }).toEqual({ problem: undefined, state: 'completed' })
    expect(logged()).toContain('"msg":"Job done"')
  })

  it('puts a job back that stops at a safe point', async () => {
    const { problem, logged, state } = await stopDuring('stops', async ({ signal }) => {
      while (!signal.aborted) await sleep(10)
      throw new Error('Stopped halfway.')
    })
    expect({ problem, state }).toEqual({ problem: undefined, state: 'retry' })
    expect(logged()).toMatch(/"message":"Stopped halfway\.".*"msg":"Job stopped; it runs again"/)
  })

  it('names a job that does not stop in time, puts it back and logs readable errors', async () => {
    let finish = () => {}
    const { problem, logged, state } = await stopDuring('ignores', () => new Promise<void>((resolve) => (finish = resolve)))
    expect({ problem, state }).toEqual({ problem: `Jobs did not stop in ${TIMEOUT_MS} ms and run again: ignores`, state: 'retry' })
    finish()
    await vi.waitFor(() => expect(logged()).toContain('The job queue reported an error'), { timeout: 10_000 })
    expect(logged()).not.toContain('[object Object]')
  })
})
