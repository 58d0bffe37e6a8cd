import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'

type Area = Polygon | MultiPolygon
type Name = { name: string }

export interface States {
  areas: FeatureCollection<Area, Name>
  /** One point for each state's label. */
  names: FeatureCollection<Point, Name>
}

/** The states of the US, served with the page so that no map service is needed. */
export async function loadStates(): Promise<States> {
  const response = await fetch(statesUrl)
  if (!response.ok) throw new Error(`The outlines of the states could not be loaded (${String(response.status)})`)
  const atlas = (await response.json()) as Topology<{ states: GeometryCollection<Name> }> // as documented by us-atlas
  const areas = feature(atlas, atlas.objects.states) as States['areas'] // the general type does not say that states are areas
  const names = areas.features.map(({ geometry, properties }): Feature<Point, Name> => {
    return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: labelPoint(geometry) } }
  })
  return { areas, names: { type: 'FeatureCollection', features: names } }
}

/** The centroid of the largest part of an area: longitude and latitude in degrees. */
export function labelPoint(area: Area): [number, number] {
  const parts = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  const [largest = { size: 0, x: 0, y: 0 }] = parts.map(([ring = []]) => centroid(ring)).toSorted((a, b) => b.size - a.size)
  return [largest.x, largest.y]
}

/** By the shoelace formula. */
function centroid(ring: readonly Position[]): { size: number; x: number; y: number } {
  let twice = 0
  let x = 0
  let y = 0
  for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[(index + 1) % ring.length] ?? []
    const cross = x1 * y2 - x2 * y1
    twice += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  return { size: Math.abs(twice) / 2, x: x / (3 * twice), y: y / (3 * twice) }
}
