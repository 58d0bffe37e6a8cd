import { Link } from '@tanstack/react-router'
import { formatMoneyShort, formatNumber } from '#contract/format.ts'
import wholeArea from '#web/ui/whole-area.module.css'
import classes from './pie.module.css'
import { countOf, Swatch } from './slice-tooltip.tsx'
import { shareText, type Measure, type Slice } from './slices.ts'

interface PieLegendProps {
  slices: readonly Slice[]
  measure: Measure
  unit: string
  active: string | null
  onActive: (id: string | null) => void
}

const amountOf = ({ count, tiv }: Slice, measure: Measure) => (measure === 'count' ? formatNumber(count) : formatMoneyShort(tiv ?? 0))

/** Every slice by name, amount and share; those with a list behind them open it. */
export function PieLegend({ slices, measure, unit, active, onActive }: PieLegendProps) {
  return (
    <ul className={classes['legend']}>
      {slices.map((slice) => (
        <li
          key={slice.id}
          data-active={active === slice.id || undefined}
          onPointerEnter={() => onActive(slice.id)}
          onPointerLeave={() => onActive(null)}
        >
          <Swatch color={slice.color} />
          <span className={classes['name']} title={slice.name}>
            {slice.to === undefined ? (
              slice.name
            ) : (
              <Link
                to={slice.to}
                className={wholeArea['link']}
                aria-label={`${slice.name}: ${countOf(slice.count, unit)}`}
                onFocus={() => onActive(slice.id)}
                onBlur={() => onActive(null)}
              >
                {slice.name}
              </Link>
            )}
          </span>
          <span className={classes['amount']}>{amountOf(slice, measure)}</span>
          <span className={classes['share']}>{shareText(slice.share)}</span>
        </li>
      ))}
    </ul>
  )
}
