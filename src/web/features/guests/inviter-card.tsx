import { telephoneLink } from '#contract/format.ts'
import type { Account } from '#contract/accounts.ts'
import { Card } from './card.tsx'
import classes from './overview.module.css'

/** Who invited the viewer, and how to reach them. */
export function InviterCard({ invite }: { invite: NonNullable<Account['invite']> }) {
  const { created_by_formatted: name, created_at_formatted: date, created_by_user: user } = invite
  const phone = user?.cell_phone
  return (
    <Card title="Invited By" aside={date}>
      <ul className={classes['inviter']}>
        <li>
          <b>{name}</b>
          {user !== null && user.company.name !== name && <small>{user.company.name}</small>}
        </li>
        {user !== null && (
          <li>
            <a href={`mailto:${user.email}`}>{user.email}</a>
          </li>
        )}
        {phone && (
          <li>
            <a href={telephoneLink(phone)}>{phone}</a>
          </li>
        )}
      </ul>
    </Card>
  )
}
