import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatNumber, plural } from '#contract/format.ts'
import type { MapMarker } from '#contract/map.ts'
import { loadStates } from './base-map-data.ts'
import { SIDE, marksIn, outsideText, statesIn, viewOf } from './state-shapes.ts'
import classes from './states-map.module.css'

const radiusOf = (count: number): number => (count === 1 ? 4 : Math.min(22, 9 + 2.2 * Math.log2(count)))

interface StatesMapProps {
  markers: readonly MapMarker[]
  /** Opens the map that can be moved. */
  onShowAll: () => void
}

/** Where the properties are, drawn without the code of the map that can be moved. */
export function StatesMap({ markers, onShowAll }: StatesMapProps) {
  const { data: states } = useQuery({ queryKey: ['map-states'], queryFn: loadStates, staleTime: Infinity })
  const place = useMemo(() => viewOf(markers), [markers])
  const marks = useMemo(() => marksIn(markers, place), [markers, place])
  const land = useMemo(() => states && statesIn(states, place), [states, place])
  const outside = useMemo(() => outsideText(markers, place, states), [markers, place, states])
  const shown = marks.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={classes['frame']}>
      <svg
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        className={classes['map']}
        role="img"
        aria-label={`Map of ${plural(shown, 'property', 'properties')}`}
      >
        {land?.outlines.map(({ name, path }) => (
          <path key={name} d={path} className={classes['state']} />
        ))}
        {land?.labels.map(({ name, x, y }) => (
          <text key={name} x={x} y={y} className={classes['name']}>
            {name}
          </text>
        ))}
        {marks.map(({ x, y, count }) => (
          <g key={`${x} ${y}`} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
            <circle r={radiusOf(count)} className={classes['mark']} />
            {count > 1 && <text className={classes['count']}>{formatNumber(count)}</text>}
          </g>
        ))}
      </svg>
      {outside !== null && (
        <UnstyledButton className={classes['outside'] ?? ''} onClick={onShowAll}>
          {outside}
        </UnstyledButton>
      )}
    </div>
  )
}
