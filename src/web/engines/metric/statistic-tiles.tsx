import type { Statistic } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { AreaLink } from './area-link.tsx'
import { metricLink } from './metric-link.ts'
import classes from './statistics.module.css'
import tile from './tile.module.css'

/** Statistics as large numbers that count up; each opens its list where it has one. */
export function StatisticTiles({ statistics }: { statistics: readonly Statistic[] }) {
  return (
    <dl className={`${tile['tiles'] ?? ''} ${classes['tiles'] ?? ''}`}>
      {statistics.map(({ key, label, count, help, action }) => {
        const to = metricLink(action)
        return (
          <div key={key} className={`${tile['tile'] ?? ''} ${classes['tile'] ?? ''}`} title={help}>
            <dt>
              <AreaLink to={to}>{label}</AreaLink>
            </dt>
            <dd className={tile['number']}>
              <CountUp value={count} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
