import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import type { Reader } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { NEXT_VERSION, changeImport, type ImportRecord } from '#server/features/imports/imports.queries.ts'
import { differBySection } from '#server/features/imports/pipeline/map/sheet-plan.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { observeReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { indexRegister, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { connectedWith, rangeKeys, rowKeys } from '#server/features/imports/pipeline/match/row-links.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import {
  groupKey,
  groupOf,
  isGroupKey,
  listedProperties,
  replaceInTally,
  tallyRows,
  type Tally,
  type TalliedRow,
} from '#server/features/imports/pipeline/plan/tally.ts'
import { ADDRESS } from '#server/features/imports/pipeline/validate/blank-addresses.ts'
import { refersToAbove } from '#server/features/imports/pipeline/validate/ditto.ts'
import { hasHeadings } from '#server/features/imports/pipeline/validate/headings.ts'
import type { ColumnStyle, RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import { loadPropertyKeys, loadRegister } from '#server/features/imports/register.queries.ts'
import { mergesOf, rowLocator, rowNames, usedDivestedSheets } from '#server/features/imports/selected-sheets.ts'
import { figuresOf, headersOf, settingsOf, storedPlan, stylesOfToday } from './file-facts.ts'
import { sheetUnits, titlesOf } from './sheet-units.ts'
import { previewFigures } from './preview-figures.ts'
import { cellsOf, inOneBatch, stagedRows } from './staged-rows.ts'
import { storeRows } from './store-preview.ts'
import { unmappedColumns, unmappedMoney } from './unmapped-columns.ts'

/** With more connected rows, a check of the whole file is about as fast. */
const ROWS_MAX = 300

/** What a user changed in a finished preview. */
export interface RowChange {
  rows: readonly number[]
  /** Letters of the columns whose cells changed; undefined when rows came or went, which changes all columns. */
  columns: readonly string[] | undefined
  /** The stored results of rows whose match changed, from before the change. */
  former: readonly StoredResult[]
}

/**
 * Checks the rows that a change concerns, and those that depend on them, and adjusts the figures of the preview. The result is that of a
 * check of the whole file. Returns false without a change if the whole file must be checked: a change may alter how a whole column is
 * read, and the register or the day may have changed since the preview.
 */
export async function recheckRows(tx: WriteContext, record: ImportRecord, change: RowChange): Promise<boolean> {
  const now = tx.clock.now()
  const styles = stylesOfToday(record, now)
  const { repeats, marked } = fileSettings(record.constants, now)
  if (styles === null || usedDivestedSheets(record).length > 0 || repeats !== undefined || marked === 'leave_out' || marked === 'divest')
    return false
  if (await decidesRowsBelow(tx.db, record, change.rows)) return false
  if (change.rows.length > ROWS_MAX || record.counts.issues.some(({ code }) => code === 'value_above' || code === 'address_part'))
    return false
  const { register_version, total, skipped } = await figuresOf(tx.db, record)
  if (register_version !== record.register_version) return false
  const money = await observeAgain(tx, record, styles, change.columns)
  if (money === undefined) return false
  const plan = storedPlan(record, styles, await sheetUnits(tx.db, record), now)
  // A row may now be the title of a section, or in another one.
  if (plan.coverage !== undefined || hasHeadings(plan) || differBySection(plan)) return false
  const scope = await connectedRows(tx.db, record, plan, change.rows, now)
  if (scope.rows.size > ROWS_MAX) return false

  const { mode, empty_clears: emptyClears } = record
  const { rowLabel } = rowNames(record)
  const register = await loadRegister(tx.db, record.account_id, scope.properties)
  const former = await formerRows(tx.db, record, scope.rows, register, change.former)
  const rows = await validate(tx.db, record, plan, scope.rows, now)
  if (rows === undefined || rows.some(({ issues }) => refersToAbove(issues))) return false
  const matches = await importPipeline.match(rows, indexRegister(register))
  const planned = await importPipeline.plan(rows, matches, { mode, emptyClears, rowLabel }, noPause)
  importPipeline.settleNumbers(planned, register, { mode, rowLabel, divested: [] })
  const tallyOf = (some: readonly TalliedRow[]) => tallyRows({ rows: some, register, listed: listedProperties(some), mode, divested: [] })
  const tally = replaceInTally(record.counts.tally, tallyOf(former), tallyOf(planned))
  await storeRows(tx.db, record, planned, change.rows)

  const firstRows = await firstRowsOf(tx.db, record, scope.rows, planned, tally)
  const { counts, sums } = await previewFigures(tx.db, record, { plan, tally, firstRows, skipped, unmappedMoney: money })
  const done = { counts, sums, failure: null, progress_done: total, progress_total: total }
  await changeImport(tx.db, record.id, done).set(NEXT_VERSION).execute()
  return true
}

const lacksAddress = ({ code, field }: RowIssue) => code === 'address_above' || (code === 'required_missing' && field === 'address')

/** Whether a row without an address, or with a mark in place of it, follows one of these rows, so that it may belong to its location. */
async function decidesRowsBelow(db: Reader, { id, constants, mapping }: ImportRecord, changed: readonly number[]): Promise<boolean> {
  if (constants['blank_addresses'] === 'above') return true
  const next = changed.map((number) => number + 1)
  const { rows } = await sql<{
    issues: RowIssue[]
    isBlank: boolean
  }>`SELECT issues, fields->>'address' IS NULL AS "isBlank" FROM import_rows
    WHERE import_id = ${id} AND row_number = ANY(${next}::integer[]) AND match_keys IS NOT NULL`.execute(db)
  const mayBelong = constants['blank_addresses'] === undefined && Object.values(mapping).some((target) => ADDRESS.has(target))
  return rows.some(({ issues, isBlank }) => refersToAbove(issues) || (mayBelong && isBlank))
}

const noPause = async () => {}

/**
 * Reads the changed columns again: their cells together decide how each of them is read, and whether a column without a mapping contains
 * money. Returns the columns with money; undefined if a column is now read in another way.
 */
async function observeAgain(
  tx: WriteContext,
  record: ImportRecord,
  styles: Readonly<Record<string, ColumnStyle>>,
  changed: readonly string[] | undefined,
): Promise<ImportRecord['counts']['unmappedMoney'] | undefined> {
  const isChanged = (column: string) => changed === undefined || changed.includes(column)
  const now = tx.clock.now()
  const pause = eventLoopYielder()
  const headers = headersOf(record)
  const mapping = Object.fromEntries(Object.entries(checkedMapping(record.mapping)).filter(([column]) => isChanged(column)))
  const money = unmappedColumns(record).some(({ column }) => isChanged(column)) ? await unmappedMoney(tx.db, record) : undefined
  // Other columns say whether a column without a mapping is their sum.
  const letters = money === undefined ? Object.keys(mapping) : record.columns.map(({ column }) => column)
  const rows = await cellsOf(tx.db, record.id, letters)
  for (const { cells } of rows) money?.add(cells)
  const { columns } = await observeReadPlan(
    inOneBatch(rows),
    mapping,
    (column) => headers.get(column) ?? '',
    {},
    settingsOf(record, await titlesOf(tx.db, record), now),
    pause,
  )
  if (columns.some(({ column, style }) => !isDeepStrictEqual(style, styles[column]))) return undefined
  return money?.found() ?? record.counts.unmappedMoney
}

/** How many rows above one without an address are read at a time to find its location, and how often. */
const ROWS_ABOVE = 10
const ROUNDS_MAX = 5

/** The rows of these numbers. Undefined if the location of a row without an address is too far above it. */
async function validate(db: Reader, record: ImportRecord, plan: ReadPlan, numbers: ReadonlySet<number>, now: Date) {
  const { blankAddresses, marked } = fileSettings(record.constants, now)
  const options = {
    merges: mergesOf(record),
    rowLabel: rowNames(record).rowLabel,
    marked,
    blankAddresses,
    onProgress: noPause,
    pause: noPause,
  }
  const loaded = new Set(numbers)
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const rows = await importPipeline.validate(inOneBatch(await stagedRows(db, record.id, loaded)), plan, options)
    const size = loaded.size
    for (const { number } of blankAddresses === 'errors' ? [] : rows.filter(({ issues }) => issues.some(lacksAddress)))
      for (let above = Math.max(1, number - ROWS_ABOVE); above < number; above += 1) loaded.add(above)
    if (loaded.size === size) return rows.filter(({ number }) => numbers.has(number))
  }
  return undefined
}

