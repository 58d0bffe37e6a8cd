import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context, Jobs } from '#server/engines/context.ts'
import { jobs as registered } from '#server/features/index.ts'
import { createLog } from '#server/kernel/log.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { transact } from '../transaction/transact.ts'
import { defineJob, enqueue, type Job } from './define-job.ts'
import { openQueue, runJobs, stopQueue } from './queue.ts'

interface Run {
  input: unknown
  attempt: number
  lastAttempt: boolean
  viewer: string
}
const runs: Run[] = []
const recordRun = (ctx: Context, input: unknown, { attempt, lastAttempt }: { attempt: number; lastAttempt: boolean }) =>
  runs.push({ input, attempt, lastAttempt, viewer: ctx.viewer.kind })

const echo = defineJob({
  name: 'echo',
  input: z.object({ word: z.string(), times: z.number().default(1) }),
  run: async (ctx, input, job) => void recordRun(ctx, input, job),
})
const failing = defineJob({
  name: 'failing',
  input: z.object({ fails: z.number() }),
  retries: 2,
  run: async (ctx, input, job) => {
    recordRun(ctx, input, job)
    if (job.attempt <= input.fails) throw new Error(`attempt ${job.attempt}`)
  },
})
const hopeless = defineJob({ name: 'hopeless', input: z.object({}), run: async () => ({ failed: 'This cannot work.' }) })
const ends = new Map<string, Promise<void>>()
const held = defineJob({
  name: 'held',
  input: z.object({ word: z.string() }),
  concurrency: 2,
  run: async (ctx, input, job) => {
    recordRun(ctx, input, job)
    await ends.get(input.word)
  },
})
const slow = defineJob({ name: 'slow', input: z.object({}), run: async (ctx, input, job) => void recordRun(ctx, input, job) })
const nightly = defineJob({ name: 'nightly', input: z.object({}), schedule: '15 3 * * *', run: async () => {} })
const idle = defineJob({ name: 'idle', input: z.object({ n: z.number() }), run: async () => {} })
const ranked = defineJob({
  name: 'ranked',
  input: z.object({ word: z.string() }),
  run: async (ctx, input, job) => void recordRun(ctx, input, job),
})
const unknown = defineJob({ name: 'undeclared', input: z.object({}), run: async () => {} })

let app: TestApp
let queue: Jobs
let ctx: Context
const logged: unknown[] = []

beforeAll(async () => {
  app = await testApp({ env: { LOG_LEVEL: 'silent' } })
  const jobs: Job[] = [echo, failing, hopeless, held, slow, nightly, idle, ranked]
  queue = await openQueue({ databaseUrl: app.system.config.databaseUrl ?? '', log: app.system.log, jobs })
  const log = createLog({ level: 'error', destination: { write: (entry) => void logged.push(JSON.parse(entry)) } })
  ctx = { ...app.system, log, jobs: queue }
  await runJobs(ctx, [echo, failing, hopeless, held, nightly])
})
afterAll(async () => {
  await stopQueue(queue)
  await app.stop()
})

const put: (...args: Parameters<typeof enqueue> extends [unknown, ...infer Rest] ? Rest : never) => Promise<void> = (...args) =>
  transact(ctx, (tx) => enqueue(tx, ...args))
const runsOf = (word: string) => runs.filter(({ input }) => JSON.stringify(input).includes(`"${word}"`))
const states = async (name: string) =>
  (await sql<{ state: string }>`SELECT state FROM pgboss.job WHERE name = ${name} ORDER BY created_on`.execute(ctx.db)).rows.map(
    ({ state }) => state,
  )
const TIMEOUT = { timeout: 15_000, interval: 50 }

