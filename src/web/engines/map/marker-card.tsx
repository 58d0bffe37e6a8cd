import { Group, Text, UnstyledButton } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { formatNumber, plural } from '#contract/format.ts'
import type { MapMarker } from '#contract/map.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './map-canvas.module.css'
import { addressOf, titleOf } from './marker-list.tsx'

/** The markers under the pointer. */
export interface Pointed {
  indexes: readonly number[]
  /** In px, relative to the map. */
  at: { x: number; y: number }
  /** Stays open after a click on several markers at one place; otherwise shown only while hovered. */
  pinned: boolean
}

interface MarkerCardProps {
  pointed: Pointed
  markers: readonly MapMarker[]
  onOpen: (id: string) => void
  onClose: () => void
  /** In px, so that the card stays inside the map. */
  mapWidth: number
}

const CARD_WIDTH_PX = 260
const BELOW_UNTIL_PX = 260
const EDGE_PX = 8

/** Details of one property, or a choice among several at the same place. */
export function MarkerCard({ pointed: { indexes, at, pinned }, markers, onOpen, onClose, mapWidth }: MarkerCardProps) {
  const found = indexes.flatMap((index) => markers[index] ?? [])
  const [first] = found
  if (first === undefined) return null
  const left = Math.min(Math.max(at.x - CARD_WIDTH_PX / 2, EDGE_PX), Math.max(EDGE_PX, mapWidth - CARD_WIDTH_PX - EDGE_PX))
  return (
    <div
      className={classes['card']}
      style={{ left, top: at.y, width: CARD_WIDTH_PX }}
      data-below={at.y < BELOW_UNTIL_PX || undefined}
      data-pinned={pinned || undefined}
    >
      {found.length === 1 ? (
        <MarkerDetails marker={first} />
      ) : (
        <>
          <Group justify="space-between">
            <Text fw={600}>{plural(found.length, 'property', 'properties')} here</Text>
            {pinned && (
              <IconButton name="Close" size={24} onClick={onClose}>
                <IconX size={14} aria-hidden />
              </IconButton>
            )}
          </Group>
          {pinned ? (
            <MarkerChoice found={found} onOpen={onOpen} />
          ) : (
            <Text size="sm" c="dimmed">
              Click to choose one of the {formatNumber(found.length)}.
            </Text>
          )}
        </>
      )}
    </div>
  )
}

function MarkerDetails({ marker }: { marker: MapMarker }) {
  return (
    <>
      <Text fw={600}>{titleOf(marker)}</Text>
      <Text size="sm" c="dimmed">
        {addressOf(marker)}
      </Text>
      <dl className={classes['meta']}>
        {marker.info.meta.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function MarkerChoice({ found, onOpen }: { found: readonly MapMarker[]; onOpen: (id: string) => void }) {
  return (
    <ul className={classes['choice']}>
      {found.map((marker) => (
        <li key={marker.info.id}>
          <UnstyledButton onClick={() => onOpen(marker.info.id)}>{titleOf(marker)}</UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
