import { sql } from 'kysely'
import {
  PROPERTY_DEFAULTS,
  PROPERTY_FIELD_NAMES,
  TIV_PARTS,
  choiceLabel,
  propertyField,
  type PropertyFieldName,
  type PropertyValues,
} from '#contract/property-fields.ts'
import { formatExactMoney, plural } from '#contract/format.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { ActivityText, Columns, Patch, RecordEvent, Save } from '#server/engines/record/define-record.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { recordChanges } from './property-history.ts'
import { propertyErrors, withDefaults } from './property-rules.ts'
import type { PropertyRecord } from './properties.queries.ts'

type Input = { account_id: string } & Partial<PropertyValues>
export type PropertySave = Save<PropertyRecord, Input>

/** Where a value came from, stored with it: a form, an import cell, a document. */
export interface ValueSource {
  source: string
  ref: string | null
}

export const FROM_FORM: ValueSource = { source: 'form', ref: null }

const EMPTY = Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, null])) as PropertyValues // every name is set to null

export const valuesOf = (property: PropertyRecord): PropertyValues =>
  Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, property[name]])) as PropertyValues // columns are the fields, by the migration

const sentFields = (input: Patch<PropertyValues>): PropertyFieldName[] => PROPERTY_FIELD_NAMES.filter((name) => input[name] !== undefined)

const changedFields = (before: PropertyValues, sent: Patch<PropertyValues>): PropertyFieldName[] =>
  sentFields(sent).filter((name) => before[name] !== sent[name])

/** Stores the history of a saved property. A new one has none: its values are those before its first change. */
export async function storeHistory(tx: WriteContext, id: string, { input, before }: PropertySave, from: ValueSource): Promise<void> {
  if (before === undefined) return
  const [old, after] = [valuesOf(before), withDefaults(input)]
  await recordChanges(tx, { id, fields: changedFields(old, after), before: old, after }, from)
}

/** The `sources` entries of these fields, as JSON. */
function provenance(ctx: Context, names: readonly PropertyFieldName[], { source, ref }: ValueSource): string {
  const entry = { source, by: viewerName(ctx.viewer, ctx.config.product.name), at: ctx.clock.now().toISOString(), ref }
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, entry])))
}

/** Validates the property as a whole and returns the columns to write, with `from` as their source; undefined when no value changes. */
export async function propertyColumns(tx: WriteContext, { kind, input, before }: PropertySave, from: ValueSource) {
  const accountId = before?.account_id ?? input.account_id ?? ''
  if (before !== undefined && input.account_id !== undefined && input.account_id !== accountId)
    throw invalid({ account_id: ['A property stays in its account.'] })
  if (kind === 'created') await requireVisibleAccount(tx.db, tx.viewer, accountId)
  const old = before === undefined ? { ...EMPTY, ...PROPERTY_DEFAULTS } : valuesOf(before)
  const sent = withDefaults(input)
  const currencies = kind === 'created' || sentFields(sent).some(isMoney) ? await otherCurrencies(tx, accountId, before?.id) : []
  const [common] = currencies
  if (kind === 'created' && sent.currency === undefined && common !== undefined && currencies.length === 1) old.currency = common
  const values: PropertyValues = { ...old, ...sent }
  const changed = kind === 'created' ? PROPERTY_FIELD_NAMES : changedFields(old, sent)
  if (changed.length === 0) return undefined
  const errors = propertyErrors(values)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  assertCurrency(values, changed, currencies)
  const other = await findSameNumber(tx, accountId, values, before?.id)
  if (other !== undefined)
    throw invalid({ location_number: [`Another property (${other.address}) already has this location and building number.`] })
  const { strong, weak } = addressKeys(values)
  const written = Object.fromEntries(changed.map((name) => [name, values[name]])) as Columns<'account_properties'> // the fields are columns
  const columns = { ...written, address_key: strong, weak_address_key: weak }
  return kind === 'created'
    ? { ...columns, account_id: accountId, sources: provenance(tx, sentFields(input), from), created_by: viewerId(tx.viewer) }
    : { ...columns, checked_digest: null, sources: sql`sources || ${provenance(tx, changed, from)}::jsonb` }
}

