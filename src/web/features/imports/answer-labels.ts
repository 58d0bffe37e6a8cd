import { columnOfFactor } from '#contract/column-factor.ts'
import { COUNTRIES } from '#contract/countries.ts'
import type { Import } from '#contract/imports.ts'

type Question = Import['questions'][number]
type Labels = Readonly<Record<string, string>>

const SCHEMES: Labels = {
  words: 'words',
  iso: 'ISO classes',
  oed: 'OED codes',
  air: 'AIR codes',
  rms: 'RMS codes',
  hazus: 'HAZUS codes',
  atc: 'ATC codes',
}

const schemes = (...names: string[]): Labels => Object.fromEntries(names.map((name) => [name, `No, ${SCHEMES[name] ?? name}`]))

/** The possible answers to a question, by the constant of the import that stores the answer. */
const ANSWERS: Readonly<Record<string, Labels>> = {
  factor: { 1: 'No, as written', 1_000: 'No, × 1,000', 1_000_000: 'No, × 1,000,000' },
  date_order: { mdy: 'No, month first', dmy: 'No, day first' },
  area_unit: { sqft: 'No, square feet', m2: 'No, square meters' },
  construction_scheme: schemes('words', 'iso', 'oed', 'air', 'rms'),
  occupancy_scheme: schemes('words', 'oed', 'air', 'hazus', 'atc'),
}

/** What the suggested answer does, by constant and value. */
const SUGGESTED: Readonly<Record<string, Labels>> = {
  factor: { 1: 'Yes, as written', 1_000: 'Yes, × 1,000', 1_000_000: 'Yes, × 1,000,000' },
  tiv_column: { building_value: 'Yes, as the building value' },
  included_parts: { included: 'Yes, leave out' },
  coverage_rows: { fields: 'Yes, as one property' },
  repeated_locations: { buildings: 'Yes, as buildings' },
  blank_addresses: { above: 'Yes, as buildings' },
  marked_rows: { leave_out: 'Yes, leave out' },
  other_tables: { exclude: 'Yes, leave out' },
  other_sheets: { include: 'Yes, import together' },
  hidden_rows: { include: 'Yes, import' },
  struck_rows: { exclude: 'Yes, leave out' },
  side_table: { exclude: 'Yes, leave out' },
  new_numbers: { leave: 'Yes, leave them' },
  date_order: { mdy: 'Yes, month first' },
}

interface Answer {
  value: string
  label: string
}

/** The suggested answer, if there is one, and the others. */
export function answersOf({ constant, suggestion, options = {} }: Question): { suggested: Answer | null; others: Answer[] } {
  const others = Object.entries({ ...ANSWERS[constant], ...options })
    .filter(([value]) => value !== suggestion)
    .map(([value, label]) => ({ value, label }))
  if (suggestion === null) return { suggested: null, others }
  const scheme = constant.endsWith('_scheme') ? `Yes, ${SCHEMES[suggestion] ?? suggestion}` : 'Yes'
  const label = options[suggestion] ?? SUGGESTED[constant]?.[suggestion] ?? scheme
  return { suggested: { value: suggestion, label }, others }
}

/** Ends of sentences, except within the quoted name of a column or sheet. */
const BETWEEN_SENTENCES = /(?<=[.?!])\s+(?=\p{Lu})(?![^“]*”)/u

/** The facts that a question is based on, the question itself, and remarks on its answers. */
export function partsOf(message: string): { facts: string; question: string; remarks: string } {
  const sentences = message.split(BETWEEN_SENTENCES)
  const at = sentences.findLastIndex((sentence) => sentence.endsWith('?'))
  if (at === -1) return { facts: '', question: message, remarks: '' }
  return { facts: sentences.slice(0, at).join(' '), question: sentences[at] ?? '', remarks: sentences.slice(at + 1).join(' ') }
}

