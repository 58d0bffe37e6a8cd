import type { Cell } from '../sheet.ts'
import { brokenFile } from './file-errors.ts'
import { displayNumber, type NumberFormat, serialToIso } from './number-formats.ts'

/** A cell as written in the file, collected while its element is open. */
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

/** Parts of the workbook that the cell values of a sheet refer to. */
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

/** Decodes the `_x000D_` escapes of Office strings and replaces what a database text cannot hold (NUL, lone surrogates). */
export function cleanText(text: string): string {
  let clean = text
  if (clean.includes('_x')) {
    clean = clean.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '')
  return clean.isWellFormed() ? clean : clean.toWellFormed()
}

/** Collects the text of `t` elements (plain or in rich-text runs) and leaves out phonetic hints. */
export function createTextCollector() {
  let text = ''
  let inText = false
  let inPhonetic = false
  return {
    open(name: string) {
      if (name === 'rPh') inPhonetic = true
      else if (name === 't') inText = !inPhonetic
    },
    close(name: string) {
      if (name === 'rPh') inPhonetic = false
      else if (name === 't') inText = false
    },
    text(value: string) {
      if (inText) text += value
    },
    /** Returns the text collected so far and starts over. */
    take(): string {
      const collected = cleanText(text)
      text = ''
      return collected
    },
  }
}
