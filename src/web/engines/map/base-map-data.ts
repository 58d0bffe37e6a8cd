import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Point, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countiesUrl from 'us-atlas/counties-10m.json?url'
import statesUrl from 'us-atlas/states-10m.json?url'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import citiesUrl from './cities.json?url'

type Area = Polygon | MultiPolygon
type Name = { name: string }
type Areas = FeatureCollection<Area, Name>
type Names = FeatureCollection<Point, Name>

export interface States {
  areas: Areas
  /** One point for each state's label. */
  names: Names
}

/** What makes places recognizable when the user zooms in, or out of the US. */
export interface Details {
  countries: Areas
  countryNames: Names
  counties: MultiLineString
  /** `population` in thousands. */
  cities: FeatureCollection<Point, Name & { population: number }>
}

async function load(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`A part of the map could not be loaded (${String(response.status)})`)
  return response.json()
}

/** The states of the US, served with the page so that no map service is needed. */
export async function loadStates(): Promise<States> {
  const atlas = (await load(statesUrl)) as Topology<{ states: GeometryCollection<Name> }> // as documented by us-atlas
  const areas = feature(atlas, atlas.objects.states) as Areas // the general type does not say that states are areas
  return { areas, names: namesOf(areas) }
}

/** The US is drawn from its states, which are more exact. */
const DRAWN_AS_STATES = 'United States of America'

/** Loaded after the map is shown, because it is 1.6 MB. */
export async function loadDetails(): Promise<Details> {
  const [world, us, cities] = await Promise.all([load(countriesUrl), load(countiesUrl), load(citiesUrl)])
  const countriesAtlas = world as Topology<{ countries: GeometryCollection<Name> }> // as documented by world-atlas
  const countiesAtlas = us as Topology<{ counties: GeometryCollection<Name> }> // as documented by us-atlas
  const all = feature(countriesAtlas, countriesAtlas.objects.countries) as Areas // the general type does not say that countries are areas
  const countries = { ...all, features: all.features.filter(({ properties: { name } }) => name !== DRAWN_AS_STATES) }
  return {
    countries,
    countryNames: namesOf({ ...countries, features: countries.features.filter(({ geometry }) => !crossesDateLine(geometry)) }),
    counties: mesh(countiesAtlas, countiesAtlas.objects.counties, (one, other) => one !== other),
    cities: citiesOf(cities as [name: string, lng: number, lat: number, population: number][]), // the format of cities.json
  }
}

/** Such an area is cut at 180 degrees, so the middle of its outline says nothing. */
const crossesDateLine = (area: Area): boolean => {
  const longitudes = (area.type === 'Polygon' ? [area.coordinates] : area.coordinates).flatMap(([ring = []]) => ring.map(([x = 0]) => x))
  return longitudes.some((x) => x < -DATE_LINE_DEGREES) && longitudes.some((x) => x > DATE_LINE_DEGREES)
}
const DATE_LINE_DEGREES = 170

const citiesOf = (rows: readonly [name: string, lng: number, lat: number, population: number][]): Details['cities'] => ({
  type: 'FeatureCollection',
  features: rows.map(([name, lng, lat, population]) => ({
    type: 'Feature',
    properties: { name, population },
    geometry: { type: 'Point', coordinates: [lng, lat] },
  })),
})

function namesOf({ features }: Areas): Names {
  const names = features.map(({ geometry, properties: { name } }): Feature<Point, Name> => {
    return { type: 'Feature', properties: { name }, geometry: { type: 'Point', coordinates: labelPoint(geometry) } }
  })
  return { type: 'FeatureCollection', features: names }
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