describe('a job', () => {
  it('runs once as the system, with the input parsed by its schema', async () => {
    await put(echo, { word: 'hello' })
    await vi.waitFor(() => expect(runsOf('hello')).toHaveLength(1), TIMEOUT)
    expect(runsOf('hello')[0]).toEqual({ input: { word: 'hello', times: 1 }, attempt: 1, lastAttempt: false, viewer: 'system' })
    await vi.waitFor(async () => expect(await states('echo')).toEqual(['completed']), TIMEOUT)
  })

  it('is rejected with an invalid input', async () => {
    await expect(put(echo, { word: 7 })).rejects.toThrow()
  })

  it('does not exist after its transaction was rolled back', async () => {
    const broken = transact(ctx, async (tx) => {
      await enqueue(tx, echo, { word: 'never' })
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await put(echo, { word: 'after' })
    await vi.waitFor(() => expect(runsOf('after')).toHaveLength(1), TIMEOUT)
    expect(runsOf('never')).toEqual([])
  })

  it('has the settings of this release after the next start', async () => {
    const settings = async () => {
      const queue = await ctx.jobs.boss.getQueue('changed')
      return { retryLimit: queue?.retryLimit, expireInSeconds: queue?.expireInSeconds, policy: queue?.policy }
    }
    const startWith = async (job: Job) =>
      stopQueue(await openQueue({ databaseUrl: app.system.config.databaseUrl ?? '', log: ctx.log, jobs: [job] }))
    const changed = defineJob({ name: 'changed', input: z.object({}), run: async () => {} })
    await startWith(changed)
    expect(await settings()).toEqual({ retryLimit: 3, expireInSeconds: 900, policy: 'short' })
    await startWith({ ...changed, retries: 5, expiresAfterSeconds: 60 })
    expect(await settings()).toEqual({ retryLimit: 5, expireInSeconds: 60, policy: 'short' })
  })

  it('rolls back its transaction if it is not declared', async () => {
    await expect(put(unknown, {})).rejects.toThrow(/undeclared/)
  })

  it('is retried after a failure and can see its last attempt', async () => {
    await put(failing, { fails: 1 })
    await put(failing, { fails: 9 })
    const attempts = (fails: number) => runs.filter(({ input }) => JSON.stringify(input) === `{"fails":${fails}}`)
    await vi.waitFor(() => expect([attempts(1), attempts(9)].map(({ length }) => length)).toEqual([2, 3]), TIMEOUT)
    expect(attempts(9).map(({ attempt, lastAttempt }) => [attempt, lastAttempt])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    await vi.waitFor(async () => expect((await states('failing')).sort()).toEqual(['completed', 'failed']), TIMEOUT)
  })

  it('that cannot succeed has failed with its reason, is not retried and is logged', async () => {
    await put(hopeless, {})
    const stored = async () =>
      (await sql`SELECT state::text, retry_count, output FROM pgboss.job WHERE name = 'hopeless'`.execute(ctx.db)).rows
    const failed = { state: 'failed', retry_count: 0, output: { failed: 'This cannot work.' } }
    await vi.waitFor(async () => expect(await stored()).toEqual([failed]), TIMEOUT)
    expect(logged).toContainEqual(expect.objectContaining({ job: 'hopeless', reason: 'This cannot work.', msg: 'Job failed for good' }))
  })

  it('waits once per singleton key', async () => {
    for (let n = 0; n < 5; n += 1) await put(idle, { n }, { singletonKey: 'same' })
    for (let n = 5; n < 8; n += 1) await put(idle, { n })
    await put(idle, { n: 8 }, { singletonKey: 'other' })
    expect(await states('idle')).toEqual(Array.from({ length: 5 }, () => 'created'))
  })

  it('starts as soon as the running one of its key ends, and not before', async () => {
    const begun = performance.now()
    const at = (word: string) => runsOf(word).length
    const end = Promise.withResolvers<void>()
    ends.set('first', end.promise)
    await put(held, { word: 'first' }, { singletonKey: 'held' })
    await vi.waitFor(() => expect(at('first')).toBe(1), TIMEOUT)
    await put(held, { word: 'second' }, { singletonKey: 'held' })
    await put(held, { word: 'another' }, { singletonKey: 'free' })
    // After the next statistics of the queue, which list the key as running.
    await vi.waitFor(() => expect(performance.now() - begun).toBeGreaterThan(7_000), TIMEOUT)
    expect([at('another'), at('second')]).toEqual([1, 0])
    end.resolve()
    await vi.waitFor(() => expect(at('second')).toBe(1), { timeout: 1_000, interval: 20 })
  }, 20_000)

  it('commits the change of a request that was merged into a waiting job', async () => {
    const before = await ctx.db
      .selectFrom('companies')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    await transact(ctx, async (tx) => {
      await enqueue(tx, idle, { n: 9 }, { singletonKey: 'same' })
      await tx.db.insertInto('companies').values({ name: 'Joined' }).execute()
    })
    const after = await ctx.db
      .selectFrom('companies')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(after.n).toBe(before.n + 1)
  })

  it('runs before those with a lower priority, and after older ones with the same', async () => {
    await put(ranked, { word: 'low' }, { priority: -5 })
    await put(ranked, { word: 'lowest' }, { priority: -9, singletonKey: 'merged' })
    await put(ranked, { word: 'merged' }, { priority: 9, singletonKey: 'merged' })
    await put(ranked, { word: 'usual' })
    await put(ranked, { word: 'second usual' }, { priority: 0 })
    await put(ranked, { word: 'high' }, { priority: 3 })
    const already = runs.length
    await runJobs(ctx, [ranked])
    await vi.waitFor(async () => expect(await states('ranked')).toEqual(Array.from({ length: 5 }, () => 'completed')), TIMEOUT)
    const words = runs.slice(already).map(({ input }) => (input as { word?: string }).word)
    expect(words).toEqual(['high', 'usual', 'second usual', 'low', 'lowest'])
  })

  it('can be delayed', async () => {
    await put(echo, { word: 'later' }, { delayMs: 3_600_000 })
    const { rows } = await sql<{ delayed: boolean }>`SELECT start_after > now() + interval '59 minutes' AS delayed FROM pgboss.job
      WHERE data->>'word' = 'later'`.execute(ctx.db)
    expect(rows).toEqual([{ delayed: true }])
    expect(runsOf('later')).toEqual([])
  })

  it('with a cron expression is scheduled', async () => {
    expect((await queue.boss.getSchedules()).map(({ name, cron }) => ({ name, cron }))).toEqual([{ name: 'nightly', cron: '15 3 * * *' }])
  })

  it('runs in another process after its worker was killed', async () => {
    await app.asOwner('CREATE TABLE marks (pid integer, attempt integer); GRANT ALL ON marks TO PUBLIC')
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./stuck-worker.fixture.ts', import.meta.url)), app.system.config.databaseUrl ?? ''],
      {
        stdio: 'ignore',
      },
    )
    await put(slow, {})
    const marks = async () => (await sql<{ pid: number }>`SELECT pid FROM marks`.execute(ctx.db)).rows
    await vi.waitFor(async () => expect(await marks()).toEqual([{ pid: child.pid }]), TIMEOUT)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await states('slow')).toEqual(['active'])
    // As if the heartbeat had been missing for a minute.
    await sql`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute' WHERE name = 'slow'`.execute(ctx.db)
    await runJobs(ctx, [slow])
    await queue.boss.supervise('slow')
    await vi.waitFor(async () => expect(await states('slow')).toEqual(['completed']), TIMEOUT)
    expect(runs.filter(({ input }) => JSON.stringify(input) === '{}')).toMatchObject([{ attempt: 2 }])
  })
})

describe('the registered jobs', () => {
  it('have unique names, retries and an expiry', () => {
    expect(registered.length).toBeGreaterThan(3)
    expect(new Set(registered.map(({ name }) => name)).size).toBe(registered.length)
    for (const { name, retries, expiresAfterSeconds } of registered) {
      expect(retries, name).toBeGreaterThan(0)
      expect(expiresAfterSeconds, name).toBeGreaterThan(0)
    }
  })

  it('have a queue each', async () => {
    const queues = await app.system.jobs.boss.getQueues()
    expect(queues.map(({ name }) => name)).toEqual(expect.arrayContaining(registered.map(({ name }) => name)))
  })
})
