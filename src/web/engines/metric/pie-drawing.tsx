import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DOUGHNUT_CUTOUT_PERCENT } from '#contract/limits.ts'
import { arcs } from './arcs.ts'
import classes from './pie.module.css'
import { SliceTooltip } from './slice-tooltip.tsx'
import type { Slice } from './slices.ts'

interface PieDrawingProps {
  slices: readonly Slice[]
  shape: 'pie' | 'doughnut'
  /** Of one record, as "property". */
  unit: string
  active: string | null
  onActive: (id: string | null) => void
  /** In the hole of a doughnut. */
  children?: ReactNode
}

const HOLE = DOUGHNUT_CUTOUT_PERCENT / 100

/** The picture alone: for pointers. The legend says and does the same for keyboards and screen readers. */
export function PieDrawing({ slices, shape, unit, active, onActive, children }: PieDrawingProps) {
  const navigate = useNavigate()
  const drawn = arcs(
    slices.map(({ share }) => share),
    shape === 'pie' ? 0 : HOLE,
  )
  const shown = slices.findIndex(({ id }) => id === active)
  const slice = slices[shown]
  const middle = drawn[shown]?.middle
  return (
    <div className={classes['drawing']} onPointerLeave={() => onActive(null)}>
      <svg viewBox="-1.04 -1.04 2.08 2.08" aria-hidden="true" className={classes['svg']}>
        {slices.map(({ id, color, to }, index) => (
          <path
            key={id}
            d={drawn[index]?.path}
            fill={color}
            className={classes['slice']}
            data-dim={(active !== null && active !== id) || undefined}
            data-link={to !== undefined || undefined}
            onPointerEnter={() => onActive(id)}
            onClick={() => to !== undefined && void navigate({ href: to })}
          />
        ))}
      </svg>
      {shape === 'doughnut' && <div className={classes['hole']}>{children}</div>}
      {slice !== undefined && middle !== undefined && <SliceTooltip slice={slice} unit={unit} at={middle} />}
    </div>
  )
}
