import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { CHANNELS } from '#contract/events.ts'
import { formatAgo, formatNumber, plural } from '#contract/format.ts'
import type { Deadline } from '#contract/guests.ts'
import { DAY_MS, SEARCH_MAX_CHARACTERS, TABLE_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { scopeText, type LiveGrant } from '#contract/sharing.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './sharing.module.css'

/** All live links and invitations of the company, those that end first at the top. */
export function LiveGrantsPage() {
  usePageTitle('Links and invitations')
  const mayViewInvites = useCan()('view_account_invites')
  useChannel(mayViewInvites ? CHANNELS.datatable('account_invites') : undefined)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), TABLE_SEARCH_DEBOUNCE_MS)
  const query = useQuery({ ...grantQueries.live(search), placeholderData: keepPreviousData })
  return (
    <>
      <TextInput
        type="search"
        className={classes['search'] ?? ''}
        aria-label="Search links and invitations"
        placeholder="Search by account, person or link"
        maxLength={SEARCH_MAX_CHARACTERS}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading links and invitations" />}>
        {({ data: grants, total }) =>
          grants.length === 0 ? (
            <NoGrants isSearched={search !== ''} />
          ) : (
            <>
              <GrantTable grants={grants} />
              {grants.length < total && (
                <p className={classes['help']}>
                  The first {formatNumber(grants.length)} of {formatNumber(total)} are shown. Search to find others.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}

const NoGrants = ({ isSearched }: { isSearched: boolean }) =>
  isSearched ? (
    <EmptyState title="Nothing found.">No live link or invitation matches this search.</EmptyState>
  ) : (
    <EmptyState title="No account is shared.">Links and invitations of your company appear here while they give access.</EmptyState>
  )

const KINDS = { invite: 'Invitation', default_link: 'Share link', link: 'Named link' } as const satisfies Record<LiveGrant['kind'], string>

const HEADINGS = ['Who', 'Account', 'Kind', 'May', 'Sees', 'By', 'Last use', 'End']

const GrantTable = ({ grants }: { grants: readonly LiveGrant[] }) => (
  <table className={classes['grants']}>
    <thead>
      <tr>
        {HEADINGS.map((heading) => (
          <th key={heading}>{heading}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {grants.map((grant) => (
        <GrantRow key={grant.id} grant={grant} />
      ))}
    </tbody>
  </table>
)

function GrantRow({ grant }: { grant: LiveGrant }) {
  const { timezone } = useSession().auth_user.company
  const mayViewInvites = useCan()('view_account_invites')
  const now = useNow()
  const { id, kind, name, account_id: accountId, account_name: account, rights, sponsor } = grant
  const { expires_at: end, last_used_at: last } = grant
  return (
    <tr>
      <td>
        <b>{kind === 'invite' && mayViewInvites ? <Link to={paths.invite(accountId, id)}>{name}</Link> : name}</b>
      </td>
      <td data-label="Account">
        <Link to={paths.account(accountId)}>{account}</Link>
      </td>
      <td data-label="Kind">{KINDS[kind]}</td>
      <td data-label="May">{rights}</td>
      <td data-label="Sees">{seenBy(grant)}</td>
      <td data-label="By">{sponsor}</td>
      <td data-label="Last use">{last === null ? 'Not used yet' : formatAgo(last, timezone, now)}</td>
      <td data-label="End">
        <End end={end} now={now} />
      </td>
    </tr>
  )
}

/** What an invited person sees is decided by the role. */
const seenBy = ({ kind, own_uploads: ownUploads, scope }: LiveGrant) =>
  ownUploads ? 'Own uploads only' : kind === 'invite' ? 'As the role allows' : scopeText(scope)

const SOON_DAYS = 7

/** "ends in 3 days", in another color within a week. */
function End({ end: { date, human }, now }: { end: Deadline; now: number }) {
  if (date === null) return 'does not end'
  const days = Math.ceil((Date.parse(date) - now) / DAY_MS)
  const text = days <= 0 ? 'has ended' : `ends in ${plural(days, 'day')}`
  return (
    <span title={human} className={days <= SOON_DAYS ? classes['soon'] : undefined}>
      {text}
    </span>
  )
}
