import 'maplibre-gl/dist/maplibre-gl.css'
import { AttributionControl, LngLatBounds, Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { MAP_DEFAULT_CENTER_DEGREES, MAP_DEFAULT_ZOOM, MAP_MIN_ZOOM, MAP_PADDING_PX, MAP_SINGLE_ZOOM } from '#contract/limits.ts'
import type { MapMarker } from '#contract/map.ts'
import { baseStyle, type MapPalette } from './map-layers.ts'
import { loadStates } from './us-states.ts'

/** As configured by the operator; empty for the built-in base map. */
export interface MapServices {
  styleUrl: string
  tileUrl: string
}

/** Zoom limits count tiles of 256 px, MapLibre counts tiles of 512 px. */
const zoomLevel = (zoom: number): number => zoom - 1
const CLOSEST_FIT = 15
/** The largest share of a narrow map that padding takes. */
const PADDING_PART = 1 / 6

setWorkerUrl(workerUrl)

/** Makes no request to another server unless one is configured. Throws when WebGL is missing or the map's files cannot be loaded. */
export async function createMap(container: HTMLElement, { styleUrl, tileUrl }: MapServices, palette: MapPalette): Promise<MapLibre> {
  const style = styleUrl === '' ? baseStyle(await loadStates(), palette, tileUrl) : styleUrl
  const map = new MapLibre({
    container,
    style,
    center: MAP_DEFAULT_CENTER_DEGREES,
    zoom: zoomLevel(MAP_DEFAULT_ZOOM),
    minZoom: zoomLevel(MAP_MIN_ZOOM),
    scrollZoom: false,
    dragRotate: false,
    pitchWithRotate: false,
    trackResize: false,
    attributionControl: false,
    localIdeographFontFamily: "'Inter Variable', system-ui, sans-serif",
    locale: { 'Map.Title': 'Map of the properties' },
  })
  map.touchZoomRotate.disableRotation()
  // One finger scrolls the page, two move the map.
  if (window.matchMedia('(pointer: coarse)').matches) map.dragPan.disable()
  map.addControl(new AttributionControl({ compact: false }), 'bottom-left')
  return map
}

/** Zooms to all markers, and less far to a single place. */
export function fitMarkers(map: MapLibre, markers: readonly MapMarker[], animate: boolean): void {
  const bounds = new LngLatBounds()
  for (const { position } of markers) bounds.extend(position)
  if (bounds.isEmpty()) return
  const { lng, lat } = bounds.getCenter()
  if (bounds.getEast() === bounds.getWest() && bounds.getNorth() === bounds.getSouth()) {
    map.jumpTo({ center: { lng, lat }, zoom: zoomLevel(MAP_SINGLE_ZOOM) })
    return
  }
  const { clientWidth, clientHeight } = map.getContainer()
  const padding = Math.min(MAP_PADDING_PX, clientWidth * PADDING_PART, clientHeight * PADDING_PART)
  const fit = map.cameraForBounds(bounds, { padding, maxZoom: CLOSEST_FIT })
  if (fit === undefined) return
  // Markers too far apart for the usual minimum zoom lower it.
  map.setMinZoom(Math.min(zoomLevel(MAP_MIN_ZOOM), fit.zoom ?? Infinity))
  map.easeTo({ ...fit, animate })
}
