import { IMPORT_TABS, type Import, type IssueGroup } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, TIV_PARTS, isInsuredValue } from '#contract/property-fields.ts'
import { isUnclearName } from '#server/features/imports/pipeline/read/currency-signs.ts'
import type { ReadRow } from '#server/features/imports/pipeline/validate/results.ts'
import { addTallies, groupKey, groupOf, isGroupKey, tallyRows, type Tally, type TalliedRows } from './tally.ts'

interface Facts {
  firstRows: ReadonlyMap<string, number>
  /** The totals rows of the file, one for each sheet. */
  totals: readonly ReadRow[]
  /** Number of rows that are not imported because of their kind, or because the user excluded them. */
  skipped: number
  /** The locations among them, by `tallyLeftOut`. */
  leftOut?: Tally
  /** The locations among them that cannot be read, so that their values are not known. */
  unread?: number
  /** The header of each column, by its letter. */
  headers: ReadonlyMap<string, string>
}

/** What the preview counts and adds up, and the first row of each group of issues, by `groupKey`. */
export function summarize(planned: TalliedRows): { tally: Tally; firstRows: Map<string, number> } {
  const firstRows = new Map<string, number>()
  for (const { number, issues } of planned.rows)
    for (const issue of issues) if (!firstRows.has(groupKey(issue))) firstRows.set(groupKey(issue), number)
  return { tally: tallyRows(planned), firstRows }
}

/** The counts and sums in the form of the preview; `ticked` removals are preselected. */
export function presentTally(tally: Tally, { firstRows, headers, totals, skipped, leftOut = {}, unread = 0 }: Facts) {
  const count = (key: string) => tally[key] ?? 0
  const tabs = Object.fromEntries(IMPORT_TABS.map((tab) => [tab, count(`tab ${tab}`)]))
  tabs['excluded'] = count('tab excluded') + skipped
  const whole = addTallies(tally, leftOut)
  const sumOf = (name: string, all = tally) => {
    const [rows = 0, tiv = 0, valued = 0] = ['rows', 'tiv', 'valued'].map((figure) => all[`${name} ${figure}`])
    return { rows, tiv: knownTiv(rows, tiv, valued), currency: currencyOf(all, name) }
  }
  const before = sumOf('before')
  const rowsAfter = before.rows + count('after rows')
  const after = {
    rows: rowsAfter,
    tiv: knownTiv(rowsAfter, (before.tiv ?? 0) + count('after tiv'), count('before valued') + count('after valued')),
    currency: currencyOf(tally, 'before', 'written'),
  }
  const withUnread = (sum: ReturnType<typeof sumOf>) => ({ ...sum, rows: sum.rows + unread })
  const [file, left_out] = [withUnread(sumOf('file', whole)), withUnread(sumOf('out', whole))]
  const rowsIn = file.rows - left_out.rows
  const part = (figure: string) => (whole[`file ${figure}`] ?? 0) - (whole[`out ${figure}`] ?? 0)
  const imported = { rows: rowsIn, tiv: knownTiv(rowsIn, part('tiv'), part('valued')), currency: importedCurrency(whole) }
  const sums = { file, imported, before, after, ...statedSums(whole, totals), left_out, unread_rows: unread, removed: sumOf('removed') }
  return { tabs, ticked: count('ticked'), issues: issueGroups(tally, firstRows, headers), sums }
}

/** The sum of rows of which `valued` have a value; null if none of them has. */
const knownTiv = (rows: number, tiv: number, valued: number): number | null => (rows === 0 || valued > 0 || tiv !== 0 ? tiv : null)

function issueGroups(tally: Tally, firstRows: Facts['firstRows'], headers: Facts['headers']): IssueGroup[] {
  const groups = Object.entries(tally).flatMap(([key, count]) => {
    if (!isGroupKey(key)) return []
    const group = groupOf(key)
    return [{ ...group, header: headers.get(group.column ?? '') ?? null, count, first_row: firstRows.get(key) ?? 0 }]
  })
  return groups.sort((a, b) => a.severity.localeCompare(b.severity) || b.count - a.count || compareFirst(a, b))
}

