import { formatMoney, formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, propertyField } from '#contract/property-fields.ts'
import { isMainName, isScheduleName } from '#server/features/imports/pipeline/read/sheet-names.ts'
import { listNames } from './factor-question.ts'
import type { CoverageColumn } from '#server/features/imports/pipeline/validate/coverage-rows.ts'

type Question = Import['questions'][number]

/** Rows of the file that a spreadsheet program does not show, or that other names of columns apply to. */
export interface RowFacts {
  hidden: number
  /** Their text is struck through. */
  struck?: number
  /** Rows with an identity of their own whose values are the sum of others, as `row 11`. */
  sums?: {
    labels: readonly string[]
    /** How many of them have nothing of their own, so that they probably are sums. */
    likely?: number
  }
  tables: {
    /** `row 11` */
    label: string
    rows: number
    /** Named differently than by the header row. */
    columns: { letter: string; name: string; header: string }[]
  }[]
  /** Another table to the right of the schedule. */
  sideTable?: { from: string; to: string; rows: number; amounts: Import['unmapped_money'] } | null
  /** The column that names what the amount of each row insures, and how many rows have each of its words. */
  coverage?: (CoverageColumn & { words: readonly { text: string; rows: number }[] }) | null
  /** The selected sheets, if there are several. */
  sheets: readonly { name: string; rows: number }[]
}

/** What to do with further sheets, with other tables, and with rows that are hidden or struck through. */
export const rowQuestions = (
  constants: Readonly<Record<string, string>>,
  { hidden, struck = 0, sums, tables, sideTable, coverage, sheets }: RowFacts,
): Question[] => [
  ...(constants['other_sheets'] === undefined ? sheetQuestion(sheets) : []),
  ...(constants['other_tables'] === undefined ? tableQuestion(tables) : []),
  ...(constants['side_table'] === undefined && sideTable ? sideQuestion(sideTable) : []),
  ...(constants['coverage_rows'] === undefined && coverage ? coverageQuestion(coverage) : []),
  ...(constants['hidden_rows'] === undefined ? hiddenQuestion(hidden) : []),
  ...(constants['struck_rows'] === undefined ? struckQuestion(struck) : []),
  ...(constants['possible_sums'] === undefined && sums ? sumQuestion(sums) : []),
]

/** One sheet has the name of a whole schedule, and others with its columns have names of something else. */
function sheetQuestion(sheets: RowFacts['sheets']): Question[] {
  const names = sheets.map(({ name }) => name)
  const { main = [], others = [] } = Object.groupBy(sheets, ({ name }) => (isMainName(name, names) ? 'main' : 'others'))
  const [ofMain, ofOthers] = [main, others].map((some) => listNames(some.map(({ name }) => name)))
  if (main.length === 0 || others.length === 0) return []
  const rows = others.reduce((sum, sheet) => sum + sheet.rows, 0)
  const message =
    `${ofOthers} ${others.length === 1 ? 'has' : 'have'} the columns of ${ofMain}. ` +
    `Import ${others.length === 1 ? 'its' : 'their'} ${plural(rows, 'row')}, too?`
  const exclude = `No, only ${ofMain}`
  // Values of another year may be old.
  if (others.some(({ name }) => isScheduleName(name)))
    return [{ constant: 'other_sheets', suggestion: null, message, options: { include: 'Yes, import together', exclude } }]
  return [{ constant: 'other_sheets', suggestion: 'include', message, options: { exclude } }]
}

function tableQuestion([first, ...others]: RowFacts['tables']): Question[] {
  if (!first) return []
  const rows = others.reduce((sum, table) => sum + table.rows, first.rows)
  const more = others.length === 0 ? '' : ` So ${others.length === 1 ? 'does' : 'do'} ${others.map(({ label }) => label).join(', ')}.`
  const where = others.length === 0 ? 'it' : 'them'
  const message =
    `The header in ${first.label} names other columns than the first one${differenceIn(first)}.${more} ` +
    `Leave out the ${plural(rows, 'row')} below ${where}? To import these, import the file again and choose that row as the header row.`
  return [{ constant: 'other_tables', suggestion: 'exclude', message, options: { include: 'No, read them like the rows above' } }]
}

function differenceIn({ columns: [column] }: RowFacts['tables'][number]): string {
  if (!column) return ''
  const { letter, name, header } = column
  return `: “${name}” in column ${letter}${header === '' ? '' : ` instead of “${header}”`}`
}

