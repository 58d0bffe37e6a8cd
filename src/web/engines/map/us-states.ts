import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'
import { labelPoint } from './label-point.ts'

type Areas = FeatureCollection<Polygon | MultiPolygon, { name: string }>
type Atlas = Topology<{ states: GeometryCollection<{ name: string }> }>

export interface States {
  areas: Areas
  /** One point for each state's name. */
  names: FeatureCollection<Point, { name: string }>
}

let loading: Promise<States> | undefined

/** The states of the US, from the page's own files: no map service is needed. Loaded once; a failure may be tried again. */
export function loadStates(): Promise<States> {
  loading ??= read().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function read(): Promise<States> {
  const answer = await fetch(statesUrl)
  if (!answer.ok) throw new Error(`The outlines of the states answered ${String(answer.status)}`)
  const atlas = (await answer.json()) as Atlas // a file of the package, whose shape its documentation gives
  const areas = feature(atlas, atlas.objects.states) as Areas // states are areas, which the general type does not say
  return { areas, names: { type: 'FeatureCollection', features: areas.features.map(nameOf) } }
}

const nameOf = ({ geometry, properties }: Feature<Polygon | MultiPolygon, { name: string }>): Feature<Point, { name: string }> => ({
  type: 'Feature',
  properties: { name: properties.name },
  geometry: { type: 'Point', coordinates: labelPoint(geometry) },
})
