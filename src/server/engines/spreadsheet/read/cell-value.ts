import type { Cell } from '../sheet.ts'
import { brokenFile } from './file-errors.ts'
import { displayNumber, type NumberFormat, serialToIso } from './number-formats.ts'
import { decodeEntities } from './xml-scanner.ts'

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
  /** The cell styles whose font is struck through. */
  struck: ReadonlySet<number>
  /** The cell styles of values as they are written. */
  literal: ReadonlySet<number>
  date1904: boolean
}

/** The cell of a draft; undefined when it is empty. */
export function makeCell(context: CellContext, draft: CellDraft): Cell | undefined {
  const cell = makeValue(context, draft)
  if (draft.formula === undefined) {
    if ((cell?.kind === 'text' || cell?.kind === 'number') && context.literal.has(draft.style)) cell.literal = true
    return cell
  }
  const full = cell ?? { column: draft.column, kind: 'formula', value: draft.type === 'str' && draft.hasValue ? '' : null, text: '' }
  const currency = cell === undefined ? context.formats[draft.style]?.currency : undefined
  if (currency !== undefined) full.currency = currency
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
  if (format.currency !== undefined) cell.currency = format.currency
  if (format.multiple !== undefined) cell.multiple = format.multiple
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

const INLINE_OPENINGS = ['<is><t>', '<is><t xml:space="preserve">'] as const

/** Whether an element that begins at `start` is a cell with attributes. */
export const beginsCell = (buffer: string, start: number) => buffer.charCodeAt(start + 1) === 99 && buffer.charCodeAt(start + 2) === 32

/**
 * Reads a cell of the usual form (`<c r= s= t=><v>1</v></c>`, plain inline text, or empty) directly from the text,
 * several times faster than element by element.
 * @returns the position after the cell; -1 when the cell has another form or is not complete yet.
 */
export function readPlainCell(buffer: string, start: number, draft: CellDraft): number {
  const open = readAttributes(buffer, start + 2, draft)
  if (open < 0 || draft.column === 0) return -1
  if (buffer.charCodeAt(open - 1) === 47) return open + 1
  if (buffer.startsWith('<v>', open + 1)) return readValue(buffer, open + 4, draft)
  if (draft.type === 'inlineStr') return readInline(buffer, open + 1, draft)
  return buffer.startsWith('</c>', open + 1) ? open + 5 : -1
}

/** Reads ` r="B7" s="4" t="s"` in any order. Returns the position of the closing `>`, or -1 for other attributes. */
function readAttributes(buffer: string, from: number, draft: CellDraft): number {
  let at = from
  while (buffer.charCodeAt(at) === 32) {
    const name = buffer.charCodeAt(at + 1)
    if (buffer.charCodeAt(at + 2) !== 61 || buffer.charCodeAt(at + 3) !== 34) return closing(buffer, at + 1)
    const end = buffer.indexOf('"', at + 4)
    if (end < 0) return -1
    if (name === 114) draft.column = readColumn(buffer, at + 4)
    else if (name === 115) draft.style = Number(buffer.slice(at + 4, end))
    else if (name === 116) draft.type = buffer.slice(at + 4, end)
    else return -1
    at = end + 1
  }
  return closing(buffer, at)
}

function closing(buffer: string, at: number): number {
  const code = buffer.charCodeAt(at)
  if (code === 62) return at
  return code === 47 && buffer.charCodeAt(at + 1) === 62 ? at + 1 : -1
}

function readColumn(buffer: string, from: number): number {
  let column = 0
  for (let at = from; ; at++) {
    const code = buffer.charCodeAt(at)
    if (code < 65 || code > 90) return column
    column = column * 26 + code - 64
  }
}

function readValue(buffer: string, from: number, draft: CellDraft): number {
  const end = buffer.indexOf('<', from)
  if (end < 0 || !buffer.startsWith('</v></c>', end)) return -1
  draft.raw = decodeEntities(buffer.slice(from, end))
  draft.hasValue = true
  return end + 8
}

function readInline(buffer: string, from: number, draft: CellDraft): number {
  const opening = INLINE_OPENINGS.find((known) => buffer.startsWith(known, from))
  if (!opening) return -1
  const start = from + opening.length
  const end = buffer.indexOf('<', start)
  if (end < 0 || !buffer.startsWith('</t></is></c>', end)) return -1
  draft.inline = cleanText(decodeEntities(buffer.slice(start, end)))
  return end + 13
}
