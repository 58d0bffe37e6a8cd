import type { Feature, Point } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource, LayerSpecification, Map as MapLibre, StyleSpecification } from 'maplibre-gl'
import type { MapMarker } from '#contract/map.ts'
import type { States } from './us-states.ts'

/** Rendered by the browser, so that no glyph server is needed. */
const FONT = ['Inter Variable']
const NAMES_FROM_ZOOM = 2.5
const TILE_PX = 256

export type MapPalette = ReturnType<typeof readPalette>

/** The current theme's colors: the canvas cannot read CSS variables. */
export function readPalette(element: HTMLElement) {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    sea: read('--surface-sunken'),
    land: read('--surface'),
    border: read('--line-strong'),
    name: read('--muted'),
    marker: read('--ink'),
    markerText: read('--surface'),
  }
}

/** The built-in base map: the states with their names, or their borders over the configured raster tiles. */
export function baseStyle(states: States, palette: MapPalette, tileUrl: string): StyleSpecification {
  const borders: LayerSpecification = {
    id: 'borders',
    type: 'line',
    source: 'states',
    paint: { 'line-color': palette.border, 'line-width': 1 },
  }
  const names: LayerSpecification = {
    id: 'names',
    type: 'symbol',
    source: 'names',
    minzoom: NAMES_FROM_ZOOM,
    layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 12, 'text-max-width': 6 },
    paint: { 'text-color': palette.name, 'text-halo-color': palette.land, 'text-halo-width': 1.2 },
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
      { id: 'sea', type: 'background', paint: { 'background-color': palette.sea } },
      hasTiles
        ? { id: 'tiles', type: 'raster', source: 'tiles' }
        : { id: 'land', type: 'fill', source: 'states', paint: { 'fill-color': palette.land } },
      borders,
      ...(hasTiles ? [] : [names]),
    ],
  }
}

const SOURCE = 'properties'
export const CLUSTERS = 'clusters'
export const POINTS = 'points'
const CLUSTER_RADIUS_PX = 42
const CLUSTERS_UP_TO_ZOOM = 13
const IS_CLUSTER: ExpressionSpecification = ['has', 'point_count']

/** Adds the properties above the base map: single ones as dots, close ones as circles with their count. */
export function addPropertyLayers(map: MapLibre, palette: MapPalette): void {
  const outline = { 'circle-color': palette.marker, 'circle-stroke-color': palette.markerText, 'circle-stroke-width': 2 }
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
    paint: { 'text-color': palette.markerText },
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
