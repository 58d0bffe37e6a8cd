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
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    const path = rings.map((ring) => pathOf(ring.map(([lng = 0, lat = 0]) => place(lng, lat)))).join('')
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
