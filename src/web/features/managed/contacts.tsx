import { telephoneLink } from '#contract/format.ts'
import { useSession } from '#web/data/session.ts'
import classes from './managed.module.css'

/** Phone and email of the provider; nothing if neither is configured. */
export function Contacts() {
  const { support_phone: phone, support_email: email } = useSession().config
  if (phone === '' && email === '') return null
  return (
    <p className={classes['contacts']}>
      Questions?{' '}
      {phone !== '' && (
        <>
          Call <a href={telephoneLink(phone)}>{phone}</a>
        </>
      )}
      {phone !== '' && email !== '' && ' or '}
      {email !== '' && (
        <>
          {phone === '' ? 'Email' : 'email'} <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      .
    </p>
  )
}
