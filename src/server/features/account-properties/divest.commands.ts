import { sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import type { DivestInput } from '#contract/account-properties.ts'
import type { ChangedRecord } from '#contract/datatable.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { propertyRules, visibleProperties } from '#server/access/account-properties.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { changedMessage, requireUnchanged, type Changed, type Versions } from '#server/engines/datatable/changed.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { loadProperties, type PropertyRecord } from './properties.queries.ts'
import { propertyLabel, requireFreeNumber } from './save-property.ts'

/** Takes properties out of the active register, its totals, checks and map; they are stored with date and reason. Those that were divested already stay as they are. */
export async function divestProperties(
  ctx: Context,
  ids: readonly string[],
  input: z.output<typeof DivestInput>,
  versions?: Versions,
): Promise<Changed> {
  const changed = await eachProperty(ctx, { ids, versions, status: 'active' }, async (tx, property) => {
    if (!propertyRules(tx.viewer, property).divest) throw forbidden()
    if (property.acquired_on !== null && input.divested_on < property.acquired_on)
      throw invalid({ divested_on: [`${propertyLabel(property)} was acquired on ${property.acquired_on}, after this date.`] })
    const reason = DIVESTED_REASONS[input.divested_reason].toLowerCase()
    await setStatus(tx, property, { status: 'divested', ...input }, 'updated', `marked ${propertyLabel(property)} as divested (${reason})`)
  })
  return { changed, message: messageOf(changed, ids, 'marked as divested', 'divested') }
}

/** Returns properties to the active register. Throws `conflict` if another active property has the same number now. */
export async function reactivateProperties(ctx: Context, ids: readonly string[], versions?: Versions): Promise<Changed> {
  const changed = await eachProperty(ctx, { ids, versions, status: 'divested' }, async (tx, property) => {
    if (!propertyRules(tx.viewer, property).update) throw forbidden()
    await requireFreeNumber(tx, property, 'reactivated')
    const status = { status: 'active', divested_on: null, divested_reason: null, divested_note: null }
    await setStatus(tx, property, status, 'restored', `reactivated ${propertyLabel(property)}`)
  })
  return { changed, message: messageOf(changed, ids, 'reactivated', 'active') }
}

const messageOf = (changed: readonly ChangedRecord[], ids: readonly string[], done: string, state: string): string =>
  changedMessage('account_properties', changed.length, new Set(ids).size, done, state)

interface Concerned {
  ids: readonly string[]
  versions: Versions | undefined
  status: PropertyRecord['status']
}

/** Skips the properties with another status, and returns the others as the work leaves them. */
async function eachProperty(
  ctx: Context,
  { ids, versions, status }: Concerned,
  work: (tx: WriteContext, property: PropertyRecord) => Promise<void>,
): Promise<ChangedRecord[]> {
  return transact(ctx, async (tx) => {
    await lockRecords(tx, 'account_properties', ids)
    const live = sql<SqlBool>`${idIn('account_properties', ids)} AND account_properties.deleted_at IS NULL AND ${visibleProperties(tx.viewer)}`
    const properties = await loadProperties(tx, live)
    if (properties.length !== new Set(ids).size) throw notFound('One of the properties was')
    requireUnchanged('account_properties', properties, versions)
    const concerned = properties.filter((property) => property.status === status)
    for (const property of concerned) await work(tx, property)
    return concerned.map(({ id, version }) => ({ id, version: version + 1 }))
  })
}

interface StatusColumns {
  status: string
  divested_on: string | null
  divested_reason: string | null
  divested_note?: string | null | undefined
}

async function setStatus(
  tx: WriteContext,
  { id, account_id }: PropertyRecord,
  columns: StatusColumns,
  kind: 'updated' | 'restored',
  message: string,
): Promise<void> {
  await tx.db
    .updateTable('account_properties')
    .set({ ...columns, divested_note: columns.divested_note ?? null })
    .set({ checked_digest: null, version: sql`version + 1`, updated_at: tx.clock.now() })
    .where('id', '=', id)
    .execute()
  await recordActivity(tx, { model: 'account_properties', modelId: id, accountId: account_id, class: kind, message: `{user} ${message}` })
  emit(tx, { model: 'account_properties', id, inAccount: account_id })
}
