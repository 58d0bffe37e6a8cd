import 'maplibre-gl/dist/maplibre-gl.css'
import type { Feature, Point } from 'geojson'
import {
  AttributionControl,
  LngLatBounds,
  Map as MapLibre,
  setWorkerUrl,
  type ExpressionSpecification,
  type GeoJSONSource,
  type LayerSpecification,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import type { InitData } from '#contract/init.ts'
import { MAP_DEFAULT_CENTER_DEGREES, MAP_DEFAULT_ZOOM, MAP_MIN_ZOOM, MAP_PADDING_PX, MAP_SINGLE_ZOOM } from '#contract/limits.ts'
import type { MapMarker } from '#contract/map.ts'
import { loadDetails, loadStates, type Details, type States } from './base-map-data.ts'
import { densestMarkers } from './densest-markers.ts'

/** Zoom limits count tiles of 256 px, MapLibre counts tiles of 512 px. */
const zoomLevel = (zoom: number): number => zoom - 1
const CLOSEST_FIT = 15
/** The largest share of a narrow map that padding takes. */
const PADDING_PART = 1 / 6

setWorkerUrl(workerUrl)

/**
 * Resolves to the drawn map, without markers yet; `unmounted` removes it. Makes no request to another server unless the operator has
 * configured one. Throws when WebGL is missing, or when the style or the map's files cannot be loaded.
 */
export async function createMap(container: HTMLElement, config: InitData['config'], unmounted: AbortSignal): Promise<MapLibre> {
  const color = colorsOf(container)
  const style = config.map_style_url || baseStyle(await loadStates(), color, config.map_tile_url)
  unmounted.throwIfAborted()
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
  unmounted.addEventListener('abort', () => map.remove())
  map.touchZoomRotate.disableRotation()
  // One finger scrolls the page, two move the map.
  if (window.matchMedia('(pointer: coarse)').matches) map.dragPan.disable()
  map.addControl(new AttributionControl({ compact: false }), 'bottom-left')
  await drawn(map)
  addPropertyLayers(map, color)
  // Without the details the map is less rich, but complete.
  if (config.map_style_url === '' && config.map_tile_url === '')
    loadDetails().then(
      (details) => !unmounted.aborted && addDetails(map, details, color),
      () => undefined,
    )
  return map
}

/** Rejects if the style cannot be loaded. Tiles that cannot be loaded are left out. */
const drawn = (map: MapLibre): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const failed = map.on('error', ({ error }) => reject(error))
    map.once('style.load', () => failed.unsubscribe())
    map.once('load', resolve)
  })

/** Zooms to the region with nearly all markers, so that a few far ones do not make the map unreadable. */
export const fitDensest = (map: MapLibre, markers: readonly MapMarker[]): void => fitMarkers(map, densestMarkers(markers), false)

