import { formatMoney, plural } from '#contract/format.ts'
import classes from './pie.module.css'
import { shareText, type Slice } from './slices.ts'

interface SliceTooltipProps {
  slice: Slice
  unit: string
  /** Within the drawing, -1 to 1 in both directions. */
  at: { x: number; y: number }
}

const percent = (coordinate: number) => `${String(50 + coordinate * 48)}%`
const plurals: Readonly<Record<string, string>> = { property: 'properties' }

/** "3 properties" */
export const countOf = (count: number, unit: string): string => plural(count, unit, plurals[unit])

/** Count, value and share of the slice under the pointer. */
export function SliceTooltip({ slice: { name, count, tiv, share, color }, unit, at }: SliceTooltipProps) {
  return (
    <div className={classes['tooltip']} style={{ left: percent(at.x), top: percent(at.y) }} role="presentation">
      <span className={classes['tooltipName']}>
        <Swatch color={color} /> {name}
      </span>
      <span>
        {countOf(count, unit)} · {shareText(share)}
      </span>
      {tiv !== undefined && <span>{formatMoney(tiv)}</span>}
    </div>
  )
}

export function Swatch({ color }: { color: string }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={classes['swatch']}>
      <rect width="10" height="10" rx="2" fill={color} />
    </svg>
  )
}