/** The changed rows, and all rows and properties that are connected with their former or present values. */
async function connectedRows(db: Reader, record: ImportRecord, plan: ReadPlan, changed: readonly number[], now: Date) {
  const { rows: stored } = await sql<{ row_number: number; match_keys: string[] }>`SELECT row_number, match_keys FROM import_rows
    WHERE import_id = ${record.id} AND match_keys IS NOT NULL`.execute(db)
  const keys = new Map(stored.map(({ row_number, match_keys }) => [row_number, match_keys]))
  const locate = rowLocator(record)
  const rangesAt = rangeKeys(mergesOf(record))
  const rangesOf = (number: number) => rangesAt(locate(number).sheet?.index ?? 0, locate(number).row)
  const ranges = new Set(changed.flatMap(rangesOf))
  const sameRange = ranges.size === 0 ? [] : [...keys].flatMap(([number, own]) => (own.some((key) => ranges.has(key)) ? [number] : []))
  const isChanged = new Set(changed)
  for (const row of (await validate(db, record, plan, new Set([...changed, ...sameRange]), now)) ?? [])
    if (isChanged.has(row.number)) keys.set(row.number, [...(keys.get(row.number) ?? []), ...rowKeys(row), ...rangesOf(row.number)])
  const start = changed.flatMap((number) => [...(keys.get(number) ?? []), ...rangesOf(number)])
  const { rows, properties } = connectedWith(start, keys, await loadPropertyKeys(db, record.account_id))
  return { rows: new Set([...changed, ...rows]), properties }
}

