import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { RowKind } from '#contract/import-rows.ts'
import type { Context } from '#server/engines/context.ts'
import { saveImport, type ImportRecord, type StoredColumn } from '#server/features/imports/import-record.ts'
import { choicesOf } from '#server/features/imports/plan/constants.ts'
import { classifier, isTrailingNote } from '#server/features/imports/sheet/classify-rows.ts'
import { findHeader, headerLabels } from '#server/features/imports/sheet/find-header.ts'
import { columnLetter, type SheetRow } from '#server/features/imports/sheet/sheet-row.ts'
import { takenSheets } from '#server/features/imports/sheet/taken-sheets.ts'
import { inTransaction } from '#server/features/imports/staging/import-lock.ts'
import { SCHEDULE_ROWS, stagedBatches } from '#server/features/imports/staging/staged-rows.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { sampleColumn, type ColumnSample } from './column-samples.ts'
import { remapped } from './remap.ts'
import { proposeMapping } from './propose-mapping.ts'

/** Finds the header row unless a person named one, tells locations from other rows, and proposes where each column goes. */
export async function proposeColumns(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const { headerRow, labels: named, width } = await headerOf(client, record)
  const labels = Array.from({ length: width }, (_, index) => named[index] ?? '')
  const samples = labels.map(sampleColumn)
  const kinds = await classifyStaged(client, record, headerRow, labels, samples)
  const saved = await savedMappings(ctx, record.account_id)
  const proposals = await proposeMapping(
    labels.map((header, index) => ({ column: columnLetter(index + 1), header, cells: samples[index]?.cells() ?? [] })),
    saved,
    choicesOf(record.constants, ctx.clock.now()),
    eventLoopYielder(),
  )
  const columns = proposals.map((proposal, index): StoredColumn => ({ ...proposal, filled: samples[index]?.filled() ?? 0 }))
  await inTransaction(client, () => storeKinds(client, record.id, kinds))
  const proposed = {
    columns,
    mapping: Object.fromEntries(columns.flatMap(({ column, target }) => (target === null ? [] : [[column, target]]))),
  }
  // Before the first proposal the mapping is what the sender of the file asked for.
  const isFirst = record.columns.length === 0 && Object.keys(record.mapping).length > 0
  await saveImport(ctx.db, record, {
    state: 'mapped',
    activity: 'validating',
    header_row: headerRow,
    ...(isFirst ? remapped(proposed, record.mapping) : proposed),
  })
}

const SCANNED_ROWS = 80

/** The first sheet names the columns for all of them. */
async function headerOf(client: PoolClient, record: ImportRecord): Promise<{ headerRow: number | null; labels: string[]; width: number }> {
  const { id, header_row } = record
  const [first] = takenSheets(record)
  const from = Math.max(0, (header_row ?? 0) - 1)
  const to = Math.min(from + SCANNED_ROWS, first?.lastRow ?? 0)
  const head: SheetRow[] = (await stagedBatches(client, id, `row_number BETWEEN ${from} AND ${to}`).next()).value ?? []
  const { rows } = await client.query<{ width: number | null }>(
    `SELECT max(jsonb_array_length(cells)) AS width FROM import_rows WHERE import_id = $1 AND ${SCHEDULE_ROWS}`,
    [id],
  )
  const width = rows[0]?.width ?? 0
  const merges = first?.merges ?? []
  if (header_row !== null) return { headerRow: header_row, labels: headerLabels(header_row, head, merges), width }
  const found = findHeader(head, merges)
  return { headerRow: found?.row ?? null, labels: found?.labels ?? [], width }
}

async function classifyStaged(
  client: PoolClient,
  record: ImportRecord,
  headerRow: number | null,
  labels: readonly string[],
  samples: readonly ColumnSample[],
): Promise<{ row: number; kind: RowKind }[]> {
  const sheets = takenSheets(record).map((sheet, at) => ({
    index: sheet.index,
    lastDataRow: 0,
    // Totals and sections are those of their own sheet.
    next: classifier((at === 0 ? headerRow : sheet.headerRow) ?? 0, labels).next,
  }))
  const yieldToEventLoop = eventLoopYielder()
  const special: { row: number; sheetRow: number; kind: RowKind; sheet: (typeof sheets)[number] }[] = []
  for await (const batch of stagedBatches(client, record.id, SCHEDULE_ROWS)) {
    for (const row of batch) {
      const sheet = sheets.find(({ index }) => index === row.sheet)
      if (!sheet) continue
      const kind = sheet.next({ ...row, number: row.sheetRow })
      if (kind === 'data') {
        sheet.lastDataRow = row.sheetRow
        samples.forEach((sample, index) => sample.see(row.cells[index]))
      } else special.push({ row: row.number, sheetRow: row.sheetRow, kind, sheet })
      await yieldToEventLoop()
    }
  }
  return special.map(({ row, sheetRow, kind, sheet }) => ({ row, kind: isTrailingNote(kind, sheetRow, sheet.lastDataRow) ? 'note' : kind }))
}

async function storeKinds(client: PoolClient, importId: string, kinds: readonly { row: number; kind: RowKind }[]): Promise<void> {
  await client.query(`UPDATE import_rows SET kind = 'data' WHERE import_id = $1 AND kind <> 'data' AND ${SCHEDULE_ROWS}`, [importId])
  await client.query(
    `UPDATE import_rows r SET kind = k.kind FROM jsonb_to_recordset($2::jsonb) AS k ("row" integer, kind text)
      WHERE r.import_id = $1 AND r.row_number = k."row"`,
    [importId, JSON.stringify(kinds)],
  )
}

/** What the account's company confirmed before, by normalised header. */
async function savedMappings(ctx: Context, accountId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ header: string; field: string }>`SELECT m.header, m.field FROM import_mappings m
    JOIN accounts a ON a.company_id = m.company_id WHERE a.id = ${accountId}`.execute(ctx.db)
  return new Map(rows.map(({ header, field }) => [header, field]))
}
