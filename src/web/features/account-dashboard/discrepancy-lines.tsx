import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { formatSliceShare } from '#web/engines/metric/slice-share.ts'
import { SeverityIcon } from '#web/engines/metric/statistics.tsx'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import classes from './reconciliation-panel.module.css'

type Count = Metric['counts'][number]
type Line = Count | Statistic

const nameOf = (line: Line) => ('label' in line ? line.label : line.name)
/** Those with critical properties first, then by value at stake, then by number. */
const worstFirst = (one: Line, other: Line) =>
  Number((other.critical ?? 0) > 0) - Number((one.critical ?? 0) > 0) ||
  (other.value_at_stake ?? 0) - (one.value_at_stake ?? 0) ||
  other.count - one.count

/** By the numbers that the lines show: most critical properties first, then most properties. */
export const mostFirst = (one: Line, other: Line) => (other.critical ?? 0) - (one.critical ?? 0) || other.count - one.count

/** Kinds of discrepancies or checks, each with its properties; a line opens them. Values are absent if the user may not see them. */
interface DiscrepancyLinesProps {
  title: string
  lines: readonly Line[]
  account: Account
  order?: typeof worstFirst
}

export function DiscrepancyLines({ title, lines, account, order = worstFirst }: DiscrepancyLinesProps) {
  return (
    <div className={classes['lines']}>
      <div className={classes['columns']} aria-hidden>
        <span>{title}</span>
        <span>Critical</span>
        <span>
          Properties <small>(discrepancies)</small>
        </span>
        <span>{account.tiv === null ? '' : 'Value at stake'}</span>
      </div>
      <ul aria-label={title}>
        {lines.toSorted(order).map((line) => (
          <DiscrepancyLine key={nameOf(line)} line={line} account={account} />
        ))}
      </ul>
    </div>
  )
}

/** Red is used for critical properties only. */
function DiscrepancyLine({ line, account: { tiv, currency } }: { line: Line; account: Account }) {
  const { count, findings = count, critical = 0, value_at_stake: value, action } = line
  const to = metricLink(action)
  return (
    <li>
      <span className={classes['name']}>
        <StretchedLink to={to}>{nameOf(line)}</StretchedLink>
        {'help' in line && <span className={classes['muted']}>{line.help}</span>}
      </span>
      <span className={classes['critical']} data-none={critical === 0 || undefined}>
        {critical > 0 && <SeverityShape severity="critical" size={12} />} {formatNumber(critical)}
        <span className={classes['unit']}> critical</span>
      </span>
      <span>
        <strong data-count>{formatNumber(count)}</strong> <span className={classes['muted']}>({formatNumber(findings)})</span>
        <span className={classes['unit']}> properties</span>
      </span>
      <span>
        {tiv !== null && (value ? formatMoney(value, currency) : '–')}
        {value && tiv !== null && tiv > 0 && currency !== null ? (
          <span className={classes['muted']}>{formatSliceShare(value / tiv)} of TIV</span>
        ) : null}
      </span>
      {to !== undefined && <IconChevronRight size={16} color="var(--muted)" aria-hidden />}
    </li>
  )
}

/** What many properties share, said once about the schedule; each opens the properties. */
export function ScheduleSentences({ counts, account: { tiv, currency } }: { counts: readonly Count[]; account: Account }) {
  if (counts.length === 0) return null
  return (
    <div className={classes['sentences']}>
      <p aria-hidden>Of the whole schedule</p>
      <ul aria-label="Of the whole schedule">
        {counts.toSorted(worstFirst).map((count) => {
          const to = metricLink(count.action)
          return (
            <li key={count.id}>
              <SeverityIcon severity={count.severity ?? 'none'} />
              <span>{to === undefined ? count.sentence : <Link to={to}>{count.sentence}</Link>}</span>
              {tiv !== null && (
                <span title="Total insured value of these properties">
                  <span className="visually-hidden">Value at stake </span>
                  {count.value_at_stake ? formatMoney(count.value_at_stake, currency) : '–'}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
