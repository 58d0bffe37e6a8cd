import { sql } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'

/** When a demo record was created and last changed; the commands that create it use the present time. */
interface RecordDates {
  id: string
  created_at: Date
  updated_at: Date
}

export interface SignIn {
  email: string
  /** Describes the user in the list of sign-ins. */
  who: string
}

export interface DemoContext {
  tx: WriteContext
  random: Random
  now: Date
  passwordHash: string
  /** Collected while the demo is created, like the sign-ins. */
  dates: { accounts: RecordDates[]; account_files: RecordDates[] }
  signIns: SignIn[]
  companies: string[]
}

const SEED = 771

export const createDemoContext = (tx: WriteContext, passwordHash: string): DemoContext => ({
  tx,
  random: seededRandom(SEED),
  now: tx.clock.now(),
  passwordHash,
  dates: { accounts: [], account_files: [] },
  signIns: [],
  companies: [],
})

/** In the working hours of every company of the demo. */
const HOUR_UTC = 17

/** Whole days before today, always at the same hour. */
export const daysAgo = (days: number, now: Date): Date => new Date(new Date(now).setUTCHours(HOUR_UTC, 0, 0, 0) - days * DAY_MS)

export const dateAgo = (days: number, now: Date): string => daysAgo(days, now).toISOString().slice(0, 10)

/** A policy year that begins the given days after today. */
export function termFrom(days: number, now: Date): { effective_date: string; expiration_date: string } {
  const begin = dateAgo(-days, now)
  return { effective_date: begin, expiration_date: `${Number(begin.slice(0, 4)) + 1}${begin.slice(4)}`.replace('-02-29', '-02-28') }
}

const WRITTEN_IN = 2026
const YEAR_OR_TERM = /\b(20\d\d)(-\d\d)?\b/g

/** Moves the years in a name of the demo ("SOV 2026-27") to the present. */
export function withPresentYears(name: string, now: Date): string {
  const offset = now.getUTCFullYear() - WRITTEN_IN
  return name.replace(YEAR_OR_TERM, (_match, year: string, next?: string) => {
    const first = Number(year) + offset
    return next === undefined ? `${first}` : `${first}-${String((first + 1) % 100).padStart(2, '0')}`
  })
}

/** Sets when a record was created and last changed, in days before today. `applyDates` writes it. */
export function backdate(demo: DemoContext, table: keyof DemoContext['dates'], id: string, created: number, updated: number): void {
  demo.dates[table].push({ id, created_at: daysAgo(created, demo.now), updated_at: daysAgo(updated, demo.now) })
}

/**
 * Writes the dates of accounts, documents, companies and users, and distributes the activity lines of each account over its
 * life in their order. Runs after the commit, which sets the dates of all records that it touches.
 */
export async function applyDates({ db }: Context, { dates, companies, now }: DemoContext): Promise<void> {
  for (const [table, records] of Object.entries(dates)) {
    await sql`UPDATE ${sql.table(table)} t SET created_at = p.created_at, updated_at = p.updated_at
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS p (id uuid, created_at timestamptz, updated_at timestamptz) WHERE t.id = p.id`.execute(
      db,
    )
  }
  const ids = dates.accounts.map(({ id }) => id)
  await sql`UPDATE activities v SET created_at = a.created_at + (a.updated_at - a.created_at) * ((o.place - 1)::float8 / greatest(o.lines - 1, 1))
    FROM (SELECT id, account_id, row_number() OVER w AS place, count(*) OVER (PARTITION BY account_id) AS lines FROM activities
            WHERE account_id = ANY(${ids}::uuid[]) AND class <> 'uploaded' WINDOW w AS (PARTITION BY account_id ORDER BY id)) o
    JOIN accounts a ON a.id = o.account_id WHERE v.id = o.id`.execute(db)
  await dateUploads(db, ids)
  const [founded, hired] = [daysAgo(900, now), daysAgo(800, now)]
  await sql`UPDATE companies SET created_at = ${founded}, updated_at = ${founded} WHERE id = ANY(${companies}::uuid[])`.execute(db)
  await sql`UPDATE users SET created_at = ${hired}, updated_at = ${hired} WHERE company_id = ANY(${companies}::uuid[])`.execute(db)
}

/** One line of the account for the documents that a user uploaded to it on one day; they were all uploaded at once. */
async function dateUploads(db: Context['db'], accountIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM activities WHERE class = 'uploaded' AND account_id = ANY(${accountIds}::uuid[])`.execute(db)
  await sql`INSERT INTO activities (model, model_id, account_id, actor_id, actor_name, class, message, group_count, created_at)
    SELECT 'account_files', f.account_id, f.account_id, u.id, u.first_name || ' ' || u.last_name, 'uploaded',
      u.first_name || ' ' || u.last_name || ' uploaded {n} documents', count(*), max(f.created_at)
    FROM account_files f JOIN users u ON u.id = f.created_by WHERE f.account_id = ANY(${accountIds}::uuid[])
    GROUP BY f.account_id, u.id, (f.created_at AT TIME ZONE 'UTC')::date`.execute(db)
  await sql`UPDATE activities v SET created_at = f.created_at FROM account_files f
    WHERE v.model = 'account_files' AND v.class = 'uploaded' AND v.model_id = f.id AND f.account_id = ANY(${accountIds}::uuid[])`.execute(
    db,
  )
}

export type Random = ReturnType<typeof seededRandom>

/** Numbers that look random and are the same on every machine: mulberry32 with 32 bits of state. */
function seededRandom(seed: number) {
  let state = seed >>> 0
  /** From 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    /** A whole number, both ends included. */
    whole: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]): T => {
      const chosen = list[Math.floor(next() * list.length)]
      if (chosen === undefined) throw new Error('There is nothing to pick from')
      return chosen
    },
    chance: (share: number) => next() < share,
  }
}
