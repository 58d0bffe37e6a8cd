import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { PieMetric } from '#web/engines/metric/pie-metric.tsx'
import { StatisticTiles } from '#web/engines/metric/statistics.tsx'
import { paths } from '#web/paths.ts'
import { CountUpVisit } from '#web/ui/count-up.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { AccountLists, useHasNoAccounts } from './account-lists.tsx'
import classes from './dashboard.module.css'

const NO_SUBSCRIPTION = '0'

/** The totals, the accounts to continue with, and their statuses. */
export function DashboardPage() {
  usePageTitle('Dashboard')
  useChannel(CHANNELS.datatable('accounts'))
  const totals = useQuery(queries.metric('systemTotals'))
  const { company, subscription } = useSession().auth_user
  const can = useCan()
  return (
    <CountUpVisit>
      <div className={classes['dashboard']}>
        {subscription.id === NO_SUBSCRIPTION && <Notice kind="warning">Your company does not have a valid Subscription.</Notice>}
        <MetricCard query={totals} title={company.name} skeleton="tiles" aside={<StartAccountButton />}>
          {({ statistics }) => <StatisticTiles statistics={statistics} />}
        </MetricCard>
        {can('view_dashboard_account_datatable') && <Accounts />}
      </div>
      <Outlet />
    </CountUpVisit>
  )
}

function Accounts() {
  const hasSummary = useCan()('view_accounts_summary_metric')
  const summary = useQuery({ ...queries.metric('accountsSummary'), enabled: hasSummary })
  if (useHasNoAccounts()) return <Welcome />
  return (
    <div className={classes['accounts']} data-summary={hasSummary || undefined}>
      <AccountLists />
      {hasSummary && <PieMetric query={summary} shape="doughnut" unit="account" title="Accounts" />}
    </div>
  )
}

/** For a user without accounts. */
function Welcome() {
  const { auth_user, config } = useSession()
  return (
    <section className={classes['welcome']} aria-label="Welcome">
      <EmptyState
        icon={<Logo size={48} />}
        title={`Welcome to ${config.product}, ${auth_user.first_name}.`}
        action={<StartAccountButton />}
      >
        An account holds one submission: its properties, its documents and the people with access to them. Start with its name; everything
        else can follow.
      </EmptyState>
    </section>
  )
}

/** Opens the form of a new account, the same as in the list of accounts. */
function StartAccountButton() {
  const can = useCan()
  if (!can('create_accounts')) return null
  return (
    <Button component={Link} to={paths.startAccount()} leftSection={<IconPlus size={16} aria-hidden />}>
      Start an Account
    </Button>
  )
}
