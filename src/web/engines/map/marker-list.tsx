import { Button } from '@mantine/core'
import { useState } from 'react'
import type { MapMarker } from '#contract/map.ts'
import { plural } from '#contract/format.ts'
import { addressOf, titleOf } from './marker-card.tsx'
import classes from './marker-list.module.css'

const SHOWN_AT_ONCE = 50
const LINES_SHOWN = 3

interface MarkerListProps {
  markers: readonly MapMarker[]
  onOpen: (id: string) => void
}

/** The same properties without a map: for the keyboard, screen readers and browsers that cannot draw one. */
export function MarkerList({ markers, onOpen }: MarkerListProps) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  const rest = markers.length - shown
  return (
    <>
      <ul className={classes['list']}>
        {markers.slice(0, shown).map((marker) => (
          <li key={marker.info.id}>
            <button type="button" className={classes['line']} onClick={() => onOpen(marker.info.id)}>
              <span className={classes['name']}>{titleOf(marker)}</span>
              <span className={classes['address']}>{addressOf(marker)}</span>
              <span className={classes['meta']}>
                {marker.info.meta
                  .slice(0, LINES_SHOWN)
                  .map(({ label, value }) => `${label}: ${value}`)
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="subtle" color="gray" fullWidth onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          Show more ({plural(rest, 'property', 'properties')} left)
        </Button>
      )}
    </>
  )
}
