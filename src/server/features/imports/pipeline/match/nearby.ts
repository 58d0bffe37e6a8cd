import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'

const NEAR_METERS = 50
const NEAR_VALUE_SHARE = 0.15
const EARTH_METERS = 6_371_000

/** About 110 m of latitude. A cell and its neighbors contain everything within 50 m of a point, except close to the poles. */
const CELL_DEGREES = 0.001
export const cellKey = (latitude: number, longitude: number): string => `${cellOf(latitude)}|${cellOf(longitude)}`
const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES)
export const nearbyCells = (latitude: number, longitude: number): string[] =>
  [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => `${cellOf(latitude) + up}|${cellOf(longitude) + right}`))

/** The properties within 50 m whose building value differs by at most 15 %. */
export function nearby<P extends { values: RowFields }>(fields: RowFields, byCell: ReadonlyMap<string, readonly P[]>): P[] {
  const { latitude, longitude, building_value: value } = fields
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof value !== 'number') return []
  return nearbyCells(latitude, longitude)
    .flatMap((cell) => byCell.get(cell) ?? [])
    .filter(({ values }) => {
      const other = values.building_value ?? 0
      const isNear = metersBetween(latitude, longitude, values.latitude ?? 0, values.longitude ?? 0) <= NEAR_METERS
      return isNear && other > 0 && Math.abs(other - value) <= NEAR_VALUE_SHARE * Math.max(other, value)
    })
}

function metersBetween(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const radians = Math.PI / 180
  const x = (otherLongitude - longitude) * radians * Math.cos(((latitude + otherLatitude) / 2) * radians)
  const y = (otherLatitude - latitude) * radians
  return Math.hypot(x, y) * EARTH_METERS
}
