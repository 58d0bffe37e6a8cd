import { formatMoney, formatNumber } from '#contract/format.ts'
import type { Metric } from '#contract/metrics.ts'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { formatSliceShare } from '#web/engines/metric/slice-share.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import classes from './overview.module.css'

/** What has no name, and what is not listed by itself, comes last. */
const LAST = ['', 'unknown', 'others']

const WIDEST_PERCENT = 90

/** The parts of the account by value, or by number if their values cannot be added. Each opens the properties that it counts. */
export function Shares({ metric: { counts, title, empty, currency = null }, what }: { metric: Metric; what: string }) {
  const total = counts.reduce((sum, { tiv }) => sum + (tiv ?? 0), 0)
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  const shareOf = ({ tiv, count }: Metric['counts'][number]) => (total > 0 ? (tiv ?? 0) / total : count / all)
  const sorted = counts.toSorted((one, other) => LAST.indexOf(one.id) - LAST.indexOf(other.id) || shareOf(other) - shareOf(one))
  if (counts.length === 0) return <p className={classes['empty']}>{empty}</p>
  return (
    <table className={classes['shares']}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">Properties</th>
          {total > 0 && <th scope="col">Value</th>}
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((part) => (
          <tr key={part.id}>
            <th scope="row">
              <StretchedLink to={metricLink(part.action)}>{part.name}</StretchedLink>
              <i className={classes['share']} style={{ width: `${String(Math.max(2, shareOf(part) * WIDEST_PERCENT))}%` }} aria-hidden />
            </th>
            <td>{formatNumber(part.count)}</td>
            {total > 0 && <td>{part.tiv ? formatMoney(part.tiv, currency) : 'not stated'}</td>}
            <td>{formatSliceShare(shareOf(part))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
