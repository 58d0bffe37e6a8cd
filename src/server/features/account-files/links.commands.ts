import { sql } from 'kysely'
import { visibleProperties } from '#server/access/account-properties.ts'
import { uuids } from '#server/access/scope.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { invalid } from '#server/kernel/errors.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'

/** Links documents to properties of their account. Throws `invalid` if the viewer does not see one of the properties. */
export async function linkProperties(
  tx: WriteContext,
  accountId: string,
  files: readonly string[],
  properties: readonly string[],
  mode: 'add' | 'replace' | 'remove',
): Promise<void> {
  const found = await tx.db
    .selectFrom('account_properties')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`ANY(${uuids(properties)})`)
    .where('deleted_at', 'is', null)
    .where(visibleProperties(tx.viewer))
    .execute()
  if (found.length !== new Set(properties).size) throw invalid({ properties: ['One of the properties is no longer in this account.'] })
  if (mode !== 'add')
    await tx.db
      .deleteFrom('account_file_properties')
      .where('file_id', '=', sql<string>`ANY(${uuids(files)})`)
      .$if(mode === 'remove', (query) => query.where('property_id', '=', sql<string>`ANY(${uuids(properties)})`))
      .execute()
  const links = files.flatMap((file_id) => found.map(({ id }) => ({ account_id: accountId, file_id, property_id: id })))
  if (mode !== 'remove' && links.length > 0)
    await tx.db
      .insertInto('account_file_properties')
      .values(links)
      .onConflict((on) => on.doNothing())
      .execute()
  emit(tx, { model: 'account_properties', id: null, inAccount: accountId, scope: 'files' })
  await requestReconciliation(tx, accountId, 'document')
}
