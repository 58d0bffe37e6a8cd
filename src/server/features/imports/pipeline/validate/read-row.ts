import { formatNumber } from '#contract/format.ts'
import { wordField, wordKey } from '#contract/import-words.ts'
import { CHECK_DEFAULTS, CUSTOM_KEYS_MAX } from '#contract/limits.ts'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, propertyField, TIV_PARTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { CA_PROVINCES, isPostalCodeOfProvince, isStateOf, stateFromText, stateName, stateOfZip } from '#contract/regions.ts'
import { isPlaceholderAddress } from '#server/engines/address/address-keys.ts'
import { isSplitTarget } from '#server/features/imports/pipeline/map/propose-split.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { cellText, isFilled, lineText, withoutDecimals, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readCell, readChosen, readDateOfNumber } from './read-cell.ts'
import { readCurrencies } from './read-currency.ts'
import { missingPart, readParts } from './read-parts.ts'
import { setField, warning, type CellResult, type ReadRow, type RowFields, type RowIssue, type WordCodes } from './results.ts'

const CUSTOM_TEXT_MAX = 500

/** Reads and checks one row. Values derived from other columns and constants fill in for columns without a value. */
export function readRow(cells: readonly (Cell | undefined)[], plan: ReadPlan): ReadRow {
  const row: ReadRow = { fields: {}, custom: {}, empty: [], origin: {}, assumed: [], issues: [] }
  const derived: RowFields = {}
  for (const planned of plan.columns) readColumn(cells[planned.index], planned, row, derived, plan.words)
  readCurrencies(cells, plan, row)
  for (const name of PROPERTY_FIELD_NAMES) {
    if (row.fields[name] !== undefined) continue
    const value = derived[name] ?? plan.constants[name]
    if (value !== undefined) setField(row.fields, name, value)
  }
  row.empty = row.empty.filter((name) => row.fields[name] === undefined && !row.issues.some(({ field }) => field === name))
  checkRow(row)
  return row
}

function readColumn(
  cell: Cell | undefined,
  { column, header, target, style }: PlannedColumn,
  row: ReadRow,
  derived: RowFields,
  words: WordCodes | undefined,
): void {
  if (target === 'custom') {
    const text = cellText(cell).slice(0, CUSTOM_TEXT_MAX)
    if (text !== '' && Object.keys(row.custom).length < CUSTOM_KEYS_MAX) row.custom[header === '' ? `Column ${column}` : header] = text
  } else if (isSplitTarget(target)) {
    const dated = target === 'location_building' ? readDateOfNumber(cellText(cell), style) : undefined
    if (dated?.problem) addResult(dated, 'location_number', column, cellText(cell), row, derived)
    else readParts(target, String(dated?.value ?? lineText(cell)), column, row, derived)
  } else if (cell === undefined || cell === null || !isFilled(cell)) {
    row.empty.push(target)
    row.origin[target] ??= column
  } else {
    const field = wordField(target)
    const text = cellText(cell)
    const code = words?.get(field)?.get(wordKey(text))
    const read = () => (typeof cell === 'object' ? withoutResult(cell.formula) : readCell(cell, target, style))
    addResult(code === undefined ? read() : readChosen(text, field, code), field, column, text, row, derived)
  }
}

const withoutResult = (formula: string): CellResult =>
  warning(
    'formula_without_value',
    `The formula ${formula} has no stored result and could not be evaluated. Open the file, save it again, or type the value.`,
  )

function addResult(result: CellResult, field: PropertyFieldName, column: string, text: string, row: ReadRow, derived: RowFields): void {
  if (result.problem) row.issues.push({ column, field, value: text, ...result.problem })
  if (result.derived) {
    Object.assign(derived, result.derived)
    for (const name of PROPERTY_FIELD_NAMES) if (name in result.derived) row.origin[name] ??= column
  }
  if (result.value === null) return
  const before = row.fields[field]
  // Several columns may be mapped to contents or business income; their values are added.
  const isPart = typeof before === 'number' && typeof result.value === 'number' && (field === 'contents_value' || field === 'bi_value')
  if (before !== undefined && !isPart) return
  setField(row.fields, field, isPart ? before + Number(result.value) : result.value)
  row.origin[field] = column
}

export const tivOf = (fields: RowFields): number => TIV_PARTS.reduce((sum, part) => sum + (fields[part] ?? 0), 0)

/** Checks what can only be checked for a row as a whole, and fills in country and currency. Adds its issues to the row. */
function checkRow(row: ReadRow): void {
  checkState(row)
  checkPostalCode(row)
  checkCoordinates(row)
  for (const field of ['country', 'currency'] as const) {
    if (row.fields[field]) continue
    row.fields[field] = PROPERTY_DEFAULTS[field]
    row.assumed.push(field)
  }
  checkRequired(row)
  checkStreet(row)
  checkYears(row)
  checkStatedTotal(row)
}

type Issue = Pick<RowIssue, 'code' | 'severity' | 'message' | 'suggestion'>

const addIssue = (row: ReadRow, field: PropertyFieldName, value: string | number | null, issue: Issue) =>
  row.issues.push({ column: row.origin[field] ?? null, field, value: value === null ? null : String(value), ...issue })

function checkState(row: ReadRow): void {
  const { fields } = row
  const text = fields.state
  if (text === undefined || text === null) return
  const country = fields.country ?? PROPERTY_DEFAULTS.country
  const code = stateFromText(text, country)
  if (code !== undefined && isStateOf(code, country)) {
    fields.state = code
    return
  }
  const province = fields.country ? undefined : stateFromText(text, 'CA')
  if (province !== undefined) {
    fields.state = province
    fields.country = 'CA'
    return
  }
  if (country !== 'US' && country !== 'CA') return
  delete fields.state
  const [region, example] = country === 'US' ? ['US state', 'CA'] : ['Canadian province', 'ON']
  const message = `“${text}” is not a ${region}. Type the two-letter code, such as ${example}.`
  addIssue(row, 'state', text, { code: 'unknown_state', severity: 'error', message })
}

