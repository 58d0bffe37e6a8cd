import { formatMoney, formatNumber, plural } from '#contract/format.ts'
import type { Import, IssueGroup } from '#contract/imports.ts'
import type { PartCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import type { PlannedColumn, ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { RepeatDecision } from '#server/features/imports/pipeline/validate/settle-repeats.ts'
import { headingExample } from '#server/features/imports/pipeline/validate/headings.ts'
import type { SheetUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import { cellQuestions, type UnclearCells } from './cell-questions.ts'
import { countryQuestion } from './country-question.ts'
import { currencyQuestion } from './currency-question.ts'
import { partQuestion } from './included-parts.ts'
import { olderQuestion, type ValueYears } from './older-question.ts'
import { rowQuestions, type RowFacts } from './row-questions.ts'
import { currenciesOf } from './summarize.ts'
import type { Tally } from './tally.ts'
import { totalQuestion } from './total-question.ts'
import { unitQuestions } from './unit-questions.ts'
import { unmappedQuestion } from './unmapped-question.ts'
import { unreadQuestion } from './unread-question.ts'

type Question = Import['questions'][number]

interface Named {
  column: string
  header: string
}

interface FileFacts {
  constants: Readonly<Record<string, string>>
  plan: ReadPlan
  /** Texts that may announce the unit of the amounts. */
  titles: readonly string[]
  /** The one that does, with its place, if it is not above the header. */
  unit?: string | undefined
  /** The sheets whose texts announce a factor, if others announce none or another one. */
  factorSheets?: readonly { name: string; factor: number }[]
  tally: Tally
  issues: readonly IssueGroup[]
  /** By column. */
  currencies?: ReadonlyMap<string, string>
  /** The one that only some columns name. */
  partCurrency?: PartCurrency | undefined
  /** The column that names what the amount of each row insures. */
  coverages?: Named | undefined
  /** The columns with money that are not mapped. */
  unmapped?: Import['unmapped_money']
  cells?: UnclearCells | undefined
  rows: RowFacts
  years?: ValueYears
}

/** Whether a title of a sheet names its currency, or each title of a section its own. */
const namesCurrency = ({ currency, parts = [] }: SheetUnits): boolean =>
  currency !== undefined || (parts.length > 0 && parts.every((part) => part.currency !== undefined))

const NONE: ReadonlyMap<string, string> = new Map()

/** What only the user can answer: which rows belong to the schedule, whether values are in thousands, the order of dates, the scheme of codes. */
export function openQuestions(facts: FileFacts): Question[] {
  const { constants, plan, tally, issues, currencies = NONE, coverages, cells, rows } = facts
  const { columns, sheets } = plan
  const ofSheets = [...(sheets?.values() ?? [])]
  const titled = { isClear: ofSheets.some(namesCurrency), several: ofSheets.flatMap((sheet) => sheet.currencies ?? []) }
  const split = splitQuestion(constants, issues)
  const units = unitQuestions(facts, split)
  const country = countryQuestion(constants, tally)
  // The country of the rows may show whether a currency is that of all columns.
  const part = country.length > 0 ? undefined : facts.partCurrency
  const currency =
    constants['currency'] === undefined
      ? currencyQuestion(tally, issues.some(({ code }) => code === 'mixed_currency') ? currencies : NONE, titled, part)
      : []
  const aboutRows = rowQuestions(constants, rows)
  // Rows of another table have other fields, so questions about them follow only if they are imported.
  const isTableOpen = aboutRows.some(({ constant }) => constant === 'other_tables')
  // A sum of the buildings of a location may repeat its number.
  const isSumOpen = aboutRows.some(({ constant }) => constant === 'possible_sums')
  return [
    ...aboutRows,
    ...split,
    ...units,
    ...country,
    ...currency,
    ...(plan.coverage === undefined ? totalQuestion(facts) : []),
    ...(isTableOpen ? [] : partQuestion(facts)),
    ...(isTableOpen || isSumOpen ? [] : repeatQuestion(constants, issues, coverages)),
    ...renumberQuestion(constants, tally, issues),
    ...olderQuestion(facts),
    ...(constants['many_divested'] === undefined ? divestedQuestion(tally) : []),
    ...markQuestion(constants, issues, tally),
    ...(isTableOpen ? [] : addressQuestion(constants, issues)),
    ...headingQuestion(constants, issues, plan),
    ...(isTableOpen ? [] : unreadQuestion(constants, issues, columns)),
    ...(isTableOpen ? [] : unmappedQuestion(facts.unmapped ?? [], columns, tally)),
    ...cellQuestions(columns, cells),
    ...columns.flatMap((column) => schemeQuestion(constants, column)),
  ]
}

/** Amounts with commas that are not in quotation marks have split the rows of delimited text. */
function splitQuestion(constants: Readonly<Record<string, string>>, issues: readonly IssueGroup[]): Question[] {
  const rows = issues.filter(({ code }) => code === 'split_amount').reduce((sum, { count }) => sum + count, 0)
  if (constants['split_amounts'] !== undefined || rows === 0) return []
  const has = rows === 1 ? 'row has' : 'rows have'
  const message = `${formatNumber(rows)} ${has} more cells than the header, because commas between thousands split amounts. Join the parts of these amounts?`
  return [{ constant: 'split_amounts', suggestion: 'join', message, options: { errors: 'No, I correct the file' } }]
}

const REPEAT_ANSWERS = {
  first: 'No, only the first row of each',
  sum: 'No, add their values to the first row',
  errors: 'No, I correct the rows',
} as const satisfies Partial<Record<RepeatDecision, string>>
const ONE_REPEAT_ANSWERS = {
  buildings: 'Yes, import it as a further building',
  first: 'No, leave it out',
  sum: 'No, add its values to the first row',
  errors: 'No, I correct the row',
} as const satisfies Record<RepeatDecision, string>

/** Rows with the location and building number of an earlier row would be errors one by one. A single one may be a wrong number. */
function repeatQuestion(constants: Readonly<Record<string, string>>, issues: readonly IssueGroup[], coverages?: Named): Question[] {
  const countOf = (repeat: IssueGroup['code']) =>
    issues
      .filter(({ code, field, severity }) => code === repeat && field === 'location_number' && severity === 'error')
      .reduce((sum, { count }) => sum + count, 0)
  const elsewhere = countOf('number_elsewhere')
  const repeated = countOf('duplicate_in_file') + elsewhere
  if (constants['repeated_locations'] !== undefined || repeated === 0) return []
  const fact = `${formatNumber(repeated)} ${repeated === 1 ? 'row repeats' : 'rows repeat'} the location and building number of an earlier row`
  if (coverages) {
    const { sum: _, ...others } = REPEAT_ANSWERS
    const message = `${fact}, with other coverages in column ${coverages.column}, “${coverages.header}”. Add their values to the first row?`
    const options = { sum: 'Yes, add them up', buildings: 'No, import as further buildings', ...others }
    return [{ constant: 'repeated_locations', suggestion: 'sum', message, options }]
  }
  if (repeated === 1)
    return [
      {
        constant: 'repeated_locations',
        suggestion: null,
        message: `${fact}. Import it as a further building of its location?`,
        options: ONE_REPEAT_ANSWERS,
      },
    ]
  const question = { constant: 'repeated_locations', message: `${fact}. Import each as a further building of its location?` }
  if (elsewhere * 2 <= repeated) return [{ ...question, suggestion: 'buildings', options: REPEAT_ANSWERS }]
  // Several lists may each have numbers of their own.
  const message = `${fact}, ${formatNumber(elsewhere)} of them in another city. Import each as a further building of its location?`
  return [{ ...question, message, suggestion: null, options: { buildings: 'Yes, as buildings', ...REPEAT_ANSWERS } }]
}

/** Properties that a file does not list have the new numbers of others, so either these or those change. */
function renumberQuestion(
  constants: Readonly<Record<string, string>>,
  { 'left at number': count = 0 }: Tally,
  issues: readonly IssueGroup[],
): Question[] {
  if (constants['new_numbers'] !== undefined || count === 0) return []
  const reason = count === 1 ? 'a property that it does not list has the new number' : 'properties that it does not list have new numbers'
  const message = `The schedule renumbers ${plural(count, 'location')}, but ${reason}. Leave the numbers as they are in the register?`
  const use = 'No, renumber, and mark properties divested that are not in the file'
  // A new location may have a number that then stays in use.
  const isFree = !issues.some(({ code, severity }) => severity === 'error' && (code === 'duplicate_in_file' || code === 'number_in_use'))
  if (isFree) return [{ constant: 'new_numbers', suggestion: 'leave', message, options: { use } }]
  return [{ constant: 'new_numbers', suggestion: null, message, options: { leave: 'Yes, leave them', use } }]
}

/** A file that lists only some of the properties, such as new ones, would end the others. */
function divestedQuestion(tally: Tally): Question[] {
  const { 'before rows': all = 0, 'missing rows': missing = 0, 'missing tiv': tiv = 0 } = tally
  if (missing * 2 <= all) return []
  const [currency = null, ...others] = currenciesOf(tally, 'before').keys()
  const worth = formatMoney(tiv, others.length === 0 ? currency : null)
  const count = `${formatNumber(missing)} of ${plural(all, 'property', 'properties')}`
  const message = `This marks ${count} divested (${worth}). Does the file list all properties of the account?`
  const options = { add_and_update: 'No, only add and update', mark: `Yes, mark ${formatNumber(missing)} divested` }
  return [{ constant: 'many_divested', suggestion: 'add_and_update', message, options }]
}

/** Rows that the file itself marks as sold or not insured would be added as active properties. */
function markQuestion(constants: Readonly<Record<string, string>>, issues: readonly IssueGroup[], tally: Tally): Question[] {
  const marked = issues.filter(({ code }) => code === 'marked_ended' || code === 'no_location')
  if (constants['marked_rows'] !== undefined || marked.length === 0) return []
  const count = marked.reduce((sum, group) => sum + group.count, 0)
  const sentence = (code: IssueGroup['code'], reason: string) => {
    const groups = marked.filter((group) => group.code === code)
    const rows = groups.reduce((sum, group) => sum + group.count, 0)
    const titles = rows === 1 ? 'the title above it' : 'titles above them'
    const place = ({ column, header }: IssueGroup) => (column === null ? titles : `column ${column}, “${header}”`)
    const columns = groups.map(place).join(', and ')
    return rows === 0 ? '' : `${plural(rows, 'row is', 'rows are')} ${reason} in ${columns}. `
  }
  const ended = sentence('marked_ended', 'marked as sold, closed or not insured')
  const blanket = sentence('no_location', 'for no single location (blanket, newly acquired, unnamed or in transit)')
  const message = `${ended}${blanket}Leave ${count === 1 ? 'it' : 'them'} out?`
  const others = { import: blanket === '' ? 'No, import as active' : 'No, import' }
  const question = { constant: 'marked_rows', message }
  if (ended === '' || (tally['before rows'] ?? 0) === 0) return [{ ...question, suggestion: 'leave_out', options: others }]
  // Properties of the register would stay active.
  const options = { divest: 'Yes, and mark their properties divested', leave_out: 'Yes, leave out only', ...others }
  return [{ ...question, suggestion: null, options }]
}

/** Rows without an address would be errors one by one. */
function addressQuestion(constants: Readonly<Record<string, string>>, issues: readonly IssueGroup[]): Question[] {
  const count = issues.filter(({ code }) => code === 'address_above').reduce((sum, group) => sum + group.count, 0)
  if (constants['blank_addresses'] !== undefined || count === 0) return []
  const message =
    count === 1
      ? 'A row has no address. Import it as a further building of the location above it?'
      : `${formatNumber(count)} rows have no address. Import each as a further building of the location above it?`
  return [{ constant: 'blank_addresses', suggestion: 'above', message, options: { errors: 'No, I correct the rows' } }]
}

const HEADING_ANSWERS = {
  state: { use: 'Yes, as their state', ignore: 'No, I type the states' },
  city: { use: 'Yes, as their city', ignore: 'No, I type the cities' },
} as const

/** Rows below headings that may name their state or city would be errors one by one. */
function headingQuestion(constants: Readonly<Record<string, string>>, issues: readonly IssueGroup[], plan: ReadPlan): Question[] {
  return (['state', 'city'] as const).flatMap((field) => {
    const count = issues.filter(({ code }) => code === `heading_${field}`).reduce((sum, group) => sum + group.count, 0)
    const constant = field === 'state' ? 'heading_states' : 'heading_cities'
    if (constants[constant] !== undefined || count === 0) return []
    const message = `No column has the ${field}, and ${plural(count, 'row is', 'rows are')} below headings such as “${headingExample(plan, field)}”. Is the heading the ${field} of the rows below it?`
    return [{ constant, suggestion: 'use', message, options: HEADING_ANSWERS[field] }]
  })
}

const SCHEMES_WITHOUT_QUESTION: ReadonlySet<string> = new Set(['words', 'iso', 'hazus'])

function schemeQuestion(constants: Readonly<Record<string, string>>, { target, column, style }: PlannedColumn): Question[] {
  const isConstruction = target === 'construction_class'
  if (!isConstruction && target !== 'property_type') return []
  const constant = isConstruction ? 'construction_scheme' : 'occupancy_scheme'
  const scheme = isConstruction ? style.constructionScheme : style.occupancyScheme
  if (constants[constant] !== undefined || SCHEMES_WITHOUT_QUESTION.has(scheme)) return []
  const message = `Column ${column} contains codes that are read as ${scheme.toUpperCase()} codes. Is that right?`
  return [{ constant, suggestion: scheme, message }]
}
