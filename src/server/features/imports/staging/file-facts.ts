import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { columnsWithFactor } from '#server/features/imports/pipeline/map/column-style.ts'
import { fileSettings, type FileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { columnCurrencies } from '#server/features/imports/pipeline/map/column-currency.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { amountOf } from '#server/features/imports/pipeline/map/sum-columns.ts'
import { checkedMapping, type Mapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { differBySection, rowPlans } from '#server/features/imports/pipeline/map/sheet-plan.ts'
import { constantFields, createReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isOwnFile } from '#server/features/imports/pipeline/read/own-file.ts'
import { coverageOf } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import type { ColumnStyle, ReadRow } from '#server/features/imports/pipeline/validate/results.ts'
import { selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { wordCodes } from './import-words.ts'
import { DATA_ROWS, SKIPPED_ROWS } from './staged-rows.ts'

/** By letter of the column. */
export const headersOf = ({ columns }: ImportRecord) => new Map(columns.map(({ column, header }) => [column, header]))

/** The currencies of the mapped columns. */
export const mappedCurrencies = ({ columns, mapping }: ImportRecord) => columnCurrencies(columns, (column) => mapping[column])

/** What the user decided for the whole file. Exposure files have the unit of the floor area in its own column: 1 or m2, 11 or square feet. */
export function settingsOf({ constants, columns }: ImportRecord, titles: readonly string[], now: Date): FileSettings {
  const settings = fileSettings(constants, now)
  const { samples = [] } = columns.find(({ header }) => /^(floor ?)?area ?unit$/i.test(header.trim())) ?? {}
  const isAll = (unit: RegExp) => samples.length > 0 && samples.every((text) => unit.test(text))
  const named = isAll(/^(1(\.0)?|m2|sqm|sq ?m)$/i) ? 'm2' : isAll(/^(11(\.0)?|ft2|sqft|sq ?ft)$/i) ? 'sqft' : undefined
  const factorByHeader = columnsWithFactor(columns, titles).length > 0
  const isOwn = isOwnFile(columns.map(({ header }) => header))
  return { ...settings, isOwn, factorByHeader, areaUnit: settings.areaUnit ?? named }
}

/** `register_version` is read before the register: a commit fails if it changes in between. */
export async function figuresOf(db: Reader, { id, account_id }: ImportRecord) {
  const { rows } = await sql<{ register_version: number; total: number; skipped: number }>`
    SELECT (SELECT register_version FROM accounts WHERE id = ${account_id}) AS register_version,
      count(*) FILTER (WHERE ${sql.raw(DATA_ROWS)})::int AS total, count(*) FILTER (WHERE ${sql.raw(SKIPPED_ROWS)})::int AS skipped
      FROM import_rows WHERE import_id = ${id}`.execute(db)
  return rows[0] ?? { register_version: 0, total: 0, skipped: 0 }
}

/** The cells of the last totals row of each sheet. Empty unless every sheet with locations has one, since the sums would be incomplete. */
export async function totalsCells(db: Reader, importId: string): Promise<{ sheet: number; cells: Cell[] }[]> {
  const { rows } = await sql<{ sheet: number; cells: Cell[] | null }>`
    SELECT sheet_index AS sheet, (array_agg(cells ORDER BY row_number DESC) FILTER (WHERE kind = 'total' AND NOT included))[1] AS cells FROM import_rows
      WHERE import_id = ${importId} AND kind IN ('data', 'total') GROUP BY sheet_index`.execute(db)
  const totals = rows.flatMap(({ sheet, cells }) => (cells === null ? [] : [{ sheet, cells }]))
  return totals.length === rows.length ? totals : []
}

export async function totalsRows(db: Reader, importId: string, plan: ReadPlan): Promise<ReadRow[]> {
  if (differBySection(plan)) return []
  const planOf = rowPlans(plan)
  const totals = await totalsCells(db, importId)
  return totals.map(({ sheet, cells }) => readRow(cells, { ...planOf({ sheet, number: Infinity }), coverage: undefined }))
}

/** Those of the columns that a totals row has an amount for. */
export async function columnsWithTotal(db: Reader, record: ImportRecord, letters: readonly string[]): Promise<string[]> {
  const totals = letters.length === 0 ? [] : await totalsCells(db, record.id)
  const isTotaled = (letter: string) => {
    const index = record.columns.findIndex(({ column }) => column === letter)
    return totals.some(({ cells }) => Boolean(amountOf(cells[index])))
  }
  return letters.filter(isTotaled)
}

type Styles = NonNullable<ImportRecord['counts']['styles']>

/** How the mapped columns were read in the last preview. Null if a change may have altered that since, and on another day: reading depends on it. */
export const stylesOfToday = ({ counts: { styles, validatedAt } }: ImportRecord, now: Date): Styles | null =>
  validatedAt?.slice(0, 10) === now.toISOString().slice(0, 10) ? styles : null

/** The read plan with the styles of all mapped columns. */
export function storedPlan(record: ImportRecord, styles: Readonly<Styles>, sheets: NonNullable<ReadPlan['sheets']>, now: Date): ReadPlan {
  const headers = headersOf(record)
  const styleOf = (index: number): ColumnStyle => {
    const style = styles[columnLetters(index + 1)]
    if (style === undefined) throw new Error(`The style of column ${columnLetters(index + 1)} was not stored.`)
    return style
  }
  const constants = constantFields(record.constants, now)
  // Columns without a field may mark rows.
  const mapping: Mapping = {
    ...Object.fromEntries([...headers.keys()].map((column) => [column, 'ignore'] as const)),
    ...checkedMapping(record.mapping),
  }
  const plan = createReadPlan(mapping, (column) => headers.get(column) ?? '', styleOf, constants)
  return { ...plan, words: wordCodes(record.words), sheets, width: headerWidth(record), coverage: storedCoverage(record, plan) }
}

/** Undefined for a workbook, whose cells stay below their header, also with others on their right. */
function headerWidth(record: ImportRecord): ReadPlan['width'] {
  const [first] = selectedSheets(record)
  const cells = first?.widths.find(({ row }) => row === record.header_row)?.width
  return cells === undefined ? undefined : { cells, isJoined: record.constants['split_amounts'] === 'join' }
}

function storedCoverage({ columns, constants, counts }: ImportRecord, plan: ReadPlan): ReadPlan['coverage'] {
  const index = columns.findIndex(({ column }) => column === counts.coverageColumn)
  const found = columns[index]
  return constants['coverage_rows'] === 'ignore' || !found ? undefined : coverageOf({ ...found, index }, plan.columns)
}
