import { Button } from '@mantine/core'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { formatDate, telephoneLink } from '#contract/format.ts'
import type { Inviting } from '#contract/guests.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { DownloadButton } from './download-button.tsx'
import classes from './guests.module.css'

/** Who sent the account and that it is confidential, above everything that people from outside see. */
export function Letterhead({ account, withDownload = false }: { account: Account; withDownload?: boolean }) {
  const { via_preview: isPreview, full_name: name, company } = useSession().auth_user
  const { data: inviting } = useQuery(accountQueries.inviting())
  const { via_invite: access } = account
  const facts = useFacts(account)
  return (
    <div className={classes['above']}>
      {isPreview && <PreviewBanner name={name} />}
      {access !== null && !isPreview && (
        <Notice kind="warning" title="Limited Account Access">
          {`${access.invited_by} invited ${access.invited_user.email} to this account. ${
            access.expires_at.date === null ? 'Access does not end.' : `Access ends ${access.expires_at.human}.`
          }`}
        </Notice>
      )}
      <section className={classes['letterhead']} aria-label="Sender">
        <div className={classes['sender']}>
          {company.logo_url === null ? (
            <strong className={classes['company']}>{company.name}</strong>
          ) : (
            <span className={classes['plate']}>
              <img src={company.logo_url} alt={company.name} />
            </span>
          )}
          <div>
            <p className={classes['sent']}>
              {inviting ? `Sent from ${senderOf(inviting)} on ${inviting.date}` : `Sent from ${company.name}`}
            </p>
            {facts.length > 0 && <p className={classes['line']}>{facts.join(' · ')}</p>}
            <Contacts email={inviting?.email} phone={inviting?.phone} website={account.website} />
          </div>
          {withDownload && <DownloadButton account={account} />}
        </div>
        <p className={classes['confidential']}>
          <IconLock size={15} aria-hidden />
          <span>
            <strong>This information is confidential.</strong> Do not copy it or share the link.
          </span>
        </p>
      </section>
    </div>
  )
}

/** Without a person, the company alone. */
const senderOf = ({ full_name: name, company }: Inviting): string => (name === company ? company : `${name} at ${company}`)

/** When it takes effect, and what the viewer may know of the parties. */
function useFacts({ type, effective_date: effective, expiration_date: expiration, carrier, status, meta, ...account }: Account): string[] {
  const can = useCan()
  const zone = useSession().auth_user.company.timezone
  return [
    type === 'managed' && `Managed By: ${account.managed_by}`,
    type === 'managed' && `Company: ${account.company.name}`,
    effective !== null && `Effective ${formatDate(effective, zone)}`,
    expiration !== null && `Expires ${formatDate(expiration, zone)}`,
    can('view_account_carrier') && carrier !== null && carrier.name,
    can('view_account_status') && status !== null && status.name,
    ...meta.map(({ label, value }) => `${label}: ${value}`),
  ].flatMap((fact) => (fact === false || fact === '' ? [] : [fact]))
}

interface ContactsProps {
  email: string | null | undefined
  phone: string | null | undefined
  website: string | null
}

/** How to reach the sender, and more about the account. */
function Contacts({ email, phone, website }: ContactsProps) {
  if (!email && !phone && website === null) return null
  return (
    <ul className={classes['contacts']} aria-label="Contacts">
      {email && (
        <li>
          <a href={`mailto:${email}`}>
            <IconMail size={15} aria-hidden /> {email}
          </a>
        </li>
      )}
      {phone && (
        <li>
          <a href={telephoneLink(phone)}>
            <IconPhone size={15} aria-hidden /> {phone}
          </a>
        </li>
      )}
      {website !== null && (
        <li>
          <a href={website} target="_blank" rel="noreferrer">
            <IconWorld size={15} aria-hidden /> View Account Website
          </a>
        </li>
      )}
    </ul>
  )
}

/** A preview is in a tab of its own, which it ends with. */
function PreviewBanner({ name }: { name: string }) {
  return (
    <Notice kind="info" title={`You see this account as ${name.replace(/^A /, 'a ')} sees it.`}>
      Nothing can be changed here.
      <Button variant="default" size="compact-sm" ml={12} onClick={() => window.close()}>
        Close this view
      </Button>
    </Notice>
  )
}
