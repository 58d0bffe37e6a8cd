import { useReducedMotion } from '@mantine/hooks'
import IconFocusCentered from '@tabler/icons-react/dist/esm/icons/IconFocusCentered.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { RESIZE_DEBOUNCE_MS } from '#contract/limits.ts'
import type { MapMarker } from '#contract/map.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { createMap, fitMarkers, type MapServices } from './create-map.ts'
import classes from './map-canvas.module.css'
import { addPropertyLayers, CLUSTERS, expansionZoom, POINTS, readPalette, showMarkers } from './map-layers.ts'
import { MarkerCard, type Pointed } from './marker-card.tsx'

export interface MapCanvasProps {
  markers: readonly MapMarker[]
  services: MapServices
  onOpen: (id: string) => void
  /** Shown when the browser cannot draw the map. */
  failed: ReactNode
  /** Shown until the map is drawn. */
  loading: ReactNode
}

/** Loaded lazily, because MapLibre is the largest piece of code of the page. */
export function MapCanvas({ markers, services, onOpen, failed, loading }: MapCanvasProps) {
  const container = useRef<HTMLDivElement>(null)
  const map = useMap(container, services)
  if (map === 'failed') return failed
  return (
    <div className={classes['frame']}>
      <div ref={container} className={classes['map']} />
      {map === 'loading' ? loading : <MapOverlay map={map} markers={markers} onOpen={onOpen} />}
    </div>
  )
}

function useMap(container: RefObject<HTMLElement | null>, { styleUrl, tileUrl }: MapServices): MapLibre | 'loading' | 'failed' {
  const [state, setState] = useState<MapLibre | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    let created: MapLibre | undefined
    let unmounted = false
    const palette = readPalette(element)
    const start = async () => {
      const map = await createMap(element, { styleUrl, tileUrl }, palette)
      if (unmounted) return map.remove()
      created = map
      map.once('load', () => {
        addPropertyLayers(map, palette)
        setState(map)
      })
    }
    start().catch(() => {
      if (!unmounted) setState('failed')
    })
    const stop = observeSize(element, () => created?.resize())
    return () => {
      unmounted = true
      stop()
      created?.remove()
    }
  }, [container, styleUrl, tileUrl])
  return state
}

/** Debounced, because resizing a map is slow. */
function observeSize(element: HTMLElement, onResize: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new ResizeObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(onResize, RESIZE_DEBOUNCE_MS)
  })
  observer.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}

function MapOverlay({ map, markers, onOpen }: { map: MapLibre; markers: readonly MapMarker[]; onOpen: (id: string) => void }) {
  const reducedMotion = useReducedMotion()
  const fitted = useRef(false)
  useEffect(() => {
    showMarkers(map, markers)
    // Later changes must not move the map while the user is reading it.
    if (!fitted.current) fitMarkers(map, markers, false)
    fitted.current = true
  }, [map, markers])
  const open = useCallback(
    (index: number) => {
      const marker = markers[index]
      if (marker !== undefined) onOpen(marker.info.id)
    },
    [markers, onOpen],
  )
  const [pointed, clear] = useMapPointer(map, open)
  const controls = [
    { name: 'Zoom in', Icon: IconPlus, onClick: () => void map.zoomIn() },
    { name: 'Zoom out', Icon: IconMinus, onClick: () => void map.zoomOut() },
    { name: 'Show all properties', Icon: IconFocusCentered, onClick: () => fitMarkers(map, markers, !reducedMotion) },
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
      {pointed !== null && (
        <MarkerCard pointed={pointed} markers={markers} onOpen={onOpen} onClose={clear} mapWidth={map.getContainer().clientWidth} />
      )}
    </>
  )
}

const indexesAt = (map: MapLibre, { point }: MapMouseEvent): number[] =>
  map
    .queryRenderedFeatures(point, { layers: [POINTS] })
    .flatMap(({ properties }) => (typeof properties['index'] === 'number' ? [properties['index']] : []))

/** Hovering shows a marker, a click opens it. A click on a cluster zooms in until it splits. */
function useMapPointer(map: MapLibre, onOpen: (index: number) => void): [Pointed | null, () => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null)
  useEffect(() => {
    const hover = (next: Pointed | null) => setPointed((current) => (current?.pinned === true ? current : next))
    const move = (event: MapMouseEvent) => {
      const indexes = indexesAt(map, event)
      const overCluster = map.queryRenderedFeatures(event.point, { layers: [CLUSTERS] }).length > 0
      map.getCanvas().style.cursor = indexes.length > 0 || overCluster ? 'pointer' : ''
      hover(indexes.length === 0 ? null : { indexes, at: event.point, pinned: false })
    }
    const leave = () => hover(null)
    const click = (event: MapMouseEvent) => {
      const indexes = indexesAt(map, event)
      const [first] = indexes
      if (first !== undefined && indexes.length === 1) return onOpen(first)
      setPointed(first === undefined ? null : { indexes, at: event.point, pinned: true })
      if (first === undefined) void zoomToCluster(map, event)
    }
    const clear = () => setPointed(null)
    const subscriptions = [map.on('mousemove', move), map.on('mouseout', leave), map.on('click', click), map.on('movestart', clear)]
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe())
  }, [map, onOpen])
  return [pointed, () => setPointed(null)]
}

async function zoomToCluster(map: MapLibre, { point, lngLat }: MapMouseEvent): Promise<void> {
  const clusterId: unknown = map.queryRenderedFeatures(point, { layers: [CLUSTERS] })[0]?.properties['cluster_id']
  if (typeof clusterId !== 'number') return
  const zoom = await expansionZoom(map, clusterId)
  if (zoom !== undefined) map.easeTo({ center: lngLat, zoom })
}
