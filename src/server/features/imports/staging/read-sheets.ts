import { createHash } from 'node:crypto'
import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import type { RowText } from '#server/engines/spreadsheet/read/row-text.ts'
import type { StoredSheet } from '#server/features/imports/import-record.ts'
import { adaptText, cellsOfText } from '#server/features/imports/sheet/adapt-rows.ts'
import type { SheetRow } from '#server/features/imports/sheet/sheet-row.ts'
import { surveySheets, type SheetHead } from '#server/features/imports/sheet/survey-sheets.ts'

const HEAD_ROWS = IMPORT_HEADER_SCAN_ROWS + 20
const MERGES_KEPT = 5_000
/** So many rows are kept in memory while the sheets are judged; a longer file is read a second time. */
const KEPT_ROWS = 5_000

export interface FileSheets {
  sheets: StoredSheet[]
  /** All rows by sheet, of a file that is short enough. */
  kept: RowText[][] | undefined
}

type Head = SheetHead & { head: SheetRow[]; lastRow: number }

/** Looks at every sheet of a file and takes those that are the schedule, or the one sheet a person named. */
export async function readSheets(path: string, named: number | null): Promise<FileSheets> {
  const heads: Head[] = []
  let kept: RowText[][] | undefined = []
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
      sheet.head.push(...part.rows.slice(0, HEAD_ROWS - sheet.head.length).map((row) => cellsOfText(adaptText(row))))
      if (kept) kept[part.sheet] = [...(kept[part.sheet] ?? []), ...part.rows.map(adaptText)]
    } else Object.assign(sheet, { rows: part.layout.filledRows, lastRow: part.layout.lastRow, merges: part.layout.merges })
  }
  return { sheets: judged(heads, named), kept }
}

function judged(heads: readonly Head[], named: number | null): StoredSheet[] {
  const { sheets, joined } = surveySheets(heads)
  const largest = [...heads].sort((a, b) => b.rows - a.rows)[0]
  const chosen = named !== null ? [named] : joined.length > 0 ? joined.map(({ index }) => index) : [largest?.index]
  return sheets.map(({ index, name, hidden, rows, merges, sold, header, layout, alike }) => ({
    index,
    name,
    hidden,
    rows,
    lastRow: heads[index]?.lastRow ?? 0,
    merges: merges.slice(0, MERGES_KEPT),
    sold,
    taken: chosen.includes(index),
    headerRow: header?.row ?? null,
    layout: layout === '' ? '' : fingerprint(layout),
    alike,
  }))
}

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url')
