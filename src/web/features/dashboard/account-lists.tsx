import { Button, Tabs } from '@mantine/core'
import IconLayoutSidebarRightExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountRow } from '#contract/accounts.ts'
import { formatAgo, formatNumber, plural } from '#contract/format.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '#contract/limits.ts'
import { useFavorite } from '#web/data/favorite.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Invitations, useInvitations } from '#web/engines/account/invitations.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { moveBetweenRows } from '#web/ui/row-keys.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import { useDashboardSettings } from './dashboard-settings.ts'
import classes from './dashboard.module.css'

const RECENT = { sort: 'updated_at', order: 'desc', paginate: String(PAGE_SIZE) }

/** The lists of the dashboard; `empty` is shown when a list has no accounts. */
const LISTS = [
  {
    name: 'favorite',
    title: 'Favorite Accounts',
    query: queries.index('accounts', { ...RECENT, filter__favorites: '1', paginate: String(PAGE_SIZE_MAX) }),
    empty: 'Mark an account with the star to add it to this list.',
  },
  {
    name: 'invited',
    title: 'Invited Accounts',
    query: queries.index('accounts', { ...RECENT, filter__invites: '1' }),
    empty: 'Accounts that others invite you to appear here.',
  },
  {
    name: 'recent',
    title: 'Recently Active Accounts',
    query: queries.index('accounts', RECENT),
    empty: 'Accounts appear here as soon as something happens on them.',
  },
] as const
const DEFAULT = LISTS[2]
type List = (typeof LISTS)[number]

/** True once the answer shows that the user has no accounts. */
export function useHasNoAccounts(): boolean {
  return useQuery(DEFAULT.query).data?.meta.total === 0
}

export function AccountLists() {
  const [chosen, choose] = useChosenList()
  const invited = chosen.name === 'invited'
  return (
    <section className={classes['card']} aria-label="Your accounts">
      <Tabs value={chosen.name} onChange={(value) => choose(LISTS.find(({ name }) => name === value) ?? chosen)} keepMounted={false}>
        <Tabs.List className={classes['tabs'] ?? ''}>
          {LISTS.map((list) => (
            <Tabs.Tab key={list.name} value={list.name} ref={list === chosen ? showTab : null} rightSection={<Count list={list} />}>
              {list.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={chosen.name}>
          {invited && <Invitations />}
          <AccountList key={chosen.name} {...chosen} />
        </Tabs.Panel>
      </Tabs>
      {useCan()('view_accounts_component') && (
        <div className={classes['foot']}>
          <Link to={invited ? paths.invitedAccounts() : paths.accounts()}>View All {invited && 'Invited '}Accounts</Link>
        </div>
      )}
    </section>
  )
}

/** The ids of the accounts in the chosen list, in its order; empty until it is loaded. */
export function useListedAccounts(): string[] {
  const [{ query }] = useChosenList()
  return useQuery(query).data?.data.map(({ id }) => id) ?? []
}

/** On a phone the tabs are wider than the screen. Scrolls only the tabs, not the page. */
function showTab(tab: HTMLButtonElement | null): void {
  const tabs = tab?.parentElement
  if (tab && tabs) tabs.scrollLeft = tab.offsetLeft + tab.offsetWidth - tabs.clientWidth
}

/** The recent accounts are a selection of all accounts, so they show no count. */
function Count({ list: { name, query } }: { list: List }) {
  const known = useQuery(query).data?.meta.total
  const invitations = useInvitations().length
  const total = known !== undefined && name === 'invited' ? known + invitations : known
  return name === 'recent' ? null : <span className={classes['count']}>{total !== undefined && formatNumber(total)}</span>
}

/** The list that the user chose last is stored by its title. */
function useChosenList(): [List, (list: List) => void] {
  const [{ dashboardAccounts: stored }, save] = useDashboardSettings()
  return [LISTS.find(({ title }) => title === stored?.title) ?? DEFAULT, ({ title }) => save({ dashboardAccounts: { title } })]
}

function AccountList({ name, title, query, empty }: List) {
  const hasInvitations = useInvitations().length > 0 && name === 'invited'
  const skeleton = <SkeletonRows rows={SHOWN_FIRST} label={`Loading ${title}`} />
  return (
    <Loaded query={useQuery(query)} skeleton={skeleton} failure="The accounts could not be loaded.">
      {({ data: rows }) =>
        rows.length === 0 && hasInvitations ? null : rows.length === 0 ? (
          <EmptyState title={`No ${title.toLowerCase()}`}>{empty}</EmptyState>
        ) : (
          <AccountTable title={title} rows={rows} />
        )
      }
    </Loaded>
  )
}

const COLUMNS: readonly { label: string; hidden?: true; number?: true }[] = [
  { label: 'Favorite', hidden: true },
  { label: 'Account' },
  { label: 'Status' },
  { label: 'Type' },
  { label: 'TIV', number: true },
  { label: 'Last updated' },
  { label: 'Quick view', hidden: true },
]

const SHOWN_FIRST = 8

/** A long list first shows its newest rows. */
function AccountTable({ title, rows }: { title: string; rows: readonly AccountRow[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, SHOWN_FIRST)
  const more = rows.length - shown.length
  // A column that is the same in every row says nothing.
  const hasTypes = new Set(rows.map(({ type }) => type.text)).size > 1
  return (
    <ScrollRegion className={classes['scroll']} label={title}>
      <table className={classes['table']}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {COLUMNS.filter(({ label }) => hasTypes || label !== 'Type').map(({ label, hidden, number }) => (
              <th key={label} scope="col" data-number={number}>
                <span className={hidden && 'visually-hidden'}>{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <AccountTableRow key={row.id} row={row} hasType={hasTypes} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Button variant="subtle" color="gray" fullWidth onClick={() => setAll(true)}>
          Show {plural(more, 'more account')}
        </Button>
      )}
    </ScrollRegion>
  )
}

function AccountTableRow({ row, hasType }: { row: AccountRow; hasType: boolean }) {
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  const favorite = useFavorite(showError)
  const { id, name, account_number: number, status, type, tiv, updated_at: updated } = row
  return (
    <tr onKeyDown={moveBetweenRows}>
      <td className={classes['tool']}>
        <FavoriteButton favorite={row.favorite} of={name.text} onToggle={(next) => favorite.mutate({ id, favorite: next })} />
      </td>
      <td className={classes['name']}>
        <Link to={paths.account(id)} title={[name.text, number.text].filter(Boolean).join(', ')} data-row-control="open">
          {name.text}
        </Link>
        <span className={classes['phoneValue']}>
          {hasType && <span>{type.text}</span>} <span>{tiv.text}</span>
        </span>
      </td>
      <td className={classes['status']}>
        {status.text === '' ? '–' : <StatusDot color={status.class || 'var(--line-strong)'} name={status.text} />}
      </td>
      {hasType && <td className={classes['type']}>{type.text}</td>}
      <td data-number>{tiv.text}</td>
      <td className={classes['when']}>
        {typeof updated.value === 'string' ? (
          <DateText iso={updated.value} zone={zone}>
            {formatAgo(updated.value, zone, now)}
          </DateText>
        ) : (
          updated.text
        )}
      </td>
      <td className={classes['tool']}>
        <Link
          to={paths.quickView(id)}
          search={true}
          className={classes['quick'] ?? ''}
          aria-label={`Quick view of ${name.text}`}
          title="Quick view"
          data-row-control="quick-view"
          resetScroll={false}
        >
          <IconLayoutSidebarRightExpand size={18} aria-hidden />
        </Link>
      </td>
    </tr>
  )
}
