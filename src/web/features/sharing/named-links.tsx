import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { formatAgo } from '#contract/format.ts'
import { LINK_RIGHTS } from '#contract/guests.ts'
import { LINK_PROTECTIONS, scopeText, sharingCalls, type ShareLink } from '#contract/sharing.ts'
import { api } from '#web/data/client.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { ViewAs } from '#web/engines/account/view-as.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { RemainingAccess } from './remaining-access.tsx'
import { LINK_COPIED, type Ask, type Editing } from './share-types.ts'
import classes from './sharing.module.css'

interface NamedLinksProps {
  account: Account
  ask: Ask
  onEdit: (editing: Editing) => void
}

/** The links of an account that were made for one recipient each. */
export function NamedLinks({ account, ask, onEdit }: NamedLinksProps) {
  const query = useQuery(grantQueries.links(account.id))
  const add = (
    <Button variant="default" size="compact-sm" onClick={() => onEdit({ link: null })}>
      Create a named link
    </Button>
  )
  return (
    <TitledSection title="Named links" action={add}>
      {!account.sharing_enabled && <RemainingAccess account={account} ask={ask} />}
      <Loaded query={query} skeleton={<SkeletonRows rows={2} label="Loading the named links" />}>
        {(links) =>
          links.length === 0 ? (
            <p className={classes['muted']}>A named link is for one recipient. It has its own end date, protection, rights and contents.</p>
          ) : (
            <ul>
              {links.map((link) => (
                <NamedLink key={link.id} accountId={account.id} link={link} ask={ask} onEdit={() => onEdit({ link })} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </TitledSection>
  )
}

interface NamedLinkProps {
  accountId: string
  link: ShareLink
  ask: Ask
  onEdit: () => void
}

function NamedLink({ accountId, link, ask, onEdit }: NamedLinkProps) {
  const isActive = link.status === 'Active'
  const named = { size: 'compact-sm', variant: 'default' } as const
  return (
    <li className={classes['link']} aria-label={link.label}>
      <b>{link.label}</b>
      <LinkFacts link={link} />
      <div className={classes['buttons']}>
        {isActive && (
          <>
            <Button {...named} aria-label={`Copy ${link.label}`} onClick={() => void copyText(link.link, LINK_COPIED)}>
              Copy
            </Button>
            <ViewAs
              accountId={accountId}
              as={{ grant_id: link.id }}
              label="View as"
              size="compact-sm"
              aria-label={`View as ${link.label}`}
            />
          </>
        )}
        <Button {...named} aria-label={`Edit ${link.label}`} onClick={onEdit}>
          Edit
        </Button>
        <LinkChanges accountId={accountId} link={link} ask={ask} />
      </div>
    </li>
  )
}

function LinkFacts({ link }: { link: ShareLink }) {
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  const { status, expires_at: end, protection, email_domains: domains, rights, last_used_at: last, created_by: creator } = link
  const { properties, categories } = link
  const ends = end.date === null ? 'Does not end' : `${status === 'Active' ? 'Ends' : 'Expired'} ${end.human}`
  const facts = [
    ends,
    LINK_PROTECTIONS[protection] + (domains.length === 0 ? '' : ` at ${domains.join(', ')}`),
    LINK_RIGHTS[rights],
    scopeText({ properties: properties?.length ?? null, categories: categories?.length ?? null }),
    last === null ? 'Not used yet' : `Last used ${formatAgo(last, timezone, now)}`,
    `By ${creator}`,
  ]
  return <span className={classes['muted']}>{facts.join(' · ')}</span>
}

/** Replacing and revoking a link. */
function LinkChanges({ accountId, link, ask }: Omit<NamedLinkProps, 'onEdit'>) {
  const params = { id: accountId, link_id: link.id }
  const changing = useMutation({
    mutationFn: async (change: 'rotate' | 'revoke') => {
      if (change === 'revoke') return (await api(sharingCalls.removeLink, { params })).message
      await api(sharingCalls.rotateLink, { params })
      return 'The link was replaced. Copy the new one and send it.'
    },
    onSuccess: (message) => toast.success(message),
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterWrite('account_invites', link.id, accountId),
  })
  const change = async (kind: 'rotate' | 'revoke', confirm: string, message: string) => {
    const title = kind === 'rotate' ? `${confirm} for “${link.label}”` : `${confirm} “${link.label}”`
    if (await ask({ title, message, confirm })) changing.mutate(kind)
  }
  const button = { size: 'compact-sm', variant: 'default', disabled: changing.isPending } as const
  return (
    <>
      {link.status === 'Active' && (
        <Button
          {...button}
          aria-label={`Create a new link for ${link.label}`}
          onClick={() =>
            void change(
              'rotate',
              'Create a new link',
              'The current link stops working for everyone who has it, and a new one takes its place.',
            )
          }
        >
          Create a new link
        </Button>
      )}
      <Button
        {...button}
        c="var(--critical)"
        aria-label={`Revoke ${link.label}`}
        onClick={() => void change('revoke', 'Revoke', 'The link stops working for everyone who has it. This action cannot be undone.')}
      >
        Revoke
      </Button>
    </>
  )
}
