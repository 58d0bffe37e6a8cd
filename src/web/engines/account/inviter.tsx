import { telephoneLink } from '#contract/format.ts'
import type { Account } from '#contract/accounts.ts'
import classes from './inviter.module.css'

/** Who invited the viewer, and how to reach them. */
export function Inviter({ invite }: { invite: NonNullable<Account['invite']> }) {
  const { created_by_formatted: name, created_by_user: user } = invite
  const phone = user?.cell_phone
  return (
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
  )
}
