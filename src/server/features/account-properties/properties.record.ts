import { sql } from 'kysely'
import { propertyCalls } from '#contract/account-properties.ts'
import type { PropertyFieldName, PropertyValues } from '#contract/property-fields.ts'
import { propertyRules } from '#server/access/account-properties.ts'
import { requireOwnAccounts } from '#server/access/require.ts'
import { can } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { defineRecord } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { createRecord, findRecord, updateRecord } from '#server/engines/record/save-record.ts'
import { downloadProperties } from '../account-files/property-downloads.commands.ts'
import { propertyDatatable } from './properties.datatable.ts'
import { propertyForm } from './properties.form.ts'
import { presentProperty } from './properties.presenter.ts'
import { loadProperties } from './properties.queries.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { changesOf } from './property-history.ts'
import {
  FROM_FORM,
  describeProperty,
  propertyColumns,
  requireFreeNumber,
  storeHistory,
  valuesOf,
  type PropertySave,
  type ValueSource,
} from './save-property.ts'

const propertyRecord = defineRecord(propertyCalls, {
  table: 'account_properties',
  list: propertyDatatable,
  rules: propertyRules,
  load: loadProperties,
  present: presentProperty,
  search: {
    joins: sql`JOIN accounts a ON a.id = account_properties.account_id`,
    name: sql`concat_ws(' · ', nullif(account_properties.location_number, ''),
      coalesce(nullif(account_properties.property_name, ''), account_properties.address))`,
    detail: sql`concat_ws(', ', CASE WHEN account_properties.property_name <> '' THEN nullif(account_properties.address, '') END,
      nullif(account_properties.city, ''), account_properties.state, a.name)`,
    account: sql`account_properties.account_id`,
    ranked: [sql`account_properties.property_name`, sql`account_properties.address`, sql`account_properties.location_number`],
    order: sql`account_properties.updated_at DESC`,
  },
  form: (_ctx, record) => propertyForm(record),
  changeScope: (_tx, { account_id }) => ({ inAccount: account_id }),
  beforeSave: (tx, save) => propertyColumns(tx, save, FROM_FORM),
  afterSave: (tx, id, save) => storeHistory(tx, id, save, FROM_FORM),
  comparable: valuesOf,
  describe: describeProperty,
  created: () => 'The property was added.',
  beforeRestore: async (tx, properties) => {
    for (const property of properties) if (property.status === 'active') await requireFreeNumber(tx, property, 'restored')
  },
  beforeDestroy: (tx, properties) => requireOwnAccounts(tx.db, tx.viewer, [...new Set(properties.map(({ account_id }) => account_id))]),
})

/** The model with the origin of the saved values; `inHistory` where the history names it more exactly. */
const propertyFrom = (from: ValueSource, inHistory = from) => ({
  ...propertyRecord,
  beforeSave: (tx: WriteContext, save: PropertySave) => propertyColumns(tx, save, from),
  afterSave: (tx: WriteContext, id: string, save: PropertySave) => storeHistory(tx, id, save, inHistory),
})

export const propertyRoutes = implement(
  propertyCalls,
  {
    ...recordHandlers(propertyRecord, propertyCalls),
    update: ({ body: { edit = 'form', ...body }, ...request }) =>
      recordHandlers(propertyFrom(FROM_FORM, { source: edit, ref: null }), propertyCalls).update({ ...request, body }),
    download: ({ ctx, params, body }) => downloadProperties(ctx, params.kind, body),
    history: async ({ ctx, params, query }) => {
      if (!can(ctx.viewer, 'view_account_properties')) throw forbidden()
      return changesOf(ctx, await findRecord(ctx, propertyRecord, params.id), query)
    },
  },
  requireById(propertyRecord),
)

export const createProperty = (ctx: Context, input: { account_id: string } & Partial<PropertyValues>) =>
  createRecord(ctx, propertyRecord, input)

/** Writes one value of a property as an edit, with where the value came from. Throws what an edit in the form would throw. */
export async function setPropertyValue(
  tx: WriteContext,
  id: string,
  field: PropertyFieldName,
  value: unknown,
  from: ValueSource,
): Promise<void> {
  await updateRecord(tx, propertyFrom(from), id, { [field]: value })
}
