import type { Account } from '#contract/accounts.ts'
import { sentenceCase } from '#contract/format.ts'
import { useSession } from '#web/data/session.ts'
import { Notice } from '#web/ui/notice.tsx'

/** In place of the properties of a managed account, which are not known before its documents are organized. */
export function CollectingNotice({ account: { status } }: { account: Account }) {
  const { provider } = useSession().config
  const title =
    status?.state === 'processing'
      ? `${sentenceCase(provider)} is organizing your account`
      : 'The documents of this account are being collected'
  return (
    <Notice kind="info" title={title}>
      Its properties and values appear here when that is done.
    </Notice>
  )
}
