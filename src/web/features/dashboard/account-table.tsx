import { Button } from '@mantine/core'
import IconLayoutSidebarRightExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountRow } from '#contract/accounts.ts'
import { formatAgo, plural } from '#contract/format.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useFavorite } from '#web/data/favorite.ts'
import type { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './account-lists.module.css'

interface AccountListProps {
  title: string
  query: ReturnType<typeof queries.index<'accounts'>>
  /** Shown when the list is empty. */
  empty: string
}

/** One of the lists of accounts. */
export function AccountList({ title, query, empty }: AccountListProps) {
  const skeleton = <SkeletonRows rows={PAGE_SIZE} label={`Loading ${title}`} />
  return (
    <Loaded query={useQuery(query)} skeleton={skeleton} failure="The accounts could not be loaded.">
      {({ data: rows }) =>
        rows.length === 0 ? (
          <EmptyState title={`No ${title.toLowerCase()}`}>{empty}</EmptyState>
        ) : (
          <AccountTable title={title} rows={rows} />
        )
      }
    </Loaded>
  )
}

/** A long list first shows one page. */
function AccountTable({ title, rows }: { title: string; rows: readonly AccountRow[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, PAGE_SIZE)
  const more = rows.length - shown.length
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls sideways, which has to be possible by keyboard
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={title}>
      <table className={classes['table']}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Favorite</span>
            </th>
            <th scope="col">Account</th>
            <th scope="col">Status</th>
            <th scope="col" data-number>
              Properties
            </th>
            <th scope="col" data-number>
              TIV
            </th>
            <th scope="col">Last updated</th>
            <th scope="col">
              <span className="visually-hidden">Quick view</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <AccountTableRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Button variant="subtle" color="gray" fullWidth onClick={() => setAll(true)}>
          Show {plural(more, 'more account')}
        </Button>
      )}
    </div>
  )
}

function AccountTableRow({ row }: { row: AccountRow }) {
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  const favorite = useFavorite(showError)
  const { id, name, account_number: number, status, properties, tiv, updated_at: updated } = row
  return (
    <tr>
      <td className={classes['tool']}>
        <FavoriteButton favorite={row.favorite} of={name.text} onToggle={(next) => favorite.mutate({ id, favorite: next })} />
      </td>
      <td className={classes['name']}>
        <Link to={paths.account(id)} title={name.text}>
          {name.text}
        </Link>
        {number.text !== '' && <span className={classes['number']}>{number.text}</span>}
      </td>
      <td>{status.text === '' ? '–' : <StatusDot color={status.class || 'var(--line-strong)'} name={status.text} />}</td>
      <td data-number>{properties.text}</td>
      <td data-number>{tiv.text}</td>
      <td className={classes['when']} title={updated.text}>
        {typeof updated.value === 'string' ? formatAgo(updated.value, zone, now) : updated.text}
      </td>
      <td className={classes['tool']}>
        <Link
          to={paths.quickView(id)}
          search={true}
          className={classes['quick'] ?? ''}
          aria-label={`Quick view of ${name.text}`}
          title="Quick view"
          resetScroll={false}
        >
          <IconLayoutSidebarRightExpand size={18} aria-hidden />
        </Link>
      </td>
    </tr>
  )
}
