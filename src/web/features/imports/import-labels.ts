import { knownTiv } from '#contract/accounts.ts'
import { isPropertyField } from '#contract/account-properties.ts'
import { formatDecimal, formatExact, formatList, formatMoney, formatNumber, plural, sentenceCase } from '#contract/format.ts'
import { SPLIT_TARGETS } from '#contract/import-inputs.ts'
import type { ImportIssueCode } from '#contract/import-issues.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { isUnreadAmount, type ImportColumn, type ImportTab, type Import } from '#contract/imports.ts'
import { PROPERTY_FIELDS, TIV_PARTS, type PropertyField } from '#contract/property-fields.ts'
import { formatPropertyValue } from '#contract/property-format.ts'
import { countedParts } from '#web/engines/account/import-progress.ts'

export const COLUMN_LABELS = {
  mapped: 'Mapped',
  confirm: 'Please confirm',
  unmapped: 'Not mapped',
  ignored: 'Ignored',
  custom: 'Custom field',
} as const satisfies Record<ImportColumn['state'], string>

export const ROW_LABELS = {
  data: 'Location',
  blank: 'Blank row',
  header: 'Header',
  repeated_header: 'Repeated header',
  title: 'Title',
  section: 'Section title',
  subtotal: 'Subtotal',
  total: 'Total',
  note: 'Note',
} as const satisfies Record<ImportRow['kind'], string>

/** Whether the rows were read and checked, so that it is known what they will be in the register. */
export const isChecked = ({ state }: Pick<Import, 'state'>): boolean => state === 'validated'

/** What the tabs of the rows are called. */
export const TAB_LABELS = {
  add: 'Add',
  change: 'Change',
  unchanged: 'Unchanged',
  remove: 'Remove',
  conflict: 'Needs a decision',
  excluded: 'Left out',
  errors: 'Errors',
} as const satisfies Record<ImportTab, string>

export const isImported = ({ kind, excluded }: Pick<ImportRow, 'kind' | 'excluded'>): boolean => kind === 'data' && !excluded

/** The fields of the register by name. A column can also have a custom field, which is not among them. */
export const FIELDS: ReadonlyMap<string, PropertyField> = new Map(Object.entries(PROPERTY_FIELDS))

const SPLIT_LABELS: ReadonlyMap<string, string> = new Map(Object.entries(SPLIT_TARGETS).map(([name, { label }]) => [name, label]))

export const fieldLabel = (name: string): string => FIELDS.get(name)?.label ?? SPLIT_LABELS.get(name) ?? name

const NUMERIC_KINDS: readonly string[] = ['integer', 'number', 'area', 'percent', 'money', 'year', 'latitude', 'longitude']
const GROUPED_KINDS: readonly string[] = ['integer', 'number', 'area', 'money']
const kindOf = (field: string | null) => FIELDS.get(field ?? '')?.kind ?? ''
const isGrouped = (field: string | null): boolean => GROUPED_KINDS.includes(kindOf(field))
export const isNumeric = (field: string | null): boolean => NUMERIC_KINDS.includes(kindOf(field))

/** A location that is not imported because of an error, or until a user decides what it is. */
export const staysOut = (row: Pick<ImportRow, 'kind' | 'excluded' | 'issues' | 'candidates'>): boolean =>
  isImported(row) && (row.candidates.length > 0 || row.issues.some(({ severity }) => severity === 'error'))

/** Issues of a row whose property a user must choose, which the tab of the decisions lists. */
export const DECISION_CODES: readonly ImportIssueCode[] = ['divested_match', 'conflict_match', 'ambiguous_match']

/** Whether several sheets are imported together. */
export const isSplit = ({ sheets }: Pick<Import, 'sheets'>): boolean => sheets.filter(({ taken }) => taken).length > 1

/** "Row 12", or "K12" for a cell of it; "Texas, row 12" or "Texas, K12" when several sheets are imported together. */
export function placeName(
  data: Pick<Import, 'sheets'>,
  { sheet, sheet_row }: Pick<ImportRow, 'sheet' | 'sheet_row'>,
  letter?: string | null,
): string {
  const place = letter ? `${letter}${sheet_row}` : `row ${sheet_row}`
  return isSplit(data) ? `${sheet}, ${place}` : sentenceCase(place)
}

export const cellText = (value: ImportRow['cells'][number] | undefined): string => String(value ?? '')

/** The text of a cell with groups of three digits where the column contains quantities. */
export const displayText = (value: ImportRow['cells'][number] | undefined, field: string | null): string =>
  typeof value === 'number' && isGrouped(field) ? formatDecimal(value) : cellText(value)

