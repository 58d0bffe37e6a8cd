import type { WriteContext } from '#server/engines/context.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { invalid } from '#server/kernel/errors.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'

/** Links documents to properties of the same account, in one statement for the whole set. */
export async function linkProperties(
  tx: WriteContext,
  accountId: string,
  files: readonly string[],
  properties: readonly string[],
  mode: 'add' | 'replace' | 'remove',
): Promise<void> {
  const wanted = [...new Set(properties)]
  const found =
    wanted.length === 0
      ? []
      : await tx.db
          .selectFrom('account_properties')
          .select('id')
          .where('account_id', '=', accountId)
          .where('id', 'in', wanted)
          .where('deleted_at', 'is', null)
          .where(visibleProperties(tx.viewer))
          .execute()
  if (found.length !== wanted.length) throw invalid({ properties: ['One of the properties is no longer in this account.'] })
  if (mode === 'replace')
    await tx.db
      .deleteFrom('account_file_properties')
      .where('file_id', 'in', [...files])
      .execute()
  if (mode === 'remove' && wanted.length > 0) {
    await tx.db
      .deleteFrom('account_file_properties')
      .where('file_id', 'in', [...files])
      .where('property_id', 'in', wanted)
      .execute()
  }
  if (mode !== 'remove' && wanted.length > 0) {
    const links = files.flatMap((file_id) => wanted.map((property_id) => ({ account_id: accountId, file_id, property_id })))
    await tx.db
      .insertInto('account_file_properties')
      .values(links)
      .onConflict((on) => on.doNothing())
      .execute()
  }
  emit(tx, { model: 'account_properties', id: null, inAccount: accountId, scope: 'files' })
  await requestReconciliation(tx, accountId, 'document')
}
