import { sql } from 'kysely'
import { checkName } from '#contract/checks.ts'
import { plural } from '#contract/format.ts'
import { FLAG_TEXT_MAX_CHARACTERS } from '#contract/limits.ts'
import { principalsOf } from '#server/access/accounts.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { emit } from '#server/engines/transaction/changes.ts'

/**
 * Open critical discrepancies of single active properties; a sentence about the whole schedule flags none of them. The properties are
 * joined by their id alone, for the plan of accounts without statistics, as in `markWidespread`.
 */
const CRITICAL = sql`discrepancies d JOIN account_properties p ON p.id = d.property_id
    AND p.status = 'active' AND p.deleted_at IS NULL
  WHERE d.status = 'open' AND d.severity = 'critical' AND NOT d.widespread`

export async function criticalProperties(db: Reader, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT p.id FROM ${CRITICAL} AND d.account_id = ${accountId}`.execute(db)
  return rows.map(({ id }) => id)
}

const OF_CHECKS = sql`source = 'system' AND reason = 'critical_discrepancy'`
const IS_OPEN = sql`status IN ('open', 'acknowledged')`

/** What fails of a property; `id` is that of the property or of its flag. */
interface CriticalProperty {
  id: string
  checks: string[]
}

/** Reads the parts by themselves: the planner cannot estimate an account just checked, and would compare all of them with all. */
async function readCritical(db: Reader, accountId: string) {
  const { rows } = await sql<CriticalProperty>`SELECT p.id, array_agg(DISTINCT d.check_id ORDER BY d.check_id) AS checks
    FROM ${CRITICAL} AND d.account_id = ${accountId} GROUP BY p.id ORDER BY p.id`.execute(db)
  const flags = await sql<{ id: string; property_id: string; checks: string[]; is_open: boolean }>`SELECT id, property_id, checks,
    ${IS_OPEN} AS is_open FROM flags WHERE account_id = ${accountId} AND ${OF_CHECKS}`.execute(db)
  return { properties: rows, flags: flags.rows }
}

const messageOf = (checks: readonly string[]): string =>
  `Critical: ${[...new Set(checks.map(checkName))].toSorted().join(', ')}`.slice(0, FLAG_TEXT_MAX_CHARACTERS)

/**
 * After a run of the checks: flags the properties whose first critical discrepancy it has opened, closes the flags of the properties that
 * have none left, has the other flags name the checks that fail now, and notifies of new flags once.
 * @param before the properties that had a critical discrepancy before the run. Of these, only those are flagged that never were.
 */
export async function updateSystemFlags(tx: WriteContext, accountId: string, before: readonly string[]): Promise<void> {
  const { properties, flags } = await readCritical(tx.db, accountId)
  const open = new Map(flags.flatMap(({ is_open, ...flag }) => (is_open ? [[flag.property_id, flag] as const] : [])))
  const [known, ever] = [new Set(before), new Set(flags.map(({ property_id }) => property_id))]
  const unflagged = properties.filter(({ id }) => !open.has(id))
  const raised = await raise(
    tx,
    accountId,
    unflagged.filter(({ id }) => !known.has(id) || !ever.has(id)),
  )
  const renamed = await rename(
    tx,
    properties.flatMap(({ id, checks }) => {
      const flag = open.get(id)
      return flag === undefined || flag.checks.join() === checks.join() ? [] : [{ id: flag.id, checks }]
    }),
  )
  const critical = new Set(properties.map(({ id }) => id))
  const closed = await close(
    tx,
    [...open.values()].filter(({ property_id }) => !critical.has(property_id)).map(({ id }) => id),
  )
  if (raised.length + renamed + closed > 0) await publishSystemFlags(tx, accountId)
  const count = raised.filter((id) => !known.has(id)).length
  if (count > 0) await notifyCritical(tx, accountId, count)
}

const toRows = (flags: readonly CriticalProperty[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(flags.map(({ id, checks }) => ({ id, checks, message: messageOf(checks) })))}::jsonb)
    AS f (id uuid, checks text[], message text)`

/** The properties that got a flag, without those that were flagged meanwhile. */
async function raise({ db, clock }: WriteContext, accountId: string, properties: readonly CriticalProperty[]): Promise<string[]> {
  if (properties.length === 0) return []
  const { rows } = await sql<{ property_id: string }>`INSERT INTO flags
      (account_id, property_id, source, reason, message, checks, priority, created_at, updated_at)
    SELECT ${accountId}, f.id, 'system', 'critical_discrepancy', f.message, f.checks, 'high', ${clock.now()}, ${clock.now()}
    FROM ${toRows(properties)}
    ON CONFLICT (property_id, reason) WHERE source = 'system' AND ${IS_OPEN} DO NOTHING RETURNING property_id`.execute(db)
  return rows.map(({ property_id }) => property_id)
}

async function rename({ db, clock }: WriteContext, flags: readonly CriticalProperty[]): Promise<number> {
  if (flags.length > 0)
    await sql`UPDATE flags SET message = f.message, checks = f.checks, updated_at = ${clock.now()}, version = version + 1
      FROM ${toRows(flags)} WHERE flags.id = f.id AND ${IS_OPEN}`.execute(db)
  return flags.length
}

async function close({ db, clock }: WriteContext, ids: readonly string[]): Promise<number> {
  if (ids.length > 0)
    await sql`UPDATE flags SET status = 'resolved', resolution = 'No critical discrepancy is left.', closed_at = ${clock.now()},
      updated_at = ${clock.now()}, version = version + 1 WHERE id = ANY(${uuids(ids)}) AND ${IS_OPEN}`.execute(db)
  return ids.length
}

/** Raises the versions of the lists that show flags, without moving the account to the top of recently active ones. */
export async function publishSystemFlags(tx: WriteContext, accountId: string): Promise<void> {
  emit(tx, { model: 'flags', id: null, for: [accountId, ...(await principalsOf(tx.db, accountId))] })
}

async function notifyCritical(tx: WriteContext, accountId: string, count: number): Promise<void> {
  const account = await tx.db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
  const { owner, contacts } = await responsibleFor(tx.db, accountId)
  await notify(tx, [owner, ...contacts], {
    kind: 'discrepancies_critical',
    accountId,
    child: { model: 'discrepancies', model_id: null },
    message: `${plural(count, 'property', 'properties')} of ${account.name} ${count === 1 ? 'has' : 'have'} new critical discrepancies.`,
  })
}
