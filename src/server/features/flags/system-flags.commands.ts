import { sql } from 'kysely'
import { CHECKS } from '#contract/checks.ts'
import { plural } from '#contract/format.ts'
import { FLAG_TEXT_MAX_CHARACTERS } from '#contract/limits.ts'
import { principalsOf } from '#server/access/accounts.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { emit } from '#server/engines/transaction/changes.ts'

/** Open critical discrepancies of single active properties; a sentence about the whole schedule flags none of them. */
const CRITICAL = sql`discrepancies d JOIN account_properties p ON p.account_id = d.account_id AND p.id = d.property_id
    AND p.status = 'active' AND p.deleted_at IS NULL
  WHERE d.status = 'open' AND d.severity = 'critical' AND NOT d.widespread`

export async function criticalProperties(db: Reader, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT p.id FROM ${CRITICAL} AND d.account_id = ${accountId}`.execute(db)
  return rows.map(({ id }) => id)
}

const OF_CHECKS = sql`source = 'system' AND reason = 'critical_discrepancy' AND status IN ('open', 'acknowledged')`

const CHECK_NAMES = JSON.stringify(Object.fromEntries(Object.entries(CHECKS).map(([id, { name }]) => [id, name])))

/** What a flag says about the critical discrepancies `d` of its property. */
const MESSAGE = sql`left('Critical: ' || string_agg(DISTINCT coalesce(${CHECK_NAMES}::jsonb ->> d.check_id, d.check_id), ', '),
  ${FLAG_TEXT_MAX_CHARACTERS})`
const CHECK_IDS_OF = sql`array_agg(DISTINCT d.check_id ORDER BY d.check_id)`

/**
 * After a run of the checks: flags the properties whose first critical discrepancy it has opened, closes the flags of the properties that
 * have none left, has the other flags name the checks that fail now, and notifies of new flags once.
 * @param before the properties that had a critical discrepancy before the run. Of these, only those are flagged that never were.
 */
export async function updateSystemFlags(tx: WriteContext, accountId: string, before: readonly string[]): Promise<void> {
  const now = tx.clock.now()
  const raised = await sql<{
    is_new: boolean
  }>`INSERT INTO flags (account_id, property_id, source, reason, message, checks, priority, created_at, updated_at)
    SELECT ${accountId}, p.id, 'system', 'critical_discrepancy', ${MESSAGE}, ${CHECK_IDS_OF}, 'high', ${now}, ${now}
    FROM ${CRITICAL} AND d.account_id = ${accountId} AND (p.id <> ALL(${uuids(before)})
      OR NOT EXISTS (SELECT 1 FROM flags f WHERE f.property_id = p.id AND f.source = 'system' AND f.reason = 'critical_discrepancy'))
    GROUP BY p.id ORDER BY p.id
    ON CONFLICT (property_id, reason) WHERE source = 'system' AND status IN ('open', 'acknowledged') DO NOTHING
    RETURNING property_id <> ALL(${uuids(before)}) AS is_new`.execute(tx.db)
  const renamed = await sql`UPDATE flags SET message = m.message, checks = m.checks, updated_at = ${now}, version = version + 1
    FROM (SELECT p.id, ${MESSAGE} AS message, ${CHECK_IDS_OF} AS checks FROM ${CRITICAL} AND d.account_id = ${accountId} GROUP BY p.id) m
    WHERE flags.property_id = m.id AND ${OF_CHECKS} AND flags.checks <> m.checks`.execute(tx.db)
  const closed = await sql`UPDATE flags SET status = 'resolved', resolution = 'No critical discrepancy is left.', closed_at = ${now},
      updated_at = ${now}, version = version + 1
    WHERE account_id = ${accountId} AND ${OF_CHECKS}
      AND NOT EXISTS (SELECT 1 FROM ${CRITICAL} AND d.account_id = flags.account_id AND p.id = flags.property_id)`.execute(tx.db)
  const isChanged = raised.rows.length > 0 || [renamed, closed].some(({ numAffectedRows }) => numAffectedRows !== 0n)
  if (isChanged) await publishSystemFlags(tx, accountId)
  const count = raised.rows.filter(({ is_new }) => is_new).length
  if (count > 0) await notifyCritical(tx, accountId, count)
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