/** What each answer says about the file, by constant and value; a function for a constant that can have any value. */
const ANSWERED: Readonly<Record<string, Labels | ((value: string) => string)>> = {
  factor: { 1: 'values are as written', 1_000: 'values are in thousands', 1_000_000: 'values are in millions' },
  currency: (value) => `amounts are in ${value}`,
  country: (value) => `the country of rows without one is ${COUNTRIES[value] ?? value}`,
  tiv_column: { building_value: 'the total is the building value', stated_tiv: 'the total is only a total' },
  included_parts: { included: 'parts that other columns include are left out', separate: 'parts of the contents are added' },
  coverage_rows: {
    fields: 'the rows of a location have the amounts of its coverages',
    ignore: 'each row is a location, with any coverage',
  },
  repeated_locations: {
    buildings: 'repeated locations are further buildings',
    first: 'of repeated locations only the first row counts',
    sum: 'values of repeated locations are added up',
    errors: 'repeated locations are errors',
  },
  marked_rows: {
    leave_out: 'rows that are sold, closed, not insured or no single location are left out',
    divest: 'rows that are sold, closed, not insured or no single location are left out, and their properties marked divested',
    import: 'rows that are sold, closed, not insured or no single location are imported',
  },
  many_divested: { mark: 'the file lists all properties' },
  older_values: { replace: 'older values replace newer ones' },
  unread_amounts: { empty: 'cells with amounts that cannot be read stay empty' },
  new_numbers: { leave: 'properties stay at their numbers if others have the new ones' },
  blank_addresses: {
    above: 'rows without an address are buildings of the location above',
    errors: 'rows without an address are errors',
  },
  section_units: {
    all: 'values below titles without a unit are in that of the others',
    below: 'values below a title without a unit are in that of the title above',
    only: 'values below titles without a unit are as written',
  },
  heading_states: { use: 'headings are the states of the rows below', ignore: 'headings are no states' },
  heading_cities: { use: 'headings are the cities of the rows below', ignore: 'headings are no cities' },
  other_tables: {
    exclude: 'rows below another header are left out',
    include: 'rows below another header are read like the rows above',
  },
  side_table: {
    exclude: 'the table on the right is left out',
    include: 'the columns on the right belong to the locations',
  },
  other_sheets: { include: 'the selected sheets are imported together' },
  hidden_rows: { include: 'hidden rows are imported', exclude: 'hidden rows are left out' },
  possible_sums: {
    include: 'rows with the sums of others are buildings',
    exclude: 'rows with the sums of others are left out as totals',
  },
  struck_rows: { include: 'rows that are struck through are imported', exclude: 'rows that are struck through are left out' },
  date_order: { mdy: 'dates are month first', dmy: 'dates are day first' },
  number_dates: {
    month_day: 'dates in columns of numbers are month and day',
    day_month: 'dates in columns of numbers are day and month',
    text: 'dates in columns of numbers are as written',
  },
  dots: { thousands: 'a dot before three digits separates thousands', decimals: 'a dot before three digits separates decimals' },
  income_span: { year: 'business income is multiplied to twelve months', written: 'business income is annual as written' },
  bare_amounts: { multiply: 'small amounts have the multiple of the others in their column', written: 'small amounts are as written' },
  area_unit: { sqft: 'areas are in square feet', m2: 'areas are in square meters' },
  construction_scheme: (value) => `construction is in ${SCHEMES[value] ?? value}`,
  occupancy_scheme: (value) => `occupancy is in ${SCHEMES[value] ?? value}`,
}

const UNITS: Labels = { 1: 'as written', 1_000: 'in thousands', 1_000_000: 'in millions' }

const answersOfColumns = (constants: Import['constants']): [string, (value: string) => string][] =>
  Object.keys(constants).flatMap((constant) => {
    const letter = columnOfFactor(constant)
    return letter === undefined ? [] : [[constant, (value) => `the values in column ${letter} are ${UNITS[value] ?? value}`]]
  })

/** The answered questions of an import, each as a statement about the file. A later change may have opened one again. */
export const answeredIn = ({ constants, questions }: Import): { constant: string; text: string }[] =>
  [...Object.entries(ANSWERED), ...answersOfColumns(constants)].flatMap(([constant, answers]) => {
    const value = constants[constant]
    const text = value === undefined ? undefined : typeof answers === 'function' ? answers(value) : answers[value]
    const isOpen = questions.some((question) => question.constant === constant)
    return text === undefined || isOpen ? [] : [{ constant, text }]
  })