function checkPostalCode(row: ReadRow): void {
  const { fields } = row
  const text = fields.postal_code
  if (text === undefined || text === null) return
  const country = fields.country ?? PROPERTY_DEFAULTS.country
  if (country !== 'US' && country !== 'CA') return
  const code = country === 'US' ? zipFrom(text) : canadianCodeFrom(text)
  if (code === undefined) {
    delete fields.postal_code
    const [name, example] =
      country === 'US' ? ['ZIP code', 'five digits such as 92123, or ZIP+4'] : ['Canadian postal code', 'a code such as M5H 1A1']
    const message = `“${text}” is not a ${name}, so the field stays empty. Type ${example}.`
    addIssue(row, 'postal_code', text, { code: 'bad_postal_code', severity: 'warning', message })
    return
  }
  fields.postal_code = code
  const message = fields.state ? stateMismatch(code, fields.state, country) : undefined
  if (message !== undefined) addIssue(row, 'postal_code', code, { code: 'state_zip_mismatch', severity: 'warning', message })
}

/** Spreadsheets drop leading zeros. */
function zipFrom(text: string): string | undefined {
  const digits = withoutDecimals(text).replace(/\s/g, '')
  if (/^\d{3,5}$/.test(digits)) return digits.padStart(5, '0')
  const plusFour = /^(\d{4,5})-?(\d{4})$/.exec(digits)
  return plusFour ? `${(plusFour[1] ?? '').padStart(5, '0')}-${plusFour[2]}` : undefined
}

function canadianCodeFrom(text: string): string | undefined {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(compact) ? `${compact.slice(0, 3)} ${compact.slice(3)}` : undefined
}

function stateMismatch(code: string, state: string, country: 'US' | 'CA'): string | undefined {
  if (country === 'CA')
    return Object.hasOwn(CA_PROVINCES, state) && !isPostalCodeOfProvince(code, state)
      ? `Postal code ${code} is not in ${stateName(state)}. Correct the code or the province.`
      : undefined
  const states = stateOfZip(code)
  if (states?.includes(state)) return undefined
  const where = states ? `is in ${states.map(stateName).join(' or ')}, not in ${stateName(state)}` : 'is not in use in any state'
  return `ZIP ${code} ${where}. Correct the ZIP or the state.`
}

/** A larger number is a coordinate without its decimal point: 407128 for 40.7128. */
const LOST_POINT_MIN = 10_000

const isSwapped = (latitude: number, longitude: number) => latitude <= -60 && latitude >= -180 && longitude >= 15 && longitude <= 72

/** Removes both coordinates when they are not a possible location. */
function checkCoordinates(row: ReadRow): void {
  const { latitude = null, longitude = null } = row.fields
  if (latitude === null && longitude === null) return
  const remove = (field: 'latitude' | 'longitude', message: string, suggestion?: string) => {
    delete row.fields.latitude
    delete row.fields.longitude
    const code = suggestion === undefined ? 'bad_coordinates' : 'swapped_coordinates'
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
    remove('latitude', message, `${longitude}, ${latitude}`)
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

const REQUIRED = ['address', 'city', 'state'] as const satisfies readonly PropertyFieldName[]

function checkRequired(row: ReadRow): void {
  const { fields } = row
  const needed = fields.country === 'US' || fields.country === 'CA' ? REQUIRED : REQUIRED.filter((name) => name !== 'state')
  for (const field of needed) {
    const isReported = row.issues.some((issue) => issue.severity === 'error' && (issue.field === field || issue.code === 'address_parts'))
    if (fields[field] || isReported) continue
    const message =
      missingPart(row, field) ??
      `${propertyField(field).label} is missing. Type it${field === 'address' ? ' or map the column that holds it.' : ', map the column that holds it, or set one value for all rows.'}`
    addIssue(row, field, null, { code: 'required_missing', severity: 'error', message })
  }
}

function checkStreet(row: ReadRow): void {
  const { address } = row.fields
  if (!address) return
  const warn = (code: RowIssue['code'], message: string) => addIssue(row, 'address', address, { code, severity: 'warning', message })
  if (isPlaceholderAddress(address))
    warn('placeholder_value', `“${address}” is not a street address. Type the street and the house number.`)
  else if (/^p\.?\s?o\.?\s?box\b/i.test(address))
    warn('address_parts', `“${address}” is a post office box. Type the street address of the building.`)
  else if (!/\d/.test(address)) warn('address_parts', `“${address}” has no house number. Type it if there is one.`)
}

function checkYears(row: ReadRow): void {
  const { year_built: built, year_upgraded: renovated } = row.fields
  if (!built || !renovated || renovated >= built) return
  const message = `Renovated in ${renovated}, before it was built in ${built}. Correct one of the two years.`
  addIssue(row, 'year_upgraded', renovated, { code: 'out_of_range', severity: 'warning', message })
}

function checkStatedTotal(row: ReadRow): void {
  const stated = row.fields.stated_tiv ?? 0
  const sum = tivOf(row.fields)
  if (stated <= 0 || sum === 0 || Math.abs(stated - sum) <= Math.max(1, CHECK_DEFAULTS.statedTotalTolerance * sum)) return
  const message = `The stated total ${formatNumber(stated)} differs from the sum of its parts ${formatNumber(sum)}. Correct a part, or map the column of a part that is missing; the sum is what counts.`
  addIssue(row, 'stated_tiv', stated, { code: 'total_differs', severity: 'warning', message })
}
