import { Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatMoney } from '#contract/format.ts'
import { arcsOf, formatUnits, type Slice } from './pie-slices.ts'
import { formatSliceShare } from './slice-share.ts'
import classes from './pie.module.css'

/** What the drawing and the legend share. */
export interface SlicesProps {
  slices: readonly Slice[]
  unit: string
  /** The id of the slice that is hovered or focused. */
  active: string | null
  onActive: (id: string | null) => void
}

/** For pointers only: the legend offers the same to keyboards and screen readers. */
export function PieDrawing({ slices, unit, active, onActive, hole, children }: SlicesProps & { hole: number; children: ReactNode }) {
  const navigate = useNavigate()
  const arcs = arcsOf(
    slices.map(({ share }) => share),
    hole,
  )
  const index = slices.findIndex(({ id }) => id === active)
  const slice = slices[index]
  const arc = arcs[index]
  return (
    <div className={classes['drawing']} onPointerLeave={() => onActive(null)}>
      <svg viewBox="-1.04 -1.04 2.08 2.08" aria-hidden="true" className={classes['svg']}>
        {slices.map(
          ({ id, color, share, to }, position) =>
            share > 0 && (
              <path
                key={id}
                d={arcs[position]?.path}
                style={{ fill: color }}
                className={classes['slice']}
                data-dim={(active !== null && active !== id) || undefined}
                data-link={to !== undefined || undefined}
                onPointerEnter={() => onActive(id)}
                onClick={() => to !== undefined && void navigate({ href: to })}
              />
            ),
        )}
      </svg>
      {hole > 0 && <div className={classes['hole']}>{children}</div>}
      {slice !== undefined && arc !== undefined && <SliceTooltip slice={slice} unit={unit} at={arc.middle} />}
    </div>
  )
}

const percent = (coordinate: number) => `${String(50 + coordinate * 48)}%`

function SliceTooltip({ slice, unit, at }: { slice: Slice; unit: string; at: { x: number; y: number } }) {
  const { name, count, tiv, share, color } = slice
  return (
    <div className={classes['tooltip']} style={{ left: percent(at.x), top: percent(at.y) }} role="presentation">
      <Group component="span" gap={6} fw={600} wrap="nowrap">
        <Swatch color={color} /> {name}
      </Group>
      <span>
        {formatUnits(count, unit)} · {formatSliceShare(share)}
      </span>
      {tiv !== undefined && tiv > 0 && <span>{formatMoney(tiv, slice.currency)}</span>}
    </div>
  )
}

export const Swatch = ({ color }: { color: string }) => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={classes['swatch']}>
    <rect width="10" height="10" rx="2" style={{ fill: color }} />
  </svg>
)