/** What the file says in a cell edited by hand; '' for other cells. */
export const originalOf = ({ edited }: Pick<ImportRow, 'edited'>, letter: string): string =>
  letter in edited ? `In the file: ${cellText(edited[letter]) || 'empty'}` : ''

/** A cell as it was read, in the words of the register. */
export function readText(value: ImportRow['cells'][number] | undefined, field: string | null): string {
  const isWord = kindOf(field) === 'choice' || kindOf(field) === 'date'
  if (isWord && isPropertyField(field ?? '')) return registerText(field ?? '', value)
  // With every digit, since it is compared with the value before.
  return typeof value === 'number' && isGrouped(field) ? formatExact(value) : displayText(value, field)
}

/** A value of a property with its unit. */
export const registerText = (field: string, value: ImportRow['cells'][number] | undefined, currency?: string): string =>
  isPropertyField(field) && typeof value !== 'boolean' ? formatPropertyValue(field, value, currency) : cellText(value)

export type Counts = Partial<Record<ImportTab, number>>

/** What the commit button does: "Add 3, change 57, mark 3 divested, leave out 2, and confirm 1 column"; '' when there is nothing to import. */
export function commitLabel({ add, change, errors = 0, conflict = 0 }: Counts, removals: number, columns = 0): string {
  const written = countedParts([add, 'add #'], [change, 'change #'], [removals, 'mark # divested'])
  const others = countedParts([errors + conflict, 'leave out #'], [columns, `and confirm # ${columns === 1 ? 'column' : 'columns'}`])
  return written && sentenceCase([written, others].filter(Boolean).join(', '))
}

/** What is marked divested, with its value if that is known: "598 properties, $693,710,000". */
export function removalsText(
  { sums }: Pick<Import, 'sums'>,
  { count, staying }: { count: number; staying: { rows: number; tiv: number } },
) {
  const properties = plural(count, 'property', 'properties')
  if (!sums?.removed) return properties
  // A changed checkbox can be that of a property in another currency.
  const currency = staying.rows === 0 && staying.tiv === 0 ? sums.removed.currency : sums.before.currency
  return `${properties}, ${valueText({ rows: count, tiv: lessTiv(sums.removed.tiv, staying.tiv), currency })}`
}

/** What a committed import did: "59 added, 57 changed". */
export const summaryOf = ({ created, updated, counts }: Pick<Import, 'created' | 'updated' | 'counts'>): string =>
  countedParts([created, '# added'], [updated, '# changed'], [counts.remove, '# marked divested'])

type Sum = NonNullable<Import['sums']>['file']

/** The value of locations in its currency; amounts in several currencies have no sum. */
export const amountText = (sum: Sum): string => (hasNoValues(sum) ? 'No values' : formatMoney(sum.tiv ?? 0, sum.currency))
/** The same within a sentence. */
export const valueText = (sum: Sum): string => (hasNoValues(sum) ? 'no values' : amountText(sum))
const hasNoValues = ({ rows, tiv }: Sum): boolean => knownTiv(rows, tiv ?? 0) === null

/** A sum without a part of it: null if neither has a value, or if all the value was in that part. */
export function lessTiv(tiv: number | null, part: number | null): number | null {
  const rest = (tiv ?? 0) - (part ?? 0)
  return rest === 0 && (tiv === null || (part ?? 0) !== 0) ? null : rest
}

/** The value of what is left out, as far as it is known; '' when no location is. */
export function leftOutAmount({ left_out: out, unread_rows: unread }: NonNullable<Import['sums']>): string {
  if (out === null || out.rows === 0) return ''
  if (unread === 0) return valueText(out)
  return (out.tiv ?? 0) > 0 ? `${amountText(out)} and more` : 'value not known'
}

/** "29 locations, 14 not read" */
export const fileRows = ({ file, unread_rows: unread }: NonNullable<Import['sums']>): string =>
  plural(file.rows, 'location') + (unread === 0 ? '' : `, ${formatNumber(unread)} not read`)

/** "17 amounts could not be read"; '' when all were. The sums do not contain these. */
export function unreadAmounts({ issues }: Pick<Import, 'issues'>): string {
  const count = issues.filter(isUnreadAmount).reduce((sum, group) => sum + group.count, 0)
  return count === 0 ? '' : `${plural(count, 'amount')} could not be read`
}

/** Whether it is still open which rows the header row applies to. */
export const isTableOpen = ({ questions }: Pick<Import, 'questions'>): boolean =>
  questions.some(({ constant }) => constant === 'other_tables')

