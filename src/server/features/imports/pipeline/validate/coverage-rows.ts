import { isTivPart, type PropertyFieldName } from '#contract/property-fields.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { coverageField } from '#server/features/imports/pipeline/read/coverage-words.ts'
import type { Coverage, ReadRow } from './results.ts'

/** What happens to rows of which each has the amount of one coverage; `ignore` reads them like other rows. */
export const COVERAGE_DECISIONS = ['fields', 'ignore'] as const

/** The column that names the coverage of each row. */
export interface CoverageColumn {
  /** From 0. */
  index: number
  column: string
  header: string
  /** The field of a word, `coverageField`; each is compared once. */
  fieldOf: (word: string) => PropertyFieldName | undefined
  /** The column with the amounts. */
  amount: { index: number; column: string; header: string }
}

type Named = CoverageColumn['amount']

/** The coverage column with the only column of amounts. Undefined if there are several, which have names of their own. */
export function coverageOf(column: Named | undefined, columns: readonly (Named & { target: string })[]): CoverageColumn | undefined {
  const parts = columns.filter(({ target }) => isTivPart(target))
  const [amount, ...others] = parts.length > 0 ? parts : columns.filter(({ target }) => target === 'stated_tiv')
  if (column === undefined || amount === undefined || others.length > 0 || amount.index === column.index) return undefined
  return { ...column, fieldOf: cachedFields(), amount: { index: amount.index, column: amount.column, header: amount.header } }
}

function cachedFields(): CoverageColumn['fieldOf'] {
  const known = new Map<string, PropertyFieldName | undefined>()
  return (word) => {
    if (!known.has(word)) known.set(word, coverageField(word))
    return known.get(word)
  }
}

const isZero = (cell: Cell | undefined) => !isFilled(cell) || /^[\s$€£0.,-]*$/.test(cellText(cell))

/** The coverage of a row; undefined for a row without one and without an amount, such as one with the facts of the location. */
export function coverageIn(cells: readonly (Cell | undefined)[], { index, amount, fieldOf }: CoverageColumn): Coverage | undefined {
  const word = cellText(cells[index])
  if (word === '' && isZero(cells[amount.index])) return undefined
  return { word: word.toLowerCase(), field: fieldOf(word) ?? null }
}

/** Amounts of an unknown coverage are read as this field, so that they count among those that are not imported. */
export const UNKNOWN_COVERAGE_FIELD = 'other_value'

/** An error, since an amount that is not understood would be missing or be added to another value without notice. */
export function rejectUnknownCoverage(cells: readonly (Cell | undefined)[], { index, column, header }: CoverageColumn, row: ReadRow): void {
  const value = cellText(cells[index])
  const what = value === '' ? `Nothing below “${header}” says what the amount insures` : `“${value}” below “${header}” is not understood`
  const message = `${what}, so the row is not imported. Type what it insures, such as Building, Contents, Stock, Equipment or BI.`
  row.issues.push({ column, field: null, code: 'unknown_code', severity: 'error', message, value: value === '' ? null : value })
}
