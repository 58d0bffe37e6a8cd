import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { inviteCalls, type OwnInvite } from '#contract/account-invites.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useGuestTab } from './guest-tab.ts'
import classes from './invitations.module.css'

const NONE: readonly OwnInvite[] = []

/** The invitations that the user has accepted. Their accounts are no accounts of the user. */
export const useInvitations = (): readonly OwnInvite[] => useQuery(queries.invited()).data ?? NONE

/** Each opens in a tab of its own, with the rights of the invitation. */
export function Invitations() {
  const invitations = useInvitations()
  if (invitations.length === 0) return null
  return (
    <ul className={classes['list']} aria-label="Invitations">
      {invitations.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  )
}

/** Next to lists of accounts, which don't have them: what the user sees of them is what the invitation shows. */
export function InvitedAccounts() {
  const hasAny = useInvitations().length > 0
  return (
    hasAny && (
      <section className={classes['card']} aria-label="Invited Accounts">
        <h2 className={classes['title']}>Invited Accounts</h2>
        <Invitations />
      </section>
    )
  )
}

function Invitation({ invitation }: { invitation: OwnInvite }) {
  const { id, account_name: name, invited_by: by, company, expires_at: end } = invitation
  const { open, isOpening } = useGuestTab('visit', async () => {
    const { data, token, refresh_token: refreshToken } = await api(inviteCalls.enter, { params: { id } })
    return { accountId: data.account_id, token, refreshToken }
  })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span>
          {`Invited by ${by} at ${company}`}
          {end.date !== null && `, until ${end.human}`}
        </span>
      </div>
      <Button variant="default" size="compact-md" loading={isOpening} onClick={open} aria-label={`Open ${name} as invited`}>
        Open as invited
      </Button>
    </li>
  )
}
