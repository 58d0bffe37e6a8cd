import pg from 'pg'
import { z } from 'zod'
import { createLog } from '#server/kernel/log.ts'
import { defineJob } from './define-job.ts'
import { openQueue } from './queue.ts'

/** A process that starts the job `slow`, writes a row into the table `marks`, and never finishes. Argument: the database URL. */
const databaseUrl = process.argv[2] ?? ''
const slow = defineJob({ name: 'slow', input: z.object({}), run: async () => {} })
const { boss } = await openQueue({ databaseUrl, log: createLog({ level: 'silent' }), jobs: [slow] })
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
await boss.work('slow', { pollingIntervalSeconds: 0.5 }, async () => {
  await client.query('INSERT INTO marks (pid, attempt) VALUES ($1, 1)', [process.pid])
  await new Promise(() => setInterval(() => {}, 1_000))
})
