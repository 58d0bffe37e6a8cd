import type { MapMarker } from '#contract/map.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { formatNumber, plural } from '#contract/format.ts'
import classes from './marker-card.module.css'
import type { Pointed } from './use-map-pointer.ts'

interface MarkerCardProps {
  pointed: Pointed
  markers: readonly MapMarker[]
  onOpen: (id: string) => void
  onClose: () => void
  /** Of the map, in px, so that the card stays inside. */
  width: number
}

const CARD_WIDTH_PX = 260
const BELOW_UNTIL_PX = 260
const EDGE_PX = 8

export const titleOf = ({ info }: MapMarker): string => info.property_name || info.address || 'Property'
export const addressOf = ({ info }: MapMarker): string =>
  [info.property_name === '' ? '' : info.address, info.address_2].filter((part) => part !== '').join(', ')

/** What is known of the property under the pointer, or the choice among several at one place. */
export function MarkerCard({ pointed: { indexes, at, kept }, markers, onOpen, onClose, width }: MarkerCardProps) {
  const found = indexes.flatMap((index) => markers[index] ?? [])
  const [first] = found
  if (first === undefined) return null
  const left = Math.min(Math.max(at.x - CARD_WIDTH_PX / 2, EDGE_PX), Math.max(EDGE_PX, width - CARD_WIDTH_PX - EDGE_PX))
  return (
    <div
      className={classes['card']}
      style={{ left, top: at.y, width: CARD_WIDTH_PX }}
      data-below={at.y < BELOW_UNTIL_PX || undefined}
      data-kept={kept || undefined}
    >
      {found.length === 1 ? <Facts marker={first} /> : <Several found={found} kept={kept} onOpen={onOpen} onClose={onClose} />}
    </div>
  )
}

function Facts({ marker }: { marker: MapMarker }) {
  return (
    <>
      <p className={classes['title']}>{titleOf(marker)}</p>
      {addressOf(marker) !== '' && <p className={classes['address']}>{addressOf(marker)}</p>}
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

function Several({
  found,
  kept,
  onOpen,
  onClose,
}: {
  found: readonly MapMarker[]
  kept: boolean
  onOpen: (id: string) => void
  onClose: () => void
}) {
  if (!kept) {
    return (
      <>
        <p className={classes['title']}>{plural(found.length, 'property', 'properties')} here</p>
        <p className={classes['address']}>Click to choose one of the {formatNumber(found.length)}.</p>
      </>
    )
  }
  return (
    <>
      <div className={classes['head']}>
        <p className={classes['title']}>{plural(found.length, 'property', 'properties')} here</p>
        <IconButton name="Close" size={24} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </IconButton>
      </div>
      <ul className={classes['several']}>
        {found.map((marker) => (
          <li key={marker.info.id}>
            <button type="button" onClick={() => onOpen(marker.info.id)}>
              {titleOf(marker)}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
