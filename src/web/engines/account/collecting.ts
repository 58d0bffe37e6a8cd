import type { Account } from '#contract/accounts.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { useCan, useSession } from '#web/data/session.ts'

/** Users who only upload documents, and owners of a managed account whose documents are being collected, only get the upload. */
export function useIsCollecting(account: Account): boolean {
  const can = useCan()
  const { auth_user } = useSession()
  return onlyUploads(auth_user.roles) || (isCollected(account) && !can('manage_simple_accounts'))
}

/** Whether the documents of a managed account are still being collected, so that nothing else is known of it. */
export const isCollected = ({ type, status }: Account): boolean =>
  type === 'managed' && (status?.state === 'uploading' || status?.state === 'processing')
