import type { ImportIssueCode, ImportIssueSeverity } from '#contract/import-issues.ts'
import type { PropertyValues } from '#contract/property-fields.ts'

export interface Problem {
  code: ImportIssueCode
  severity: ImportIssueSeverity
  /** A sentence: what is wrong and what to do. */
  message: string
  suggestion?: string | number
}

/** What one cell says. A value may come with a warning; without a value and without a problem the cell says nothing. */
export interface Reading {
  value: string | number | null
  problem?: Problem
  /** Other fields that the same cell settles: `1985/2015` holds two years. */
  also?: Partial<PropertyValues>
}

/** What the whole column says about how its cells are to be read. */
export interface ColumnStyle {
  /** The largest number is at most 1: percentages are written as shares. */
  share: boolean
  /** `1.234.567,00` */
  european: boolean
  dayFirst: boolean
  /** There are dates such as 3/4/2025 and nothing that tells their order. */
  unclearDates: boolean
  factor: number
  squareMetres: boolean
  /** Cells hold an age in years, not a year. */
  age: boolean
  /** Cells hold days where months are wanted. */
  days: boolean
  /** Cells hold the share that is empty where the occupied share is wanted. */
  inverted: boolean
  /** 1900 stands there too often to be meant. */
  repeats1900: boolean
  constructionScheme: ConstructionScheme
  occupancyScheme: OccupancyScheme
  thisYear: number
  /** YYYY-MM-DD */
  today: string
}

export type ConstructionScheme = 'words' | 'iso' | 'oed' | 'air' | 'rms'
export type OccupancyScheme = 'words' | 'oed' | 'air' | 'hazus' | 'atc'

export const NOTHING: Reading = { value: null }
export const warning = (code: ImportIssueCode, message: string, value: Reading['value'] = null, suggestion?: string | number): Reading => ({
  value,
  problem: { code, severity: 'warning', message, ...(suggestion === undefined ? {} : { suggestion }) },
})
export const failure = (code: ImportIssueCode, message: string, suggestion?: string | number): Reading => ({
  value: null,
  problem: { code, severity: 'error', message, ...(suggestion === undefined ? {} : { suggestion }) },
})

const PLACEHOLDER =
  /^(t\.?b\.?[da]\.?|n\/?\.?a\.?|\?+|unk\.?|unknown|pending|not available|not known|to follow|x+|\.+|#n\/a|#ref!|#value!)$/i
/** A word that stands where a value should: TBD, N/A, ?, Unk. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text)
export const placeholder = (text: string): Reading =>
  warning('placeholder_value', `“${text}” stands in place of a value, so the field stays empty. Type the value if you know it.`)
export const noFormulaResult = (formula: string): Reading =>
  warning(
    'formula_without_value',
    `The formula ${formula} has no stored result and could not be worked out. Open the file, save it again, or type the value.`,
  )
