import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { IMPORT_HEADER_MAX_ROW } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { saveImport, type ImportRecord, type StoredColumn } from '#server/features/imports/imports.queries.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { changeMapping } from '#server/features/imports/pipeline/map/change-mapping.ts'
import type { SheetColumn } from '#server/features/imports/pipeline/map/column-pairs.ts'
import { describeColumn } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { addendReader, findSums, saysTotal } from '#server/features/imports/pipeline/map/sum-columns.ts'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { sampleColumn, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { findCoverageColumn } from '#server/features/imports/pipeline/read/coverage-words.ts'
import { findHeader, headerLabels } from '#server/features/imports/pipeline/read/find-header.ts'
import { isHeaderOfValue, normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { customColumns, isOwnFile } from '#server/features/imports/pipeline/read/own-file.ts'
import type { Doubt } from '#server/features/imports/pipeline/read/total-row.ts'
import { sideTableStart } from '#server/features/imports/pipeline/read/side-table.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { labelsWithUnits } from '#server/features/imports/pipeline/read/unit-notes.ts'
import { selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { columnUnitsOf, sheetUnits, unclearFactors, titlesOf } from './sheet-units.ts'
import { inTransaction } from './import-lock.ts'
import { wordCodes, wordRecall } from './import-words.ts'
import { recallLayout } from './recall-layout.ts'
import { SCHEDULE_ROWS, stagedBatches } from './staged-rows.ts'

/** Finds the header row unless the user chose one, classifies the staged rows, and stores a proposed mapping. */
export async function storeMapping(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const pause = eventLoopYielder()
  const { headerRow, labels, width } = await headerOf(client, record)
  const samples = labels.map(sampleColumn)
  const values = labels.slice(0, width).flatMap((label, index) => (isHeaderOfValue(label) ? [index] : []))
  const sums = findSums(values, [], (index) => saysTotal(labels[index] ?? ''))
  const sheets = selectedSheets(record).map((sheet, at) => ({
    index: sheet.index,
    headerRow: (at === 0 ? headerRow : sheet.headerRow) ?? 0,
  }))
  const recall = await wordRecall(ctx, record, labels)
  const addCells = (cells: readonly Cell[]) => {
    samples.forEach((sample, index) => sample.add(cells[index]))
    recall.add(cells)
    sums.add(addendReader(cells))
  }
  const rowsOf = (from: number, to: number) => columnsOf(stagedBatches(client, record.id, SCHEDULE_ROWS), from, to)
  const doubts: { row: number; doubt: Doubt }[] = []
  const onDoubt = (row: number, doubt: Doubt) => doubts.push({ row, doubt })
  const others = await importPipeline.readRows(rowsOf(0, width), sheets, labels.slice(0, width), addCells, pause, onDoubt)
  const sideTable = await readSideTable(rowsOf(width, labels.length), sheets, labels, width, pause)
  await inTransaction(client, () => storeKinds(client, record.id, others))
  const titles = await titlesOf(ctx.db, record)
  const announced = announcedBy(titles, labels, await unclearFactors(ctx.db, record))
  const settings = { ...fileSettings(record.constants, ctx.clock.now()), ...announced }
  const named = labelsWithUnits(labels, await columnUnitsOf(ctx.db, record))
  const own = named.slice(0, width).map((header, index) => columnAt(record, index, header, samples[index]?.cells()))
  const custom = settings.isOwn ? customColumns(own, await customNames(ctx, record.account_id)) : new Set<number>()
  const proposals = await importPipeline.map(
    own,
    await savedMappings(ctx, record.account_id),
    { ...settings, currency: settings.currency ?? (await likelyCurrency(ctx, record)) },
    pause,
    { choices: wordCodes(recall.found()), sums: sums.found(), custom },
  )
  const leftOut = labels.slice(width).map((header, index) => {
    const column = columnLetters(width + index + 1)
    return { ...describeColumn({ column, header, cells: samples[width + index]?.cells() ?? [] }), ...OTHER_TABLE }
  })
  const columns = [...proposals, ...leftOut].map((proposal, index): StoredColumn => ({
    ...proposal,
    filled: samples[index]?.filled() ?? 0,
  }))
  const mapping = Object.fromEntries(columns.flatMap(({ column, target }) => (target === null ? [] : [[column, target]])))
  // Before the first proposal the stored mapping is the one that was sent with the file.
  const wasSent = record.columns.length === 0 && Object.keys(record.mapping).length > 0
  const isFirst = record.columns.length === 0
  const constants = isFirst
    ? await recallLayout(ctx, client, record, { columns, mapping, samples: samples.map((sample) => sample.cells()) })
    : record.constants
  await saveImport(ctx.db, record, {
    state: 'mapped',
    constants,
    words: recall.found(),
    activity: 'validating',
    header_row: headerRow,
    counts: { ...record.counts, sideTable, ...sumsIn(doubts), coverageColumn: findCoverageColumn(own)?.column ?? null },
    ...(wasSent ? changeMapping({ mapping, columns }, record.mapping) : { mapping, columns }),
  })
}

/** The rows that may be sums, and those that probably are. */
const sumsIn = (doubts: readonly { row: number; doubt: Doubt }[]) => ({
  possibleSums: doubts.map(({ row }) => row),
  likelySums: doubts.filter(({ doubt }) => doubt === 'likely').map(({ row }) => row),
})

/** What titles and headers say about the whole file. */
const announcedBy = (titles: readonly string[], labels: readonly string[], unclear: readonly number[]) => ({
  announcedFactor: Math.max(1, ...titles.map(factorOf), ...unclear),
  isOwn: isOwnFile(labels),
})

const columnAt = (record: ImportRecord, index: number, header: string, cells: readonly Cell[] = []): SheetColumn => ({
  column: columnLetters(index + 1),
  header,
  cells,
  hidden: selectedSheets(record)[0]?.hiddenColumns.includes(index + 1) ?? false,
})

const SCANNED_ROWS = IMPORT_HEADER_MAX_ROW + 20

/** As many rows above the last one of a header may have groups and years. */
const LABEL_ROWS_ABOVE = 5

/** How the columns of another table are stored. */
const OTHER_TABLE = { target: 'ignore', score: 0, status: 'unmapped', saved: false, note: 'other_table' } as const

interface Header {
  headerRow: number | null
  /** The labels of all columns. */
  labels: string[]
  /** The number of columns of the schedule, to the right of which another table may be. */
  width: number
}

/** The header row of the first sheet. */
async function headerOf(client: PoolClient, record: ImportRecord): Promise<Header> {
  const [first] = selectedSheets(record)
  const from = Math.max(0, (record.header_row ?? 0) - LABEL_ROWS_ABOVE)
  const to = Math.min(from + SCANNED_ROWS, first?.lastRow ?? 0)
  const head: SourceRow[] = (await stagedBatches(client, record.id, `row_number BETWEEN ${from} AND ${to}`).next()).value ?? []
  const merges = first?.merges ?? []
  const { rows } = await client.query<{ width: number | null }>(
    `SELECT max(jsonb_array_length(cells)) AS width FROM import_rows WHERE import_id = $1 AND ${SCHEDULE_ROWS}`,
    [record.id],
  )
  const found = record.header_row === null ? findHeader(head, merges) : undefined
  const headerRow = record.header_row ?? found?.row ?? null
  const labels = found?.labels ?? (headerRow === null ? [] : headerLabels(headerRow, head, merges))
  const all = Array.from({ length: rows[0]?.width ?? 0 }, (_, index) => labels[index] ?? '')
  const start = headerRow === null || record.constants['side_table'] === 'include' ? undefined : sideTableStart(headerRow, head)
  return { headerRow, labels: all, width: start ?? all.length }
}

/** The rows with the cells of some columns. */
async function* columnsOf(batches: AsyncIterable<SourceRow[]>, from: number, to: number): AsyncGenerator<SourceRow[]> {
  for await (const batch of batches) yield batch.map((row) => ({ ...row, cells: row.cells.slice(from, to) }))
}

type Sheets = Parameters<typeof importPipeline.readRows>[1]

/** A total repeats the amounts of the other columns. */
const isPart = ({ header }: { header: string }, _: number, all: readonly { header: string }[]): boolean => {
  const isTotal = (text: string) => scoreHeader(normalizeHeader(text))[0]?.target === 'stated_tiv'
  return !isTotal(header) || all.every((other) => isTotal(other.header))
}

/** The rows of a table to the right of the schedule, and their amounts. */
async function readSideTable(
  batches: AsyncIterable<SourceRow[]>,
  sheets: Sheets,
  labels: readonly string[],
  width: number,
  pause: () => Promise<void>,
): Promise<ImportRecord['counts']['sideTable']> {
  if (width === labels.length) return null
  const own = labels.slice(width)
  const sums = sumUnmapped(own.map((header, index) => ({ index, column: columnLetters(width + index + 1), header })))
  let rows = 0
  const addRow = (cells: readonly Cell[]) => {
    rows += 1
    sums.add(cells)
  }
  await importPipeline.readRows(batches, sheets, own, addRow, pause)
  return { from: columnLetters(width + 1), to: columnLetters(labels.length), rows, amounts: sums.found().filter(isPart) }
}

async function storeKinds(client: PoolClient, importId: string, others: readonly { row: number; kind: string }[]): Promise<void> {
  await client.query(`UPDATE import_rows SET kind = 'data' WHERE import_id = $1 AND kind <> 'data' AND ${SCHEDULE_ROWS}`, [importId])
  await client.query(
    `UPDATE import_rows r SET kind = k.kind FROM jsonb_to_recordset($2::jsonb) AS k ("row" integer, kind text)
      WHERE r.import_id = $1 AND r.row_number = k."row"`,
    [importId, JSON.stringify(others)],
  )
}

/** The currency that the titles name, or that of the account. Undefined for an account without values, or with values in several currencies. */
async function likelyCurrency(ctx: Context, record: ImportRecord): Promise<string | undefined> {
  const { account_id: accountId } = record
  const units = await sheetUnits(ctx.db, record)
  const [titled, ...others] = new Set([...units.values()].map(({ currency }) => currency))
  if (titled !== undefined && others.length === 0) return titled
  const totals = ctx.db.selectFrom('account_totals').select('currency').where('account_id', '=', accountId).where('tiv', '>', 0)
  return (await totals.executeTakeFirst())?.currency ?? undefined
}

/** By `learnedKeys`. */
async function savedMappings(ctx: Context, accountId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ header: string; field: string }>`SELECT m.header, m.field FROM import_mappings m
    JOIN accounts a ON a.company_id = m.company_id WHERE a.id = ${accountId}`.execute(ctx.db)
  return new Map(rows.map(({ header, field }) => [header, field]))
}

/** The custom fields of the account, by which its own list is recognized. */
async function customNames(ctx: Context, accountId: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT jsonb_object_keys(p.custom) AS name FROM account_properties p
    WHERE p.account_id = ${accountId} AND p.custom <> '{}' AND p.deleted_at IS NULL`.execute(ctx.db)
  return new Set(rows.map(({ name }) => name))
}
