import { sql } from 'kysely'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, type PropertyFieldName, type PropertyValues } from '#contract/property-fields.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { propertyRules } from '#server/access/account-properties.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { record } from '#server/engines/transaction/record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { assertVersion } from '#server/engines/transaction/versions.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'
import { describeChange, propertyLabel } from './property-words.ts'
import { propertyErrors, withDefaults } from './property-rules.ts'
import { findProperty, type PropertyRecord } from './properties.queries.ts'

/** Where a value came from, kept beside it: a form, an import cell, a document. */
export interface ValueSource {
  source: string
  ref: string | null
}

const FROM_FORM: ValueSource = { source: 'form', ref: null }

const EMPTY = Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, null])) as PropertyValues // every name is set to null

export const valuesOf = (property: PropertyRecord): PropertyValues =>
  Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, property[name]])) as PropertyValues // columns are the fields, by the migration

function refuseInvalid(values: PropertyValues): void {
  const errors = propertyErrors(values)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const given = (input: Partial<PropertyValues>): PropertyFieldName[] => PROPERTY_FIELD_NAMES.filter((name) => input[name] !== undefined)

function provenance(ctx: Context, names: readonly PropertyFieldName[], { source, ref }: ValueSource): string {
  const entry = { source, by: viewerName(ctx.viewer, ctx.config.product.name), at: ctx.clock.now().toISOString(), ref }
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, entry])))
}

const keysOf = (values: PropertyValues) => {
  const { strong, weak } = addressKeys(values)
  return { address_key: strong, weak_address_key: weak }
}

/** Everything that follows a change of a property: history, events, and a look at what it means for the submission. */
export async function announce(
  tx: WriteContext,
  property: { id: string; account_id: string },
  activity: { class: 'created' | 'updated' | 'deleted' | 'restored'; message: string },
): Promise<void> {
  await record(tx, { model: 'account_properties', modelId: property.id, accountId: property.account_id, ...activity })
  emit(tx, { model: 'account_properties', id: property.id, inAccount: property.account_id })
  await requestReconciliation(tx, property.account_id, 'edit')
}

export async function createProperty(
  ctx: Context,
  { account_id, ...input }: { account_id: string } & Partial<PropertyValues>,
): Promise<PropertyRecord> {
  return transact(ctx, async (tx) => {
    await requireVisibleAccount(tx.db, tx.viewer, account_id)
    const values: PropertyValues = { ...EMPTY, ...PROPERTY_DEFAULTS, ...withDefaults(input) }
    refuseInvalid(values)
    await refuseTakenNumber(tx, account_id, values)
    const { id } = await tx.db
      .insertInto('account_properties')
      .values({
        ...stored(values),
        ...keysOf(values),
        account_id,
        sources: provenance(tx, given(input), FROM_FORM),
        created_by: viewerId(tx.viewer),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await announce(tx, { id, account_id }, { class: 'created', message: `{user} added ${propertyLabel(values)}` })
    return findProperty(tx, id)
  })
}

/** Columns that cannot be empty take their default. */
const stored = (values: PropertyValues) => ({
  ...values,
  address: values.address ?? '',
  city: values.city ?? '',
  country: values.country ?? PROPERTY_DEFAULTS.country,
  currency: values.currency ?? PROPERTY_DEFAULTS.currency,
  building_number: values.building_number ?? PROPERTY_DEFAULTS.building_number,
  property_type: values.property_type ?? PROPERTY_DEFAULTS.property_type,
  sprinklered: values.sprinklered ?? PROPERTY_DEFAULTS.sprinklered,
})

/** Saves what changed; a stale version answers both values. `from` is kept as the provenance of every value written. */
export async function updateProperty(
  ctx: Context,
  id: string,
  { version, ...input }: { version?: number } & Partial<PropertyValues>,
  from: ValueSource = FROM_FORM,
): Promise<PropertyRecord> {
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('account_properties').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findProperty(tx, id)
    if (!propertyRules(tx.viewer, before).update) throw forbidden()
    const old = valuesOf(before)
    const sent = withDefaults(input)
    assertVersion(version, before.version, pick(old, given(sent)), pick({ ...old, ...sent }, given(sent)))
    const values: PropertyValues = { ...old, ...sent }
    const changed = given(sent).filter((name) => old[name] !== values[name])
    if (changed.length === 0) return before
    refuseInvalid(values)
    await refuseTakenNumber(tx, before.account_id, values, id)
    await tx.db
      .updateTable('account_properties')
      .set({
        ...pick(stored(values), changed),
        ...keysOf(values),
        version: sql`version + 1`,
        updated_at: tx.clock.now(),
        sources: sql`sources || ${provenance(tx, changed, from)}::jsonb`,
      })
      .where('id', '=', id)
      .execute()
    await announce(tx, before, {
      class: 'updated',
      message: `{user} updated ${propertyLabel(values)}: ${describeChange(old, values, changed)}`,
    })
    return findProperty(tx, id)
  })
}

const pick = <V extends object, N extends keyof V>(values: V, names: readonly N[]): Partial<Pick<V, N>> =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Pick<V, N>> // made of these names only

/** A location and building number stands once among the active properties of an account. */
export async function refuseTakenNumber(
  tx: WriteContext,
  accountId: string,
  values: Pick<PropertyValues, 'location_number' | 'building_number'>,
  except?: string,
): Promise<void> {
  if (values.location_number === null) return
  const taken = await tx.db
    .selectFrom('account_properties')
    .select(['id', 'address'])
    .where('account_id', '=', accountId)
    .where('location_number', '=', values.location_number)
    .where('building_number', '=', values.building_number ?? PROPERTY_DEFAULTS.building_number)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .executeTakeFirst()
  if (taken !== undefined)
    throw invalid({ location_number: [`Another property (${taken.address}) already has this location and building number.`] })
}
