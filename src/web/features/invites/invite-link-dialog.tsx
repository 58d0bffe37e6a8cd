import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { inviteCalls, type Invite } from '#contract/account-invites.ts'
import { api } from '#web/data/client.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import { useInviteFailure } from './use-invite-failure.ts'

export const COPIED = 'Invitation link copied to clipboard!'

/** Mails an invitation. */
export function useSendInvite({ id, account_id: accountId }: Pick<Invite, 'id' | 'account_id'>) {
  const onError = useInviteFailure()
  return useMutation({
    mutationFn: () => api(inviteCalls.send, { body: { invite_id: id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError,
    onSettled: () => invalidateAfterWrite('account_invites', id, accountId),
  })
}

/** The link of a new invitation, to be copied or mailed. */
export function InviteLinkDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  useReturnedFocus()
  const sending = useSendInvite(invite)
  const { name, account_name: account, expires_at: end, link } = invite
  return (
    <Modal opened onClose={onClose} title="Invitation link" size="lg">
      <Stack>
        <Text size="sm">
          {name} can open {account} with this link
          {end.date === null ? '. Access does not end.' : ` until ${end.human}.`}
          {sending.isSuccess ? '' : ' Nothing has been mailed yet.'}
        </Text>
        <CopyField label="Invitation link" value={link} copied={COPIED} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={sending.isPending} disabled={sending.isSuccess} onClick={() => sending.mutate()}>
            {sending.isSuccess ? 'Sent' : 'Send by email'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
