import type { PropertyFieldName } from '#contract/property-fields.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { PLACE_TARGETS } from './blank-addresses.ts'
import type { RowIssue } from './results.ts'

const QUOTES = `[-–—]*\\s*(?:["“”″〃‟]+|'{2}|,,|\`\`)\\s*[-–—]*`
const WORDS =
  'ditto|dito|dto|do\\.|idem|ídem|id\\.|ibid|same|mismo|misma|même|(?:same|as|see)(?: as)?(?: the)? (?:row )?above|same (?:address|city|state|zip|location|as previous)'
/** The longest mark has fewer. */
const CHARACTERS_MAX = 30
const DITTO = new RegExp(`^\\s*(?:${QUOTES}|${WORDS})\\.?\\s*$`, 'i')

/** Whether a text is written in place of the value of the row above. */
export const isDitto = (text: string): boolean => text.length <= CHARACTERS_MAX && DITTO.test(text)

const PLACES: ReadonlySet<string> = new Set(PLACE_TARGETS)
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

/**
 * Replaces the marks in columns of the place by the cells of the row directly above, with a warning. Rows must come in order. Without
 * such a row, as after a row that is left out, a mark remains, since the value would be that of another row.
 */
export function dittoReader(columns: readonly Column[], rowLabel: (number: number) => string) {
  const places = columns.filter(({ target }) => PLACES.has(target))
  let above: { row: ScheduleRow; cells: readonly Cell[] } | undefined
  return (row: ScheduleRow, cells: readonly Cell[]): Resolved => {
    const marked = places.filter(({ index }) => {
      const cell = cells[index]
      return typeof cell === 'string' && isDitto(cell)
    })
    const last = above?.row.sheet === row.sheet && above.row.sheetRow + 1 === row.sheetRow ? above : undefined
    const own = [...cells]
    const issues = marked.flatMap(({ index, column, target }): RowIssue[] => {
      const value = last?.cells[index] ?? null
      if (last === undefined || !isFilled(value) || isDitto(cellText(value))) return []
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