function sideQuestion({ from, to, rows, amounts }: NonNullable<RowFacts['sideTable']>): Question[] {
  const sums = Map.groupBy(amounts, ({ currency }) => currency ?? PROPERTY_DEFAULTS.currency)
  const totals = [...sums].flatMap(([currency, columns]) => {
    const total = columns.reduce((sum, column) => sum + (column.total ?? Number.NaN), 0)
    return Number.isNaN(total) ? [] : [formatMoney(total, currency)]
  })
  const worth = totals.length === 0 ? '' : ` worth ${totals.join(' and ')}`
  const message =
    `Columns ${from} to ${to} are another table, next to the first one: ${plural(rows, 'row')}${worth}. ` +
    `Leave it out? To import it, move it to a sheet of its own.`
  return [
    { constant: 'side_table', suggestion: 'exclude', message, options: { include: 'No, its columns belong to the locations on the left' } },
  ]
}

const WORDS_SHOWN = 12

/** One row per coverage: each amount is a value of its own of the one property. */
function coverageQuestion({ column, header, amount, words, fieldOf }: NonNullable<RowFacts['coverage']>): Question[] {
  const { known = [], unknown = [] } = Object.groupBy(words, ({ text }) => (fieldOf(text) === undefined ? 'unknown' : 'known'))
  const labelOf = (text: string) => propertyField(fieldOf(text) ?? 'stated_tiv').label
  const list = known.slice(0, WORDS_SHOWN).map(({ text, rows }) => `“${text}” → ${labelOf(text)} (${plural(rows, 'row')})`)
  const more = known.length > WORDS_SHOWN ? `, and ${plural(known.length - WORDS_SHOWN, 'other')}` : ''
  const out = unknown
    .slice(0, WORDS_SHOWN)
    .map(({ text, rows }) => `${text === '' ? 'an empty cell' : `“${text}”`} (${plural(rows, 'row')})`)
  const rest = unknown.length > WORDS_SHOWN ? `, and ${plural(unknown.length - WORDS_SHOWN, 'other')}` : ''
  const facts = `Column ${column}, “${header}”, names what the amounts in column ${amount.column}, “${amount.header}”, insure: ${list.join(', ')}${more}. `
  const warning = out.length === 0 ? '' : `Not understood, so not imported until you correct the cells: ${out.join(', ')}${rest}. `
  const message = `${facts}${warning}Import the rows of each location as one property, with each amount in its field?`
  return [{ constant: 'coverage_rows', suggestion: 'fields', message, options: { ignore: 'No, each row is a location' } }]
}

function hiddenQuestion(hidden: number): Question[] {
  if (hidden === 0) return []
  const message = `${hidden === 1 ? 'A row is' : `${formatNumber(hidden)} rows are`} hidden in the file. Import ${hidden === 1 ? 'it' : 'them'}, too?`
  return [
    { constant: 'hidden_rows', suggestion: 'include', message, options: { exclude: `No, leave ${hidden === 1 ? 'it' : 'them'} out` } },
  ]
}

/** The file still has rows that someone crossed out, as people do with locations that are sold. */
function struckQuestion(struck: number): Question[] {
  if (struck === 0) return []
  const [rows, them] = struck === 1 ? ['A row is', 'it'] : [`${formatNumber(struck)} rows are`, 'them']
  const message = `${rows} struck through in the file. Leave ${them} out?`
  return [{ constant: 'struck_rows', suggestion: 'exclude', message, options: { include: `No, import ${them}` } }]
}

const ROWS_SHOWN = 5

/** A total may look like a building, and the values of a building may add up those of others by chance. */
function sumQuestion({ labels, likely = 0 }: NonNullable<RowFacts['sums']>): Question[] {
  if (labels.length === 0) return []
  const [are, them] = labels.length === 1 ? ['is', 'it'] : ['are', 'them']
  const more = labels.length > ROWS_SHOWN ? ` and ${plural(labels.length - ROWS_SHOWN, 'other')}` : ''
  const rows = labels.slice(0, ROWS_SHOWN).join(', ') + more
  const message = `The values in ${rows} are the sum of other rows or below the word “total”, but may be those of a building. Import ${them}?`
  const options = {
    include: `Yes, ${them === 'it' ? 'it is a building' : 'they are buildings'}`,
    exclude: `No, ${are === 'is' ? 'it is a total' : 'they are totals'}`,
  }
  const suggestion = likely === 0 ? 'include' : likely === labels.length ? 'exclude' : null
  return [{ constant: 'possible_sums', suggestion, message, options }]
}
