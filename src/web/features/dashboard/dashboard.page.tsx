import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { PieMetric } from '#web/engines/metric/pie-metric.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { AccountLists } from './account-lists.tsx'
import classes from './dashboard.module.css'
import { StartAccountButton } from './start-account-button.tsx'
import { SystemTotals } from './system-totals.tsx'
import { useHasNoAccounts } from './use-account-lists.ts'
import { Welcome } from './welcome.tsx'

const NO_SUBSCRIPTION = '0'

/** Where everyone begins: what there is in total, the accounts to go on with, how they stand. */
export function DashboardPage() {
  usePageTitle('Dashboard')
  useChannel(CHANNELS.datatable('accounts'))
  const { auth_user } = useSession()
  const can = useCan()
  return (
    <>
      <div className={classes['dashboard']}>
        {auth_user.subscription.id === NO_SUBSCRIPTION && <Notice kind="warning">Your company does not have a valid Subscription.</Notice>}
        <SystemTotals action={<StartAccountButton />} />
        {can('view_dashboard_account_datatable') && <Accounts />}
      </div>
      <Outlet />
    </>
  )
}

function Accounts() {
  const can = useCan()
  const summary = can('view_accounts_summary_metric')
  if (useHasNoAccounts()) return <Welcome />
  return (
    <div className={classes['accounts']} data-summary={summary || undefined}>
      <AccountLists />
      {summary && <AccountsSummary />}
    </div>
  )
}

function AccountsSummary() {
  const query = useQuery(queries.metric('accountsSummary'))
  return <PieMetric query={query} shape="doughnut" unit="account" title="Accounts" />
}
