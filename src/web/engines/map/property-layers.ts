import type { FeatureCollection, Point } from 'geojson'
import type { ExpressionSpecification, GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import type { MapMarker } from '#contract/map.ts'
import type { MapPalette } from './map-palette.ts'
import { FONT } from './map-style.ts'

const SOURCE = 'properties'
export const CLUSTERS = 'clusters'
export const POINTS = 'points'
const CLUSTER_RADIUS_PX = 42
const CLUSTERS_UP_TO_ZOOM = 13

/** Markers by their index in the list, which is all that the map has to know of them. */
export function pointsOf(markers: readonly MapMarker[]): FeatureCollection<Point, { index: number }> {
  const features = markers.map(({ position: { lng, lat } }, index) => ({
    type: 'Feature' as const,
    properties: { index },
    geometry: { type: 'Point' as const, coordinates: [lng, lat] },
  }))
  return { type: 'FeatureCollection', features }
}

const IS_CLUSTER: ExpressionSpecification = ['has', 'point_count']

/** Properties above whatever the style shows: alone as dots, close together as circles with their number. */
export function addPropertyLayers(map: MapLibre, palette: MapPalette): void {
  map.addSource(SOURCE, {
    type: 'geojson',
    data: pointsOf([]),
    cluster: true,
    clusterRadius: CLUSTER_RADIUS_PX,
    clusterMaxZoom: CLUSTERS_UP_TO_ZOOM,
  })
  map.addLayer({
    id: CLUSTERS,
    type: 'circle',
    source: SOURCE,
    filter: IS_CLUSTER,
    paint: {
      'circle-color': palette.mark,
      'circle-opacity': 0.92,
      'circle-radius': ['step', ['get', 'point_count'], 14, 10, 17, 100, 21, 1000, 26],
      'circle-stroke-color': palette.markEdge,
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'cluster-counts',
    type: 'symbol',
    source: SOURCE,
    filter: IS_CLUSTER,
    layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-font': FONT, 'text-size': 13, 'text-allow-overlap': true },
    paint: { 'text-color': palette.markText },
  })
  map.addLayer({
    id: POINTS,
    type: 'circle',
    source: SOURCE,
    filter: ['!', IS_CLUSTER],
    paint: { 'circle-color': palette.mark, 'circle-radius': 7, 'circle-stroke-color': palette.markEdge, 'circle-stroke-width': 2 },
  })
}

const propertySource = (map: MapLibre): GeoJSONSource | undefined => map.getSource<GeoJSONSource>(SOURCE)

export function showMarkers(map: MapLibre, markers: readonly MapMarker[]): void {
  void propertySource(map)?.setData(pointsOf(markers))
}

/** The zoom at which a cluster falls apart. */
export async function expansionZoom(map: MapLibre, clusterId: number): Promise<number | undefined> {
  return propertySource(map)?.getClusterExpansionZoom(clusterId)
}
