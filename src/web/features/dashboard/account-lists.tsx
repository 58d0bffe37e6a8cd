import { Tabs } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { formatNumber } from '#contract/format.ts'
import { AccountList } from './account-list.tsx'
import classes from './account-lists.module.css'
import { DASHBOARD_LISTS, DASHBOARD_LIST_NAMES, useAccountList, type DashboardListName } from './use-account-lists.ts'
import { useChosenList } from './use-chosen-list.ts'

/** Favorites, invitations and what moved last: one list at a time, the others a click away. */
export function AccountLists() {
  const [chosen, choose] = useChosenList()
  const can = useCan()
  return (
    <section className={classes['card']} aria-label="Your accounts">
      <Tabs value={chosen} onChange={(value) => choose(DASHBOARD_LIST_NAMES.find((name) => name === value) ?? chosen)} keepMounted={false}>
        <Tabs.List className={classes['tabs'] ?? ''}>
          {DASHBOARD_LIST_NAMES.map((name) => (
            <Tabs.Tab key={name} value={name} rightSection={<Count name={name} />}>
              {DASHBOARD_LISTS[name].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {DASHBOARD_LIST_NAMES.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <AccountList name={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {can('view_accounts_component') && (
        <div className={classes['foot']}>
          {chosen === 'invited' ? (
            <Link to={paths.invitedAccounts()}>View All Invited Accounts</Link>
          ) : (
            <Link to={paths.accounts()}>View All Accounts</Link>
          )}
        </div>
      )}
    </section>
  )
}

/** Recently active ones are a selection of all, so their number would say nothing. */
function Count({ name }: { name: DashboardListName }) {
  const total = useAccountList(name).data?.meta.total
  return total === undefined || name === 'recent' ? null : <span className={classes['count']}>{formatNumber(total)}</span>
}
