const METERS_PER_DEGREE = 111_320
const RADIANS = Math.PI / 180
const POLE_COSINE = 0.01

interface Placed<T> {
  latitude: number
  longitude: number
  item: T
}

interface Grid<T> {
  add(latitude: number, longitude: number, item: T): void
  /** Items within the radius, those first added first. */
  near(latitude: number, longitude: number): T[]
}

/**
 * Points on the earth in cells as tall and, near their own latitude, as wide as `radius` metres, so that a neighbour is found in a few
 * cells instead of among all. A cell keeps `cellMax` items, which is all that a pile of points at one place can cost.
 */
export function gridOf<T>(radius: number, cellMax: number): Grid<T> {
  const cells = new Map<string, Placed<T>[]>()
  const height = radius / METERS_PER_DEGREE
  const rowOf = (latitude: number) => Math.floor(latitude / height)
  // Every point of a row shares the row's cosine, so that a column means the same for all of them.
  const widthOf = (row: number) => height / Math.max(Math.cos(row * height * RADIANS), POLE_COSINE)
  const keyOf = (row: number, column: number) => `${row} ${column}`
  return {
    add(latitude, longitude, item) {
      const row = rowOf(latitude)
      const key = keyOf(row, Math.floor(longitude / widthOf(row)))
      const cell = cells.get(key)
      if (cell === undefined) cells.set(key, [{ latitude, longitude, item }])
      else if (cell.length < cellMax) cell.push({ latitude, longitude, item })
    },
    near(latitude, longitude) {
      const found: T[] = []
      const middle = rowOf(latitude)
      for (let row = middle - 1; row <= middle + 1; row += 1) {
        const column = Math.floor(longitude / widthOf(row))
        for (const beside of [column - 1, column, column + 1]) {
          for (const placed of cells.get(keyOf(row, beside)) ?? [])
            if (distanceMeters(latitude, longitude, placed.latitude, placed.longitude) <= radius) found.push(placed.item)
        }
      }
      return found
    },
  }
}

/** Flat-earth distance in metres, exact enough for neighbours. */
function distanceMeters(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const north = (otherLatitude - latitude) * METERS_PER_DEGREE
  const east = (otherLongitude - longitude) * METERS_PER_DEGREE * Math.cos(latitude * RADIANS)
  return Math.hypot(north, east)
}
