import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { discrepancyGroup, gradeOf, isDiscrepancyGroup, type CheckState } from '#contract/checks.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { CHANNELS } from '#contract/events.ts'
import { formatMoney, formatNumber, plural } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { staleChecks } from '#web/data/staleness.ts'
import { CheckStateLine, useCheckState } from '#web/engines/account/check-state.tsx'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DiscrepancyLines, mostFirst, ScheduleSentences } from './discrepancy-lines.tsx'
import classes from './reconciliation-panel.module.css'

/** The state of the check, the verdict, then what is wrong, worst first. */
export function ReconciliationPanel({ account }: { account: Account }) {
  const query = useQuery(queries.accountMetric('reconciliation', account.id))
  const state = useCheckState(account.id)
  useChannel(CHANNELS.datatable('discrepancies'))
  return (
    <MetricCard
      query={query}
      title="Reconciliation"
      tour="discrepancies"
      skeleton="list"
      aside={<CheckButton account={account} state={state} />}
    >
      {(metric) => <Result metric={metric} account={account} state={stateOf(metric, state)} />}
    </MetricCard>
  )
}

/**
 * The state of the discrepancies on screen. The state and the discrepancies of a finished check arrive separately: until both are of the same
 * check, it counts as running.
 */
function stateOf({ as_of }: Metric, state: CheckState | undefined): CheckState | undefined {
  if (state === undefined || as_of === undefined || as_of === state.as_of) return state
  return { ...state, as_of, state: state.state === 'current' ? 'running' : state.state }
}

/** Whether a sentence about the schedule says that discrepancies of this kind are open. */
const isInSentence = (key: string, sentences: readonly { id: string }[]): boolean =>
  isDiscrepancyGroup(key)
    ? discrepancyGroup(key).checks.some((check) => sentences.some(({ id }) => id === check))
    : key === 'discrepancies' && sentences.length > 0

interface ResultProps {
  metric: Metric
  account: Account
  state: CheckState | undefined
}

/** A verdict is given only when the discrepancies are those of the present values. */
function Result({ metric, account, state }: ResultProps) {
  const { statistics, counts } = metric
  const [score, critical] = [statistics.find(({ key }) => key === 'score'), statistics.find(({ key }) => key === 'critical')]
  const kinds = statistics.filter((statistic) => statistic !== score && statistic !== critical)
  const found = kinds.filter(({ count }) => count > 0)
  const sentences = counts.filter(({ sentence }) => sentence)
  const none = kinds.filter(({ key, count }) => count === 0 && !isInSentence(key, sentences))
  return (
    <div className={classes['frame']}>
      {state !== undefined && <CheckStateLine state={state} />}
      <div className={classes['verdict']} data-outdated={state?.state !== 'current' || undefined}>
        <Score score={score} />
        <Verdict metric={metric} critical={critical} state={state} />
      </div>
      {score?.parts !== undefined && <ScoreParts parts={score.parts} />}
      {score?.note && <p className={classes['note']}>{score.note}</p>}
      {found.length > 0 && <DiscrepancyLines title="Open discrepancies" lines={found} account={account} />}
      <ScheduleSentences counts={sentences} account={account} />
      {none.length > 0 && state?.state === 'current' && (
        <p className={classes['foot']}>
          <IconCircleCheck size={16} color="var(--good)" aria-hidden /> {sentences.length > 0 ? 'Nothing else open' : 'Nothing open'}:{' '}
          {none.map(({ label }) => label).join(', ')}
        </p>
      )}
      <TurnedOff checks={metric.turned_off ?? []} />
      <ByCheck counts={counts.filter(({ sentence }) => !sentence)} account={account} />
    </div>
  )
}

/** The data quality score, 0 to 100, with its grade. It doesn't count up: its grade would contradict the number. */
function Score({ score }: { score: Statistic | undefined }) {
  if (score === undefined) return <p className={classes['unknown']}>The data quality score is not known yet.</p>
  const to = metricLink(score.action)
  const number = <span className="tabular">{formatNumber(score.count)}</span>
  return (
    <div className={classes['score']} title={score.help}>
      <h3 className="visually-hidden">{score.label}</h3>
      <span className={classes['number']}>{to === undefined ? number : <Link to={to}>{number}</Link>}</span>
      <span className={classes['of']}>
        <span className={classes['grade']}>
          <span className="visually-hidden">Grade </span>
          {gradeOf(score.count)}
        </span>
        of 100
      </span>
    </div>
  )
}

