import type { ImportMode } from '#contract/import-inputs.ts'
import { PROPERTY_DEFAULTS, TIV_PARTS, hasTivPart } from '#contract/property-fields.ts'
import { isActive, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { currenciesOfRow, hasUnreadInCurrency } from '#server/features/imports/pipeline/validate/read-currency.ts'
import { tivOf, type RowFields, type RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import { countrySigns } from './country-signs.ts'
import type { PlannedRow } from './planned-row.ts'
import type { DivestedSheet } from './propose-divested.ts'
import { isLeftAtNumber } from './settle-numbers.ts'
import { smallSigns } from './small-column-question.ts'
import { scaleSigns } from './value-scale.ts'

/**
 * Counts and sums by name. They are additive: when a few rows change, their former part is subtracted and the new one is added, and the
 * result is that of all rows.
 */
export type Tally = Readonly<Record<string, number>>

/** The part of a planned row that is counted. */
export type TalliedRow = Pick<PlannedRow, 'number' | 'tab' | 'fields' | 'origin' | 'issues' | 'property' | 'candidates' | 'changes' | 'tiv'>

export interface TalliedRows {
  rows: readonly TalliedRow[]
  register: readonly RegisterRow[]
  listed: ReadonlySet<string>
  mode: ImportMode
  divested: readonly DivestedSheet[]
}

/** The ids of all properties that a row of the schedule matches, or may match. */
export const listedProperties = (rows: readonly Pick<PlannedRow, 'property' | 'candidates'>[]): Set<string> =>
  new Set(rows.flatMap(({ property, candidates }) => [...(property ? [property.id] : []), ...candidates.map(({ id }) => id)]))

/** Followed by a country: rows with amounts whose currency the file does not name. */
const UNNAMED_IN = 'unnamed currency in '

/** Followed by a country: rows with amounts whose currency the file names. */
const NAMED_IN = 'named currency in '

const rowsIn = (tally: Tally, prefix: string) =>
  Object.entries(tally)
    .flatMap(([key, count]): [country: string, rows: number][] => (key.startsWith(prefix) ? [[key.slice(prefix.length), count]] : []))
    .sort(([, a], [, b]) => b - a)

/** How many rows with amounts without a named currency are in each country, most first. */
export const unnamedCurrencies = (tally: Tally) => rowsIn(tally, UNNAMED_IN)

/** How many rows with amounts are in each country; one may be listed twice. */
export const countriesOfAmounts = (tally: Tally) => [...rowsIn(tally, NAMED_IN), ...rowsIn(tally, UNNAMED_IN)]

const ISSUE = 'issue '
type GroupOfIssues = Pick<RowIssue, 'severity' | 'code'> & Record<'column' | 'field', string | null>

/** The key of a group of issues. */
export const groupKey = ({ severity, code, column, field }: GroupOfIssues): string =>
  ISSUE + JSON.stringify({ severity, code, column, field })

/** The issues that belong to a group. */
export const groupOf = (key: string): GroupOfIssues => JSON.parse(key.slice(ISSUE.length))

export const isGroupKey = (key: string): boolean => key.startsWith(ISSUE)

/** Counts and adds up the rows, and the properties of the register before and after the commit. */
export function tallyRows({ rows, register, listed, mode, divested }: TalliedRows): Tally {
  const { tally, add, addSum, addFile } = createTally()
  for (const row of rows) {
    const { tab, fields, origin, issues, tiv } = row
    add(`tab ${tab}`)
    for (const issue of issues) add(groupKey(issue))
    if (isLeftAtNumber(row)) add('left at number')
    const currencies = currenciesOfRow(row)
    addFile(row, currencies)
    if (hasAmounts(fields)) add(`${origin.currency === undefined ? UNNAMED_IN : NAMED_IN}${fields.country ?? PROPERTY_DEFAULTS.country}`)
    if (tab === 'errors' || tab === 'conflict' || tab === 'excluded') addSum('out', row, currencies)
    if (tab === 'add' || tab === 'change') addSum('written', row, currencies)
    if (tab === 'add') addAfter(1, tiv, valued(fields))
    if (tab === 'change') addChange(row)
    for (const sign of [...scaleSigns(row), ...smallSigns(row), ...countrySigns(row)]) add(sign)
  }
  const removals = divested.flatMap((sheet) => sheet.divested)
  const divestedIds = new Set(removals.map(({ property }) => property.id))
  for (const property of register) {
    if (!isActive(property)) continue
    addRegister('before', property)
    if (mode === 'full_replacement' && !listed.has(property.id) && !divestedIds.has(property.id)) {
      addRemoval(property, true)
      addRegister('missing', property)
    }
  }
  for (const { property, exact } of removals) addRemoval(property, exact)
  return withoutZeros(tally)

  function addAfter(count: number, tiv: number, withValue: number) {
    add('after rows', count)
    add('after tiv', tiv)
    add('after valued', withValue)
  }
  function addChange({ property, changes = {} }: TalliedRow) {
    if (!property) return
    const changed = Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]))
    const values = { ...property.values, ...changed }
    if (isActive(property)) addAfter(0, tivOf(values) - tivOf(property.values), valued(values) - valued(property.values))
    else addAfter(1, tivOf(values), valued(values))
  }
  function addRegister(name: string, { values }: RegisterRow) {
    addSum(name, { fields: values, origin: {}, issues: [], tiv: tivOf(values) }, [values.currency ?? PROPERTY_DEFAULTS.currency])
  }
  function addRemoval(removed: RegisterRow, isPreselected: boolean) {
    const { values } = removed
    add('tab remove')
    if (!isPreselected) return
    add('ticked')
    addRegister('removed', removed)
    addAfter(-1, -tivOf(values), -valued(values))
  }
}