/** The currencies of the other active properties with values. */
async function otherCurrencies(tx: WriteContext, accountId: string, except: string | undefined): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('account_properties')
    .select('currency')
    .distinct()
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('tiv', '>', 0)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .execute()
  return rows.map(({ currency }) => currency)
}

const isMoney = (name: PropertyFieldName): boolean => name === 'currency' || TIV_PARTS.some((part) => part === name)

/** Values in several currencies cannot be added up. Accounts that have several already can go on with these. */
function assertCurrency(values: PropertyValues, changed: readonly PropertyFieldName[], others: readonly string[]): void {
  const { currency } = values
  const hasValues = TIV_PARTS.some((part) => (values[part] ?? 0) > 0)
  if (!changed.some(isMoney) || !hasValues || others.length === 0 || currency === null || others.includes(currency)) return
  throw invalid({ currency: [`The other properties of this account are in ${others.join(' and ')}. Convert the values to it.`] })
}

/** Another active property of the account with the same location and building number, which must be unique. */
async function findSameNumber(
  tx: WriteContext,
  accountId: string,
  { location_number, building_number }: Pick<PropertyValues, 'location_number' | 'building_number'>,
  except?: string,
): Promise<{ address: string } | undefined> {
  if (location_number === null) return undefined
  return tx.db
    .selectFrom('account_properties')
    .select('address')
    .where('account_id', '=', accountId)
    .where('location_number', '=', location_number)
    .where('building_number', '=', building_number ?? '1')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .executeTakeFirst()
}

/** The name of a property in a sentence. */
export const propertyLabel = (values: Pick<PropertyValues, 'location_number' | 'property_name' | 'address' | 'city'>): string =>
  [values.location_number, values.property_name ?? [values.address, values.city].filter(Boolean).join(', ')].filter(Boolean).join(' ') ||
  'a property'

/** Throws `conflict` if another active property has the number that this one had. */
export async function requireFreeNumber(tx: WriteContext, property: PropertyRecord, verb: string): Promise<void> {
  const other = await findSameNumber(tx, property.account_id, property, property.id)
  if (other !== undefined)
    throw conflict(`${propertyLabel(property)} cannot be ${verb}: ${other.address} already has its location and building number.`)
}

const VERBS = { created: 'added', deleted: 'deleted', restored: 'restored', destroyed: 'permanently deleted' } as const

export function describeProperty(event: RecordEvent<PropertyRecord, Input>): ActivityText[] {
  if (event.kind === 'updated') {
    const [before, after] = [valuesOf(event.before), valuesOf(event.record)]
    return [{ id: event.record.id, message: `{user} updated ${propertyLabel(after)}: ${describeChange(before, after)}` }]
  }
  const records = 'records' in event ? event.records : [event.record]
  const [first] = records
  if (first !== undefined && records.length > 1)
    return [{ id: first.id, message: `{user} ${VERBS[event.kind]} ${plural(records.length, 'property', 'properties')}` }]
  return records.map((record) => ({ id: record.id, message: `{user} ${VERBS[event.kind]} ${propertyLabel(valuesOf(record))}` }))
}

const NAMED_FIELDS = 3

/** "Year built 1970 to 1971, Stories empty to 2, and 4 more" */
function describeChange(before: PropertyValues, after: PropertyValues): string {
  const changed = PROPERTY_FIELD_NAMES.filter((name) => before[name] !== after[name])
  const named = changed
    .slice(0, NAMED_FIELDS)
    .map((name) => `${propertyField(name).label} ${formatValue(name, before)} to ${formatValue(name, after)}`)
  const more = changed.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

function formatValue(name: PropertyFieldName, values: PropertyValues): string {
  const value = values[name]
  if (value === null) return 'empty'
  return propertyField(name).kind === 'money' ? formatExactMoney(Number(value), values.currency ?? 'USD') : choiceLabel(name, String(value))
}
