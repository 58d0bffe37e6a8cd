import { sql } from 'kysely'
import { SCHEDULE_CHECKS, type CheckState } from '#contract/checks.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'

/** A run that has reported nothing for this long was killed; the queue starts it again. */
const SILENT_RUN_MS = 60_000

/** Marks the findings of the account as out of date, in the transaction of the change. */
export async function markOutdated(tx: WriteContext, accountId: string): Promise<void> {
  await sql`INSERT INTO check_states (account_id, requested) VALUES (${accountId}, 1)
    ON CONFLICT (account_id) DO UPDATE SET requested = check_states.requested + 1, failed = false`.execute(tx.db)
}

/** Marks the findings of all accounts of a company as out of date; an account that was never checked stays so. */
export async function markCompanyOutdated(tx: WriteContext, companyId: string): Promise<void> {
  await sql`UPDATE check_states SET requested = requested + 1, failed = false
    WHERE account_id IN (SELECT id FROM accounts WHERE company_id = ${companyId})`.execute(tx.db)
}

export interface BegunRun {
  /** The requests that the run serves: all that were committed before it reads the register. */
  requested: number
  /** The day of the last finished run. */
  checkedOn: string | null
}

/** Call before reading the register and outside its transaction, so that others see the run. Undefined if the account is gone. */
export async function beginRun(ctx: Context, accountId: string): Promise<BegunRun | undefined> {
  const { rows } = await sql<BegunRun>`INSERT INTO check_states AS s (account_id, progress_at)
    SELECT id, ${ctx.clock.now()}::timestamptz FROM accounts WHERE id = ${accountId}
    ON CONFLICT (account_id) DO UPDATE SET progress_at = excluded.progress_at, done = NULL, total = NULL, failed = false
    RETURNING requested, checked_on AS "checkedOn"`.execute(ctx.db)
  return rows[0]
}

/** A run holds a connection, so without a free one it reports nothing: runs that wait for each other's connections would all fail. */
const isPoolBusy = ({ pool: { idleCount, totalCount, waitingCount, options } }: Context): boolean =>
  waitingCount > 0 || (idleCount === 0 && totalCount >= options.max)

/** Call outside the transaction of the run. */
export async function reportProgress(ctx: Context, accountId: string, done: number, total: number): Promise<void> {
  if (isPoolBusy(ctx)) return
  await sql`UPDATE check_states SET progress_at = ${ctx.clock.now()}, done = ${done}, total = ${total} WHERE account_id = ${accountId}`.execute(
    ctx.db,
  )
}

/** Says that the run is alive until the returned function is called, since its last statements can take longer than `SILENT_RUN_MS`. */
export function keepAlive(ctx: Context, accountId: string, everyMs = SILENT_RUN_MS / 3): () => void {
  const { db, clock, log } = ctx
  const touch = () =>
    // A finished run no longer reports anything.
    sql`UPDATE check_states SET progress_at = ${clock.now()} WHERE account_id = ${accountId} AND progress_at IS NOT NULL`.execute(db)
  const timer = setInterval(() => {
    if (isPoolBusy(ctx)) return
    touch().catch((error: unknown) => log.warn({ err: error }, 'The progress of a run was not stored'))
  }, everyMs)
  return () => clearInterval(timer)
}

/** Call at the end of the transaction of the run. */
export async function finishRun(tx: WriteContext, accountId: string, run: { requested: number; at: Date; today: string }): Promise<void> {
  await sql`UPDATE check_states SET checked = greatest(checked, ${run.requested}), checked_at = ${run.at}, checked_on = ${run.today},
    progress_at = NULL, done = NULL, total = NULL, value_by_check = ${valueByCheck(accountId)} WHERE account_id = ${accountId}`.execute(
    tx.db,
  )
}

/**
 * For each check with discrepancies that are more than information, the value of the properties that have an open one. Information that
 * most properties share is missing data; a repeated value is often correct, so it is no fix while it is information.
 */
const valueByCheck = (accountId: string) => sql`(SELECT coalesce(jsonb_object_agg(check_id, tiv), '{}')
  FROM (SELECT check_id, sum(tiv) AS tiv
    FROM (SELECT d.check_id, p.id, p.tiv, bool_or((d.widespread AND d.check_id <> ALL(${SCHEDULE_CHECKS}::text[])) OR d.severity <> 'info') AS worth
      FROM discrepancies d JOIN account_properties p ON p.id = d.property_id
      WHERE d.account_id = ${accountId} AND d.status = 'open' AND p.status = 'active' AND p.deleted_at IS NULL
      GROUP BY d.check_id, p.id, p.tiv) per_property
    GROUP BY check_id HAVING bool_or(worth)) per_check)`

/** Ends a run without a result; `failed` if the queue will not try again. */
export async function endRun({ db }: Context, accountId: string, { failed } = { failed: false }): Promise<void> {
  await sql`UPDATE check_states SET progress_at = NULL, done = NULL, total = NULL, failed = ${failed} WHERE account_id = ${accountId}`.execute(
    db,
  )
}

/** Whether the findings of an account are those of its present values. */
export async function readCheckState(db: Reader, accountId: string, now: Date): Promise<CheckState> {
  const { rows } = await sql<{
    hasProperties: boolean
    isRequested: boolean
    isCurrent: boolean
    failed: boolean | null
    checked_at: Date | null
    progress_at: Date | null
    done: number | null
    total: number | null
  }>`SELECT t.active_properties > 0 AS "hasProperties", s.account_id IS NOT NULL AS "isRequested", s.checked = s.requested AND s.checked_at IS NOT NULL AS "isCurrent",
      s.failed, s.checked_at, s.progress_at, s.done, s.total
    FROM account_totals t LEFT JOIN check_states s ON s.account_id = t.account_id WHERE t.account_id = ${accountId}`.execute(db)
  const [row] = rows
  const as_of = row?.checked_at?.toISOString() ?? null
  const none = { as_of, done: null, total: null }
  if (row?.hasProperties !== true) return { state: 'nothing_to_check', ...none }
  if (!row.isRequested) return { state: 'never', ...none }
  const isRunning = row.progress_at !== null && now.getTime() - row.progress_at.getTime() < SILENT_RUN_MS
  if (isRunning && !row.isCurrent) return { state: 'running', as_of, done: row.done, total: row.total }
  if (row.isCurrent) return { state: 'current', ...none }
  return { state: row.failed === true ? 'failed' : 'waiting', ...none }
}
