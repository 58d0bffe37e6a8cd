import { SHEET_MAX_ROWS } from '#contract/limits.ts'
import { openCsv } from '../spreadsheet/read/csv-reader.ts'
import { TEXT_LIMITS } from '../spreadsheet/read/read-limits.ts'
import { openXlsx } from '../spreadsheet/read/xlsx-reader.ts'
import { TextLimitReached, type PartCollector } from './collect-parts.ts'
import type { TextFacts } from './text-facts.ts'

/** Rows whose text is collected before it is passed on. */
const ROWS_AT_ONCE = 2_000

/** Reads the texts of the cells of each sheet, hidden ones too, one line for each row. Formulas are not run, and macros are not read. */
export async function readSheets(path: string, kind: 'workbook' | 'delimited', collector: PartCollector, facts: TextFacts, prefix = '') {
  const opened = await (kind === 'workbook' ? openXlsx(path, TEXT_LIMITS) : openCsv(path, TEXT_LIMITS))
  let isCut = false
  try {
    const { sheets } = opened.workbook
    if (kind === 'workbook') facts.pages = sheets.length
    for (const { index, name } of sheets) {
      const place = kind === 'workbook' ? `${prefix}Sheet ${name}` : prefix.replace(/, $/, '')
      const pass = (lines: readonly string[]) => collector.add({ page: null, place, text: lines.join('\n') })
      collector.startPage()
      let lines: string[] = []
      for await (const part of opened.read(index, SHEET_MAX_ROWS)) {
        if (part.part !== 'rows') continue
        isCut ||= part.rows.some((row) => row.isCut)
        lines.push(...part.rows.map(({ cells }) => cells.map(({ text }) => text).join(' | ')))
        if (lines.length < ROWS_AT_ONCE) continue
        pass(lines)
        lines = []
      }
      pass(lines)
    }
    if (isCut) throw new TextLimitReached()
  } finally {
    opened.close()
  }
}
