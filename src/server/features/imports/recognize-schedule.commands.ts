import { IMPORT_HEADER_MAX_ROW } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import { AppError } from '#server/kernel/errors.ts'
import { parseRowText, toRowText, type SheetRow } from './pipeline/read/cells.ts'
import { findHeader } from './pipeline/read/find-header.ts'
import { normalizeHeader, scoreHeader } from './pipeline/read/headers.ts'
import { withLocalFile } from './staging/stage-file.ts'

/** Reading stays cheap: a larger or slower file is not recognized by its columns. */
const READ_MAX_BYTES = 10 * 1_048_576
const READ_MAX_MS = 3_000
const READ_MEMORY_MB = 96
const EXACT = 0.9

const PLACE = new Set(['address', 'full_address', 'city', 'city_state_zip', 'location_number', 'location_building'])
const RISK = new Set([
  'building_value',
  'contents_value',
  'bi_value',
  'stated_tiv',
  'construction_class',
  'year_built',
  'floor_area',
  'sprinklered',
])

/** Whether a row names the columns of a schedule of values: where the property is, and at least two facts or values. */
function hasScheduleColumns(rows: readonly SheetRow[]): boolean {
  const targets = new Set(
    findHeader(rows, [])?.labels.flatMap((label) => {
      const [best] = label === '' ? [] : scoreHeader(normalizeHeader(label))
      return best !== undefined && best.score >= EXACT ? [best.target] : []
    }),
  )
  const count = (group: ReadonlySet<string>) => [...targets].filter((target) => group.has(target)).length
  return count(PLACE) >= 1 && count(RISK) >= 2
}

/** Whether a stored spreadsheet contains a schedule of values. False for a file that cannot be read. */
export async function isSchedule(ctx: Context, key: string, size: number): Promise<boolean> {
  if (size > READ_MAX_BYTES) return false
  try {
    return await ctx.sheetHeadLimit(() => withLocalFile(ctx, key, readHeads))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function readHeads(path: string): Promise<boolean> {
  const heads = new Map<number, SheetRow[]>()
  for await (const part of readWorkbook(path, { timeMs: READ_MAX_MS, memoryMb: READ_MEMORY_MB })) {
    if (part.part !== 'rows') continue
    const head = heads.get(part.sheet) ?? []
    if (head.length >= IMPORT_HEADER_MAX_ROW) continue
    head.push(...part.rows.slice(0, IMPORT_HEADER_MAX_ROW - head.length).map((row) => parseRowText(toRowText(row))))
    heads.set(part.sheet, head)
    if (hasScheduleColumns(head)) return true
  }
  return false
}
