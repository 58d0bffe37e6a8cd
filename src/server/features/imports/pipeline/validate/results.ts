import type { ImportIssueCode, ImportIssueSeverity } from '#contract/import-issues.ts'
import { TIV_PARTS, type PropertyFieldName, type PropertyValues } from '#contract/property-fields.ts'
import { withoutHiddenCharacters } from '#contract/route.ts'
import { isFormulaError } from '#server/features/imports/pipeline/read/cells.ts'
import type { NumberDates } from './ambiguous-texts.ts'

interface Problem {
  code: ImportIssueCode
  severity: ImportIssueSeverity
  /** One or two sentences: what is wrong and what to do. */
  message: string
  suggestion?: string
}

/** What one cell contains. A value may come with a warning; null without a problem means that the cell has no value. */
export interface CellResult {
  value: string | number | null
  problem?: Problem
  /** Values of other fields from the same cell: `1985/2015` contains two years. */
  derived?: RowFields
  /** The text belongs to the field, but only a user can say what it means. */
  isUnclear?: true
}

/** How the cells of one column are written. */
export interface ColumnStyle {
  /** The largest number is at most 1: percentages are written as shares. */
  share: boolean
  /** `1.234.567,00` */
  european: boolean
  dayFirst: boolean
  /** There are dates such as 3/4/2025 (not 1/1/2025), and none that shows their order. */
  unclearDates: boolean
  /** How dates in a column of numbers are read: `1-2` became 2026-01-02. Null until the user answers. */
  numberDates: NumberDates | null
  unclearNumbers: boolean
  /** What the dot in `12.000` separates; null if the column does not show it and the user has not answered. */
  dots: 'thousands' | 'decimals' | null
  unclearDots: boolean
  /** All commas are before three digits, so that they separate decimals if the amounts are in millions. */
  threeDecimals?: boolean
  /** Cells that can be read in two ways. Undefined in an import from before this was stored. */
  examples?: { date?: string; number?: string; dot?: string }
  factor: number
  /** Some numbers are so large that they are in full units of a currency. */
  hasFullAmounts?: boolean
  /** Amounts without a multiple next to others with one. Undefined if there are none. */
  bare?: Pick<BareAmounts, keyof BareAmounts>
  /** Whether amounts have MM for millions. */
  writesMM?: boolean
  /** Whether few amounts have three decimals: these may have a dot in place of a comma. */
  rareThousandths?: boolean
  /** Whether M may mean thousands, because another column has MM. */
  unclearM?: boolean
  /** Others of the column have a multiple, so smaller amounts without one are not clear. */
  unitBelow?: number
  /** By which business income of another span is multiplied to be that of twelve months. */
  yearFactor?: number
  /** By which areas are multiplied, if their own header says so. */
  areaFactor?: number
  squareMeters: boolean
  /** Neither the header nor some of the numbers say in which unit areas are. Undefined in an import from before this was stored. */
  unclearUnit?: boolean
  /** Cells contain an age in years, not a year. */
  age: boolean
  /** Cells contain days, not months. */
  days: boolean
  /** Cells contain the vacant share, not the occupied one. */
  inverted: boolean
  /** 1900 is too frequent to be a real year. */
  repeats1900: boolean
  constructionScheme: ConstructionScheme
  occupancyScheme: OccupancyScheme
  /** Written by the product itself. */
  isOwn?: boolean
  /** The normalized header. */
  headerWords: string
  thisYear: number
  /** YYYY-MM-DD */
  today: string
}

/** Amounts such as 101 in a column with others such as `123 K`. */
export type BareAmounts = {
  multiple: number
  /** Larger amounts are full ones. */
  below: number
  /** Null until the user answers; they are read as written. */
  isMultiplied: boolean | null
  examples: { multiple: string; bare: string }
}

/** The codes that a user chose for words: by field, then by `wordKey`. */
export type WordCodes = ReadonlyMap<string, ReadonlyMap<string, string>>

export type ConstructionScheme = 'words' | 'iso' | 'oed' | 'air' | 'rms'
export type OccupancyScheme = 'words' | 'oed' | 'air' | 'hazus' | 'atc'

