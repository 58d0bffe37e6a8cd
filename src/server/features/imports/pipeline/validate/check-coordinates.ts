import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { stateBox } from '#contract/regions.ts'
import { addIssue, type ReadRow, type RowFields, type RowIssue } from './results.ts'

/** A larger number is a coordinate without its decimal point: 407128 for 40.7128. */
const LOST_POINT_MIN = 10_000

const isSwapped = (latitude: number, longitude: number) => latitude <= -60 && latitude >= -180 && longitude >= 15 && longitude <= 72

/** Beyond, a longitude of Alaska may be that of an Aleutian island. */
const ALEUTIANS_EAST_MIN = 170

/** Degrees; the boxes of the states are rough. */
const BOX_MARGIN = 0.5

/** Whether a longitude without its minus sign is in the state. */
function hasLostSign({ state, country }: RowFields, latitude: number, longitude: number): boolean {
  const box = (country ?? PROPERTY_DEFAULTS.country) === 'US' ? stateBox(state ?? '') : undefined
  if (box === undefined || longitude <= 0 || longitude >= ALEUTIANS_EAST_MIN) return false
  const [west, east] = [box.west - BOX_MARGIN, box.east + BOX_MARGIN]
  return latitude >= box.south - BOX_MARGIN && latitude <= box.north + BOX_MARGIN && -longitude >= west && -longitude <= east
}

/** Removes both coordinates when they are not a possible location. */
export function checkCoordinates(row: ReadRow): void {
  const { latitude = null, longitude = null } = row.fields
  if (latitude === null && longitude === null) return
  const remove = (field: 'latitude' | 'longitude', message: string, suggestion?: string, code: RowIssue['code'] = 'bad_coordinates') => {
    delete row.fields.latitude
    delete row.fields.longitude
    const value = field === 'latitude' ? latitude : longitude
    addIssue(row, field, value, { code, severity: 'warning', message, ...(suggestion === undefined ? {} : { suggestion }) })
  }
  if (latitude === null || longitude === null) {
    const [missing, given] = latitude === null ? (['latitude', 'longitude'] as const) : (['longitude', 'latitude'] as const)
    const message = row.issues.some(({ field }) => field === missing)
      ? `The ${missing} could not be read, so the ${given} is left out too.`
      : `The ${missing} is missing, so the ${given} is left out too. Type both or neither.`
    remove(given, message)
  } else if (latitude === 0 && longitude === 0) {
    remove('latitude', '0, 0 is in the Atlantic and usually means “unknown”, so both stay empty.')
  } else if (isSwapped(latitude, longitude)) {
    const message = `Latitude ${latitude} and longitude ${longitude} are swapped, so both stay empty. Use the suggestion or correct both.`
    remove('latitude', message, `${longitude}, ${latitude}`, 'swapped_coordinates')
  } else if (hasLostSign(row.fields, latitude, longitude)) {
    const message = `Longitude ${longitude} has lost its minus sign, so both coordinates stay empty. Use the suggestion or correct both.`
    remove('longitude', message, String(-longitude))
  } else if (latitude < -90 || latitude > 90) {
    remove('latitude', outside('Latitude', latitude, 90))
  } else if (longitude < -180 || longitude > 180) {
    remove('longitude', outside('Longitude', longitude, 180))
  }
}

function outside(name: string, degrees: number, max: number): string {
  const range = `${name} ${degrees} is not between -${max} and ${max}, so both coordinates stay empty.`
  return Math.abs(degrees) < LOST_POINT_MIN ? `${range} Correct it.` : `${range} Its decimal point seems to be missing: type it.`
}
