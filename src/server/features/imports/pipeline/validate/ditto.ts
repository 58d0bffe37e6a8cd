import { propertyField, type PropertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { withoutCurrency } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { RowIssue } from './results.ts'

const QUOTES = `[-–—]*\\s*(?:["“”″〃‟](?:\\s*["“”″〃‟])*|'{2}|,,|\`\`)\\s*[-–—]*`
const WORDS =
  'ditto|dito|dto|do\\.|[-–—]+ ?do\\.? ?[-–—]+|idem|ídem|id\\.|ibid|same|mismo|misma|même|desgl\\.|wie oben|comme ci-dessus|igual que arriba|' +
  '(?:same|as|see)(?: as)?(?: the)? (?:row )?above|same (?:address|city|state|zip|location|construction|occupancy|as previous)'
/** The longest mark has fewer. */
const CHARACTERS_MAX = 30
const DITTO = new RegExp(`^\\s*(?:${QUOTES}|${WORDS})\\.?\\s*$`, 'i')

const IDAHO = 'ID.'

/** Whether a text is written in place of the value of the row above. */
export const isDitto = (text: string): boolean => text.length <= CHARACTERS_MAX && DITTO.test(text) && text.trim() !== IDAHO

/** Texts, codes and days of several buildings are often the same. An amount, an area or a count of one building is not that of another. */
const REPEATED_KINDS: ReadonlySet<PropertyField['kind']> = new Set([
  'text',
  'choice',
  'state',
  'country',
  'postal_code',
  'currency',
  'year',
  'date',
])
/** A reference identifies one property. */
const NOT_REPEATED: ReadonlySet<string> = new Set<PropertyFieldName>(['external_id'])
/** Targets with another kind, or of no field, whose cells are texts. */
const TEXT_TARGETS: ReadonlySet<string> = new Set(['full_address', 'city_state_zip', 'percent_sprinklered', 'custom'])

const isRepeated = (target: string): boolean =>
  TEXT_TARGETS.has(target) || (isFieldName(target) && REPEATED_KINDS.has(propertyField(target).kind) && !NOT_REPEATED.has(target))

const FIELDS: Readonly<Record<string, PropertyFieldName>> = { full_address: 'address', city_state_zip: 'city' }

interface Column {
  index: number
  column: string
  target: string
}

interface Resolved {
  cells: readonly Cell[]
  issues: RowIssue[]
}

/** Whether a cell of a column without a field is an amount or a number, which is that of one building. */
const isQuantity = (cell: Cell): boolean => typeof cell !== 'string' || /^[(+-]?\d[\d\s.,'’]*[km%)]?$/i.test(withoutCurrency(cell))

/**
 * Replaces the marks in columns whose values are often repeated by the cells of the row directly above, with a warning. Rows must come in
 * order. Without such a row, as after a row that is left out, a mark remains, since the value would be that of another row.
 */
export function dittoReader(columns: readonly Column[], rowLabel: (number: number) => string) {
  const repeated = columns.filter(({ target }) => isRepeated(target))
  let above: { row: ScheduleRow; cells: readonly Cell[] } | undefined
  return (row: ScheduleRow, cells: readonly Cell[]): Resolved => {
    const marked = repeated.filter(({ index }) => {
      const cell = cells[index]
      return typeof cell === 'string' && isDitto(cell)
    })
    const last = above?.row.sheet === row.sheet && above.row.sheetRow + 1 === row.sheetRow ? above : undefined
    const own = [...cells]
    const issues = marked.flatMap(({ index, column, target }): RowIssue[] => {
      const value = last?.cells[index] ?? null
      if (last === undefined || !isFilled(value) || isDitto(cellText(value)) || (target === 'custom' && isQuantity(value))) return []
      own[index] = value
      const text = cellText(cells[index])
      const message = `“${text}” is read as “${cellText(value)}” of ${rowLabel(last.row.number)}. Correct it if the rows were sorted since.`
      return [{ column, field: FIELDS[target] ?? fieldOf(target), code: 'value_above', severity: 'warning', message, value: text }]
    })
    const read = issues.length === 0 ? cells : own
    above = { row, cells: read }
    return { cells: read, issues }
  }
}

const fieldOf = (target: string): PropertyFieldName | null => (isFieldName(target) ? target : null)

/** Whether a row refers to the one above, so that a change of that one changes it, too. */
export const refersToAbove = (issues: readonly Pick<RowIssue, 'code' | 'value'>[]): boolean =>
  issues.some(({ code, value }) => code === 'value_above' || (code === 'placeholder_value' && value !== null && isDitto(value)))
