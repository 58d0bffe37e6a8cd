import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'

/** Managed accounts that are still being collected show their owners only what there is to do: bring the documents (S1 2.5). */
export function useSimplified(account: Account): boolean {
  const manages = useCan()('manage_simple_accounts')
  const state = account.status?.state
  return account.type === 'managed' && !manages && (state === 'uploading' || state === 'processing')
}
