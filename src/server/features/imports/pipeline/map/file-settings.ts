import { columnFactors } from '#contract/column-factor.ts'
import { COVERAGE_DECISIONS } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { MARK_DECISIONS } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import { BLANK_ADDRESS_DECISIONS } from '#server/features/imports/pipeline/validate/blank-addresses.ts'
import { SECTION_DECISIONS } from '#server/features/imports/pipeline/read/section-units.ts'
import { HEADING_DECISIONS } from '#server/features/imports/pipeline/validate/heading-decisions.ts'
import { REPEAT_DECISIONS } from '#server/features/imports/pipeline/validate/settle-repeats.ts'

/** The constants that define how a file is read, with their possible values; all others are values of fields. */
export const SETTINGS = {
  factor: ['1', '1000', '1000000'],
  area_unit: ['sqft', 'm2'],
  date_order: ['mdy', 'dmy'],
  number_dates: ['month_day', 'day_month', 'text'],
  dots: ['thousands', 'decimals'],
  income_span: ['year', 'written'],
  bare_amounts: ['multiply', 'written'],
  construction_scheme: ['words', 'iso', 'oed', 'air', 'rms'],
  occupancy_scheme: ['words', 'oed', 'air', 'hazus', 'atc'],
  tiv_column: ['building_value', 'stated_tiv'],
  included_parts: ['included', 'separate'],
  coverage_rows: COVERAGE_DECISIONS,
  repeated_locations: REPEAT_DECISIONS,
  split_amounts: ['join', 'errors'],
  marked_rows: MARK_DECISIONS,
  blank_addresses: BLANK_ADDRESS_DECISIONS,
  section_units: SECTION_DECISIONS,
  heading_states: HEADING_DECISIONS,
  heading_cities: HEADING_DECISIONS,
  hidden_rows: ['include', 'exclude'],
  struck_rows: ['include', 'exclude'],
  possible_sums: ['include', 'exclude'],
  other_tables: ['include', 'exclude'],
  side_table: ['include', 'exclude'],
  other_sheets: ['include', 'exclude'],
  new_numbers: ['leave', 'use'],
  many_divested: ['add_and_update', 'mark'],
  older_values: ['add_only', 'replace'],
  unread_amounts: ['empty'],
} as const

/** Answers about the rows, cells or totals of one file, which say nothing about the next file. */
export const ROW_ANSWERS: ReadonlySet<string> = new Set<keyof typeof SETTINGS>([
  'tiv_column',
  'included_parts',
  'coverage_rows',
  'split_amounts',
  'bare_amounts',
  'repeated_locations',
  'marked_rows',
  'blank_addresses',
  'section_units',
  'heading_states',
  'heading_cities',
  'hidden_rows',
  'struck_rows',
  'possible_sums',
  'other_tables',
  'side_table',
  'other_sheets',
  'new_numbers',
  'many_divested',
  'older_values',
  'unread_amounts',
])

type Constants = Readonly<Record<string, string>>

/** Undefined without an answer that the setting has. */
const answerTo = <K extends keyof typeof SETTINGS>(name: K, constants: Constants): (typeof SETTINGS)[K][number] | undefined =>
  SETTINGS[name].find((answer) => answer === constants[name])

/** What the user decided for the whole file; it overrides what the cells suggest. */
export const fileSettings = (constants: Constants, now: Date) => ({
  factor: Number(answerTo('factor', constants) ?? '1'),
  columnFactors: columnFactors(constants),
  areaUnit: answerTo('area_unit', constants),
  dateOrder: answerTo('date_order', constants),
  numberDates: answerTo('number_dates', constants),
  dots: answerTo('dots', constants),
  incomeSpan: answerTo('income_span', constants),
  bareAmounts: answerTo('bare_amounts', constants),
  constructionScheme: answerTo('construction_scheme', constants),
  occupancyScheme: answerTo('occupancy_scheme', constants),
  repeats: answerTo('repeated_locations', constants),
  marked: answerTo('marked_rows', constants),
  blankAddresses: answerTo('blank_addresses', constants),
  headingStates: answerTo('heading_states', constants),
  headingCities: answerTo('heading_cities', constants),
  /** The currency that the user chose for the import. */
  currency: constants['currency'],
  /** YYYY-MM-DD */
  today: now.toISOString().slice(0, 10),
})
export interface FileSettings extends ReturnType<typeof fileSettings> {
  /** Only columns whose header announces a factor are multiplied, each at most by its own. */
  factorByHeader?: boolean
  /** Whether it is a list or export of the product, whose headers and words are clear. */
  isOwn?: boolean
  /** The factor that a title announces. It is applied only after the user confirms it. */
  announcedFactor?: number
}