export interface StoredResult extends Pick<TalliedRow, 'tab' | 'fields' | 'origin' | 'issues' | 'tiv'> {
  row_number: number
  property_id: string | null
  candidates: string[] | null
  changes: TalliedRow['changes'] | null
}

/** The stored results of rows that are locations. */
export async function storedResults(db: Reader, importId: string, numbers: Iterable<number>): Promise<StoredResult[]> {
  const { rows } =
    await sql<StoredResult>`SELECT row_number, tab, fields, coalesce(fields->'origin', '{}') AS origin, issues, tiv, property_id, candidates, changes FROM import_rows
    WHERE import_id = ${importId} AND row_number = ANY(${[...numbers]}::integer[]) AND match_keys IS NOT NULL`.execute(db)
  return rows
}

async function formerRows(
  db: Reader,
  { id }: ImportRecord,
  numbers: Iterable<number>,
  register: readonly RegisterRow[],
  former: readonly StoredResult[],
): Promise<TalliedRow[]> {
  const byId = new Map(register.map((property) => [property.id, property]))
  const byNumber = new Map(former.map((row) => [row.row_number, row]))
  const stored = await storedResults(db, id, numbers)
  return stored.map((present) => {
    const { row_number: number, property_id, candidates, changes, ...row } = byNumber.get(present.row_number) ?? present
    const property = byId.get(property_id ?? '')
    return { ...row, number, property, candidates: (candidates ?? []).flatMap((one) => byId.get(one) ?? []), changes: changes ?? undefined }
  })
}

/** The first row of each group of issues. It is searched only in groups whose first row was checked again. */
async function firstRowsOf(db: Reader, record: ImportRecord, checked: ReadonlySet<number>, planned: readonly TalliedRow[], tally: Tally) {
  const firstRows = new Map(record.counts.issues.map((group) => [groupKey(group), group.first_row]))
  for (const { number, issues } of planned) {
    for (const key of issues.map(groupKey)) if (number < (firstRows.get(key) ?? Infinity)) firstRows.set(key, number)
  }
  for (const key of Object.keys(tally).filter(isGroupKey)) {
    if (!checked.has(firstRows.get(key) ?? 0)) continue
    const { rows } = await sql<{ first: number }>`SELECT min(row_number) AS first FROM import_rows
      WHERE import_id = ${record.id} AND issues @> ${JSON.stringify([groupOf(key)])}::jsonb`.execute(db)
    if (rows[0]) firstRows.set(key, rows[0].first)
  }
  return firstRows
}
