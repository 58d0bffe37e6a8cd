const METERS_PER_DEGREE = 111_320
const RADIANS = Math.PI / 180
const POLE_COSINE = 0.01

interface Point<T> {
  latitude: number
  longitude: number
  item: T
}

/**
 * Finds items near a point without comparing it with all of them. A cell is as high as the radius in meters and, at its latitude, as
 * wide. It holds at most `cellMax` items, which limits the cost of many items at one place.
 */
export function mapGrid<T>(radius: number, cellMax: number) {
  const cells = new Map<string, Point<T>[]>()
  const height = radius / METERS_PER_DEGREE
  const rowOf = (latitude: number) => Math.floor(latitude / height)
  // All cells of a row have the same width, so that a longitude has one column in it.
  const columnOf = (row: number, longitude: number) =>
    Math.floor((longitude * Math.max(Math.cos(row * height * RADIANS), POLE_COSINE)) / height)
  const keyOf = (row: number, column: number) => `${row} ${column}`
  return {
    add(latitude: number, longitude: number, item: T): void {
      const row = rowOf(latitude)
      const key = keyOf(row, columnOf(row, longitude))
      const cell = cells.get(key) ?? []
      if (cell.length === 0) cells.set(key, cell)
      if (cell.length < cellMax) cell.push({ latitude, longitude, item })
    },
    /** Items within the radius; those added first are first in each cell. */
    near(latitude: number, longitude: number): T[] {
      const row = rowOf(latitude)
      return [row - 1, row, row + 1].flatMap((nearRow) => {
        const column = columnOf(nearRow, longitude)
        return [column - 1, column, column + 1]
          .flatMap((nearColumn) => cells.get(keyOf(nearRow, nearColumn)) ?? [])
          .filter((point) => distanceMeters(latitude, longitude, point) <= radius)
          .map(({ item }) => item)
      })
    },
  }
}

/** On a flat earth, which is exact enough for short distances. */
function distanceMeters(latitude: number, longitude: number, other: { latitude: number; longitude: number }): number {
  const north = (other.latitude - latitude) * METERS_PER_DEGREE
  const east = (other.longitude - longitude) * METERS_PER_DEGREE * Math.cos(latitude * RADIANS)
  return Math.hypot(north, east)
}
