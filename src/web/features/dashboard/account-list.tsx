import { Button } from '@mantine/core'
import { useState } from 'react'
import { PAGE_SIZE } from '#contract/limits.ts'
import { messageOf } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { plural } from '#contract/format.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { AccountLine } from './account-line.tsx'
import classes from './account-list.module.css'
import { DASHBOARD_LISTS, useAccountList, type DashboardListName } from './use-account-lists.ts'

/** One of the lists as a table; a long one shows its beginning first. */
export function AccountList({ name }: { name: DashboardListName }) {
  const { title, none } = DASHBOARD_LISTS[name]
  const list = useAccountList(name)
  const [whole, setWhole] = useState(false)
  if (list.isPending) return <SkeletonRows rows={PAGE_SIZE} label={`Loading ${title}`} />
  if (list.data === undefined) {
    return (
      <EmptyState title="The accounts could not be loaded." action={<Button onClick={() => void list.refetch()}>Retry</Button>}>
        {messageOf(list.error)}
      </EmptyState>
    )
  }
  const rows = whole ? list.data.data : list.data.data.slice(0, PAGE_SIZE)
  if (rows.length === 0) return <EmptyState title={`No ${title.toLowerCase()}`}>{none}</EmptyState>
  const more = list.data.data.length - rows.length
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
          {rows.map((row) => (
            <AccountLine key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Button variant="subtle" color="gray" fullWidth onClick={() => setWhole(true)}>
          Show {plural(more, 'more account')}
        </Button>
      )}
    </div>
  )
}
