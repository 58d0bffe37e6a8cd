import { type CellDraft, cleanText } from './cell-value.ts'
import { decodeEntities } from './xml-scanner.ts'

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
