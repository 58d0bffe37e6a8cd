import { Button, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { plural } from '#contract/format.ts'
import type { MapMarker } from '#contract/map.ts'
import classes from './property-map.module.css'

const SHOWN_AT_ONCE = 50
const LINES_SHOWN = 3

export const titleOf = ({ info }: MapMarker): string => info.property_name || info.address || 'Property'
export const addressOf = ({ info }: MapMarker): string =>
  [info.property_name === '' ? '' : info.address, info.address_2].filter((part) => part !== '').join(', ')

export interface MarkersProps {
  markers: readonly MapMarker[]
  onOpen: (id: string) => void
}

/** The properties of the map for keyboards, screen readers and browsers that cannot draw a map. */
export function MarkerList({ markers, onOpen }: MarkersProps) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE)
  const rest = markers.length - shown
  return (
    <>
      <ul className={classes['list']}>
        {markers.slice(0, shown).map((marker) => (
          <li key={marker.info.id}>
            <UnstyledButton className={classes['line']} onClick={() => onOpen(marker.info.id)}>
              <Text span fw={550}>
                {titleOf(marker)}
              </Text>
              <Text span size="sm" c="dimmed">
                {addressOf(marker)}
              </Text>
              <Text span size="sm" c="dimmed">
                {marker.info.meta
                  .slice(0, LINES_SHOWN)
                  .map(({ label, value }) => `${label}: ${value}`)
                  .join(' · ')}
              </Text>
            </UnstyledButton>
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
