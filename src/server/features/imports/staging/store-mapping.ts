import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { saveImport, type ImportRecord, type StoredColumn } from '#server/features/imports/imports.queries.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/column-style.ts'
import { changeMapping } from '#server/features/imports/pipeline/map/change-mapping.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { sampleColumn, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { findHeader, headerLabels } from '#server/features/imports/pipeline/read/find-header.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { selectedSheets } from '#server/features/imports/selected-sheets.ts'
import { titlesOf } from './file-facts.ts'
import { inTransaction } from './import-lock.ts'
import { wordCodes, wordRecall } from './import-words.ts'
import { recallLayout } from './recall-layout.ts'
import { SCHEDULE_ROWS, stagedBatches } from './staged-rows.ts'

/** Finds the header row unless the user chose one, classifies the staged rows, and stores a proposed mapping. */
export async function storeMapping(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const pause = eventLoopYielder()
  const { headerRow, labels } = await headerOf(client, record)
  const samples = labels.map(sampleColumn)
  const hiddenColumns = selectedSheets(record)[0]?.hiddenColumns ?? []
  const sheets = selectedSheets(record).map((sheet, at) => ({
    index: sheet.index,
    headerRow: (at === 0 ? headerRow : sheet.headerRow) ?? 0,
  }))
  const recall = await wordRecall(ctx, record, labels)
  const addCells = (cells: readonly Cell[]) => {
    samples.forEach((sample, index) => sample.add(cells[index]))
    recall.add(cells)
  }
  const batches = stagedBatches(client, record.id, SCHEDULE_ROWS)
  const others = await importPipeline.readRows(batches, sheets, labels, addCells, pause)
  await inTransaction(client, () => storeKinds(client, record.id, others))
  const titles = await titlesOf(ctx.db, record.id)
  const settings = { ...fileSettings(record.constants, ctx.clock.now()), announcedFactor: Math.max(1, ...titles.map(factorOf)) }
  const proposals = await importPipeline.map(
    labels.map((header, index) => ({
      column: columnLetters(index + 1),
      header,
      cells: samples[index]?.cells() ?? [],
      hidden: hiddenColumns.includes(index + 1),
    })),
    await savedMappings(ctx, record.account_id),
    { ...settings, currency: settings.currency ?? (await accountCurrency(ctx, record.account_id)) },
    pause,
    wordCodes(recall.found()),
  )
  const columns = proposals.map((proposal, index): StoredColumn => ({ ...proposal, filled: samples[index]?.filled() ?? 0 }))
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
    ...(wasSent ? changeMapping({ mapping, columns }, record.mapping) : { mapping, columns }),
  })
}

const SCANNED_ROWS = 80

/** The header row of the first sheet, and the labels of all columns. */
async function headerOf(client: PoolClient, record: ImportRecord): Promise<{ headerRow: number | null; labels: string[] }> {
  const [first] = selectedSheets(record)
  const from = Math.max(0, (record.header_row ?? 0) - 1)
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
  return { headerRow, labels: Array.from({ length: rows[0]?.width ?? 0 }, (_, index) => labels[index] ?? '') }
}

async function storeKinds(client: PoolClient, importId: string, others: readonly { row: number; kind: string }[]): Promise<void> {
  await client.query(`UPDATE import_rows SET kind = 'data' WHERE import_id = $1 AND kind <> 'data' AND ${SCHEDULE_ROWS}`, [importId])
  await client.query(
    `UPDATE import_rows r SET kind = k.kind FROM jsonb_to_recordset($2::jsonb) AS k ("row" integer, kind text)
      WHERE r.import_id = $1 AND r.row_number = k."row"`,
    [importId, JSON.stringify(others)],
  )
}

/** Undefined for an account without values, or with values in several currencies. */
async function accountCurrency(ctx: Context, accountId: string): Promise<string | undefined> {
  const totals = ctx.db.selectFrom('account_totals').select('currency').where('account_id', '=', accountId).where('tiv', '>', 0)
  return (await totals.executeTakeFirst())?.currency ?? undefined
}

/** By `learnedKeys`. */
async function savedMappings(ctx: Context, accountId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ header: string; field: string }>`SELECT m.header, m.field FROM import_mappings m
    JOIN accounts a ON a.company_id = m.company_id WHERE a.id = ${accountId}`.execute(ctx.db)
  return new Map(rows.map(({ header, field }) => [header, field]))
}
