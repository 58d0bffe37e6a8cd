import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import type { Statistic } from '#contract/metrics.ts'
import { formatNumber } from '#contract/format.ts'
import { SeverityMark } from '#web/ui/severity.tsx'
import { AreaLink } from './area-link.tsx'
import { metricLink } from './metric-link.ts'
import classes from './statistics.module.css'

const RANK = { critical: 0, warning: 1, info: 2, good: 3, none: 4 } as const satisfies Record<Statistic['severity'], number>

/** The worst first, among equals the most; what counts nothing comes last. */
export function worstFirst(statistics: readonly Statistic[]): Statistic[] {
  return statistics.toSorted(
    (one, other) =>
      Number(one.count === 0) - Number(other.count === 0) || RANK[one.severity] - RANK[other.severity] || other.count - one.count,
  )
}

/** Statistics as lines: how bad, how many, of what; each opens its list, those of nothing are grey. */
export function StatisticsList({ statistics }: { statistics: readonly Statistic[] }) {
  return (
    <ul className={classes['list']}>
      {statistics.map((statistic) => (
        <StatisticLine key={statistic.key} statistic={statistic} />
      ))}
    </ul>
  )
}

/** "12 (30 open)": the number stands in its column, what the server adds to it beside the label. */
const beside = (shown: string, count: number): string =>
  shown.startsWith(formatNumber(count)) ? shown.slice(formatNumber(count).length).trim() : shown

function StatisticLine({ statistic: { label, count, display_count: shown, help, severity, action } }: { statistic: Statistic }) {
  const to = count === 0 ? undefined : metricLink(action)
  return (
    <li className={classes['line']} data-none={count === 0 || undefined}>
      <span className={classes['mark']}>{severity === 'none' || count === 0 ? null : <SeverityMark severity={severity} compact />}</span>
      <span className={classes['count']}>{formatNumber(count)}</span>
      <span className={classes['text']}>
        <span className={classes['label']}>
          <AreaLink to={to}>{label}</AreaLink> <span className={classes['beside']}>{beside(shown, count)}</span>
        </span>
        <span className={classes['help']}>{help}</span>
      </span>
      {to !== undefined && <IconChevronRight size={16} className={classes['chevron']} aria-hidden />}
    </li>
  )
}
