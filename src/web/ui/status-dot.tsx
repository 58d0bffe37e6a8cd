import classes from './status-dot.module.css'

/** A status by its own colour, which comes from the data, and its name. */
export function StatusDot({ color, name }: { color: string; name: string }) {
  return (
    <span className={classes['status']}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" fill={color} />
      </svg>
      {name}
    </span>
  )
}
