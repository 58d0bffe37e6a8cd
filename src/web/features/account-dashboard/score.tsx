import { Link } from '@tanstack/react-router'
import { gradeOf } from '#contract/checks.ts'
import type { Statistic } from '#contract/metrics.ts'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { formatNumber } from '#contract/format.ts'
import classes from './score.module.css'

const BEST = 100

/** The data quality score on a plumb scale of 0 to 100, with its grade. */
export function Score({ score: { label, count, help, severity, action } }: { score: Statistic }) {
  const to = metricLink(action)
  return (
    <div className={classes['score']} data-severity={severity}>
      <h3 className={classes['label']}>{to === undefined ? label : <Link to={to}>{label}</Link>}</h3>
      <p className={classes['value']}>
        <span className={classes['number']}>
          <CountUp value={count} />
        </span>
        <span className={classes['of']}>of {formatNumber(BEST)}</span>
        <span className={classes['grade']}>
          <span className="visually-hidden">Grade </span>
          {gradeOf(count)}
        </span>
      </p>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" className={classes['scale']} aria-hidden="true">
        <rect width="100" height="6" rx="1" className={classes['track']} />
        <rect width={Math.min(BEST, Math.max(0, count))} height="6" rx="1" className={classes['bar']} />
      </svg>
      <p className={classes['help']}>{help}</p>
    </div>
  )
}
