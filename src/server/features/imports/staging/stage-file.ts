import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import type { RowText } from '#server/engines/spreadsheet/read/row-text.ts'
import { saveImport, type ImportRecord } from '#server/features/imports/import-record.ts'
import { adaptText } from '#server/features/imports/sheet/adapt-rows.ts'
import { soldSheets } from '#server/features/imports/sheet/sold-sheets.ts'
import { placedAfter, takenSheets, type TakenSheet } from '#server/features/imports/sheet/taken-sheets.ts'
import { invalid } from '#server/kernel/errors.ts'
import { copyLines } from './copy-lines.ts'
import { withLocalFile } from './fetch-file.ts'
import { inTransaction } from './import-lock.ts'
import { readSheets, type FileSheets } from './read-sheets.ts'

/** Reads the file, chooses the sheets unless a person has, and puts their rows into staging as they come. */
export async function stageFile(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const { storage_key: key } = record
  if (key === null) throw invalid({ source: ['The file of this import is not there any more.'] })
  await withLocalFile(ctx, key, async (path, sha256) => {
    const isKnown = record.sheets.length > 0 && record.sheet_index !== null
    const { sheets, kept }: FileSheets = isKnown ? { sheets: record.sheets, kept: undefined } : await readSheets(path, record.sheet_index)
    const taken = takenSheets({ sheets, sheet_index: record.sheet_index })
    const [first] = taken
    if (!first) throw invalid({ sheet: ['The file has no such sheet.'] })
    if (taken.every(({ rows }) => rows === 0)) throw invalid({ source: [`The sheet “${first.name}” holds nothing. Choose another file.`] })
    const total = taken.reduce((sum, { lastRow }) => sum + lastRow, 0)
    // Sold sheets are staged behind the schedule, so that a person can use them or not without the file being read again.
    const sold = placedAfter(total, soldSheets({ sheets, sheet_index: first.index })).map((sheet) => ({ ...sheet, isSold: true }))
    const staged = [...taken, ...sold]
    const lines = kept
      ? staged.flatMap((sheet) => [...stagedLines(record.id, sheet, kept[sheet.index] ?? [])])
      : linesOfFile(ctx, record, path, staged)
    await inTransaction(client, () => replaceRows(client, record.id, lines))
    await saveImport(ctx.db, record, {
      state: 'parsed',
      sheet_index: first.index,
      sheets,
      sha256,
      counts: { ...record.counts, lastRow: total },
    })
  })
}

type Lines = Parameters<typeof copyLines>[2]

/** What a person decided about a row of the file stays with that row when other sheets are taken. */
async function replaceRows(client: PoolClient, importId: string, lines: Lines): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE decided_rows ON COMMIT DROP AS SELECT sheet_index, sheet_row, edits, excluded, included, matched_by_hand, property_id
      FROM import_rows WHERE import_id = $1 AND (edits <> '{}' OR excluded OR included OR matched_by_hand)`,
    [importId],
  )
  await client.query('DELETE FROM import_rows WHERE import_id = $1', [importId])
  await copyLines(client, 'import_rows (import_id, row_number, sheet_index, sheet_row, kind, hidden, cells)', lines)
  await client.query(
    `UPDATE import_rows r SET edits = d.edits, excluded = d.excluded, included = d.included, matched_by_hand = d.matched_by_hand, property_id = d.property_id
      FROM decided_rows d WHERE r.import_id = $1 AND r.sheet_index = d.sheet_index AND r.sheet_row = d.sheet_row`,
    [importId],
  )
}

type StagedSheet = TakenSheet & { isSold?: boolean }

function* stagedLines(importId: string, { index, offset, isSold = false }: StagedSheet, rows: readonly RowText[]) {
  for (const { number, hidden, isBlank, json } of rows) {
    const kind = isSold ? 'sold' : isBlank ? 'blank' : 'data'
    yield [importId, offset + number, index, number, kind, hidden, json] as const
  }
}

async function* linesOfFile(ctx: Context, { id, version }: ImportRecord, path: string, taken: readonly StagedSheet[]) {
  const total = taken.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for await (const part of readWorkbook(path, { sheets: taken.map(({ index }) => index) })) {
    const sheet = part.part === 'rows' ? taken.find(({ index }) => index === part.sheet) : undefined
    if (part.part !== 'rows' || !sheet) continue
    yield* stagedLines(id, sheet, part.rows.map(adaptText))
    done += part.rows.length
    await ctx.db
      .updateTable('imports')
      .set({ progress_done: done, progress_total: total })
      .where('id', '=', id)
      .where('version', '=', version)
      .execute()
  }
}
