import IconFocusCentered from '@tabler/icons-react/dist/esm/icons/IconFocusCentered.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useReducedMotion } from '@mantine/hooks'
import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import type { MapMarker } from '#contract/map.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { fitMarkers, type MapServices } from './create-map.ts'
import classes from './map-canvas.module.css'
import { MarkerCard } from './marker-card.tsx'
import { showMarkers } from './property-layers.ts'
import { useMapPointer } from './use-map-pointer.ts'
import { useMap } from './use-map.ts'

export interface MapCanvasProps {
  markers: readonly MapMarker[]
  services: MapServices
  onOpen: (id: string) => void
  /** When the browser cannot draw the map. */
  failed: ReactNode
  /** Until the map has its first picture. */
  waiting: ReactNode
}

/** The drawn map. Loaded on its own, since it is the largest piece of code of the page. */
export function MapCanvas({ markers, services, onOpen, failed, waiting }: MapCanvasProps) {
  const container = useRef<HTMLDivElement>(null)
  const state = useMap(container, services)
  if (state.kind === 'failed') return failed
  return (
    <div className={classes['frame']}>
      <div ref={container} className={classes['map']} />
      {state.kind === 'ready' ? <OnMap map={state.map} markers={markers} onOpen={onOpen} /> : waiting}
    </div>
  )
}

function OnMap({ map, markers, onOpen }: { map: MapLibre; markers: readonly MapMarker[]; onOpen: (id: string) => void }) {
  const still = useReducedMotion()
  const fitted = useRef(false)
  useEffect(() => {
    showMarkers(map, markers)
    // Later changes do not move the map under the reader's hands.
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
  return (
    <>
      <div className={classes['controls']}>
        <IconButton name="Zoom in" variant="default" tooltipPosition="left" onClick={() => map.zoomIn()}>
          <IconPlus size={16} aria-hidden />
        </IconButton>
        <IconButton name="Zoom out" variant="default" tooltipPosition="left" onClick={() => map.zoomOut()}>
          <IconMinus size={16} aria-hidden />
        </IconButton>
        <IconButton name="Show all properties" variant="default" tooltipPosition="left" onClick={() => fitMarkers(map, markers, !still)}>
          <IconFocusCentered size={16} aria-hidden />
        </IconButton>
      </div>
      {pointed !== null && (
        <MarkerCard pointed={pointed} markers={markers} onOpen={onOpen} onClose={clear} width={map.getContainer().clientWidth} />
      )}
    </>
  )
}
