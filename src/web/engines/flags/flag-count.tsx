import IconFlagFilled from '@tabler/icons-react/dist/esm/icons/IconFlagFilled.mjs'
import { plural } from '#contract/format.ts'
import classes from './flags.module.css'

/** The number of open flags in a row; nothing for none, and for users who cannot manage flags. */
export function FlagCount({ count }: { count: number | null }) {
  if (count === null || count === 0) return null
  const label = plural(count, 'open flag')
  return (
    <span className={classes['count']} title={label}>
      <IconFlagFilled size={12} aria-hidden />
      <span aria-hidden>{count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  )
}
