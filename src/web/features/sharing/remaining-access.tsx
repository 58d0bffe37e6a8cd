import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { formatList, plural } from '#contract/format.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { api } from '#web/data/client.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Ask } from './share-types.ts'

const countsOf = (links: number, invitations: number): string[] => [
  ...(links === 0 ? [] : [plural(links, 'named link')]),
  ...(invitations === 0 ? [] : [plural(invitations, 'invitation')]),
]

/** What still gives access to an account that is not shared, and the end of it. */
export function RemainingAccess({ account: { id, name }, ask }: { account: Account; ask: Ask }) {
  const { data } = useQuery(grantQueries.live(name.text))
  const revoking = useMutation({
    mutationFn: () => api(sharingCalls.revokeAll, { params: { id } }),
    onSuccess: ({ data: ended }) => toast.success(`Revoked: ${formatList(countsOf(ended.links, ended.invitations))}.`),
    onError: (error) => showError(error),
    onSettled: () => {
      invalidateAfterWrite('accounts', id, id)
      invalidateAfterWrite('account_invites', null, id)
    },
  })
  const live = (data?.data ?? []).filter(({ account_id: accountId }) => accountId === id)
  if (live.length === 0) return null
  const invitations = live.filter(({ kind }) => kind === 'invite').length
  const counts = formatList(countsOf(live.length - invitations, invitations))
  const revoke = async () => {
    const message = `This ends ${counts}. Everyone who came in by them loses access at once. This action cannot be undone.`
    if (await ask({ title: 'Revoke all', message, confirm: 'Revoke all' })) revoking.mutate()
  }
  return (
    <Notice kind="warning">
      {counts} still {live.length === 1 ? 'gives' : 'give'} access.{' '}
      <Button variant="default" size="compact-sm" loading={revoking.isPending} onClick={() => void revoke()}>
        Revoke all
      </Button>
    </Notice>
  )
}
