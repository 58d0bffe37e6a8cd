import { columnOfFactor } from '#contract/column-factor.ts'
import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { ROW_ANSWERS, SETTINGS } from '#server/features/imports/pipeline/map/file-settings.ts'
import type { RowFacts } from '#server/features/imports/pipeline/plan/row-questions.ts'
import { otherColumns } from '#server/features/imports/pipeline/read/other-headers.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { CoverageColumn } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { locationsOn, rowNames, selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { DATA_ROWS, fileText } from './staged-rows.ts'

interface OtherTable {
  /** The row of its header. */
  row: number
  cells: Cell[]
  /** The locations below it. */
  rows: number[]
  /** How many of them are not excluded. */
  included: number
}

/** The tables below another header of the same sheet. */
export async function otherTables(db: Reader, importId: string): Promise<OtherTable[]> {
  const { rows } = await sql<OtherTable>`SELECT h.row_number AS row, h.cells, below.*
    FROM (SELECT *, lead(row_number) OVER sheet AS next, min(row_number) FILTER (WHERE kind = 'header') OVER sheet AS first FROM import_rows
      WHERE import_id = ${importId} AND kind IN ('header', 'repeated_header')
      WINDOW sheet AS (PARTITION BY sheet_index ORDER BY row_number)) h
    CROSS JOIN LATERAL (SELECT coalesce(array_agg(r.row_number ORDER BY r.row_number), '{}') AS rows,
        (count(*) FILTER (WHERE NOT r.excluded))::int AS included
      FROM import_rows r WHERE r.import_id = ${importId} AND r.kind = 'data' AND r.sheet_index = h.sheet_index
        AND r.row_number > h.row_number AND (h.next IS NULL OR r.row_number < h.next)) below
    WHERE h.kind = 'header' AND h.row_number > h.first ORDER BY 1`.execute(db)
  return rows.filter((table) => table.rows.length > 0)
}

/** The locations below another header that the user leaves out: the columns mean something else there, so their values are not known. */
export async function rowsOfLeftOutTables(db: Reader, { id, constants }: Pick<ImportRecord, 'id' | 'constants'>): Promise<number[]> {
  const tables = constants['other_tables'] === 'exclude' ? await otherTables(db, id) : []
  return tables.flatMap(({ rows }) => rows)
}

async function hiddenRows(db: Reader, importId: string): Promise<number[]> {
  const { rows } = await sql<{ row_number: number }>`SELECT row_number FROM import_rows
    WHERE import_id = ${importId} AND hidden AND kind = 'data' ORDER BY 1`.execute(db)
  return rows.map(({ row_number }) => row_number)
}

/** The numbers of the rows whose text is struck through. */
export const struckRows = (record: ImportRecord): number[] =>
  selectedSheets(record).flatMap(({ offset, struckRows: rows }) => rows.map((row) => offset + row))

/** The rows about which the user is questioned, without those that they excluded. */
export async function rowFacts(db: Reader, record: ImportRecord, coverage?: CoverageColumn): Promise<RowFacts> {
  const labels = record.columns.map(({ header }) => header)
  const { rowLabel } = rowNames(record)
  const { possibleSums, likelySums } = record.counts
  const { rows } = await sql<{ hidden: number; struck: number }>`SELECT (count(*) FILTER (WHERE hidden))::int AS hidden,
      (count(*) FILTER (WHERE row_number = ANY(${struckRows(record)}::integer[])))::int AS struck
    FROM import_rows WHERE import_id = ${record.id} AND kind = 'data' AND NOT excluded`.execute(db)
  const { hidden, struck } = rows[0] ?? { hidden: 0, struck: 0 }
  const sums = { labels: possibleSums.map(rowLabel), likely: likelySums.length }
  const tables = (await otherTables(db, record.id)).flatMap(({ row, cells, included }) => {
    const columns = otherColumns(cells, labels).map((index) => ({
      letter: columnLetters(index + 1),
      name: cellText(cells[index]),
      header: labels[index] ?? '',
    }))
    return included === 0 ? [] : [{ label: rowLabel(row), rows: included, columns }]
  })
  const covered = coverage ? { ...coverage, words: await wordsIn(db, record.id, coverage) } : null
  const sheets = selectedSheets(record).map((sheet) => ({ name: sheet.name, rows: locationsOn(sheet) }))
  return { hidden, struck, sums, tables, sideTable: record.counts.sideTable, coverage: covered, sheets }
}

/** The distinct words of a column in rows with an amount, the most frequent first. */
async function wordsIn(db: Reader, importId: string, { index, column, amount }: CoverageColumn): Promise<{ text: string; rows: number }[]> {
  const textOf = (letter: string, at: number) =>
    sql`btrim(CASE WHEN edits ? ${letter} THEN edits->>${letter} ELSE ${sql.raw(fileText('cells', at))} END)`
  const { rows } = await sql<{ text: string; rows: number }>`SELECT text, count(*)::int AS rows
    FROM (SELECT coalesce(${textOf(column, index)}, '') AS text, coalesce(${textOf(amount.column, amount.index)}, '') AS amount
      FROM import_rows WHERE import_id = ${importId} AND ${sql.raw(DATA_ROWS)}) words
    WHERE text <> '' OR amount !~ '^[\s$€£0.,-]*$' GROUP BY text ORDER BY 2 DESC, 1`.execute(db)
  return rows
}

type Constants = ImportRecord['constants']

/** The constants without the answers about single rows, which depend on the sheets and their header rows. */
export const withoutRowAnswers = (constants: Constants): Constants =>
  Object.fromEntries(Object.entries(constants).filter(([name]) => !ROW_ANSWERS.has(name) && columnOfFactor(name) === undefined))

/** The constants that are left when other sheets are read: values of fields, but no answers, which were about other amounts. */
export const withoutSheetAnswers = (constants: Constants): Constants =>
  Object.fromEntries(Object.entries(withoutRowAnswers(constants)).filter(([name]) => !Object.hasOwn(SETTINGS, name) && name !== 'currency'))

/** Excludes the rows that the user wants to leave out by an answer, and includes them again after another one. */
export async function applyRowAnswers(db: Reader, record: ImportRecord, next: Constants): Promise<void> {
  const { id, constants } = record
  const changed = ['hidden_rows', 'struck_rows', 'possible_sums', 'other_tables'].some(
    (name) => (constants[name] === 'exclude') !== (next[name] === 'exclude'),
  )
  if (!changed) return
  const [hidden, tables] = [await hiddenRows(db, id), await otherTables(db, id)]
  const rowsOf = (answers: Constants) => [
    ...(answers['hidden_rows'] === 'exclude' ? hidden : []),
    ...(answers['struck_rows'] === 'exclude' ? struckRows(record) : []),
    ...(answers['possible_sums'] === 'exclude' ? record.counts.possibleSums : []),
    ...(answers['other_tables'] === 'exclude' ? tables.flatMap(({ rows }) => rows) : []),
  ]
  const out = rowsOf(next)
  await sql`UPDATE import_rows SET excluded = row_number = ANY(${out}::integer[])
    WHERE import_id = ${id} AND kind = 'data' AND row_number = ANY(${[...rowsOf(constants), ...out]}::integer[])`.execute(db)
}
