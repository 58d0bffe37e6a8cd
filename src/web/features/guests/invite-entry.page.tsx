import { Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { inviteCalls } from '#contract/account-invites.ts'
import type { DataOf } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { beginGuest } from '#web/data/session.ts'
import { useGuestTab } from '#web/engines/account/guest-tab.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { EntryError } from './entry-error.tsx'
import classes from './guests.module.css'

type Invitation = DataOf<typeof inviteCalls.look>

/** Where the link of an invitation leads. Opening the page uses nothing up; the button accepts the invitation. */
export function InviteEntryPage({ invite_id: inviteId }: { invite_id: string }) {
  const { data, error } = useQuery({
    queryKey: ['invitation', inviteId],
    queryFn: async ({ signal }) => (await api(inviteCalls.look, { body: { invite_id: inviteId }, signal })).data,
    retry: false,
    staleTime: Infinity,
  })
  if (error !== null) return <EntryError error={error} />
  if (data === undefined) return <PendingScreen>Opening the invitation…</PendingScreen>
  return <Invitation inviteId={inviteId} invitation={data} />
}

function Invitation({ inviteId, invitation }: { inviteId: string; invitation: Invitation }) {
  const { account_name: account, invited_by: by, company, logo_url: logo, email, expires_at: end, signed_in_as: other } = invitation
  const router = useRouter()
  const accept = useMutation({
    mutationFn: () => api(inviteCalls.accept, { body: { invite_id: inviteId, ...(other === null ? {} : { replace: true }) } }),
    onSuccess: ({ data, token, refresh_token }) => {
      if (token === null) return
      beginGuest({ token, refresh_token })
      // Not in the history: the secret is in the address of this page.
      router.history.replace(paths.account(data.account_id))
    },
  })
  if (accept.isError) return <EntryError error={accept.error} />
  if (accept.data?.data.own === true) return <OwnAccount accountId={accept.data.data.account_id} name={account} />
  return (
    <PublicPage title={`You are invited to ${account}`}>
      <Stack gap="md">
        {logo !== null && <img className={classes['logo']} src={logo} alt={company} />}
        <Text>{`${by} at ${company} has invited ${email}.`}</Text>
        {end.date !== null && <Text c="dimmed" size="sm">{`Access ends on ${end.human}.`}</Text>}
        {other !== null && <Notice kind="warning">{`You are signed in as ${other}. This invitation is for ${email}.`}</Notice>}
        <Stack gap="xs">
          <Button size="md" loading={accept.isPending} onClick={() => accept.mutate()}>
            {other === null ? 'Open the account' : 'Open the invitation'}
          </Button>
          {other !== null && (
            <Button component={Link} to={paths.dashboard()} variant="default" size="md">
              Stay signed in
            </Button>
          )}
        </Stack>
      </Stack>
    </PublicPage>
  )
}

/** For a user with the email of the invitation, whose session goes on. */
function OwnAccount({ accountId, name }: { accountId: string; name: string }) {
  const { open, isOpening } = useGuestTab('visit', async () => {
    const { data: invites } = await api(inviteCalls.mine)
    const invite = invites.find(({ account_id: id }) => id === accountId)
    if (invite === undefined) throw new Error('This invitation is no longer valid.')
    const { data, token, refresh_token: refreshToken } = await api(inviteCalls.enter, { params: { id: invite.id } })
    return { accountId: data.account_id, token, refreshToken }
  })
  return (
    <PublicPage title={name}>
      <Stack gap="md">
        <Text>The account is now among your invited accounts, on your dashboard. It opens in a tab of its own.</Text>
        <Stack gap="xs">
          <Button size="md" loading={isOpening} onClick={open}>
            Open the account
          </Button>
          <Button component={Link} to={paths.dashboard()} variant="default" size="md">
            Go to the dashboard
          </Button>
        </Stack>
      </Stack>
    </PublicPage>
  )
}
