import { sql } from 'kysely'
import { checkName } from '#contract/checks.ts'
import { isPropertyField, propertyFieldSchema } from '#contract/account-properties.ts'
import type { Decision, DecisionStatus, SharedDecision } from '#contract/discrepancies.ts'
import { formatList, formatNumber, isoDateIn } from '#contract/format.ts'
import { propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { discrepancyRules } from '#server/access/discrepancies.ts'
import { uuids } from '#server/access/scope.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { setPropertyValue } from '../account-properties/properties.record.ts'
import { formatValue, presentDiscrepancy, sideOf, titleOf } from './discrepancies.presenter.ts'
import { loadDiscrepancies, type DiscrepancyRecord } from './discrepancies.queries.ts'
import { labelOfField } from './check.ts'
import { requestReconciliation } from './reconciliation.commands.ts'

type AnyDecision = Decision | (SharedDecision & { value?: undefined })

/**
 * Decides discrepancies, all of them or none. Accepted: the other value is written to the register. Kept: the value in the register
 * is right. Waived: left as it is for a reason, perhaps until a day. Requests a reconciliation of each account. Throws `conflict` for those
 * that were decided, unless the decision names what it replaces by `decided_at`: users must not overwrite a decision they have not seen.
 */
export async function decideDiscrepancies(ctx: Context, ids: readonly string[], decision: AnyDecision): Promise<void> {
  await transact(ctx, async (tx) => {
    await sql`SELECT id FROM discrepancies WHERE id = ANY(${uuids(ids)}) ORDER BY id FOR UPDATE`.execute(tx.db)
    const records = await loadDiscrepancies(tx, ids)
    if (records.length === 0 || records.length !== new Set(ids).size) throw notFound('Discrepancy')
    for (const discrepancy of records) assertDecidable(tx, discrepancy, decision)
    assertSeen(records, decision)
    assertWaivedUntil(tx, decision)
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
    for (const { id, account_id } of records) emit(tx, { model: 'discrepancies', id, inAccount: account_id })
    for (const [accountId, group] of Map.groupBy(records, ({ account_id }) => account_id)) {
      const message = `{user} ${decision.status} ${describeDecision(group, decision)}`
      await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'reconciled', message })
      await requestReconciliation(tx, accountId, 'edit')
    }
  })
}

const DENIED: Readonly<Record<DecisionStatus, string>> = {
  accepted: 'You cannot change the properties of this account.',
  kept: 'You cannot decide discrepancies.',
  waived: 'Only the broker or the provider can waive a critical discrepancy.',
}

function assertDecidable(tx: WriteContext, discrepancy: DiscrepancyRecord, { status, note = '' }: AnyDecision): void {
  if (discrepancy.status === 'fixed' || discrepancy.status === 'obsolete')
    throw conflict('The register has changed and this discrepancy no longer exists. Please reload the list.')
  if (!discrepancyRules(tx.viewer, discrepancy)[status]) throw forbidden(DENIED[status])
  const needsReason = status === 'waived' || (status === 'kept' && discrepancy.severity === 'critical')
  if (needsReason && note === '') throw invalid({ note: ['Please enter a reason.'] })
}

/** Throws `conflict` with the names of the users who decided some of these, unless the decision names theirs. */
function assertSeen(records: readonly DiscrepancyRecord[], { decided_at: replaced }: AnyDecision): void {
  const replacedOf = (id: string) => (typeof replaced === 'string' ? replaced : replaced?.[id]) ?? null
  const unseen = records.filter(({ id, decided_at }) => {
    const known = replacedOf(id)
    return (decided_at?.getTime() ?? null) !== (known === null ? null : Date.parse(known))
  })
  const [first] = unseen
  if (first === undefined) return
  const decided = unseen.filter(({ decided_at }) => decided_at !== null)
  const names = [...new Set(decided.map(({ decided_by_name }) => decided_by_name ?? 'Another user'))]
  const what =
    records.length === 1 ? 'this discrepancy' : `${formatNumber(decided.length)} of these ${formatNumber(records.length)} discrepancies`
  const message =
    names.length === 0
      ? 'The decision to replace no longer counts, because a check found the discrepancy again.'
      : `${formatList(names)} ${names.length === 1 ? 'has' : 'have'} decided ${what}.`
  throw conflict(`${message} Please reload ${records.length === 1 ? 'it' : 'the list'} and decide again.`, {
    changed_by: names.length === 0 ? null : formatList(names),
    current: presentDiscrepancy(first),
  })
}

function assertWaivedUntil(tx: WriteContext, { status, waived_until }: AnyDecision): void {
  if (waived_until === undefined || waived_until === null) return
  if (status !== 'waived') throw invalid({ waived_until: ['Only a waiver can have an end date.'] })
  if (waived_until < isoDateIn(tx.clock.now(), timezoneOf(tx.viewer))) throw invalid({ waived_until: ['Please choose a future date.'] })
}

/** Sources of other sides that are a value of the field itself; those of other sources only explain what is wrong. */
const SUGGESTING_SOURCES: ReadonlySet<string> = new Set(['sum_of_parts', 'appraisal', 'cost_model'])

/** Writes the sent value, or else the suggested one, to the register with its source. Throws what an edit of the property would throw. */
async function acceptValue(tx: WriteContext, discrepancy: DiscrepancyRecord, sent: string | number | undefined): Promise<void> {
  const { field, property_id: id } = discrepancy
  const right = sideOf(discrepancy.right_value)
  const suggested = right !== null && SUGGESTING_SOURCES.has(right.source) ? right.value : null
  const value = sent ?? suggested
  if (field === null || id === null || !isPropertyField(field) || value === null)
    throw invalid({ value: ['There is no suggested value. Enter one, or keep or waive the current value.'] })
  const from = sent === undefined && right !== null ? { source: right.source, ref: right.ref } : { source: 'reconciliation', ref: null }
  await setPropertyValue(tx, id, field, parseValue(field, value, sent !== undefined), from)
}

/** Throws `invalid` for a value that the field would not store, or for a sent one that it would round. From the text, which the schemas accept too. */
function parseValue(field: PropertyFieldName, value: string | number, isSent: boolean): unknown {
  const definition = propertyField(field)
  const { data, success } = propertyFieldSchema(definition, field).safeParse(String(value))
  if (!success || data === null) throw invalid({ value: [`This is not a valid value for ${definition.label}.`] })
  if (isSent && definition.kind === 'money' && data !== Number(value))
    throw invalid({ value: [`${definition.label} is stored without decimals. Please enter a whole amount.`] })
  return data
}

function describeDecision([discrepancy, ...others]: readonly DiscrepancyRecord[], { status, value, note }: AnyDecision): string {
  if (discrepancy === undefined || others.length > 0) return `${others.length + 1} discrepancies${note ? `: ${note}` : ''}`
  const { field, currency } = discrepancy
  const property = titleOf(discrepancy)
  if (status === 'waived') return `${checkName(discrepancy.check_id)} for ${property}: ${note ?? ''}`
  const right = sideOf(discrepancy.right_value)
  const shown = status === 'kept' ? sideOf(discrepancy.left_value)?.value : (value ?? right?.value)
  const source = value === undefined ? (right?.source ?? 'the register').replaceAll('_', ' ') : 'their own entry'
  const from = status === 'accepted' ? `from ${source}` : ''
  return [labelOfField(field), formatValue(field, shown ?? null, currency), 'for', property, from].filter(Boolean).join(' ')
}
