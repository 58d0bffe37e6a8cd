import { sql } from 'kysely'
import type { Decision, DecisionStatus } from '#contract/discrepancies.ts'
import { discrepancyRules } from '#server/access/discrepancies.ts'
import { uuids } from '#server/access/scope.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { acceptValue } from './accept-value.ts'
import { checkName, showValue, sideOf, titleOf } from './discrepancies.presenter.ts'
import { loadDiscrepancies, type DiscrepancyRecord } from './discrepancies.queries.ts'
import { labelOfField } from './finding.ts'
import { dayIn } from './months.ts'
import { requestReconciliation } from './reconciliation.commands.ts'

/**
 * Decides differences (life cycle of domain 8.1), all of them or none: accepted writes the other value to the register, kept lets the
 * register stand, waived leaves it as it is for a reason and perhaps until a day. What is open about the account is then counted anew.
 */
export async function decideDiscrepancies(ctx: Context, ids: readonly string[], decision: Decision): Promise<void> {
  await transact(ctx, async (tx) => {
    await sql`SELECT id FROM discrepancies WHERE id = ANY(${uuids(ids)}) ORDER BY id FOR UPDATE`.execute(tx.db)
    const records = await loadDiscrepancies(tx, ids)
    if (records.length === 0 || records.length !== new Set(ids).size) throw notFound('Difference')
    for (const discrepancy of records) assertMayDecide(tx, discrepancy, decision)
    assertDate(tx, decision)
    if (decision.status === 'accepted') for (const discrepancy of records) await acceptValue(tx, discrepancy, decision.value)
    await tx.db
      .updateTable('discrepancies')
      .set({
        status: decision.status,
        note: decision.note || null,
        decided_by: viewerId(tx.viewer),
        decided_at: tx.clock.now(),
        waived_until: decision.waived_until ?? null,
        updated_at: tx.clock.now(),
      })
      .where('id', '=', sql<string>`ANY(${uuids(ids)})`)
      .execute()
    for (const [accountId, group] of Map.groupBy(records, ({ account_id }) => account_id)) await announce(tx, accountId, group, decision)
  })
}

const REFUSED: Readonly<Record<DecisionStatus, string>> = {
  accepted: 'You may not change the properties of this account.',
  kept: 'You may not settle differences.',
  waived: 'A critical difference can be waived by the broker or the provider only.',
}

function assertMayDecide(tx: WriteContext, discrepancy: DiscrepancyRecord, { status, note = '' }: Decision): void {
  const { severity } = discrepancy
  if (discrepancy.status === 'fixed' || discrepancy.status === 'obsolete')
    throw conflict('The register has changed since: this difference is no longer there. Please reload the list.')
  if (!discrepancyRules(tx.viewer, discrepancy)[status]) throw forbidden(REFUSED[status])
  if (note === '' && (status === 'waived' || (status === 'kept' && severity === 'critical')))
    throw invalid({ note: ['Please give the reason.'] })
}

function assertDate(tx: WriteContext, { status, waived_until }: Decision): void {
  if (waived_until === undefined || waived_until === null) return
  if (status !== 'waived') throw invalid({ waived_until: ['Only a waiver can end on a day.'] })
  if (waived_until < dayIn(timezoneOf(tx.viewer), tx.clock.now()))
    throw invalid({ waived_until: ['Please choose a day that is still to come.'] })
}

async function announce(tx: WriteContext, accountId: string, records: readonly DiscrepancyRecord[], decision: Decision): Promise<void> {
  const [first] = records
  if (first === undefined) return
  const message =
    records.length === 1
      ? sentence(first, decision)
      : `{user} ${decision.status} ${records.length} differences${decision.note ? `: ${decision.note}` : ''}`
  await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'reconciled', message })
  for (const { id } of records) emit(tx, { model: 'discrepancies', id, inAccount: accountId })
  await requestReconciliation(tx, accountId, 'edit')
}

/** Domain section 17. */
function sentence(discrepancy: DiscrepancyRecord, { status, value, note }: Decision): string {
  const { field } = discrepancy
  const property = titleOf(discrepancy)
  const right = sideOf(discrepancy.right_value)
  switch (status) {
    case 'accepted':
      return `{user} accepted ${labelOfField(field)} ${showValue(field, value ?? right?.value ?? null)} for ${property} from ${value === undefined ? (right?.source ?? 'the register').replaceAll('_', ' ') : 'their own entry'}`
    case 'kept':
      return `{user} kept ${labelOfField(field)} ${showValue(field, sideOf(discrepancy.left_value)?.value ?? null)} for ${property}`.replace(
        / {2,}/g,
        ' ',
      )
    case 'waived':
      return `{user} waived ${checkName(discrepancy.check_id)} for ${property}: ${note ?? ''}`
    default:
      return status satisfies never
  }
}
