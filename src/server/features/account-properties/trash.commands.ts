import { requireOwnAccounts } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { notFound } from '#server/kernel/errors.ts'
import { announce, refuseTakenNumber, valuesOf } from './properties.commands.ts'
import { propertyDatatable } from './properties.datatable.ts'
import { propertyLabel } from './property-words.ts'
import { loadProperties } from './properties.queries.ts'

async function found(ctx: Context, ids: readonly string[], from: 'live' | 'only') {
  const seen = await visibleIds(ctx, propertyDatatable, ids, from)
  if (seen.length !== new Set(ids).size) throw notFound('One of the properties was')
  const properties = await loadProperties(ctx, seen)
  // In one order for everybody: two people with the same properties wait for each other in turn, never crosswise.
  return properties.sort((left, right) => (left.id < right.id ? -1 : 1))
}

export async function trashProperties(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const property of await found(tx, ids, 'live')) {
      await tx.db.updateTable('account_properties').set({ deleted_at: tx.clock.now() }).where('id', '=', property.id).execute()
      await announce(tx, property, { class: 'deleted', message: `{user} deleted ${propertyLabel(valuesOf(property))}` })
    }
  })
}

export async function restoreProperties(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const property of await found(tx, ids, 'only')) {
      if (property.status === 'active') await refuseTakenNumber(tx, property.account_id, valuesOf(property), property.id)
      await tx.db.updateTable('account_properties').set({ deleted_at: null }).where('id', '=', property.id).execute()
      await announce(tx, property, { class: 'restored', message: `{user} restored ${propertyLabel(valuesOf(property))}` })
    }
  })
}

export async function destroyProperties(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const gone = await found(tx, ids, 'only')
    await requireOwnAccounts(tx.db, tx.viewer, [...new Set(gone.map(({ account_id }) => account_id))])
    for (const property of gone) {
      await announce(tx, property, { class: 'deleted', message: `{user} deleted ${propertyLabel(valuesOf(property))} for ever` })
      await tx.db.deleteFrom('account_properties').where('id', '=', property.id).execute()
    }
  })
}
