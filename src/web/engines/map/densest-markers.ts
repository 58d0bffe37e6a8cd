import { MAP_FITTED_SHARE } from '#contract/limits.ts'
import type { MapMarker } from '#contract/map.ts'

/** About 500 km at the latitude of the US; a region whose markers belong into one view. */
const CELL_DEGREES = 5

/**
 * The markers of the most populated regions, at least MAP_FITTED_SHARE of all. A few far markers would make a map that fits all of them
 * too small to read. Regions are cells with their neighbors, so that a border between cells does not split a city.
 */
export function densestMarkers(markers: readonly MapMarker[]): readonly MapMarker[] {
  const cells = new Map<string, MapMarker[]>()
  for (const marker of markers) {
    const key = keyOf(cellOf(marker.position.lng), cellOf(marker.position.lat))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [marker])
    else cell.push(marker)
  }
  const crowd = (key: string) => neighborsOf(key).reduce((sum, one) => sum + (cells.get(one)?.length ?? 0), 0)
  const sorted = [...cells].map(([key, within]) => ({ within, size: crowd(key) })).toSorted((one, other) => other.size - one.size)
  const shown: MapMarker[] = []
  for (const { within } of sorted) {
    if (shown.length >= MAP_FITTED_SHARE * markers.length) break
    shown.push(...within)
  }
  return shown
}

const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES)
const keyOf = (x: number, y: number) => `${String(x)} ${String(y)}`

function neighborsOf(key: string): string[] {
  const [x = 0, y = 0] = key.split(' ').map(Number)
  return [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => keyOf(x + right, y + up)))
}
