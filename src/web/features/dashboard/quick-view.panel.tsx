import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ACCOUNT_TYPES, registerTotals, type Account } from '#contract/accounts.ts'
import { gradeOf } from '#contract/checks.ts'
import { formatDate, formatMoney, formatNumber, plural } from '#contract/format.ts'
import type { Statistic } from '#contract/metrics.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { AccountStar, AccountStatus } from '#web/engines/account/account-controls.tsx'
import { CheckStateLine, useCheckState } from '#web/engines/account/check-state.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { defineView } from '#web/engines/model/model-view.ts'
import { RecordPanel } from '#web/engines/model/record-panel.tsx'
import { PanelFooter, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { useListedAccounts } from './account-lists.tsx'
import classes from './quick-view.module.css'

const view = defineView({
  model: 'accounts',
  title: ({ name }) => name.text,
  facts: () => [],
  below: (account) => <Summary account={account} />,
})

/** The main facts of an account without leaving the dashboard. The arrow keys move through the list that is open underneath. */
export function QuickViewPanel({ id }: { id: string }) {
  useArrowKeys(id)
  return <RecordPanel key={id} view={view} id={id} closeTo={paths.dashboard()} editable footer={<Commands id={id} />} />
}

/** Opens the account above or below in the list, except while the keys move in a menu or scroll. */
function useArrowKeys(id: string): void {
  const open = useOpenPanel()
  const ids = useListedAccounts()
  const move = (step: number) => (event: KeyboardEvent) => {
    const { target } = event
    if (target instanceof Element && target.closest('[role="menu"], [aria-haspopup], [role="region"]') !== null) return
    const index = ids.indexOf(id)
    const next = index === -1 ? undefined : ids[index + step]
    if (next !== undefined) open(paths.quickView(next))
  }
  useHotkeys([
    ['ArrowDown', move(1)],
    ['ArrowUp', move(-1)],
  ])
}

function Commands({ id }: { id: string }) {
  const can = useCan()
  return (
    <PanelFooter>
      <div className={classes['commands']}>
        {can('view_account_properties') && (
          <Button component={Link} to={paths.accountTab(id, 'properties')} variant="default">
            Properties
          </Button>
        )}
        {can('view_account_files') && (
          <Button component={Link} to={paths.accountTab(id, 'files')} variant="default">
            Documents
          </Button>
        )}
      </div>
      <Button component={Link} to={paths.accountTab(id, 'overview')}>
        Open account
      </Button>
    </PanelFooter>
  )
}

function Summary({ account }: { account: Account }) {
  const can = useCan()
  return (
    <>
      <p className={classes['subtitle']}>
        {useSubtitle(account).map((part) => (
          <span key={part}>{part}</span>
        ))}
      </p>
      <div className={classes['controls']}>
        <AccountStatus account={account} />
        <AccountStar account={account} />
      </div>
      <Figures account={account} />
      {can('view_account_reconciliation_metric') && account.properties !== 0 && <Reconciliation account={account} />}
    </>
  )
}

/** "HV-2026-0816", "Harbor & Vine Brokerage", "effective Nov 24, 2026" */
function useSubtitle({ account_number: number, company, type, effective_date: effective }: Account): string[] {
  const zone = useSession().auth_user.company.timezone
  return [
    number,
    company.name,
    type === 'managed' ? ACCOUNT_TYPES.managed : null,
    effective === null ? 'no effective date' : `effective ${formatDate(effective, zone)}`,
  ].filter((part): part is string => part !== null && part !== '')
}

/** Without those of the register or the documents for users who cannot open them. */
function Figures({ account }: { account: Account }) {
  const { id, files, users, currency } = account
  const can = useCan()
  const register = registerTotals(account)
  const figures = [
    ...(register === undefined
      ? []
      : [
          { label: 'Total insured value', text: register.known === null ? '–' : formatMoney(register.known, currency), to: undefined },
          { label: 'Properties', text: formatNumber(register.active), to: paths.accountTab(id, 'properties') },
        ]),
    ...(files === null
      ? []
      : [
          {
            label: 'Documents',
            text: formatNumber(files.total),
            to: paths.documents(id, files.disclosed === 0 && files.sov > 0 ? 'submission' : 'disclosed'),
          },
        ]),
    ...(users !== undefined && can('view_account_invites') ? [{ label: 'Added users', text: formatNumber(users), to: undefined }] : []),
  ]
  return (
    <dl className={classes['figures']}>
      {figures.map(({ label, text, to }) => (
        <div key={label}>
          <dt>
            <StretchedLink to={to}>{label}</StretchedLink>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The kinds of discrepancies that are shown; the account has all of them. */
const KINDS_SHOWN = 4
/** These are counted by the kinds, too. */
const NOT_KINDS = new Set(['score', 'critical', 'discrepancies'])

/** The state of the check, the score and what is open. */
function Reconciliation({ account: { id, currency } }: { account: Account }) {
  const query = useQuery(queries.accountMetric('reconciliation', id))
  const state = useCheckState(id)
  return (
    <TitledSection title="Reconciliation">
      {state !== undefined && <CheckStateLine state={state} />}
      <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading the reconciliation" />}>
        {({ statistics }) => (
          <ul className={classes['lines']} data-outdated={state?.state !== 'current' || undefined}>
            {linesOf(statistics).map((line) => (
              <Line key={line.key} line={line} currency={currency} />
            ))}
          </ul>
        )}
      </Loaded>
    </TitledSection>
  )
}

/** The score and the critical properties, and what is open, most properties first. */
function linesOf(statistics: readonly Statistic[]): Statistic[] {
  const kinds = statistics.filter(({ key, count }) => !NOT_KINDS.has(key) && count > 0)
  return [
    ...statistics.filter(({ key }) => key === 'score' || key === 'critical'),
    ...kinds.toSorted((one, other) => other.count - one.count).slice(0, KINDS_SHOWN),
  ]
}

function Line({
  line: { key, label, count, findings, value_at_stake: value, action },
  currency,
}: {
  line: Statistic
  currency: string | null
}) {
  const isCritical = key === 'critical' && count > 0
  const parts =
    key === 'score'
      ? []
      : [findings && findings !== count && plural(findings, 'discrepancy', 'discrepancies'), value && formatMoney(value, currency)]
  return (
    <li>
      <span className={classes['count']} data-critical={isCritical || undefined}>
        {isCritical && <SeverityShape severity="critical" size={12} />} {formatNumber(count)} {key === 'score' && gradeOf(count)}
      </span>
      <span>
        <StretchedLink to={metricLink(action)}>{key === 'critical' ? 'Critical properties' : label}</StretchedLink>{' '}
        <span className={classes['muted']}>{parts.filter(Boolean).join(', ')}</span>
      </span>
    </li>
  )
}