/** The values of a row. A field whose cell is empty is absent. */
export type RowFields = Partial<PropertyValues>

/** The readers return the type of the field, which the compiler cannot infer from a variable name. */
export function setField(fields: RowFields, name: PropertyFieldName, value: unknown): void {
  const open: Record<string, unknown> = fields
  open[name] = value
}

export interface RowIssue extends Problem {
  /** Letter of the column; null when no column is mapped to the field. */
  column: string | null
  field: PropertyFieldName | null
  value: string | null
}

/** What the amount of a row insures. */
export interface Coverage {
  word: string
  /** Null for a word that is not known. */
  field: PropertyFieldName | null
}

export interface ReadRow {
  fields: RowFields
  /** Custom fields, by header. */
  custom: Record<string, string>
  /** Fields whose column exists but whose cell is empty. */
  empty: PropertyFieldName[]
  /** Custom fields with an empty cell, by header. */
  emptyCustom?: string[]
  /** The column each field came from. */
  origin: Partial<Record<PropertyFieldName, string>>
  /** Fields that were filled in by default: country and currency. */
  assumed: PropertyFieldName[]
  issues: RowIssue[]
  /** The column of the house number, if it is not in the one of the street. */
  houseNumberFrom?: string
  /** In a schedule with a row for each coverage. */
  coverage?: Coverage
}

type Issue = Pick<RowIssue, 'code' | 'severity' | 'message' | 'suggestion'>

/** Adds an issue with the column that the field came from. */
export const addIssue = (row: ReadRow, field: PropertyFieldName, value: string | number | null, issue: Issue) =>
  row.issues.push({ column: row.origin[field] ?? null, field, value: value === null ? null : String(value), ...issue })

export const hasError = (issues: readonly RowIssue[]): boolean => issues.some(({ severity }) => severity === 'error')

export type FilledCell = string | number | boolean

/** Trimmed, with single spaces and without hidden characters. */
export const tidy = (cell: FilledCell): string => withoutHiddenCharacters(String(cell)).replace(/\s+/g, ' ').trim()

export const NO_VALUE: CellResult = { value: null }

export const warning = (code: ImportIssueCode, message: string, value: CellResult['value'] = null): CellResult => ({
  value,
  problem: { code, severity: 'warning', message },
})
/** A text that is read as a code, but that a user should confirm. */
export const toConfirm = (message: string, value: string): CellResult => warning('word_to_confirm', message, value)

const UNREADABLE: ReadonlySet<ImportIssueCode> = new Set([
  'not_a_number',
  'out_of_range',
  'not_an_integer',
  'bad_date',
  'bad_coordinates',
  'unit',
  'too_long',
])

/** Whether a cell contains something that is not a value of the field, in contrast to a placeholder or an unknown word. */
export const isUnreadable = ({ value, problem }: CellResult): boolean =>
  value === null && problem !== undefined && UNREADABLE.has(problem.code)

/** A cell without a usable value. An error only in a field without which there is no property; it keeps the row out. */
export const problemOf = (severity: ImportIssueSeverity, code: ImportIssueCode, message: string, suggestion: string): CellResult => ({
  value: null,
  problem: { code, severity, message, suggestion },
})

const PLACEHOLDER = /^(t\.?b\.?[da]\.?|n\/?\.?a\.?|\?+|unk\.?|unknown|pending|not available|not known|to follow|x+|\.+)$/i

/** Whether a text is written in place of a value: TBD, N/A, ?, Unk. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text) || isFormulaError(text)

/** The result of a cell that is marked as empty or contains a placeholder; undefined for all others. */
export function missingValue(text: string, empty = /^(-+|none|nil)$/i): CellResult | undefined {
  if (empty.test(text)) return NO_VALUE
  if (isFormulaError(text))
    return warning('formula_without_value', `“${text}” is the result of a formula that failed, so the field stays empty. Type the value.`)
  if (!isPlaceholder(text)) return undefined
  return warning('placeholder_value', `“${text}” is a placeholder, so the field stays empty. Type the value if you know it.`)
}

/** The total insured value of a row. */
export const tivOf = (fields: RowFields): number => TIV_PARTS.reduce((sum, part) => sum + (fields[part] ?? 0), 0)
