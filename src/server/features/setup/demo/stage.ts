import { sql } from 'kysely'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { daysAgo } from './days.ts'
import { seededRandom, type Random } from './random.ts'

/** When something of the demo was made and last touched; the commands that made it know only the present. */
interface Past {
  id: string
  created_at: Date
  updated_at: Date
}

export interface SignIn {
  email: string
  /** What the person is, for whoever reads the list. */
  who: string
}

/** What every part of a scenario works with. */
export interface Stage {
  tx: WriteContext
  random: Random
  now: Date
  passwordHash: string
  /** Filled by the parts. */
  accounts: Past[]
  files: Past[]
  signIns: SignIn[]
}

const SEED = 771

export const openStage = (tx: WriteContext, passwordHash: string): Stage => ({
  tx,
  random: seededRandom(SEED),
  now: tx.clock.now(),
  passwordHash,
  accounts: [],
  files: [],
  signIns: [],
})

/** Days ago from the demo's today. */
export function remember(stage: Stage, kind: 'accounts' | 'files', id: string, created: number, updated: number): void {
  stage[kind].push({ id, created_at: daysAgo(created, stage.now), updated_at: daysAgo(updated, stage.now) })
}

/**
 * After the commit, which touches everything it made: sets accounts, documents and companies back to when they were made, and
 * spreads the activity lines of each account over its life in their order.
 */
export async function settle(ctx: Context, { accounts, files, now }: Stage): Promise<void> {
  for (const [table, past] of [
    ['accounts', accounts],
    ['account_files', files],
  ] as const) {
    await sql`UPDATE ${sql.table(table)} t SET created_at = p.created_at, updated_at = p.updated_at
      FROM jsonb_to_recordset(${JSON.stringify(past)}::jsonb) AS p (id uuid, created_at timestamptz, updated_at timestamptz) WHERE t.id = p.id`.execute(
      ctx.db,
    )
  }
  await sql`UPDATE activities v SET created_at = a.created_at + (a.updated_at - a.created_at) * (o.place::float8 / o.lines)
    FROM (SELECT id, account_id, row_number() OVER w AS place, count(*) OVER (PARTITION BY account_id) AS lines FROM activities
            WHERE account_id = ANY(${`{${accounts.map(({ id }) => id).join(',')}}`}::uuid[]) WINDOW w AS (PARTITION BY account_id ORDER BY id)) o
    JOIN accounts a ON a.id = o.account_id WHERE v.id = o.id`.execute(ctx.db)
  const founded = daysAgo(900, now)
  const homes = sql`SELECT company_id FROM accounts WHERE id = ANY(${`{${accounts.map(({ id }) => id).join(',')}}`}::uuid[])`
  await sql`UPDATE companies SET created_at = ${founded}, updated_at = ${founded} WHERE id IN (${homes})`.execute(ctx.db)
  await sql`UPDATE users SET created_at = ${daysAgo(800, now)}, updated_at = ${daysAgo(800, now)} WHERE company_id IN (${homes})`.execute(
    ctx.db,
  )
}
