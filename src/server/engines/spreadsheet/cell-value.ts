import { cleanText } from './cell-text.ts'
import { brokenFile } from './file-refusal.ts'
import { displayNumber, type NumberFormat } from './number-formats.ts'
import { serialToIso } from './serial-date.ts'
import type { Cell } from './sheet.ts'

/** A cell as it stands in the file, gathered while its element is open. */
export interface CellDraft {
  column: number
  /** The `t` attribute: s, str, inlineStr, b, e, d, n. */
  type: string
  style: number
  raw: string
  inline: string
  hasValue: boolean
  formula: string | undefined
}

/** What the values of a sheet depend on. */
export interface CellContext {
  strings: readonly string[]
  formats: readonly NumberFormat[]
  date1904: boolean
}

/** The cell of a draft; undefined when it is empty. */
export function makeCell(context: CellContext, draft: CellDraft): Cell | undefined {
  const cell = makeValue(context, draft)
  if (draft.formula === undefined) return cell
  const full = cell ?? { column: draft.column, kind: 'formula', value: draft.type === 'str' && draft.hasValue ? '' : null, text: '' }
  full.formula = draft.formula
  if (full.kind !== 'error') full.kind = 'formula'
  return full
}

function makeValue(context: CellContext, draft: CellDraft): Cell | undefined {
  const { column, raw } = draft
  switch (draft.type) {
    case 's':
      return raw === '' ? undefined : makeText(column, sharedString(context, raw))
    case 'inlineStr':
      return makeText(column, draft.inline)
    case 'str':
      return makeText(column, cleanText(raw))
    case 'b':
      return raw === '' ? undefined : { column, kind: 'boolean', value: raw === '1', text: raw === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return raw === '' ? undefined : { column, kind: 'error', value: null, text: cleanText(raw) }
    case 'd':
      return raw === '' ? undefined : makeIsoDate(column, cleanText(raw))
    default:
      return makeNumber(context, draft)
  }
}

function sharedString(context: CellContext, raw: string): string {
  const text = context.strings[Number(raw)]
  if (text === undefined) throw brokenFile('a text that a cell refers to is missing')
  return text
}

const makeText = (column: number, text: string): Cell | undefined => (text === '' ? undefined : { column, kind: 'text', value: text, text })

function makeIsoDate(column: number, raw: string): Cell {
  const date = raw.replace(/T00:00:00(\.0+)?Z?$/, '')
  return { column, kind: 'date', value: date, text: date, date }
}

function makeNumber(context: CellContext, draft: CellDraft): Cell | undefined {
  const { column, raw } = draft
  const number = Number(raw)
  if (raw.trim() === '') return undefined
  if (!Number.isFinite(number)) return makeText(column, cleanText(raw))
  const format = context.formats[draft.style]
  if (format === undefined) return { column, kind: 'number', value: number, text: String(number) }
  const date = format.date ? serialToIso(number, context.date1904) : undefined
  if (date !== undefined) return { column, kind: 'date', value: date, text: date, date, serial: number }
  const cell: Cell = { column, kind: 'number', value: number, text: displayNumber(number, format) }
  if (format.percentDecimals !== undefined) cell.percent = true
  return cell
}
