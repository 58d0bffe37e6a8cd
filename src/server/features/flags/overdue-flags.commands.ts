import { sql, type RawBuilder } from 'kysely'
import { plural } from '#contract/format.ts'
import { isDraftStatus } from '#server/access/risk-control.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { publishSystemFlags } from './system-flags.commands.ts'

const isIssued = (report: string): RawBuilder<unknown> =>
  sql`EXISTS (SELECT 1 FROM statuses s WHERE s.id = ${sql.ref(`${report}.status_id`)} AND NOT ${isDraftStatus})`

/**
 * Recommendations `r` of insured properties that wait for the insured after their due date, in the time zone of the account's company. One
 * that is reported as completed waits for the surveyor. Drafts do not count, because a flag of the property would reveal them, and one that
 * a later report repeats counts there only.
 */
const overdue = (now: Date): RawBuilder<unknown> => sql`risk_recommendations r
    JOIN risk_control c ON c.id = r.risk_control_id AND c.deleted_at IS NULL AND ${isIssued('c')}
    JOIN account_properties p ON p.id = r.property_id AND p.deleted_at IS NULL AND p.status = 'active'
    JOIN accounts a ON a.id = c.account_id JOIN companies o ON o.id = a.company_id
  WHERE r.status IN ('open', 'in_progress', 'deferred') AND r.due_on <= ${now}::date + 1 AND r.due_on < (${now} AT TIME ZONE o.timezone)::date
    AND NOT EXISTS (SELECT 1 FROM risk_recommendations x JOIN risk_control later ON later.id = x.risk_control_id
      WHERE x.property_id = r.property_id AND x.number = r.number AND later.deleted_at IS NULL AND ${isIssued('later')}
        AND (later.survey_date, later.id) > (c.survey_date, c.id))`

/** Whether no flag was raised for the number and due date of `r` yet. */
const isUnflagged = sql`NOT EXISTS (SELECT 1 FROM risk_recommendations x
  WHERE x.property_id = r.property_id AND x.number = r.number AND x.flagged_overdue = r.due_on)`

const OF_OVERDUE = sql`source = 'system' AND reason = 'recommendation_overdue' AND status IN ('open', 'acknowledged')`

interface OverdueProperty {
  property_id: string
  numbers: string[]
  unflagged: boolean
}

/** Every account whose overdue recommendations and flags may not agree, with its properties. Used by the daily job. */
export async function propertiesToFlag({ db, clock }: Context): Promise<{ account_id: string; properties: string[] }[]> {
  const now = clock.now()
  const { rows } = await sql<{ account_id: string; properties: string[] }>`SELECT p.account_id, array_agg(p.id ORDER BY p.id) AS properties
    FROM account_properties p WHERE p.id IN (
      SELECT r.property_id FROM ${overdue(now)} AND ${isUnflagged}
      UNION SELECT property_id FROM flags WHERE ${OF_OVERDUE}
      UNION SELECT property_id FROM risk_recommendations WHERE flagged_overdue IS NOT NULL)
    GROUP BY p.account_id ORDER BY p.account_id`.execute(db)
  return rows
}

/** Flags properties with recommendations that became overdue, and brings the flags of the others up to date. */
export const raiseOverdueFlags = (ctx: Context, accountId: string, properties: readonly string[]): Promise<void> =>
  transact(ctx, (tx) => updateFlags(tx, accountId, properties, { isRaising: true }))

/**
 * After a change of recommendations: closes the flags of properties without an overdue one, and names those that are left. New flags are
 * raised by the daily job.
 * @param leaving reports that the transaction moves to the trash
 */
export const updateOverdueFlags = (
  tx: WriteContext,
  accountId: string,
  properties: readonly string[],
  leaving: readonly string[] = [],
): Promise<void> => updateFlags(tx, accountId, properties, { leaving })

