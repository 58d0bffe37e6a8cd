import { Button, Skeleton } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { CHANNELS } from '#contract/events.ts'
import { formatMoneyShort, formatNumber, plural } from '#contract/format.ts'
import type { Metric } from '#contract/metrics.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { PieMetric } from '#web/engines/metric/pie-metric.tsx'
import { SeverityIcon, StatisticTiles } from '#web/engines/metric/statistics.tsx'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { InvitedAccounts } from '#web/engines/account/invitations.tsx'
import { NoSubscription } from '#web/engines/account/no-subscription.tsx'
import { paths } from '#web/paths.ts'
import { CountUpVisit } from '#web/ui/count-up.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { AccountLists, useHasNoAccounts } from './account-lists.tsx'
import { DueSubmissions } from './due-submissions.tsx'
import classes from './dashboard.module.css'

/** The totals, the accounts to continue with, and their statuses. */
export function DashboardPage() {
  usePageTitle('Dashboard')
  useChannel(CHANNELS.datatable('accounts'))
  const { company } = useSession().auth_user
  const can = useCan()
  return (
    <CountUpVisit>
      <div className={classes['dashboard']}>
        <NoSubscription />
        <Totals company={company.name} />
        {can('view_dashboard_account_datatable') ? <Accounts /> : <WithoutLists />}
      </div>
      <Outlet />
    </CountUpVisit>
  )
}

/** The company's name, its totals, and the button for a new account, in one line. */
function Totals({ company }: { company: string }) {
  const totals = useQuery(queries.metric('systemTotals'))
  return (
    <section className={classes['totals']} aria-label="Totals">
      <h2>{totals.data?.title ?? company}</h2>
      <div className={classes['statistics']}>
        <Loaded query={totals} skeleton={<Skeleton height={38} role="status" aria-label="Loading the totals" />}>
          {({ statistics }) => <StatisticTiles statistics={statistics} />}
        </Loaded>
      </div>
      <StartAccountButton />
    </section>
  )
}

const FIXES_NEED: readonly PermissionName[] = ['view_account_properties', 'view_account_reconciliation_metric', 'resolve_discrepancies']

function Accounts() {
  const hasSummary = useCan()('view_accounts_summary_metric')
  const attention = useQuery(queries.metric('accountsAttention'))
  const can = useCan()
  const seesFixes = FIXES_NEED.every((name) => can(name))
  if (useHasNoAccounts()) return <Welcome />
  return (
    <>
      {seesFixes && attention.data !== undefined && <AttentionLine metric={attention.data} />}
      <div className={classes['row']}>
        <DueSubmissions />
        {seesFixes ? (
          <NextFixes />
        ) : (
          <MetricCard query={attention} title="Needs attention" skeleton="list">
            {(metric) => <AttentionList metric={metric} />}
          </MetricCard>
        )}
      </div>
      <div className={classes['row']} data-single={!hasSummary || undefined}>
        <AccountLists />
        {hasSummary && <AccountsByStatus />}
      </div>
    </>
  )
}

/** What accounts in work need, each with the number of accounts; a line opens exactly these. */
function AttentionList({ metric: { statistics, empty } }: { metric: Metric }) {
  const found = statistics.filter(({ count }) => count > 0)
  if (found.length === 0) return <p className={classes['quiet']}>{empty}</p>
  return (
    <ul className={classes['attention']}>
      {found.map(({ key, label, count, help, severity, action }) => (
        <li key={key} data-severity={severity}>
          <span className={classes['label']}>
            <StretchedLink to={metricLink(action)}>{label}</StretchedLink>
          </span>
          <span className={classes['amount']}>
            <SeverityIcon severity={severity} /> {formatNumber(count)}
          </span>
          <span className={classes['help']}>{help}</span>
          <span className={classes['help']}>{count === 1 ? 'account' : 'accounts'}</span>
        </li>
      ))}
    </ul>
  )
}

/** The same in one line, where fixes have the place of the list. */
function AttentionLine({ metric: { title, statistics } }: { metric: Metric }) {
  const found = statistics.filter(({ count }) => count > 0)
  if (found.length === 0) return null
  return (
    <section className={classes['attentionLine']} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {found.map(({ key, label, count, help, severity, action }) => (
          <li key={key} data-severity={severity} title={help}>
            <StretchedLink to={metricLink(action)}>{label}</StretchedLink>
            <span className={classes['amount']}>
              <SeverityIcon severity={severity} /> {formatNumber(count)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What improves the accounts most, by value at stake; a row opens exactly the properties that it counts. */
function NextFixes() {
  const query = useQuery(queries.metric('accountsFixes'))
  return (
    <MetricCard query={query} title="Next best fixes" skeleton="list" aside={<span className={classes['help']}>by value at stake</span>}>
      {({ counts, empty }) =>
        counts.length === 0 ? (
          <p className={classes['quiet']}>{empty}</p>
        ) : (
          <div>
            {new Set(counts.map(({ fix }) => fix?.currency)).size > 1 && (
              <p className={classes['note']}>{currencyNote(counts)} Amounts in different currencies are not compared.</p>
            )}
            <FixList counts={counts} />
          </div>
        )
      }
    </MetricCard>
  )
}

/** The first currency is that of most accounts. */
const currencyNote = ([first]: Metric['counts']): string =>
  `Grouped by currency${first?.fix?.currency ? `, ${first.fix.currency} first` : ''}.`

const FixList = ({ counts }: Pick<Metric, 'counts'>) => (
  <ul className={classes['attention']}>
    {counts.map(({ id, name, count, value_at_stake: value, action, fix }) => (
      <li key={id}>
        <span className={classes['label']}>
          <StretchedLink to={metricLink(action)}>{name}</StretchedLink>
        </span>
        <span className={classes['amount']}>{value ? formatMoneyShort(value, fix?.currency) : '–'}</span>
        <span className={classes['place']}>
          <span>{fix?.account}</span> <span>{plural(count, 'property', 'properties')}</span>{' '}
          <span>{fix !== undefined && plural(fix.answers, fix.unit)}</span>
        </span>
      </li>
    ))}
  </ul>
)

const AccountsByStatus = () => (
  <PieMetric query={useQuery(queries.metric('accountsSummary'))} shape="doughnut" unit="account" title="Accounts by status" />
)

/** The lists of accounts need a permission of their own; that there are no accounts is in the totals, too. */
function WithoutLists() {
  const hasSummary = useCan()('view_accounts_summary_metric')
  const { data } = useQuery(queries.metric('systemTotals'))
  if (data?.statistics.find(({ key }) => key === 'accounts')?.count === 0) return <Welcome />
  return hasSummary && <AccountsByStatus />
}

/** For a user without accounts. */
function Welcome() {
  const { auth_user, config } = useSession()
  return (
    <>
      <InvitedAccounts />
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
    </>
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
