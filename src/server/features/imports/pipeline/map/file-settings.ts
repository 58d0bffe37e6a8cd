import { COVERAGE_DECISIONS } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { MARK_DECISIONS } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import { BLANK_ADDRESS_DECISIONS } from '#server/features/imports/pipeline/validate/blank-addresses.ts'
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
  coverage_rows: COVERAGE_DECISIONS,
  repeated_locations: REPEAT_DECISIONS,
  split_amounts: ['join', 'errors'],
  marked_rows: MARK_DECISIONS,
  blank_addresses: BLANK_ADDRESS_DECISIONS,
  heading_states: HEADING_DECISIONS,
  heading_cities: HEADING_DECISIONS,
  hidden_rows: ['include', 'exclude'],
  struck_rows: ['include', 'exclude'],
  other_tables: ['include', 'exclude'],
  side_table: ['include', 'exclude'],
  other_sheets: ['include', 'exclude'],
  new_numbers: ['leave', 'use'],
  many_divested: ['add_and_update', 'mark'],
} as const

/** Answers about single rows or cells of a file, which say nothing about the next file. */
export const ROW_ANSWERS: ReadonlySet<string> = new Set<keyof typeof SETTINGS>([
  'coverage_rows',
  'split_amounts',
  'bare_amounts',
  'repeated_locations',
  'marked_rows',
  'blank_addresses',
  'heading_states',
  'heading_cities',
  'hidden_rows',
  'struck_rows',
  'other_tables',
  'side_table',
  'other_sheets',
  'new_numbers',
  'many_divested',
])

const oneOf = <const T extends string>(choices: readonly T[], text: string | undefined) => choices.find((choice) => choice === text)

/** What the user decided for the whole file; it overrides what the cells suggest. */
export const fileSettings = (constants: Readonly<Record<string, string>>, now: Date) => ({
  factor: Number(oneOf(SETTINGS.factor, constants['factor']) ?? '1'),
  areaUnit: oneOf(SETTINGS.area_unit, constants['area_unit']),
  dateOrder: oneOf(SETTINGS.date_order, constants['date_order']),
  numberDates: oneOf(SETTINGS.number_dates, constants['number_dates']),
  dots: oneOf(SETTINGS.dots, constants['dots']),
  incomeSpan: oneOf(SETTINGS.income_span, constants['income_span']),
  bareAmounts: oneOf(SETTINGS.bare_amounts, constants['bare_amounts']),
  constructionScheme: oneOf(SETTINGS.construction_scheme, constants['construction_scheme']),
  occupancyScheme: oneOf(SETTINGS.occupancy_scheme, constants['occupancy_scheme']),
  repeats: oneOf(SETTINGS.repeated_locations, constants['repeated_locations']),
  marked: oneOf(SETTINGS.marked_rows, constants['marked_rows']),
  blankAddresses: oneOf(SETTINGS.blank_addresses, constants['blank_addresses']),
  headingStates: oneOf(SETTINGS.heading_states, constants['heading_states']),
  headingCities: oneOf(SETTINGS.heading_cities, constants['heading_cities']),
  /** The currency that the user chose for the import. */
  currency: constants['currency'],
  /** YYYY-MM-DD */
  today: now.toISOString().slice(0, 10),
})
export interface FileSettings extends ReturnType<typeof fileSettings> {
  /** Only columns whose header announces a factor are multiplied, each at most by its own. */
  factorByHeader?: boolean
  /** The factor that a title announces. It is applied only after the user confirms it. */
  announcedFactor?: number
}
