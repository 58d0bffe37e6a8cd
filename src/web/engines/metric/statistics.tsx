import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconHexagonFilled from '@tabler/icons-react/dist/esm/icons/IconHexagonFilled.mjs'
import IconInfoCircleFilled from '@tabler/icons-react/dist/esm/icons/IconInfoCircleFilled.mjs'
import { formatNumber } from '#contract/format.ts'
import type { Statistic } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { metricLink } from './metric-link.ts'
import classes from './metric.module.css'
import { StretchedLink } from './stretched-link.tsx'

/** Totals in one line that count up. Each links to its list if it has one. */
export function StatisticTiles({ statistics }: { statistics: readonly Statistic[] }) {
  return (
    <dl className={classes['tilesInLine']}>
      {statistics.map(({ key, label, count, display_count: text, amounts, help, action }) => (
        <div key={key} className={classes['tile']} data-key={key} title={help}>
          <dt>
            <StretchedLink to={metricLink(action)}>{label}</StretchedLink>
          </dt>
          <dd className={classes['number']}>
            {amounts === undefined ? <CountUp name={key} value={count} format={formatNumber} /> : <span className="tabular">{text}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
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
