import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import { SEVERITY_LABELS } from '#contract/checks.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import type { Amount, Statistic } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
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
            {amounts === undefined ? <CountUp name={key} value={count} format={formatNumber} /> : <Amounts text={text} amounts={amounts} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Each currency has a line, so that an amount is never broken. */
function Amounts({ text, amounts }: { text: string; amounts: readonly Amount[] }) {
  if (amounts.length < 2) return <span className="tabular">{text}</span>
  return amounts.map(({ amount, currency }) => (
    <span key={currency} className={classes['amountLine']}>
      {formatMoney(amount, currency)}{' '}
    </span>
  ))
}

export function SeverityIcon({ severity }: { severity: Statistic['severity'] }) {
  if (severity === 'none') return null
  return (
    <>
      {severity === 'good' ? (
        <IconCircleCheckFilled size={14} color="var(--good)" aria-hidden />
      ) : (
        <SeverityShape severity={severity} size={14} />
      )}
      <span className="visually-hidden">{severity === 'good' ? 'Good' : SEVERITY_LABELS[severity]}</span>
    </>
  )
}
