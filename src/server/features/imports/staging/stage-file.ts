import type { PoolClient } from 'pg'
import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read-in-worker.ts'
import { saveImport, type ImportRecord, type StoredSheet } from '#server/features/imports/import-record.ts'
import { adaptRow } from '#server/features/imports/sheet/adapt-rows.ts'
import { isFilled, type SheetRow } from '#server/features/imports/sheet/sheet-row.ts'
import { isSoldSheet } from '#server/features/imports/sheet/score-sheet.ts'
import { surveySheets, type SheetHead } from '#server/features/imports/sheet/survey-sheets.ts'
import { invalid } from '#server/kernel/errors.ts'
import { copyLines } from './copy-lines.ts'
import { withLocalFile } from './fetch-file.ts'
import { inTransaction } from './import-lock.ts'

const HEAD_ROWS = IMPORT_HEADER_SCAN_ROWS + 20
const MERGES_KEPT = 5_000

/** Reads the file, chooses the sheet unless a person has, and puts its rows into staging as they come. */
export async function stageFile(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const { storage_key: key } = record
  if (key === null) throw invalid({ source: ['The file of this import is not there any more.'] })
  await withLocalFile(ctx, key, async (path, sha256) => {
    const known = record.sheets.length > 0 && record.sheet_index !== null
    const { sheets, kept }: Survey = known ? { sheets: record.sheets, kept: undefined } : await survey(path)
    const chosen = sheets.find(({ index }) => index === (record.sheet_index ?? sheets[0]?.proposed))
    if (!chosen) throw invalid({ sheet: ['The file has no such sheet.'] })
    if (chosen.rows === 0) throw invalid({ source: [`The sheet “${chosen.name}” holds nothing. Choose another file.`] })
    const stored = sheets.map(({ proposed: _proposed, ...sheet }) => sheet)
    await inTransaction(client, async () => {
      await client.query('DELETE FROM import_rows WHERE import_id = $1', [record.id])
      await copyLines(
        client,
        'import_rows (import_id, row_number, kind, hidden, cells)',
        kept ? stagedLines(record.id, kept[chosen.index] ?? []) : linesOfFile(ctx, record, path, chosen),
      )
    })
    await saveImport(ctx.db, record, {
      state: 'parsed',
      sheet_index: chosen.index,
      sheets: stored,
      sha256,
      counts: { ...record.counts, lastRow: chosen.lastRow },
    })
  })
}

type Surveyed = StoredSheet & { proposed?: number | undefined }

/** So many rows are kept in memory while the sheets are judged; a longer file is read a second time. */
const KEPT_ROWS = 5_000

interface Survey {
  sheets: Surveyed[]
  /** All rows by sheet, of a file that is short enough. */
  kept: SheetRow[][] | undefined
}

async function survey(path: string): Promise<Survey> {
  const heads: (SheetHead & { head: SheetRow[]; lastRow: number })[] = []
  let kept: SheetRow[][] | undefined = []
  let rows = 0
  for await (const part of readWorkbook(path)) {
    if (part.part === 'workbook') {
      for (const { index, name, hidden } of part.workbook.sheets)
        heads.push({ index, name, hidden, rows: 0, lastRow: 0, head: [], merges: [] })
      continue
    }
    const sheet = heads[part.sheet]
    if (!sheet) continue
    if (part.part === 'rows') {
      rows += part.rows.length
      if (rows > KEPT_ROWS) kept = undefined
      const adapted = kept || sheet.head.length < HEAD_ROWS ? part.rows.map(adaptRow) : []
      sheet.head.push(...adapted.slice(0, HEAD_ROWS - sheet.head.length))
      if (kept) kept[part.sheet] = [...(kept[part.sheet] ?? []), ...adapted]
    } else Object.assign(sheet, { rows: part.layout.filledRows, lastRow: part.layout.lastRow, merges: part.layout.merges })
  }
  const { proposed } = surveySheets(heads)
  const fallback = [...heads].sort((a, b) => b.rows - a.rows)[0]
  const sheets = heads.map(({ index, name, hidden, rows: filled, lastRow, merges }) => ({
    index,
    name,
    hidden,
    rows: filled,
    lastRow,
    merges: merges.slice(0, MERGES_KEPT),
    sold: isSoldSheet(name),
    proposed: (proposed ?? fallback)?.index,
  }))
  return { sheets, kept }
}

function* stagedLines(importId: string, rows: readonly SheetRow[]) {
  for (const { number, hidden, cells } of rows)
    yield [importId, number, cells.some(isFilled) ? 'data' : 'blank', hidden, JSON.stringify(cells)] as const
}

async function* linesOfFile(ctx: Context, { id, version }: ImportRecord, path: string, sheet: Surveyed) {
  let done = 0
  for await (const part of readWorkbook(path, { sheets: [sheet.index] })) {
    if (part.part !== 'rows' || part.sheet !== sheet.index) continue
    yield* stagedLines(id, part.rows.map(adaptRow))
    done += part.rows.length
    await ctx.db
      .updateTable('imports')
      .set({ progress_done: done, progress_total: sheet.rows })
      .where('id', '=', id)
      .where('version', '=', version)
      .execute()
  }
}
