import type { Map as MapLibre, MapMouseEvent } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { CLUSTERS, POINTS, expansionZoom } from './property-layers.ts'

/** Markers under the pointer, and where on the map, in px. */
export interface Pointed {
  indexes: readonly number[]
  at: { x: number; y: number }
  /** Chosen by a click, because several stand at one place; otherwise only looked at. */
  kept: boolean
}

const indexesAt = (map: MapLibre, { point }: MapMouseEvent): number[] =>
  map
    .queryRenderedFeatures(point, { layers: [POINTS] })
    .flatMap(({ properties }) => (typeof properties['index'] === 'number' ? [properties['index']] : []))

/** Hovering shows a marker, clicking opens it; a click on a cluster comes closer until it falls apart. */
export function useMapPointer(map: MapLibre, onOpen: (index: number) => void): [Pointed | null, () => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null)
  useEffect(() => {
    const clear = () => setPointed(null)
    const move = (event: MapMouseEvent) => {
      const indexes = indexesAt(map, event)
      const overCluster = map.queryRenderedFeatures(event.point, { layers: [CLUSTERS] }).length > 0
      map.getCanvas().style.cursor = indexes.length > 0 || overCluster ? 'pointer' : ''
      setPointed((known) => (known?.kept === true ? known : indexes.length === 0 ? null : { indexes, at: event.point, kept: false }))
    }
    const click = (event: MapMouseEvent) => {
      const indexes = indexesAt(map, event)
      const [first] = indexes
      if (first !== undefined && indexes.length === 1) return onOpen(first)
      setPointed(first === undefined ? null : { indexes, at: event.point, kept: true })
      if (first === undefined) void comeCloser(map, event)
    }
    map.on('mousemove', move)
    map.on('mouseout', () => setPointed((known) => (known?.kept === true ? known : null)))
    map.on('click', click)
    map.on('movestart', clear)
    return () => {
      map.off('mousemove', move)
      map.off('click', click)
      map.off('movestart', clear)
    }
  }, [map, onOpen])
  return [pointed, () => setPointed(null)]
}

async function comeCloser(map: MapLibre, { point, lngLat }: MapMouseEvent): Promise<void> {
  const clusterId: unknown = map.queryRenderedFeatures(point, { layers: [CLUSTERS] })[0]?.properties['cluster_id']
  if (typeof clusterId !== 'number') return
  const zoom = await expansionZoom(map, clusterId)
  if (zoom !== undefined) map.easeTo({ center: lngLat, zoom })
}
