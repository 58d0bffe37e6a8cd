import { hash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { IMPORT_HEADER_MAX_ROW, IMPORT_MAX_BYTES } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import type { RowText } from '#server/engines/spreadsheet/read/row-text.ts'
import { createDigest } from '#server/engines/storage/checksums.ts'
import { withLocalCopy } from '#server/engines/storage/local-copy.ts'
import { invalid, tooLarge } from '#server/kernel/errors.ts'
import { progressSaver, saveImport, type ImportRecord } from '#server/features/imports/imports.queries.ts'
import type { StoredSheet } from '#server/features/imports/stored-sheet.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { clearDatesIn } from '#server/features/imports/pipeline/read/clear-dates.ts'
import { parseRowText, toRowText, type SheetRow } from '#server/features/imports/pipeline/read/cells.ts'
import { EMPTY_LAYOUT, sheetFacts, type SheetHead } from '#server/features/imports/pipeline/read/sheet-head.ts'
import { divestedSheets, numberSheets, selectedSheets, type NumberedSheet } from '#server/features/imports/selected-sheets.ts'
import { inTransaction } from './import-lock.ts'
import { copyRows } from './staged-rows.ts'

/** Reads the file, proposes the sheets unless the user chose some, and stages their rows. */
export async function stageFile(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const { id, storage_key: key } = record
  if (key === null) throw invalid({ source: ['The file of this import no longer exists.'] })
  await withLocalFile(ctx, key, async (path, sha256) => {
    const isSurveyed = record.sheets.length > 0 && record.sheet_index !== null
    const { sheets, cached, hasRows } = isSurveyed
      ? { sheets: record.sheets, cached: undefined, hasRows: true }
      : await surveyFile(path, record.sheet_index)
    const selected = selectedSheets({ sheets, sheet_index: record.sheet_index })
    const [first] = selected
    if (!first) throw invalid({ sheet: ['The file has no such sheet.'] })
    if (selected.every(({ rows }) => rows === 0)) throw invalid({ source: [`The sheet “${first.name}” is empty. Choose another file.`] })
    if (!hasRows)
      throw invalid({
        source: [`The sheet “${first.name}” has headers and no rows below them. Add the properties to it, or choose another file.`],
      })
    const total = selected.reduce((sum, { lastRow }) => sum + lastRow, 0)
    // Divested sheets are staged after the schedule, so that the user can turn them on and off without another reading of the file.
    const divested = numberSheets(divestedSheets({ sheets, sheet_index: first.index }), total)
    const staged = [...selected, ...divested.map((sheet) => ({ ...sheet, isDivested: true }))]
    const lines = cached
      ? staged.flatMap((sheet) => [...stagedLines(id, sheet, cached[sheet.index] ?? [])])
      : linesOfFile(ctx, record, path, staged)
    await inTransaction(client, () => replaceRows(client, id, lines))
    const counts = { ...record.counts, lastRow: total }
    await saveImport(ctx.db, record, { state: 'parsed', sheet_index: first.index, sheets, sha256, counts })
  })
}

const HEAD_ROWS = IMPORT_HEADER_MAX_ROW + 20
const STORED_MERGES = 5_000
/** A file with up to this many rows is held in memory while its sheets are surveyed; a longer one is read again. */
const CACHED_ROWS = 5_000

/** Reads all sheets and selects those of the schedule, or the one that the user chose. `cached` are their rows, by index of the sheet. */
async function surveyFile(path: string, chosen: number | null) {
  const heads: (SheetHead & { head: SheetRow[]; lastRow: number; lastFilledRow: number })[] = []
  let cached: RowText[][] | undefined = []
  let rows = 0
  for await (const part of readWorkbook(path)) {
    if (part.part === 'workbook') {
      heads.push(...part.workbook.sheets.map((sheet) => ({ ...sheet, ...EMPTY_LAYOUT, lastRow: 0, head: [] })))
      continue
    }
    const sheet = heads[part.sheet]
    if (!sheet) continue
    if (part.part === 'rows') {
      rows += part.rows.length
      if (rows > CACHED_ROWS) cached = undefined
      sheet.head.push(...part.rows.slice(0, HEAD_ROWS - sheet.head.length).map((row) => parseRowText(toRowText(row))))
      if (cached) cached[part.sheet] = [...(cached[part.sheet] ?? []), ...part.rows.map(toRowText)]
    } else Object.assign(sheet, sheetFacts(part.layout), { lastRow: part.layout.lastRow })
  }
  const { sheets, joined } = importPipeline.readSheets(heads)
  const proposed = joined.length > 0 ? joined : heads.toSorted((a, b) => b.rows - a.rows).slice(0, 1)
  const taken = chosen === null ? proposed.map(({ index }) => index) : [chosen]
  const stored = sheets.map(
    ({
      head,
      score: _score,
      references: _references,
      header,
      layout,
      merges,
      hiddenColumns = [],
      struckRows = [],
      widths = [],
      ...sheet
    }): StoredSheet => ({
      ...sheet,
      clearDates: clearDatesIn(head),
      lastRow: heads[sheet.index]?.lastRow ?? 0,
      merges: merges.slice(0, STORED_MERGES),
      hiddenColumns: [...hiddenColumns],
      struckRows: [...struckRows],
      widths: [...widths],
      taken: taken.includes(sheet.index),
      headerRow: header?.row ?? null,
      layout: layout === '' ? '' : hash('sha256', layout, 'base64url'),
    }),
  )
  // Only for a header that was found: a file without one is read from its first row.
  const hasRows = stored.some(({ taken: isTaken, index, headerRow }) => isTaken && (heads[index]?.lastFilledRow ?? 0) > (headerRow ?? 0))
  return { sheets: stored, cached, hasRows }
}

type Lines = Parameters<typeof copyRows>[2]

/** Replaces the staged rows. The user's decisions are carried over to the same rows of the file, also when the sheets change. */
async function replaceRows(client: PoolClient, importId: string, lines: Lines): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE decided_rows ON COMMIT DROP AS SELECT sheet_index, sheet_row, edits, excluded, included, matched_by_hand, property_id
      FROM import_rows WHERE import_id = $1 AND (edits <> '{}' OR excluded OR included OR matched_by_hand)`,
    [importId],
  )
  await client.query('DELETE FROM import_rows WHERE import_id = $1', [importId])
  await copyRows(client, 'import_rows (import_id, row_number, sheet_index, sheet_row, kind, hidden, cells)', lines)
  await client.query(
    `UPDATE import_rows r SET edits = d.edits, excluded = d.excluded, included = d.included, matched_by_hand = d.matched_by_hand, property_id = d.property_id
      FROM decided_rows d WHERE r.import_id = $1 AND r.sheet_index = d.sheet_index AND r.sheet_row = d.sheet_row`,
    [importId],
  )
}

type StagedSheet = NumberedSheet & { isDivested?: boolean }

function* stagedLines(importId: string, { index, offset, isDivested = false }: StagedSheet, rows: readonly RowText[]) {
  for (const { number, hidden, isBlank, json } of rows) {
    const kind = isDivested ? 'sold' : isBlank ? 'blank' : 'data'
    yield [importId, offset + number, index, number, kind, hidden, json] as const
  }
}

async function* linesOfFile(ctx: Context, record: ImportRecord, path: string, sheets: readonly StagedSheet[]) {
  const onProgress = progressSaver(
    ctx.db,
    record,
    sheets.reduce((sum, { rows }) => sum + rows, 0),
  )
  let done = 0
  for await (const part of readWorkbook(path, { sheets: sheets.map(({ index }) => index) })) {
    if (part.part !== 'rows') continue
    for (const sheet of sheets) if (sheet.index === part.sheet) yield* stagedLines(record.id, sheet, part.rows.map(toRowText))
    done += part.rows.length
    await onProgress(done)
  }
}

const MAX_MEGABYTES = IMPORT_MAX_BYTES / 1024 ** 2

/** Copies the stored file to this machine while `work` runs, and removes the copy afterwards. */
export async function withLocalFile<T>(ctx: Context, key: string, work: (path: string, sha256: string) => Promise<T>): Promise<T> {
  const digest = createDigest()
  let bytes = 0
  const measure = (chunk: Buffer) => {
    bytes += chunk.length
    digest.update(chunk)
    if (bytes > IMPORT_MAX_BYTES)
      throw tooLarge(`The file is larger than ${MAX_MEGABYTES} MB. Remove sheets that are not needed, or split it.`)
  }
  return withLocalCopy(ctx.storage, key, measure, (path) => work(path, digest.result().sha256))
}
