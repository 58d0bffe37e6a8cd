import { Group, Text, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback, useReducedMotion } from '@mantine/hooks'
import IconFocusCentered from '@tabler/icons-react/dist/esm/icons/IconFocusCentered.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { formatNumber, plural } from '#contract/format.ts'
import { RESIZE_DEBOUNCE_MS } from '#contract/limits.ts'
import type { MapMarker } from '#contract/map.ts'
import { useSession } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CLUSTERS, createMap, expansionZoom, fitDensest, fitMarkers, POINTS, showMarkers } from './create-map.ts'
import { densestMarkers } from './densest-markers.ts'
import classes from './map-canvas.module.css'
import { addressOf, titleOf, type MarkersProps } from './marker-list.tsx'

export interface MapCanvasProps extends MarkersProps {
  /** At first shows all markers in place of the densest region. */
  showsAll?: boolean
  /** Shown when the browser cannot draw the map. */
  failed: ReactNode
  /** Shown until the map is drawn. */
  loading: ReactNode
}

/** Loaded lazily, because MapLibre is the largest piece of code of the page. */
export function MapCanvas({ markers, onOpen, failed, loading, showsAll = false }: MapCanvasProps) {
  const { config } = useSession()
  const container = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre | 'loading' | 'failed'>('loading')
  useEffect(() => {
    if (container.current === null) return undefined
    const unmounted = new AbortController()
    createMap(container.current, config, unmounted.signal).then(setMap, () => setMap('failed'))
    return () => unmounted.abort()
  }, [config])
  if (map === 'failed') return failed
  return (
    <div className={classes['frame']}>
      <div ref={container} className={classes['map']} />
      {map === 'loading' ? loading : <MapOverlay map={map} markers={markers} onOpen={onOpen} fitsAll={showsAll} />}
    </div>
  )
}

function MapOverlay({ map, markers, onOpen, fitsAll }: MarkersProps & { map: MapLibre; fitsAll: boolean }) {
  const reducedMotion = useReducedMotion()
  const fitted = useRef(false)
  useEffect(() => {
    showMarkers(map, markers)
    // Later changes must not move the map while the user is reading it.
    if (!fitted.current && fitsAll) fitMarkers(map, markers, false)
    else if (!fitted.current) fitDensest(map, markers)
    fitted.current = true
  }, [map, markers, fitsAll])
  // Debounced, because resizing a map is slow.
  const resize = useDebouncedCallback(() => map.resize(), RESIZE_DEBOUNCE_MS)
  useEffect(() => {
    const observer = new ResizeObserver(resize)
    observer.observe(map.getContainer())
    return () => observer.disconnect()
  }, [map, resize])
  const [showsAll, setShowsAll] = useState(fitsAll)
  const fittedCount = densestMarkers(markers).length
  const showAll = () => {
    setShowsAll(true)
    fitMarkers(map, markers, !reducedMotion)
  }
  const [pointed, clear] = useMapPointer(map, { markers, onOpen })
  const controls = [
    { name: 'Zoom in', Icon: IconPlus, onClick: () => void map.zoomIn() },
    { name: 'Zoom out', Icon: IconMinus, onClick: () => void map.zoomOut() },
    { name: 'Show all properties', Icon: IconFocusCentered, onClick: showAll },
  ]
  return (
    <>
      <div className={classes['controls']}>
        {controls.map(({ name, Icon, onClick }) => (
          <IconButton key={name} name={name} variant="default" tooltipPosition="left" onClick={onClick}>
            <Icon size={16} aria-hidden />
          </IconButton>
        ))}
      </div>
      {fittedCount < markers.length && !showsAll && (
        <p className={classes['outside']}>
          Fitted to {formatNumber(fittedCount)} of {plural(markers.length, 'property', 'properties')}
          <UnstyledButton onClick={showAll}>Show all</UnstyledButton>
        </p>
      )}
      {pointed !== null && <MarkerCard {...pointed} onOpen={onOpen} onClose={clear} />}
    </>
  )
}

