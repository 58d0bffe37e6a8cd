import { useMutation } from '@tanstack/react-query'
import { inviteCalls, type Invite, type InviteInput } from '#contract/account-invites.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { useInviteFailure } from './use-invite-failure.ts'

export type InviteValues = Pick<InviteInput, 'email' | 'first_name' | 'last_name' | 'company' | 'role'>

/** What was left empty is not sent. */
const entered = (values: InviteValues): InviteValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value.trim() !== ''))

interface CreateInvite {
  accountId: string
  onCreated: (invite: Invite) => void
}

/** Invites a person. Errors of fields are left to the form. */
export function useCreateInvite({ accountId, onCreated }: CreateInvite) {
  const showFailure = useInviteFailure()
  return useMutation({
    mutationFn: async (values: InviteValues) =>
      (await api(inviteCalls.create, { body: { account_id: accountId, ...entered(values) } })).data,
    onSuccess: onCreated,
    onError: (error) => {
      if (!isApiError(error) || Object.keys(error.fields).length === 0) showFailure(error)
    },
    onSettled: () => invalidateAfterWrite('account_invites', null, accountId),
  })
}
