import { CUSTOM_KEYS_MAX } from '#contract/limits.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { splitFullAddress } from '#server/engines/address/split-full-address.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { checkRow } from './check-row.ts'
import { readCell } from './read-cell.ts'
import { setField, warning, type CellResult, type ReadRow, type RowFields } from './results.ts'

const CUSTOM_TEXT_MAX = 500

/** Reads and checks one row. Values derived from other columns and constants fill in for columns without a value. */
export function readRow(cells: readonly (Cell | undefined)[], plan: ReadPlan): ReadRow {
  const row: ReadRow = { fields: {}, custom: {}, empty: [], origin: {}, assumed: [], issues: [] }
  const derived: RowFields = {}
  for (const planned of plan.columns) readColumn(cells[planned.index], planned, row, derived)
  for (const name of PROPERTY_FIELD_NAMES) {
    if (row.fields[name] !== undefined) continue
    const value = derived[name] ?? plan.constants[name]
    if (value !== undefined) setField(row.fields, name, value)
  }
  row.empty = row.empty.filter((name) => row.fields[name] === undefined && !row.issues.some(({ field }) => field === name))
  checkRow(row)
  return row
}

function readColumn(cell: Cell | undefined, { column, header, target, style }: PlannedColumn, row: ReadRow, derived: RowFields): void {
  if (target === 'custom') {
    const text = cellText(cell).slice(0, CUSTOM_TEXT_MAX)
    if (text !== '' && Object.keys(row.custom).length < CUSTOM_KEYS_MAX) row.custom[header === '' ? `Column ${column}` : header] = text
  } else if (target === 'full_address') {
    readFullAddress(cellText(cell), column, row, derived)
  } else if (cell === undefined || cell === null || !isFilled(cell)) {
    row.empty.push(target)
    row.origin[target] ??= column
  } else {
    const result = typeof cell === 'object' ? withoutResult(cell.formula) : readCell(cell, target, style)
    addResult(result, target === 'percent_sprinklered' ? 'sprinklered' : target, column, cellText(cell), row, derived)
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

function readFullAddress(text: string, column: string, row: ReadRow, derived: RowFields): void {
  if (text === '') return
  const parts = splitFullAddress(text)
  if (!parts) {
    const message = `“${text}” cannot be split into street, city, state and ZIP. Separate the parts with commas, or type them one by one.`
    row.issues.push({ column, field: 'address', value: text, code: 'address_parts', severity: 'error', message })
    return
  }
  for (const name of ['address', 'address_2', 'city', 'state', 'postal_code', 'country'] as const) {
    const value = parts[name]
    if (value === null) continue
    derived[name] = value
    row.origin[name] = column
  }
}