/** Zooms to all markers, and less far to a single place. */
export function fitMarkers(map: MapLibre, markers: readonly MapMarker[], animate: boolean): void {
  const bounds = new LngLatBounds()
  for (const { position } of markers) bounds.extend(position)
  if (bounds.isEmpty()) return
  if (bounds.getEast() === bounds.getWest() && bounds.getNorth() === bounds.getSouth()) {
    map.jumpTo({ center: bounds.getCenter(), zoom: zoomLevel(MAP_SINGLE_ZOOM) })
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

/** Rendered by the browser, so that no glyph server is needed. */
const FONT = ['Inter Variable']
const NAMES_FROM_ZOOM = 2.5
const TILE_PX = 256

/** Reads the current theme's colors: the canvas cannot read CSS variables. */
function colorsOf(element: HTMLElement) {
  const style = getComputedStyle(element)
  return (variable: string) => style.getPropertyValue(variable).trim()
}

type Colors = ReturnType<typeof colorsOf>

/** The built-in base map: the states with their names, or their borders over the configured raster tiles. */
function baseStyle(states: States, color: Colors, tileUrl: string): StyleSpecification {
  const names: LayerSpecification = {
    id: 'names',
    type: 'symbol',
    source: 'names',
    minzoom: NAMES_FROM_ZOOM,
    layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 12, 'text-max-width': 6 },
    paint: { 'text-color': color('--muted'), 'text-halo-color': color('--surface'), 'text-halo-width': 1.2 },
  }
  const hasTiles = tileUrl !== ''
  return {
    version: 8,
    sources: {
      states: { type: 'geojson', data: states.areas, attribution: 'State lines: US Census Bureau' },
      names: { type: 'geojson', data: states.names },
      ...(hasTiles ? { tiles: { type: 'raster' as const, tiles: [tileUrl], tileSize: TILE_PX } } : {}),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': color('--surface-sunken') } },
      hasTiles
        ? { id: 'tiles', type: 'raster', source: 'tiles' }
        : { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': color('--surface') } },
      { id: 'borders', type: 'line', source: 'states', paint: { 'line-color': color('--line-strong'), 'line-width': 1 } },
      ...(hasTiles ? [] : [names]),
    ],
  }
}

const COUNTIES_FROM_ZOOM = 4.5
const CITIES_FROM_ZOOM = 3
/** The number of people, in thousands, from which on a city is shown at a zoom. */
const CITY_SIZE: ExpressionSpecification = ['step', ['zoom'], 1_500, 4, 700, 5, 350, 6, 100]

/** Countries below the states; counties and cities above them, but below the properties. */
function addDetails(map: MapLibre, { countries, countryNames, counties, cities }: Details, color: Colors): void {
  const name = { 'text-field': ['get', 'name'] satisfies ExpressionSpecification, 'text-font': FONT, 'text-size': 12, 'text-max-width': 6 }
  const halo = { 'text-halo-color': color('--surface'), 'text-halo-width': 1.2 }
  map.addSource('countries', { type: 'geojson', data: countries, attribution: 'Countries: Natural Earth. Cities: GeoNames' })
  map.addSource('country-names', { type: 'geojson', data: countryNames })
  map.addSource('counties', { type: 'geojson', data: counties })
  map.addSource('cities', { type: 'geojson', data: cities })
  map.addLayer({ id: 'countries', type: 'fill', source: 'countries', paint: { 'fill-color': color('--surface-hover') } }, 'land')
  const outline = { 'line-color': color('--line'), 'line-width': 1 }
  map.addLayer({ id: 'country-borders', type: 'line', source: 'countries', paint: outline }, 'land')
  map.addLayer(
    {
      id: 'counties',
      type: 'line',
      source: 'counties',
      minzoom: COUNTIES_FROM_ZOOM,
      paint: { 'line-color': color('--line'), 'line-width': 0.6 },
    },
    'borders',
  )
  const muted = { 'text-color': color('--muted'), ...halo }
  map.addLayer({ id: 'country-names', type: 'symbol', source: 'country-names', layout: name, paint: muted }, CLUSTERS)
  map.addLayer(
    {
      id: 'cities',
      type: 'symbol',
      source: 'cities',
      minzoom: CITIES_FROM_ZOOM,
      filter: ['>=', ['get', 'population'], CITY_SIZE],
      layout: {
        ...name,
        'text-max-width': 10,
        'symbol-sort-key': ['-', 0, ['get', 'population']],
        'text-variable-anchor': ['right', 'left', 'top'],
        'text-radial-offset': 1.4,
      },
      paint: { 'text-color': color('--ink'), ...halo },
    },
    CLUSTERS,
  )
}

const SOURCE = 'properties'
export const CLUSTERS = 'clusters'
export const POINTS = 'points'
const CLUSTER_RADIUS_PX = 42
const CLUSTERS_UP_TO_ZOOM = 13
const IS_CLUSTER: ExpressionSpecification = ['has', 'point_count']

/** Adds the properties above the base map: single ones as dots, close ones as circles with their count. */
function addPropertyLayers(map: MapLibre, color: Colors): void {
  const outline = { 'circle-color': color('--ink'), 'circle-stroke-color': color('--surface'), 'circle-stroke-width': 2 }
  map.addSource(SOURCE, {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    cluster: true,
    clusterRadius: CLUSTER_RADIUS_PX,
    clusterMaxZoom: CLUSTERS_UP_TO_ZOOM,
  })
  map.addLayer({
    id: CLUSTERS,
    type: 'circle',
    source: SOURCE,
    filter: IS_CLUSTER,
    paint: { ...outline, 'circle-opacity': 0.92, 'circle-radius': ['step', ['get', 'point_count'], 14, 10, 17, 100, 21, 1000, 26] },
  })
  map.addLayer({
    id: 'cluster-counts',
    type: 'symbol',
    source: SOURCE,
    filter: IS_CLUSTER,
    layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-font': FONT, 'text-size': 13, 'text-allow-overlap': true },
    paint: { 'text-color': color('--surface') },
  })
  map.addLayer({ id: POINTS, type: 'circle', source: SOURCE, filter: ['!', IS_CLUSTER], paint: { ...outline, 'circle-radius': 7 } })
}

/** The map refers to a marker by its index in the list. */
export function showMarkers(map: MapLibre, markers: readonly MapMarker[]): void {
  const features = markers.map(({ position: { lng, lat } }, index): Feature<Point> => {
    return { type: 'Feature', properties: { index }, geometry: { type: 'Point', coordinates: [lng, lat] } }
  })
  void map.getSource<GeoJSONSource>(SOURCE)?.setData({ type: 'FeatureCollection', features })
}

/** The zoom at which a cluster splits. */
export async function expansionZoom(map: MapLibre, clusterId: number): Promise<number | undefined> {
  return map.getSource<GeoJSONSource>(SOURCE)?.getClusterExpansionZoom(clusterId)
}
