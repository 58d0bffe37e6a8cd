import { CHECK_DEFAULTS } from '#contract/checks.ts'
import { formatNumber } from '#contract/format.ts'
import { wordField, wordKey } from '#contract/import-words.ts'
import { CUSTOM_KEYS_MAX } from '#contract/limits.ts'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, propertyField, TIV_PARTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { stateBox } from '#contract/regions.ts'
import { isPlaceholderAddress } from '#server/engines/address/address-keys.ts'
import { hasHouseName } from '#server/engines/address/british-address.ts'
import { isSplitTarget } from '#server/features/imports/pipeline/map/propose-split.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { cellText, isFilled, isLiteral, lineText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { checkRegion } from './check-region.ts'
import { UNKNOWN_COVERAGE_FIELD, coverageIn, rejectUnknownCoverage, type CoverageColumn } from './coverage-rows.ts'
import { isDitto } from './ditto.ts'
import { readCell, readChosen, readDateOfNumber, readLiteral } from './read-cell.ts'
import { readCurrencies } from './read-currency.ts'
import { takePostalCode } from './postal-code-in-text.ts'
import { joinHouseNumber } from './house-number.ts'
import { missingPart, readParts } from './read-parts.ts'
import { addCover } from './sprinkler-columns.ts'
import { settleWidth } from './split-amounts.ts'
import {
  addIssue,
  isFormulaError,
  setField,
  warning,
  type CellResult,
  type ReadRow,
  type RowFields,
  type RowIssue,
  type WordCodes,
} from './results.ts'

const CUSTOM_TEXT_MAX = 500

/** Reads and checks one row. Values derived from other columns and constants fill in for columns without a value. */
export function readRow(source: readonly (Cell | undefined)[], plan: ReadPlan): ReadRow {
  const { cells, issue } = settleWidth(source, plan)
  const row = plan.coverage ? readCovered(cells, plan, plan.coverage) : readPlanned(cells, plan)
  if (issue) row.issues.unshift(issue)
  return row
}

/** Reads a row whose amount belongs to the field that its coverage names. */
function readCovered(cells: readonly (Cell | undefined)[], plan: ReadPlan, column: CoverageColumn): ReadRow {
  const coverage = coverageIn(cells, column)
  if (coverage === undefined) return readPlanned(cells, plan)
  const target = coverage.field ?? UNKNOWN_COVERAGE_FIELD
  const columns = plan.columns.map((planned) => (planned.index === column.amount.index ? { ...planned, target } : planned))
  const row = readPlanned(cells, { ...plan, columns })
  if (coverage.field === null) rejectUnknownCoverage(cells, column, row)
  return { ...row, coverage }
}

function readPlanned(cells: readonly (Cell | undefined)[], plan: ReadPlan): ReadRow {
  const row: ReadRow = { fields: {}, custom: {}, empty: [], origin: {}, assumed: [], issues: [] }
  const derived: RowFields = {}
  const hasCity = plan.columns.some(({ target }) => target === 'city' || target === 'city_state_zip')
  for (const planned of plan.columns) readColumn(cells[planned.index], { ...planned, hasCity }, row, derived, plan.words)
  const house = plan.columns.find(({ target }) => target === 'house_number')
  if (house) joinHouseNumber(cells, house, row)
  readCurrencies(cells, plan, row)
  for (const name of PROPERTY_FIELD_NAMES) {
    if (row.fields[name] !== undefined) continue
    const value = derived[name] ?? plan.constants[name]
    if (value !== undefined) setField(row.fields, name, value)
  }
  row.empty = row.empty.filter((name) => row.fields[name] === undefined && !row.issues.some(({ field }) => field === name))
  takePostalCode(row)
  checkRow(row, plan.columns.find(({ target }) => target === 'state')?.style.headerWords)
  return row
}

