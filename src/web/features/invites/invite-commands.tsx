import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { inviteCalls, type Invite } from '#contract/account-invites.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { ViewAs } from '#web/engines/account/view-as.tsx'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useCreateInvite } from './create-invite.ts'
import { useSendInvite } from './invite-link-dialog.tsx'
import classes from './invites.module.css'
import { useInviteFailure } from './use-invite-failure.ts'

interface InviteCommandsProps {
  invite: Invite
  /** Before it is revoked, after which it can no longer be loaded. */
  onRevoke: () => void
  /** It could not be revoked. */
  onKept: () => void
  onRevoked: () => void
  onInvitedAgain: (invite: Invite) => void
}

/** What can be done with an invitation. One that has expired can only be made again, that of a deactivated person only be revoked. */
export function InviteCommands({ invite, onInvitedAgain, ...revoking }: InviteCommandsProps) {
  const can = useCan()
  if (invite.status === 'Expired') return can('create_account_invites') && <InviteAgain invite={invite} onCreated={onInvitedAgain} />
  const isActive = invite.status === 'Active'
  return (
    <div className={classes['buttons']}>
      {isActive && can('create_account_invites') && <SendButton invite={invite} />}
      {isActive && <ViewAs accountId={invite.account_id} as={{ grant_id: invite.id }} label={`View as ${invite.name}`} />}
      {can('update_account_invites') && <Changes invite={invite} {...revoking} />}
    </div>
  )
}

function SendButton({ invite }: { invite: Invite }) {
  const sending = useSendInvite(invite)
  return (
    <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
      Send by email
    </Button>
  )
}

type Action = 'extend' | 'issue_permanently' | 'revoke'

function Changes({ invite, onRevoke, onKept, onRevoked }: Omit<InviteCommandsProps, 'onInvitedAgain'>) {
  const { id, account_id: accountId, name, email, expires_at: end } = invite
  const isLimited = invite.status === 'Active' && end.date !== null
  const showFailure = useInviteFailure()
  const changing = useMutation({
    mutationFn: (action: Action) => api(inviteCalls.act, { body: { action, selectedIds: [id] } }),
    onSuccess: ({ message }, action) => {
      toast.success(message)
      if (action === 'revoke') onRevoked()
    },
    onError: (error, action) => {
      if (action === 'revoke') onKept()
      showFailure(error)
    },
    onSettled: () => invalidateAfterWrite('account_invites', id, accountId),
  })
  const revoke = async () => {
    const message = `Revoke the invitation of ${email}? ${name} loses access at once. This action cannot be undone.`
    if (!(await confirmDialog({ title: 'Revoke', message, confirm: 'Revoke' }))) return
    onRevoke()
    changing.mutate('revoke')
  }
  const button = (action: Action, label: string, run: () => void) => (
    <Button
      variant="default"
      disabled={changing.isPending}
      loading={changing.isPending && changing.variables === action}
      {...(action === 'revoke' ? { c: 'var(--critical)' } : {})}
      onClick={run}
    >
      {label}
    </Button>
  )
  return (
    <>
      {isLimited && button('extend', 'Extend', () => changing.mutate('extend'))}
      {isLimited && button('issue_permanently', 'Make Permanent', () => changing.mutate('issue_permanently'))}
      {button('revoke', 'Revoke', () => void revoke())}
    </>
  )
}

/** The same invitation with a new link, which replaces the expired one. */
function InviteAgain({ invite, onCreated }: { invite: Invite; onCreated: (invite: Invite) => void }) {
  const creating = useCreateInvite({ accountId: invite.account_id, onCreated })
  const { email, first_name, last_name, company, role } = invite
  return (
    <div className={classes['buttons']}>
      <Button loading={creating.isPending} onClick={() => creating.mutate({ email, first_name, last_name, company, role })}>
        Invite again
      </Button>
    </div>
  )
}
