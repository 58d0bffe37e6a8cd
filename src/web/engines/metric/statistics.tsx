import { Box, Text } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconHexagonFilled from '@tabler/icons-react/dist/esm/icons/IconHexagonFilled.mjs'
import IconInfoCircleFilled from '@tabler/icons-react/dist/esm/icons/IconInfoCircleFilled.mjs'
import { formatMoney, formatNumber } from '#contract/format.ts'
import type { Statistic } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { metricLink } from './metric-link.ts'
import classes from './metric.module.css'
import { StretchedLink } from './stretched-link.tsx'

const MONEY = new Set(['tiv'])

/** Totals in one line that count up. Each links to its list if it has one. */
export function StatisticTiles({ statistics }: { statistics: readonly Statistic[] }) {
  return (
    <dl className={classes['tilesInLine']}>
      {statistics.map(({ key, label, count, help, action }) => (
        <div key={key} className={classes['tile']} data-key={key} title={help}>
          <dt>
            <StretchedLink to={metricLink(action)}>{label}</StretchedLink>
          </dt>
          <dd className={classes['number']}>
            <CountUp name={key} value={count} format={MONEY.has(key) ? formatMoney : formatNumber} money={MONEY.has(key)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const RANK = { critical: 0, warning: 1, info: 2, good: 3, none: 4 } as const satisfies Record<Statistic['severity'], number>

/** By severity, then by count. Statistics with a count of zero come last. */
export function worstFirst(statistics: readonly Statistic[]): Statistic[] {
  return statistics.toSorted(
    (one, other) =>
      Number(one.count === 0) - Number(other.count === 0) || RANK[one.severity] - RANK[other.severity] || other.count - one.count,
  )
}

/** Lines with severity, count and label. Each links to its list; lines with a count of zero are gray. */
export function StatisticsList({ statistics }: { statistics: readonly Statistic[] }) {
  return (
    <ul className={classes['list']}>
      {statistics.map((statistic) => (
        <StatisticLine key={statistic.key} statistic={statistic} />
      ))}
    </ul>
  )
}

/** The total insured value of properties with discrepancies; a dash if it is not known. */
export const formatValueAtStake = (value: number | null | undefined): string => (value ? formatMoney(value) : '–')

/** How many of the counted properties are critical, the only number in red; nothing if none or all are. */
export function CriticalCount({ of: { count, critical = 0 } }: { of: Pick<Statistic, 'count' | 'critical'> }) {
  if (critical === 0 || critical === count) return null
  return <span className={classes['critical']}> {formatNumber(critical)} critical</span>
}

/** Severities differ in shape, not only in color. */
const SEVERITIES = {
  critical: { label: 'Critical', Icon: IconHexagonFilled },
  warning: { label: 'Warning', Icon: IconAlertTriangleFilled },
  info: { label: 'Info', Icon: IconInfoCircleFilled },
  good: { label: 'Good', Icon: IconCircleCheckFilled },
} as const

export function SeverityIcon({ severity }: { severity: Statistic['severity'] }) {
  if (severity === 'none') return null
  const { Icon, label } = SEVERITIES[severity]
  return (
    <>
      <Icon size={14} color={`var(--${severity})`} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </>
  )
}

function StatisticLine({ statistic }: { statistic: Statistic }) {
  const { label, count, display_count: display, help, severity, action, findings } = statistic
  const to = count === 0 ? undefined : metricLink(action)
  const number = formatNumber(count)
  return (
    <li className={classes['line']} data-none={count === 0 || undefined}>
      <Box component="span" display="grid">
        {count > 0 && <SeverityIcon severity={severity} />}
      </Box>
      <span className={classes['count']}>{number}</span>
      <span className={classes['text']}>
        <span className={classes['label']}>
          <StretchedLink to={to}>{label}</StretchedLink> {/* "12 (30 open)": the number has its own column, the rest follows the label. */}
          <span className={classes['detail']}>{display.startsWith(number) ? display.slice(number.length).trim() : display}</span>
          <CriticalCount of={statistic} />
        </span>
        <Text span size="sm" c="dimmed">
          {help}
        </Text>
      </span>
      {findings !== undefined && count > 0 && (
        <span className={classes['stake']} title="Total insured value of these properties">
          <span className="visually-hidden">Value at stake </span>
          {formatValueAtStake(statistic.value_at_stake)}
        </span>
      )}
      {to !== undefined && <IconChevronRight size={16} color="var(--muted)" aria-hidden />}
    </li>
  )
}
