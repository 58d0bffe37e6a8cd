import { sql } from 'kysely'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, type PropertyValues } from '#contract/property-fields.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'

const COLUMNS = [
  ...PROPERTY_FIELD_NAMES,
  'account_id',
  'address_key',
  'weak_address_key',
  'sources',
  'created_by',
  'created_at',
  'updated_at',
]

export interface StoredProperty {
  id: string
  values: Partial<PropertyValues>
}

/** Stores a whole register like an import of the named file: one statement, one activity line, one run of the checks. */
export async function storeRegister(
  tx: WriteContext,
  accountId: string,
  rows: readonly Partial<PropertyValues>[],
  file: string,
  at: Date,
): Promise<StoredProperty[]> {
  const source = { source: 'import', by: viewerName(tx.viewer), at: at.toISOString(), ref: file }
  const records = rows.map((row) => {
    const { strong, weak } = addressKeys(row)
    const sources = Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[name, source]])))
    return {
      ...PROPERTY_DEFAULTS,
      ...row,
      account_id: accountId,
      address_key: strong,
      weak_address_key: weak,
      sources,
      created_by: viewerId(tx.viewer),
      created_at: at,
      updated_at: at,
    }
  })
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const { rows: stored } = await sql<{ id: string }>`INSERT INTO account_properties (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::account_properties, ${JSON.stringify(records)}::jsonb)
    RETURNING id`.execute(tx.db)
  await recordActivity(tx, {
    model: 'accounts',
    modelId: accountId,
    accountId,
    class: 'imported',
    message: `{user} imported ${file}: ${rows.length} added, 0 changed, 0 divested`,
  })
  emit(tx, { model: 'account_properties', id: null, inAccount: accountId })
  // A nightly run does not move an old account to the top of the list.
  await requestReconciliation(tx, accountId, 'nightly')
  return stored.map(({ id }, index) => ({ id, values: rows[index] ?? {} }))
}
