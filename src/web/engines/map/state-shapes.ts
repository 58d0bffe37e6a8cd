import type { Position } from 'geojson'
import { formatNumber } from '#contract/format.ts'
import type { MapMarker } from '#contract/map.ts'
import type { States } from './base-map-data.ts'
import { densestMarkers } from './densest-markers.ts'

/** The map is a square of this many units. */
export const SIDE = 400
const PADDING = 44
/** A single place is not shown closer than this. */
const SMALLEST_SPAN = 0.09
const MERGED_WITHIN = 30

interface Point {
  x: number
  y: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
/** The Mercator projection, with y from north to south. */
const projected = (lng: number, lat: number): Point => ({ x: radians(lng), y: -Math.asinh(Math.tan(radians(lat))) })

/** Places the region of nearly all markers in the middle of the map. */
export function viewOf(markers: readonly MapMarker[]): (lng: number, lat: number) => Point {
  const points = densestMarkers(markers).map(({ position: { lng, lat } }) => projected(lng, lat))
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const scale = (SIDE - 2 * PADDING) / Math.max(width, height, SMALLEST_SPAN)
  const middle = { x: left + width / 2, y: top + height / 2 }
  return (lng, lat) => {
    const { x, y } = projected(lng, lat)
    return { x: SIDE / 2 + (x - middle.x) * scale, y: SIDE / 2 + (y - middle.y) * scale }
  }
}

const isInside = ({ x, y }: Point) => x >= 0 && x <= SIDE && y >= 0 && y <= SIDE

/** The outlines of the states that the view shows, as one path each, and the names that are inside of it. */
export function statesIn({ areas, names }: States, place: ReturnType<typeof viewOf>) {
  const outlines = areas.features.flatMap(({ geometry, properties: { name } }) => {
    const path = ringsOf(geometry)
      .map((ring) => pathOf(ring.map(([lng = 0, lat = 0]) => place(lng, lat))))
      .join('')
    return path === '' ? [] : [{ name, path }]
  })
  const labels = names.features.flatMap(({ geometry: { coordinates }, properties: { name } }) => {
    const [lng = 0, lat = 0] = coordinates
    const at = place(lng, lat)
    return isInside(at) ? [{ name, ...at }] : []
  })
  return { outlines, labels }
}

/** Empty for a ring that is outside of the view. */
function pathOf(ring: readonly Point[]): string {
  const beyond = [
    ring.every(({ x }) => x < 0),
    ring.every(({ x }) => x > SIDE),
    ring.every(({ y }) => y < 0),
    ring.every(({ y }) => y > SIDE),
  ]
  if (beyond.includes(true)) return ''
  return `M${ring.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`
}

/** How many markers are outside of the view, and in which state most of them are: "45 not in view: Alaska 37, others 8". */
export function outsideText(markers: readonly MapMarker[], place: ReturnType<typeof viewOf>, states: States | undefined): string | null {
  const outside = markers.filter(({ position: { lng, lat } }) => !isInside(place(lng, lat)))
  if (outside.length === 0) return null
  const counts = new Map<string, number>()
  for (const { position } of outside) {
    const name = states && stateAt(states, position)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const total = `${formatNumber(outside.length)} not in view`
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (most === undefined) return total
  const [name, count] = most
  const others = outside.length - count
  return `${total}: ${name} ${formatNumber(count)}${others > 0 ? `, others ${formatNumber(others)}` : ''}`
}

/** In degrees: the outlines leave out small islands and most of a coast. */
const OFF_COAST_MAX = 1

/** The state around a position, or the nearest one if its outline leaves the position out. */
function stateAt({ areas: { features } }: States, position: MapMarker['position']): string | undefined {
  const around = features.find(({ geometry }) => contains(ringsOf(geometry), position))
  if (around !== undefined) return around.properties.name
  const distance = ({ geometry }: States['areas']['features'][number]) =>
    Math.min(...ringsOf(geometry).flatMap((ring) => ring.map(([lng = 0, lat = 0]) => Math.hypot(lng - position.lng, lat - position.lat))))
  const near = features.map((state) => ({ name: state.properties.name, degrees: distance(state) }))
  const nearest = near.toSorted((one, other) => one.degrees - other.degrees)[0]
  return nearest !== undefined && nearest.degrees <= OFF_COAST_MAX ? nearest.name : undefined
}

const ringsOf = (geometry: States['areas']['features'][number]['geometry']) =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()

/** Whether a line from the point to the east crosses the outlines an odd number of times. */
function contains(rings: readonly Position[][], { lng, lat }: MapMarker['position']): boolean {
  let inside = false
  for (const ring of rings) {
    let [fromLng = 0, fromLat = 0] = ring.at(-1) ?? []
    for (const [toLng = 0, toLat = 0] of ring) {
      const crosses = fromLat > lat !== toLat > lat && lng < ((fromLng - toLng) * (lat - toLat)) / (fromLat - toLat) + toLng
      if (crosses) inside = !inside
      ;[fromLng, fromLat] = [toLng, toLat]
    }
  }
  return inside
}

/** The markers in the view, close ones as one mark with their number. */
export function marksIn(markers: readonly MapMarker[], place: ReturnType<typeof viewOf>) {
  const marks: (Point & { count: number })[] = []
  for (const { position } of markers) {
    const at = place(position.lng, position.lat)
    if (!isInside(at)) continue
    const near = marks.find(({ x, y }) => Math.hypot(x - at.x, y - at.y) < MERGED_WITHIN)
    if (near === undefined) marks.push({ ...at, count: 1 })
    else near.count += 1
  }
  return marks
}