/** The markers under the pointer. */
interface Pointed {
  markers: readonly MapMarker[]
  /** In px, relative to the map. */
  at: { x: number; y: number }
  /** Stays open after a click on several markers at one place; otherwise shown only while hovered. */
  pinned: boolean
}

/** Hovering shows a marker, a click opens it. A click on a cluster zooms in until it splits. */
function useMapPointer(map: MapLibre, { markers, onOpen }: MarkersProps): [Pointed | null, () => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const clear = () => setPointed(null)
  const hover = (next: Pointed | null) => setPointed((current) => (current?.pinned === true ? current : next))
  const markersAt = ({ point }: MapMouseEvent) =>
    map
      .queryRenderedFeatures(point, { layers: [POINTS] })
      .flatMap(({ properties }) => (typeof properties['index'] === 'number' ? (markers[properties['index']] ?? []) : []))
  const move = useEffectEvent((event: MapMouseEvent) => {
    const found = markersAt(event)
    map.getCanvas().style.cursor = found.length > 0 || clusterAt(map, event) !== undefined ? 'pointer' : ''
    hover(found.length === 0 ? null : { markers: found, at: event.point, pinned: false })
  })
  const click = useEffectEvent((event: MapMouseEvent) => {
    const found = markersAt(event)
    const [first] = found
    if (first === undefined) {
      clear()
      void zoomToCluster(map, event)
    } else if (found.length === 1) onOpen(first.info.id)
    else setPointed({ markers: found, at: event.point, pinned: true })
  })
  useEffect(() => {
    const subscriptions = [
      map.on('mousemove', move),
      map.on('mouseout', () => hover(null)),
      map.on('click', click),
      map.on('movestart', clear),
    ]
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe())
  }, [map])
  return [pointed, clear]
}

function clusterAt(map: MapLibre, { point }: MapMouseEvent): number | undefined {
  const id: unknown = map.queryRenderedFeatures(point, { layers: [CLUSTERS] })[0]?.properties['cluster_id']
  return typeof id === 'number' ? id : undefined
}

async function zoomToCluster(map: MapLibre, event: MapMouseEvent): Promise<void> {
  const cluster = clusterAt(map, event)
  const zoom = cluster === undefined ? undefined : await expansionZoom(map, cluster)
  if (zoom !== undefined) map.easeTo({ center: event.lngLat, zoom })
}

const CARD_WIDTH_PX = 260
const BELOW_UNTIL_PX = 260
const EDGE_PX = 8

/** Details of one property, or a choice among several at the same place. */
function MarkerCard({ markers, at, pinned, onOpen, onClose }: Pointed & MarkersProps & { onClose: () => void }) {
  const [first] = markers
  // The card stays inside the map.
  const left = `clamp(${EDGE_PX}px, ${at.x - CARD_WIDTH_PX / 2}px, calc(100% - ${CARD_WIDTH_PX + EDGE_PX}px))`
  return (
    <div
      className={classes['card']}
      style={{ left, top: at.y, width: CARD_WIDTH_PX }}
      data-below={at.y < BELOW_UNTIL_PX || undefined}
      data-pinned={pinned || undefined}
    >
      {first !== undefined && markers.length === 1 ? (
        <MarkerDetails marker={first} />
      ) : (
        <>
          <Group justify="space-between">
            <Text fw={600}>{plural(markers.length, 'property', 'properties')} here</Text>
            {pinned && (
              <IconButton name="Close" size={24} onClick={onClose}>
                <IconX size={14} aria-hidden />
              </IconButton>
            )}
          </Group>
          {pinned ? (
            <ul className={classes['choice']}>
              {markers.map((marker) => (
                <li key={marker.info.id}>
                  <UnstyledButton onClick={() => onOpen(marker.info.id)}>{titleOf(marker)}</UnstyledButton>
                </li>
              ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              Click to choose one of the {formatNumber(markers.length)}.
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