type AmountsOfRow = Pick<TalliedRow, 'fields' | 'origin' | 'issues' | 'tiv'>

/** The locations of the file that a person decided to leave out: in the sums of the file and of what stays out, but in no question. */
export function tallyLeftOut(rows: readonly AmountsOfRow[]): Tally {
  const { tally, addSum, addFile } = createTally()
  for (const row of rows) {
    const currencies = currenciesOfRow(row)
    addFile(row, currencies)
    addSum('out', row, currencies)
  }
  return withoutZeros(tally)
}

/** The sums of two sets of rows. */
export const addTallies = (a: Tally, b: Tally): Tally =>
  Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)] as const))

/** 1 for a row that has a value, also one of 0. */
const valued = (fields: RowFields): number => (hasTivPart(fields) ? 1 : 0)

const hasAmounts = (fields: RowFields): boolean => tivOf(fields) > 0 || Boolean(fields.stated_tiv)

function createTally() {
  const tally: Record<string, number> = {}
  const add = (key: string, amount = 1) => void (tally[key] = (tally[key] ?? 0) + amount)
  const addSum = (name: string, row: AmountsOfRow, currencies: readonly string[]) => {
    const { fields, tiv } = row
    add(`${name} rows`)
    add(`${name} tiv`, tiv)
    add(`${name} valued`, valued(fields))
    if (hasAmounts(fields) || hasUnreadInCurrency(row)) for (const currency of currencies) add(`${name} in ${currency}`)
  }
  const addFile = (row: AmountsOfRow, currencies: readonly string[]) => {
    const { fields, tiv } = row
    addSum('file', row, currencies)
    for (const part of TIV_PARTS) if (fields[part]) add(`file ${part}`, fields[part])
    if (fields.stated_tiv === 0 && tiv === 0) add('stated zeros')
    if (!fields.stated_tiv) return
    add('stated', fields.stated_tiv)
    add('stated parts', tiv)
    add('stated rows')
    if (fields.stated_tiv > tiv) add('stated above parts')
  }
  return { tally, add, addSum, addFile }
}

const withoutZeros = (tally: Tally): Tally => Object.fromEntries(Object.entries(tally).filter(([, amount]) => amount !== 0))

/** The tally of all rows after some of them changed. */
export function replaceInTally(all: Tally, former: Tally, present: Tally): Tally {
  const keys = new Set([...Object.keys(all), ...Object.keys(former), ...Object.keys(present)])
  return withoutZeros(
    Object.fromEntries([...keys].map((key) => [key, (all[key] ?? 0) - (former[key] ?? 0) + (present[key] ?? 0)] as const)),
  )
}
