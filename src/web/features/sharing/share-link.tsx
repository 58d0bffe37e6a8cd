import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { ViewAs } from '#web/engines/account/view-as.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import { LINK_COPIED, type Ask } from './share-types.ts'
import classes from './sharing.module.css'

/** The share link of an account, which can be replaced. */
export function ShareLink({ account: { id, share_link: link }, ask }: { account: Account; ask: Ask }) {
  const client = useQueryClient()
  const replacing = useMutation({
    mutationFn: () => api(sharingCalls.refresh, { params: { id } }),
    onSuccess: ({ data }) => {
      // Until the account is loaded again, the previous link would be copied.
      client.setQueryData(queries.account(id).queryKey, (account) => account && { ...account, share_link: data.share_link })
      toast.success('The new link works now. The previous link no longer does.')
    },
    onError: (error) => showError(error),
    onSettled: () => {
      invalidateAfterWrite('accounts', id, id)
      invalidateAfterWrite('account_invites', null, id)
    },
  })
  const replace = async () => {
    const message = 'The current link stops working for everyone who has it.'
    if (await ask({ title: 'Create a new link', message, confirm: 'Create a new link' })) replacing.mutate()
  }
  if (link === null) return <SkeletonRows rows={1} label="Loading the link" />
  return (
    <>
      <CopyField label="Link" value={link} copied={LINK_COPIED} />
      <div className={classes['buttons']}>
        <Button variant="default" size="compact-sm" loading={replacing.isPending} onClick={() => void replace()}>
          Create a new link
        </Button>
        <ViewAs accountId={id} as={{ role: 'share_guest' }} label="View as a visitor" size="compact-sm" />
      </div>
    </>
  )
}
