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
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { StatisticsList, worstFirst } from '#web/engines/metric/statistics.tsx'
import { showError } from '#web/engines/show-error.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './reconciliation-panel.module.css'

const SCORE = 'score'
/** The totals come before the kinds of findings that they consist of. */
const SUMMARY = ['discrepancies', 'critical']

/** The score of the data, then what is wrong with it, worst first. */
export function ReconciliationPanel({ accountId }: { accountId: string }) {
  const query = useQuery(queries.accountMetric('reconciliation', accountId))
  const mayCheck = useCan()('resolve_discrepancies')
  return (
    <MetricCard query={query} title="Reconciliation" skeleton="list" aside={mayCheck && <CheckAgain accountId={accountId} />}>
      {(metric) => <Findings metric={metric} />}
    </MetricCard>
  )
}

function Findings({ metric: { statistics, total, empty, counts } }: { metric: Metric }) {
  const score = statistics.find(({ key }) => key === SCORE)
  const summary = statistics.filter(({ key }) => SUMMARY.includes(key))
  const kinds = statistics.filter((statistic) => statistic !== score && !summary.includes(statistic))
  return (
    <div className={classes['frame']}>
      <div className={classes['panel']}>
        {score !== undefined && <Score score={score} />}
        <div className={classes['findings']}>
          {total === 0 ? <p className={classes['clean']}>{empty}</p> : <StatisticsList statistics={[...summary, ...worstFirst(kinds)]} />}
        </div>
        {counts.length > 0 && <FindingsByCheck counts={counts} />}
      </div>
    </div>
  )
}

/** The data quality score on a scale of 0 to 100, with its grade. */
function Score({ score: { label, count, help, severity, action } }: { score: Statistic }) {
  const to = metricLink(action)
  return (
    <div className={classes['score']} data-severity={severity}>
      <h3 className={classes['label']}>{to === undefined ? label : <Link to={to}>{label}</Link>}</h3>
      <p className={classes['value']}>
        <span className={classes['number']}>
          <CountUp value={count} />
        </span>
        <span className={classes['muted']}>of 100</span>
        <span className={classes['grade']}>
          <span className="visually-hidden">Grade </span>
          {gradeOf(count)}
        </span>
      </p>
      <Progress value={count} size={6} color="var(--tone)" aria-hidden />
      <p className={classes['help']}>{help}</p>
    </div>
  )
}

const CHECKS_SHOWN_FIRST = 6

/** Open findings per check, the most frequent first. */
function FindingsByCheck({ counts }: { counts: Metric['counts'] }) {
  const [all, setAll] = useState(false)
  const sorted = counts.toSorted((one, other) => other.count - one.count)
  return (
    <div className={classes['checks']}>
      <h3 className={classes['label']}>Findings by check</h3>
      <ul>
        {sorted.slice(0, all ? undefined : CHECKS_SHOWN_FIRST).map(({ id, name, count, action }) => {
          const to = metricLink(action)
          return (
            <li key={id}>
              <span className={classes['name']} title={name}>
                {to === undefined ? name : <Link to={to}>{name}</Link>}
              </span>
              <span className={`${classes['muted'] ?? ''} tabular`}>{formatNumber(count)}</span>
            </li>
          )
        })}
      </ul>
      {sorted.length > CHECKS_SHOWN_FIRST && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${formatNumber(sorted.length)}`}
        </Button>
      )}
    </div>
  )
}

function CheckAgain({ accountId }: { accountId: string }) {
  const checking = useMutation({
    mutationFn: () => api(discrepancyCalls.reconcile, { params: { id: accountId } }),
    onSuccess: ({ message }) => toast.info(message),
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
