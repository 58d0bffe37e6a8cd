import { Button, Progress } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useState } from 'react'
import { gradeOf } from '#contract/checks.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { formatNumber } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { staleChecks } from '#web/data/staleness.ts'
import { CheckStateLine, useCheckState } from '#web/engines/check-state.tsx'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { CriticalCount, SeverityIcon, StatisticsList, formatValueAtStake, worstFirst } from '#web/engines/metric/statistics.tsx'
import { showError } from '#web/engines/show-error.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './reconciliation-panel.module.css'

const SCORE = 'score'
/** The totals come before the kinds of discrepancies that they consist of. */
const SUMMARY = ['discrepancies', 'critical']

/** The score of the data, then what is wrong with it, worst first. */
export function ReconciliationPanel({ accountId }: { accountId: string }) {
  const query = useQuery(queries.accountMetric('reconciliation', accountId))
  const mayCheck = useCan()('resolve_discrepancies')
  return (
    <MetricCard query={query} title="Reconciliation" skeleton="list" aside={mayCheck && <CheckAgain accountId={accountId} />}>
      {(metric) => <Findings metric={metric} accountId={accountId} />}
    </MetricCard>
  )
}

/** A verdict is given only when the discrepancies are those of the present values. */
function Findings({ metric: { statistics, total, empty, counts }, accountId }: { metric: Metric; accountId: string }) {
  const state = useCheckState(accountId)
  const score = statistics.find(({ key }) => key === SCORE)
  const summary = statistics.filter(({ key }) => SUMMARY.includes(key))
  const sentences = counts.filter(({ sentence }) => sentence)
  const single = counts.filter(({ sentence }) => !sentence)
  const kinds = statistics.filter((statistic) => statistic !== score && !summary.includes(statistic))
  return (
    <div className={classes['frame']}>
      {state !== undefined && <CheckStateLine state={state} />}
      <div className={classes['panel']}>
        {score !== undefined && <Score score={score} />}
        <div className={classes['findings']}>
          {sentences.length > 0 && <ScheduleSentences counts={sentences} />}
          {total > 0 && <StatisticsList statistics={[...summary, ...worstFirst(kinds)]} />}
          {total === 0 && state?.state === 'current' && <p className={classes['clean']}>{empty}</p>}
        </div>
        {single.length > 0 && <FindingsByCheck counts={single} />}
      </div>
    </div>
  )
}

/** The data quality score on a scale of 0 to 100, with its grade. */
function Score({ score: { label, count, help, severity, action, note } }: { score: Statistic }) {
  const to = metricLink(action)
  return (
    <div className={classes['score']} data-severity={severity}>
      <h3 className={classes['label']}>{to === undefined ? label : <Link to={to}>{label}</Link>}</h3>
      <p className={classes['value']}>
        <span className={classes['number']}>
          <CountUp name="score" value={count} />
        </span>
        <span className={classes['muted']}>of 100</span>
        <span className={classes['grade']}>
          <span className="visually-hidden">Grade </span>
          {gradeOf(count)}
        </span>
      </p>
      <Progress value={count} size={6} color="var(--tone)" aria-hidden />
      <p className={classes['help']}>{help}</p>
      {note && <p className={classes['note']}>{note}</p>}
    </div>
  )
}

type Count = Metric['counts'][number]

const RANK = { critical: 0, warning: 1, info: 2, good: 3, none: 4 } as const
/** The most severe first, then those with the most value. */
const byPriority = (one: Count, other: Count) =>
  RANK[one.severity ?? 'none'] - RANK[other.severity ?? 'none'] ||
  (other.value_at_stake ?? 0) - (one.value_at_stake ?? 0) ||
  other.count - one.count

/** What most properties share, said once about the schedule; each opens the properties. */
function ScheduleSentences({ counts }: { counts: readonly Count[] }) {
  return (
    <ul className={classes['sentences']} aria-label="About the whole schedule">
      {counts.toSorted(byPriority).map((count) => {
        const to = metricLink(count.action)
        return (
          <li key={count.id}>
            <SeverityIcon severity={count.severity ?? 'none'} />
            <span>
              {to === undefined ? count.sentence : <Link to={to}>{count.sentence}</Link>}
              <CriticalCount of={count} />
            </span>
            <Stake value={count.value_at_stake} />
          </li>
        )
      })}
    </ul>
  )
}

const Stake = ({ value }: { value: number | null | undefined }) => (
  <span className={`${classes['muted'] ?? ''} tabular`} title="Total insured value of these properties">
    <span className="visually-hidden">Value at stake </span>
    {formatValueAtStake(value)}
  </span>
)

const CHECKS_SHOWN_FIRST = 6

/** Properties with open discrepancies per check, with the discrepancies in brackets if there are more. */
function FindingsByCheck({ counts }: { counts: readonly Count[] }) {
  const [all, setAll] = useState(false)
  return (
    <div className={classes['checks']}>
      <h3 className={classes['label']}>Properties by check</h3>
      <ul>
        {counts
          .toSorted(byPriority)
          .slice(0, all ? undefined : CHECKS_SHOWN_FIRST)
          .map((check) => {
            const { id, name, count, findings = count, action } = check
            const to = metricLink(action)
            return (
              <li key={id}>
                <span className={classes['name']} title={name}>
                  {to === undefined ? name : <Link to={to}>{name}</Link>}
                </span>
                <span className="tabular">
                  {formatNumber(count)}
                  {findings > count && <span className={classes['muted']}> ({formatNumber(findings)})</span>}
                </span>
                <CriticalCount of={check} />
                <Stake value={check.value_at_stake} />
              </li>
            )
          })}
      </ul>
      {counts.length > CHECKS_SHOWN_FIRST && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${formatNumber(counts.length)}`}
        </Button>
      )}
    </div>
  )
}

function CheckAgain({ accountId }: { accountId: string }) {
  const checking = useMutation({
    mutationFn: () => api(discrepancyCalls.reconcile, { params: { id: accountId } }),
    onSuccess: ({ message }) => {
      toast.info(message)
      staleChecks(accountId)
    },
    onError: showError,
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={checking.isPending}
      onClick={() => checking.mutate()}
    >
      Check again
    </Button>
  )
}
