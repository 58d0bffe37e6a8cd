import { statusColor } from './status-color.ts'
import classes from './status-dot.module.css'

/** The name of a status, cut where it is too long, with its color, which comes from the data. */
export function StatusDot({ color, name }: { color: string; name: string }) {
  return (
    <span className={classes['status']}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4.5" style={{ fill: statusColor(color) }} stroke="var(--line)" />
      </svg>
      <span className={classes['name']} title={name}>
        {name}
      </span>
    </span>
  )
}