function compareFirst(a: IssueGroup, b: IssueGroup): number {
  const nameOf = ({ column, code, field }: IssueGroup) => `${(column ?? '').padStart(3)} ${code} ${field}`
  return a.first_row - b.first_row || (nameOf(a) < nameOf(b) ? -1 : 1)
}

/** The currency of all amounts of these sums, or of what is imported or in the file if there are none; null if there are several. */
const currencyOf = (tally: Tally, ...names: string[]): string | null =>
  onlyCurrency(tally, [...new Set(names.flatMap((name) => [...currenciesOf(tally, name).keys()]))])

/** The currency of the rows that do not stay out. */
function importedCurrency(tally: Tally): string | null {
  const out = currenciesOf(tally, 'out')
  return onlyCurrency(
    tally,
    [...currenciesOf(tally)].flatMap(([currency, count]) => (count > (out.get(currency) ?? 0) ? [currency] : [])),
  )
}

function onlyCurrency(tally: Tally, currencies: readonly string[]): string | null {
  const written = [...currenciesOf(tally, 'written').keys()]
  const known = [currencies, written.length === 1 ? written : [], [...currenciesOf(tally).keys()]].find(({ length }) => length > 0)
  const [first = PROPERTY_DEFAULTS.currency, ...others] = known ?? []
  return others.length === 0 && !isUnclearName(first) ? first : null
}

/** How many properties with amounts are in each currency, the most frequent first. */
export function currenciesOf(tally: Tally, name = 'file'): Map<string, number> {
  const prefix = `${name} in `
  const counts = Object.entries(tally).flatMap(([key, count]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), count] as const] : [],
  )
  return new Map(counts.sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1)))
}

type StatedSums = Pick<NonNullable<Import['sums']>, 'stated' | 'stated_by' | 'stated_parts' | 'stated_rows' | 'stated_in'>

/**
 * What the file states, and the sum of the rows to compare it with. The total of its totals rows counts if all have one, since it includes
 * columns that are not mapped; otherwise the fields that they have amounts for, unless the total column of the rows states more. Amounts that
 * are too large for a property are not compared.
 */
function statedSums(tally: Tally, totals: readonly ReadRow[]): StatedSums {
  const none: StatedSums = { stated: null, stated_by: 'totals_row', stated_parts: [], stated_rows: null, stated_in: null }
  if (totals.some(({ issues }) => issues.some(({ code, field }) => code === 'out_of_range' && isInsuredValue(field)))) return none
  const stated = (valueOf: (row: ReadRow) => number | null | undefined) => totals.reduce((sum, row) => sum + (valueOf(row) ?? 0), 0)
  if (totals.length > 0 && totals.every(({ fields }) => fields.stated_tiv))
    return { ...none, stated: stated(({ fields }) => fields.stated_tiv), stated_rows: tally['file tiv'] ?? 0 }
  const parts = totals.length === 0 ? [] : TIV_PARTS.filter((part) => totals.every(({ fields }) => typeof fields[part] === 'number'))
  const partsStated = add(parts.map((part) => stated(({ fields }) => fields[part])))
  const column = tally['stated'] ?? 0
  if (column > partsStated && (totals.length === 0 || parts.length > 0))
    return {
      ...none,
      stated: column,
      stated_by: 'total_column',
      stated_rows: tally['stated parts'] ?? 0,
      stated_in: (tally['stated rows'] ?? 0) + (tally['stated zeros'] ?? 0),
    }
  if (parts.length === 0) return none
  return { ...none, stated: partsStated, stated_parts: [...parts], stated_rows: add(parts.map((part) => tally[`file ${part}`] ?? 0)) }
}

const add = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
