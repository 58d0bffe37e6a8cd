import type { MultiPolygon, Polygon, Position } from 'geojson'

/**
 * Where the name of an area stands: the centroid of its largest part.
 * @param area in degrees
 * @returns longitude and latitude, in degrees
 */
export function labelPoint(area: Polygon | MultiPolygon): [number, number] {
  const rings = area.type === 'Polygon' ? [area.coordinates[0]] : area.coordinates.map((part) => part[0])
  let best = { size: -1, x: 0, y: 0 }
  for (const ring of rings) {
    const found = centroid(ring ?? [])
    if (found.size > best.size) best = found
  }
  return [best.x, best.y]
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
  return twice === 0
    ? { size: 0, x: ring[0]?.[0] ?? 0, y: ring[0]?.[1] ?? 0 }
    : { size: Math.abs(twice) / 2, x: x / (3 * twice), y: y / (3 * twice) }
}
