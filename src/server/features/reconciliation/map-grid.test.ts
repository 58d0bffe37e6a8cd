import { describe, expect, it } from 'vitest'
import { mapGrid } from './map-grid.ts'

const RADIUS = 30
const METERS_PER_DEGREE = 111_320

/** Points scattered over about 300 by 300 meters, the same in every run. */
function scatter(latitude: number, longitude: number, count: number): { latitude: number; longitude: number }[] {
  let seed = 7
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const wide = METERS_PER_DEGREE * Math.cos((latitude * Math.PI) / 180)
  return Array.from({ length: count }, () => ({
    latitude: latitude + ((random() - 0.5) * 300) / METERS_PER_DEGREE,
    longitude: longitude + ((random() - 0.5) * 300) / wide,
  }))
}

const meters = (one: { latitude: number; longitude: number }, other: { latitude: number; longitude: number }) =>
  Math.hypot(
    (other.latitude - one.latitude) * METERS_PER_DEGREE,
    (other.longitude - one.longitude) * METERS_PER_DEGREE * Math.cos((one.latitude * Math.PI) / 180),
  )

describe('a map grid', () => {
  it.each([
    ['Minot', 48.23, -101.3],
    ['on the equator and the prime meridian', 0, 0],
    ['Honolulu', 21.3, -157.86],
    ['Utqiagvik', 71.29, -156.79],
  ])('finds the same points as a comparison with all of them: %s', (_place, latitude, longitude) => {
    const points = scatter(latitude, longitude, 400)
    const grid = mapGrid<number>(RADIUS, 1_000)
    points.forEach((point, index) => grid.add(point.latitude, point.longitude, index))
    for (const point of points) {
      const all = points.flatMap((other, index) => (meters(point, other) <= RADIUS ? [index] : []))
      expect(grid.near(point.latitude, point.longitude).toSorted((one, other) => one - other)).toEqual(all)
    }
  })

  it('holds at most the given number of points at one place', () => {
    const grid = mapGrid<number>(RADIUS, 50)
    for (let index = 0; index < 1_000; index += 1) grid.add(40, -100, index)
    expect(grid.near(40, -100)).toHaveLength(50)
  })
})
