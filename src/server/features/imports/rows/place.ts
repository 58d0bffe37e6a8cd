import { CA_PROVINCES, isPostalCodeOfProvince, isStateOf, stateFromText, stateName, stateOfZip } from '#contract/regions.ts'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import type { ReadRow, RowIssue } from './row-fields.ts'

/** Settles country, state, postal code and coordinates together: none of them can be read alone. */
export function settlePlace(row: ReadRow): void {
  settleState(row)
  settlePostalCode(row)
  settleCoordinates(row)
}

const issue = (
  row: ReadRow,
  field: PropertyFieldName,
  code: RowIssue['code'],
  severity: RowIssue['severity'],
  message: string,
  value: unknown,
  suggestion?: string,
) =>
  row.issues.push({
    column: row.origin[field] ?? null,
    field,
    code,
    severity,
    message,
    value: String(value),
    ...(suggestion === undefined ? {} : { suggestion }),
  })

function settleState(row: ReadRow): void {
  const { fields } = row
  const text = fields.state
  if (text === undefined || text === null) return
  const country = fields.country ?? 'US'
  const code = stateFromText(text, country)
  if (code !== undefined && isStateOf(code, country)) {
    fields.state = code
    return
  }
  const province = country === 'US' ? stateFromText(text, 'CA') : undefined
  if (province !== undefined && !fields.country) {
    fields.state = province
    fields.country = 'CA'
    return
  }
  if (country !== 'US' && country !== 'CA') return
  delete fields.state
  const list = country === 'US' ? 'US state' : 'Canadian province'
  issue(
    row,
    'state',
    'unknown_state',
    'error',
    `“${text}” is no ${list}. Type the two-letter code, such as ${country === 'US' ? 'CA' : 'ON'}.`,
    text,
  )
}

function settlePostalCode(row: ReadRow): void {
  const { fields } = row
  const text = fields.postal_code
  if (text === undefined || text === null) return
  const country = fields.country ?? 'US'
  if (country !== 'US' && country !== 'CA') return
  const code = country === 'US' ? zipOf(text) : canadianCode(text)
  if (code === undefined) {
    delete fields.postal_code
    const example = country === 'US' ? 'five digits such as 92123, or ZIP+4' : 'a code such as M5H 1A1'
    issue(
      row,
      'postal_code',
      'bad_postal_code',
      'error',
      `“${text}” is no ${country === 'US' ? 'ZIP code' : 'Canadian postal code'}. Type ${example}, or leave the cell empty.`,
      text,
    )
    return
  }
  fields.postal_code = code
  checkAgainstState(row, code, country)
}

/** Spreadsheets lose leading noughts and print numbers with decimals. */
function zipOf(text: string): string | undefined {
  const digits = text.replace(/\.0+$/, '').replace(/\s/g, '')
  if (/^\d{3,5}$/.test(digits)) return digits.padStart(5, '0')
  const plusFour = /^(\d{4,5})-?(\d{4})$/.exec(digits)
  return plusFour ? `${(plusFour[1] ?? '').padStart(5, '0')}-${plusFour[2]}` : undefined
}

function canadianCode(text: string): string | undefined {
  const squashed = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(squashed) ? `${squashed.slice(0, 3)} ${squashed.slice(3)}` : undefined
}

function checkAgainstState(row: ReadRow, code: string, country: string): void {
  const { state } = row.fields
  if (!state) return
  if (country === 'CA') {
    if (state in CA_PROVINCES && !isPostalCodeOfProvince(code, state)) {
      issue(
        row,
        'postal_code',
        'state_zip_mismatch',
        'warning',
        `Postal code ${code} does not lie in ${stateName(state)}. Correct the code or the province.`,
        code,
      )
    }
    return
  }
  const states = stateOfZip(code)
  if (states?.includes(state)) return
  const where = states ? `lies in ${states.map(stateName).join(' or ')}, not in ${stateName(state)}` : 'is not in use in any state'
  issue(row, 'postal_code', 'state_zip_mismatch', 'warning', `ZIP ${code} ${where}. Correct the ZIP or the state.`, code)
}

const isSwapped = (latitude: number, longitude: number) => latitude <= -60 && latitude >= -180 && longitude >= 15 && longitude <= 72

function settleCoordinates(row: ReadRow): void {
  const { latitude = null, longitude = null } = row.fields
  if (latitude === null && longitude === null) return
  const drop = (
    field: 'latitude' | 'longitude',
    code: 'bad_coordinates' | 'swapped_coordinates',
    severity: RowIssue['severity'],
    message: string,
    suggestion?: string,
  ) => {
    delete row.fields.latitude
    delete row.fields.longitude
    issue(row, field, code, severity, message, row.fields[field] ?? (field === 'latitude' ? latitude : longitude), suggestion)
  }
  if (latitude === null || longitude === null) {
    const missing = latitude === null ? 'latitude' : 'longitude'
    const given = latitude === null ? 'longitude' : 'latitude'
    if (!row.issues.some(({ field }) => field === missing))
      drop(given, 'bad_coordinates', 'warning', `The ${missing} is missing, so the ${given} is left out too. Type both or neither.`)
    else drop(given, 'bad_coordinates', 'warning', `The ${missing} could not be read, so the ${given} is left out too.`)
    return
  }
  if (latitude === 0 && longitude === 0) {
    drop('latitude', 'bad_coordinates', 'warning', '0, 0 lies in the Atlantic and stands for “unknown”, so both stay empty.')
  } else if (isSwapped(latitude, longitude)) {
    drop(
      'latitude',
      'swapped_coordinates',
      'error',
      `Latitude ${latitude} and longitude ${longitude} are swapped. Use the suggestion or correct both.`,
      `${longitude}, ${latitude}`,
    )
  } else if (latitude < -90 || latitude > 90) {
    drop('latitude', 'bad_coordinates', 'error', `Latitude ${latitude} is not between -90 and 90. Correct it, or leave both cells empty.`)
  } else if (longitude < -180 || longitude > 180) {
    drop(
      'longitude',
      'bad_coordinates',
      'error',
      `Longitude ${longitude} is not between -180 and 180. Correct it, or leave both cells empty.`,
    )
  }
}