async function updateFlags(
  tx: WriteContext,
  accountId: string,
  properties: readonly string[],
  { isRaising = false, leaving = [] }: { isRaising?: boolean; leaving?: readonly string[] },
): Promise<void> {
  const [now, ids] = [tx.clock.now(), uuids(properties)]
  // A change of the recommendations and the job wait for each other, so that neither sees a former state.
  await lockRecords(tx, 'account_properties', properties)
  const those = sql`${overdue(now)} AND r.property_id = ANY(${ids}) AND c.id <> ALL(${uuids(leaving)})`
  const { rows: found } = await sql<OverdueProperty>`SELECT r.property_id, array_agg(r.number ORDER BY r.number) AS numbers,
      bool_or(${isUnflagged}) AS unflagged FROM ${those} GROUP BY r.property_id`.execute(tx.db)
  const changed = [await closeOthers(tx, ids, found), await rename(tx, found)]
  if (isRaising)
    changed.push(
      await raise(
        tx,
        accountId,
        found.filter(({ unflagged }) => unflagged),
      ),
    )
  // One that is overdue again later is flagged again, unless a later report repeats it with the same date.
  await sql`UPDATE risk_recommendations SET flagged_overdue = NULL WHERE property_id = ANY(${ids}) AND flagged_overdue IS NOT NULL
    AND (property_id, number, flagged_overdue) NOT IN (SELECT r.property_id, r.number, r.due_on FROM ${those})`.execute(tx.db)
  if (isRaising)
    await sql`UPDATE risk_recommendations SET flagged_overdue = due_on WHERE id IN (SELECT r.id FROM ${those})
    AND flagged_overdue IS DISTINCT FROM due_on`.execute(tx.db)
  if (changed.some(Boolean)) await publishSystemFlags(tx, accountId)
}

async function closeOthers(tx: WriteContext, ids: RawBuilder<unknown>, found: readonly OverdueProperty[]): Promise<boolean> {
  const now = tx.clock.now()
  const left = uuids(found.map(({ property_id }) => property_id))
  const { numAffectedRows } =
    await sql`UPDATE flags SET status = 'resolved', resolution = 'No recommendation is overdue.', closed_at = ${now},
      updated_at = ${now}, version = version + 1
    WHERE property_id = ANY(${ids}) AND property_id <> ALL(${left}) AND ${OF_OVERDUE}`.execute(tx.db)
  return numAffectedRows !== 0n
}

/** The open flags name the recommendations that are overdue now. */
async function rename(tx: WriteContext, found: readonly OverdueProperty[]): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE flags SET message = m.message, updated_at = ${tx.clock.now()}, version = version + 1
    FROM ${messagesOf(found)} WHERE flags.property_id = m.property_id AND ${OF_OVERDUE} AND flags.message <> m.message`.execute(tx.db)
  return numAffectedRows !== 0n
}

async function raise(tx: WriteContext, accountId: string, found: readonly OverdueProperty[]): Promise<boolean> {
  const now = tx.clock.now()
  const { numAffectedRows } =
    await sql`INSERT INTO flags (account_id, property_id, source, reason, message, priority, created_at, updated_at)
    SELECT ${accountId}, m.property_id, 'system', 'recommendation_overdue', m.message, 'high', ${now}, ${now} FROM ${messagesOf(found)}
    ON CONFLICT (property_id, reason) WHERE source = 'system' AND status IN ('open', 'acknowledged') DO NOTHING`.execute(tx.db)
  return numAffectedRows !== 0n
}

const messagesOf = (found: readonly OverdueProperty[]): RawBuilder<unknown> =>
  sql`unnest(${uuids(found.map(({ property_id }) => property_id))}, ${found.map(messageOf)}::text[]) AS m (property_id, message)`

const NAMED_MAX = 10

/** Numbers without titles: users who flag properties need not see the reports. */
function messageOf({ numbers }: OverdueProperty): string {
  const more = numbers.length - NAMED_MAX
  const named = `${numbers.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
  return numbers.length === 1 ? `Recommendation ${named} is overdue.` : `${plural(numbers.length, 'recommendation')} are overdue: ${named}.`
}