/** What the sum of the mapped columns is called: it is that of the file only if nothing contradicts it. */
export function fileSumLabel(data: Pick<Import, 'sums' | 'unmapped_money' | 'columns' | 'issues' | 'questions' | 'sheets'>): string {
  if (data.sums && data.sums.unread_rows > 0) return 'In the rows that were read'
  const isWhole = data.unmapped_money.length === 0 && unreadAmounts(data) === '' && (statedTotal(data)?.agrees ?? true)
  if (!isWhole || isTableOpen(data)) return 'In the mapped columns'
  // Another sheet may belong to the schedule, or have its values.
  if (!data.sheets.some(({ taken, note }) => !taken && note !== null)) return 'In the file'
  return data.sheets.filter(({ taken }) => taken).length === 1 ? 'In this sheet' : 'In these sheets'
}

/** The total that the file states, and whether its rows agree; null if it states none, or amounts in several currencies. */
export function statedTotal({ sums, unmapped_money, columns }: Pick<Import, 'sums' | 'unmapped_money' | 'columns'>) {
  if (sums === null || sums.stated === null || sums.file.currency === null) return null
  const { stated, stated_by, stated_parts: parts, stated_unmapped: unmapped, stated_rows, stated_in, file } = sums
  const source = stated_by === 'total_column' ? 'Total column of the file' : 'Totals row of the file'
  const gap = stated - (stated_rows ?? file.tiv ?? 0)
  const names = parts.map(fieldLabel).join(', ')
  const only = parts.length === 0 ? '' : parts.length === 1 ? `${names} only` : `${parts.length} values only`
  const amount = formatMoney(stated, sums.file.currency)
  const { rows, others } = comparedRows(file.rows, stated_in)
  // Every amount is rounded to a whole unit, by at most half of one. A total is compared with the sum of all amounts of a row.
  const summed = parts.length > 0 ? parts.length : columns.filter(({ field }) => isPartOfTiv(field)).length
  // A total of its own includes every column that the file adds up.
  const rest = parts.length > 0 ? notCompared(unmapped, unmapped_money) : ''
  const agreement = `Agrees with ${rows}${gap === 0 ? '' : ', after rounding'}`
  if (Math.abs(gap) <= (file.rows * Math.max(1, summed)) / 2)
    return { amount, source, only, names, agrees: true, isWhole: rest === '', note: agreement + others + rest }
  const explains = (columns: Import['unmapped_money']) =>
    columns.every(({ total, currency }) => total !== null && (currency ?? file.currency) === file.currency) &&
    Math.abs(columns.reduce((sum, { total }) => sum + (total ?? 0), 0) - gap) <= (file.rows * columns.length) / 2
  const cause = [unmapped_money, ...unmapped_money.map((column) => [column])].find(explains) ?? []
  const causeText = cause.length === 0 ? '' : `: column ${cause.map(({ letter }) => letter).join(', ')}`
  const difference = `${formatMoney(Math.abs(gap), sums.file.currency)} ${gap > 0 ? 'more' : 'less'} than ${rows}`
  return { amount, source, only, names, agrees: false, isWhole: false, note: difference + causeText + others }
}

/** What became of the columns of money without a field: the texts of custom fields are imported, but not as values. */
export const notImported = (columns: Import['unmapped_money']): string =>
  !columns.some(({ custom_field }) => custom_field)
    ? 'not imported'
    : columns.length === 1
      ? 'not imported as a value'
      : 'not imported as values'

/** Columns whose totals say nothing about the rows that are imported. */
function notCompared(letters: readonly string[], unmapped: Import['unmapped_money']): string {
  const reason = notImported(unmapped.filter(({ letter }) => letters.includes(letter)))
  if (letters.length === 0) return ''
  return letters.length === 1
    ? `; the total of column ${letters.join()} is not compared, because it is ${reason}`
    : `; the totals of columns ${formatList(letters)} are not compared, because they are ${reason}`
}

const isPartOfTiv = (field: string | null): boolean => TIV_PARTS.some((part) => part === field)

/** The rows whose sum is compared with a total column: rows without a total are in the sum of the file only. */
function comparedRows(all: number, stated: number | null) {
  if (stated === null || stated === all) return { rows: 'the rows', others: '' }
  return {
    rows: stated === 1 ? 'the row that has one' : `the ${formatNumber(stated)} rows that have one`,
    others: `; ${plural(all - stated, 'row')} without`,
  }
}