function readColumn(
  cell: Cell | undefined,
  { column, header, target, style, hasCity }: PlannedColumn & { hasCity: boolean },
  row: ReadRow,
  derived: RowFields,
  words: WordCodes | undefined,
): void {
  if (target === 'house_number') return
  if (target === 'custom') {
    const text = cellText(cell).slice(0, CUSTOM_TEXT_MAX)
    if (text !== '' && !isDitto(text) && !isFormulaError(text) && Object.keys(row.custom).length < CUSTOM_KEYS_MAX)
      row.custom[header === '' ? `Column ${column}` : header] = text
  } else if (isSplitTarget(target)) {
    const dated = target === 'location_building' ? readDateOfNumber(cellText(cell), style) : undefined
    if (dated?.problem) addResult(dated, 'location_number', column, cellText(cell), row, derived)
    else readParts(target, String(dated?.value ?? lineText(cell)), { column, hasCity }, row, derived)
  } else if (cell === undefined || cell === null || !isFilled(cell)) {
    row.empty.push(target)
    row.origin[target] ??= column
  } else {
    const field = wordField(target)
    const text = cellText(cell)
    const code = words?.get(field)?.get(wordKey(text))
    const read = () =>
      isLiteral(cell)
        ? readLiteral(cell.literal, target, style)
        : typeof cell === 'object'
          ? withoutResult(cell.formula)
          : readCell(cell, target, style)
    addResult(code === undefined ? read() : readChosen(text, field, code), field, column, text, row, derived)
  }
}

const withoutResult = (formula: string): CellResult =>
  warning(
    'formula_without_value',
    `The formula ${formula} has no stored result and could not be evaluated. Open the file, save it again, or type the value.`,
  )

function addResult(result: CellResult, field: PropertyFieldName, column: string, text: string, row: ReadRow, derived: RowFields): void {
  if (field === 'sprinklered' && row.fields.sprinklered != null && result.value !== null) {
    addCover(result, column, text, row, derived)
    return
  }
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
function checkRow(row: ReadRow, stateHeader: string | undefined): void {
  checkRegion(row, stateHeader)
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

/** A larger number is a coordinate without its decimal point: 407128 for 40.7128. */
const LOST_POINT_MIN = 10_000

const isSwapped = (latitude: number, longitude: number) => latitude <= -60 && latitude >= -180 && longitude >= 15 && longitude <= 72

/** Beyond, a longitude of Alaska may be that of an Aleutian island. */
const ALEUTIANS_EAST_MIN = 170

/** Whether a longitude without its minus sign is in the state. */
function hasLostSign({ state, country }: RowFields, latitude: number, longitude: number): boolean {
  const box = (country ?? PROPERTY_DEFAULTS.country) === 'US' ? stateBox(state ?? '') : undefined
  if (box === undefined || longitude <= 0 || longitude >= ALEUTIANS_EAST_MIN) return false
  const [west, east] = [box.west - BOX_MARGIN, box.east + BOX_MARGIN]
  return latitude >= box.south - BOX_MARGIN && latitude <= box.north + BOX_MARGIN && -longitude >= west && -longitude <= east
}
/** Degrees; the boxes of the states are rough. */
const BOX_MARGIN = 0.5

/** Removes both coordinates when they are not a possible location. */
function checkCoordinates(row: ReadRow): void {
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

const REQUIRED = ['address', 'city', 'state'] as const satisfies readonly PropertyFieldName[]

/** Only addresses in the United States and Canada need a state. */
export const requiredIn = (country: string) =>
  country === 'US' || country === 'CA' ? REQUIRED : REQUIRED.filter((name) => name !== 'state')

function checkRequired(row: ReadRow): void {
  const { fields } = row
  for (const field of requiredIn(fields.country ?? PROPERTY_DEFAULTS.country)) {
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
  else if (!/\d/.test(address) && !hasHouseName(address, row.fields))
    warn('address_parts', `“${address}” has no house number. Type it if there is one.`)
}

function checkYears(row: ReadRow): void {
  const { year_built: built, year_upgraded: renovated } = row.fields
  if (!built || !renovated || renovated >= built) return
  const message = `Renovated in ${renovated}, before it was built in ${built}. Correct one of the two years.`
  addIssue(row, 'year_upgraded', renovated, { code: 'out_of_range', severity: 'warning', message })
}

export function checkStatedTotal(row: ReadRow): void {
  const stated = row.fields.stated_tiv ?? 0
  const sum = tivOf(row.fields)
  if (stated <= 0 || sum === 0 || Math.abs(stated - sum) <= Math.max(1, CHECK_DEFAULTS.statedTotalTolerance * sum)) return
  const message = `The stated total ${formatNumber(stated)} differs from the sum of its parts ${formatNumber(sum)}. Correct a part, or map the column of a part that is missing; the sum is what counts.`
  addIssue(row, 'stated_tiv', stated, { code: 'total_differs', severity: 'warning', message })
}
