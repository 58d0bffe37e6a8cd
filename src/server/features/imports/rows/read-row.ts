import { CUSTOM_KEYS_MAX } from '#contract/limits.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import { splitFullAddress } from '#server/engines/address/split-full-address.ts'
import { readCell } from '#server/features/imports/cells/read-cell.ts'
import { failure, noFormulaResult, type Reading } from '#server/features/imports/cells/reading.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/sheet/sheet-row.ts'
import { checkRow } from './check-row.ts'
import { settlePlace } from './place.ts'
import type { PlannedColumn, ReadPlan } from './read-plan.ts'
import type { ReadRow, RowFields } from './row-fields.ts'

const CUSTOM_TEXT_MAX = 500

/** Reads one data row: every mapped cell, then what only the row as a whole can say. */
export function readRow(cells: readonly (Cell | undefined)[], plan: ReadPlan): ReadRow {
  const row: ReadRow = { fields: {}, custom: {}, empty: [], origin: {}, assumed: [], issues: [] }
  const also: RowFields = {}
  for (const planned of plan.columns) readColumn(cells[planned.index], planned, row, also)
  for (const name of PROPERTY_FIELD_NAMES) {
    if (also[name] !== undefined && row.fields[name] === undefined) put(row.fields, name, also[name])
    if (plan.constants[name] !== undefined && row.fields[name] === undefined) put(row.fields, name, plan.constants[name])
  }
  row.empty = row.empty.filter((name) => row.fields[name] === undefined && !row.issues.some(({ field }) => field === name))
  settlePlace(row)
  checkRow(row)
  return row
}

function readColumn(cell: Cell | undefined, { column, header, target, style }: PlannedColumn, row: ReadRow, also: RowFields): void {
  if (target === 'custom') {
    const text = cellText(cell).slice(0, CUSTOM_TEXT_MAX)
    if (text !== '' && Object.keys(row.custom).length < CUSTOM_KEYS_MAX) row.custom[header === '' ? `Column ${column}` : header] = text
    return
  }
  if (target === 'full_address') {
    readFullAddress(cellText(cell), column, row, also)
    return
  }
  if (cell === undefined || cell === null || !isFilled(cell)) {
    row.empty.push(target)
    row.origin[target] ??= column
    return
  }
  const reading = typeof cell === 'object' ? noFormulaResult(cell.formula) : readCell(cell, target, style)
  take(reading, target === 'percent_sprinklered' ? 'sprinklered' : target, column, cellText(cell), row, also)
}

function take(reading: Reading, field: PropertyFieldName, column: string, text: string, row: ReadRow, also: RowFields): void {
  if (reading.problem) row.issues.push({ column, field, value: text, ...reading.problem })
  if (reading.also) takeAlso(reading.also, column, row, also)
  if (reading.value === null) return
  const before = row.fields[field]
  // Several columns of one field are its parts: contents and business income add up.
  const isPart = typeof before === 'number' && typeof reading.value === 'number' && (field === 'contents_value' || field === 'bi_value')
  if (before !== undefined && !isPart) return
  put(row.fields, field, isPart ? before + Number(reading.value) : reading.value)
  row.origin[field] = column
}

function takeAlso(told: RowFields, column: string, row: ReadRow, also: RowFields): void {
  for (const name of PROPERTY_FIELD_NAMES) {
    if (told[name] === undefined) continue
    put(also, name, told[name])
    row.origin[name] ??= column
  }
}

/** The readers answer in the kind of their field, which the compiler cannot follow through a variable name. */
export function put(fields: RowFields, name: PropertyFieldName, value: unknown): void {
  const open: Record<string, unknown> = fields
  open[name] = value
}

function readFullAddress(text: string, column: string, row: ReadRow, also: RowFields): void {
  if (text === '') return
  const parts = splitFullAddress(text)
  if (!parts) {
    const { problem } = failure(
      'address_parts',
      `“${text}” cannot be split into street, city, state and ZIP. Separate the parts with commas, or type them one by one.`,
    )
    if (problem) row.issues.push({ column, field: 'address', value: text, ...problem })
    return
  }
  for (const name of ['address', 'address_2', 'city', 'state', 'postal_code', 'country'] as const) {
    const value = parts[name]
    if (value === null) continue
    also[name] = value
    row.origin[name] = column
  }
}
