import { wordField, wordKey } from '#contract/import-words.ts'
import { CUSTOM_KEYS_MAX } from '#contract/limits.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { isSplitTarget } from '#server/features/imports/pipeline/map/propose-split.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { cellText, isFilled, isFormulaError, isLiteral, lineText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { checkRow } from './check-row.ts'
import { UNKNOWN_COVERAGE_FIELD, coverageIn, rejectUnknownCoverage, type CoverageColumn } from './coverage-rows.ts'
import { isDitto } from './ditto.ts'
import { readCell, readChosen, readDateOfNumber, readLiteral } from './read-cell.ts'
import { readCurrencies } from './read-currency.ts'
import { takePostalCode } from './postal-code-in-text.ts'
import { joinHouseNumber } from './house-number.ts'
import { readParts } from './read-parts.ts'
import { addCover } from './sprinkler-columns.ts'
import { settleWidth } from './split-amounts.ts'
import { columnsInUnit } from './row-units.ts'
import { setField, warning, type CellResult, type ReadRow, type RowFields, type WordCodes } from './results.ts'

const CUSTOM_TEXT_MAX = 500

/** Reads and checks one row. Values derived from other columns and constants fill in for columns without a value. */
export function readRow(source: readonly (Cell | undefined)[], given: ReadPlan): ReadRow {
  const plan = given.units?.length ? { ...given, columns: columnsInUnit(source, given.units, given.columns) } : given
  const { cells, issue } = settleWidth(source, plan)
  const row = plan.coverage ? readCovered(cells, plan, plan.coverage) : readPlanned(cells, plan)
  if (issue) row.issues.unshift(issue)
  return row
}

/** Whether a list of the product says what the protection is, also that it is unknown: then the share in another column says nothing about it. */
function saysCover(cells: readonly (Cell | undefined)[], { columns }: ReadPlan): boolean {
  const cover = columns.find(({ target, style }) => target === 'sprinklered' && style.isOwn)
  return cover !== undefined && isFilled(cells[cover.index])
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
  const isOnlyShare = saysCover(cells, plan)
  for (const planned of plan.columns) readColumn(cells[planned.index], { ...planned, hasCity, isOnlyShare }, row, derived, plan.words)
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

/** Headers that cannot be the name of a custom field: objects do not store a value with the second one. */
const NO_NAMES: ReadonlySet<string> = new Set(['', '__proto__'])

function readColumn(
  cell: Cell | undefined,
  { column, header, target, style, hasCity, isOnlyShare }: PlannedColumn & { hasCity: boolean; isOnlyShare: boolean },
  row: ReadRow,
  derived: RowFields,
  words: WordCodes | undefined,
): void {
  if (target === 'house_number') return
  if (target === 'custom') {
    const text = cellText(cell).slice(0, CUSTOM_TEXT_MAX)
    const name = NO_NAMES.has(header) ? `Column ${column}` : header
    if (text === '') (row.emptyCustom ??= []).push(name)
    else if (!isDitto(text) && !isFormulaError(text) && Object.keys(row.custom).length < CUSTOM_KEYS_MAX) row.custom[name] = text
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
    const result = code === undefined ? read() : readChosen(text, field, code)
    addResult(
      isOnlyShare && target === 'percent_sprinklered' ? { value: null, ...(result.derived && { derived: result.derived }) } : result,
      field,
      column,
      text,
      row,
      derived,
    )
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