/** The points of the score in each part. */
const ScoreParts = ({ parts }: { parts: NonNullable<Statistic['parts']> }) => (
  <dl className={classes['scoreParts']} aria-label="Parts of the score">
    {parts.map(({ key, label, points, max }) => (
      <div key={key}>
        <dt>{label}</dt>
        <dd>
          <b>{points}</b> / {max}
        </dd>
        <dd className={classes['meter']} aria-hidden>
          <span style={{ width: `${(100 * points) / max}%` }} />
        </dd>
      </div>
    ))}
  </dl>
)

/** In the past tense while the values have changed since. */
function Verdict({ metric, critical, state }: Omit<ResultProps, 'account'> & { critical: Statistic | undefined }) {
  const { total, empty } = metric
  const isCurrent = state?.state === 'current'
  const maySettle = useCan()('resolve_discrepancies')
  if (critical !== undefined && critical.count > 0) {
    const { count, value_at_stake: value, action } = critical
    const to = metricLink(action)
    const verb = isCurrent ? (count === 1 ? 'is' : 'are') : count === 1 ? 'was' : 'were'
    return (
      <>
        <div className={classes['sentence']}>
          <p>
            <SeverityShape severity="critical" size={14} /> {plural(count, 'property', 'properties')} {verb} critical
          </p>
          <p>
            {value ? `${formatMoney(value, metric.currency)} at stake. ` : ''}
            {isCurrent && maySettle && `Settle ${count === 1 ? 'it' : 'them'} before the submission goes out.`}
          </p>
        </div>
        {to !== undefined && (
          <Button component={Link} to={to} variant={isCurrent && maySettle ? 'filled' : 'default'}>
            {maySettle ? 'Review' : 'Show'} {formatNumber(count)} critical
          </Button>
        )}
      </>
    )
  }
  if (!isCurrent) return null
  return (
    <div className={classes['sentence']}>
      <p>
        {total === 0 && <IconCircleCheck size={18} color="var(--good)" aria-hidden />}{' '}
        {total === 0 ? <span>{empty}</span> : 'No property is critical'}
      </p>
    </div>
  )
}

/** Which checks say nothing, because the company turned them off. */
function TurnedOff({ checks }: { checks: readonly string[] }) {
  const canChange = useCan()('update_companies')
  if (checks.length === 0) return null
  const names = `${plural(checks.length, 'check')} turned off: ${checks.join(', ')}`
  return <p className={classes['note']}>{canChange ? <Link to={paths.settings()}>{names}</Link> : names}</p>
}

/** Every check with open discrepancies, on demand: the lines above group them. */
function ByCheck({ counts, account }: { counts: Metric['counts']; account: Account }) {
  const [shown, setShown] = useState(false)
  if (counts.length === 0) return null
  return (
    <>
      {shown && <DiscrepancyLines title="By check" lines={counts} account={account} order={mostFirst} />}
      <Button className={classes['toggle'] ?? ''} variant="subtle" color="gray" size="compact-sm" onClick={() => setShown(!shown)}>
        {shown ? 'Hide the checks' : `Show by check (${formatNumber(counts.length)})`}
      </Button>
    </>
  )
}

/** The main command until the account was checked, then a quiet one. */
function CheckButton({ account: { id, properties }, state }: { account: Account; state: CheckState | undefined }) {
  const mayCheck = useCan()('resolve_discrepancies')
  const checking = useMutation({
    mutationFn: () => api(discrepancyCalls.reconcile, { params: { id } }),
    onSuccess: ({ message }) => {
      toast.info(message)
      void staleChecks(id)
    },
    onError: showError,
  })
  if (!mayCheck || state?.state === 'nothing_to_check') return null
  const isMain = state?.state === 'never' || state?.state === 'failed'
  return (
    <Button
      {...(isMain ? {} : { variant: 'subtle', color: 'gray' })}
      size="compact-sm"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={checking.isPending}
      onClick={() => checking.mutate()}
    >
      {state?.state === 'never' && properties !== null ? `Check ${plural(properties, 'property', 'properties')}` : 'Check again'}
    </Button>
  )
}
