import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'

/**
 * Who only brings documents, and the owner of a managed account that is still being collected, see only what there is to do:
 * bring the documents (S1 2.5).
 */
export function useSimplified(account: Account): boolean {
  const can = useCan()
  const bringsOnly = can('upload_account_files') && !can('view_account_properties') && !can('view_account_activity')
  const state = account.status?.state
  const collected = account.type === 'managed' && (state === 'uploading' || state === 'processing')
  return bringsOnly || (collected && !can('manage_simple_accounts'))
}
