import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { Metric } from '#contract/metrics.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { StatisticsList, worstFirst } from '#web/engines/metric/statistics.tsx'
import { toast } from '#web/ui/toast.tsx'
import { FindingsByCheck } from './findings-by-check.tsx'
import classes from './reconciliation-panel.module.css'
import { Score } from './score.tsx'

const SCORE = 'score'
/** What says how much there is at all stands above what it consists of. */
const SUMMARY = ['discrepancies', 'critical']
const TITLE = 'Reconciliation'

/** The centre of the overview: how good the data is, then what is wrong with it, worst first. */
export function ReconciliationPanel({ accountId }: { accountId: string }) {
  const query = useQuery(queries.accountMetric('reconciliation', accountId))
  const may = useCan()('resolve_discrepancies')
  return (
    <MetricCard query={query} title={TITLE} skeleton="list" aside={may && <CheckAgain accountId={accountId} />}>
      {(metric) => <Findings metric={metric} />}
    </MetricCard>
  )
}

function Findings({ metric }: { metric: Metric }) {
  const score = metric.statistics.find(({ key }) => key === SCORE)
  const summary = metric.statistics.filter(({ key }) => SUMMARY.includes(key))
  const kinds = metric.statistics.filter(({ key }) => key !== SCORE && !SUMMARY.includes(key))
  return (
    <div className={classes['frame']}>
      <div className={classes['panel']}>
        {score !== undefined && <Score score={score} />}
        <div className={classes['findings']}>
          {metric.total === 0 ? (
            <p className={classes['clean']}>{metric.empty}</p>
          ) : (
            <StatisticsList statistics={[...summary, ...worstFirst(kinds)]} />
          )}
        </div>
        {metric.counts.length > 0 && <FindingsByCheck counts={metric.counts} />}
      </div>
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
