import type { Account } from '#contract/accounts.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { useCan, useSession } from '#web/data/session.ts'

/** Users who only upload documents, and owners of a managed account whose documents are being collected, only get the upload. */
export function useIsCollecting({ type, status }: Account): boolean {
  const can = useCan()
  const { auth_user } = useSession()
  const collecting = type === 'managed' && (status?.state === 'uploading' || status?.state === 'processing')
  return onlyUploads(auth_user.roles) || (collecting && !can('manage_simple_accounts'))
}
