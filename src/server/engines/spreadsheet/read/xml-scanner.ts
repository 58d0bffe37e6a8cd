import { IMPORT_TOKEN_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { brokenFile } from './file-errors.ts'

export interface XmlHandlers {
  /** Name without prefix; `tag` is the raw text of the attributes. */
  open(name: string, tag: string): void
  close?(name: string): void
  text?(value: string): void
  /** May read a whole element at once: returns the position after the element that begins at `start`, or -1 to decline. */
  readElement?(buffer: string, start: number): number
}

export interface XmlScanner {
  push(chunk: string): void
  /** @throws AppError when an element is still open. */
  end(): void
}

type ScanState = { buffer: string; position: number; depth: number; handlers: XmlHandlers }

/** A streaming scanner for the XML of Office files. It rejects a DOCTYPE, so that entity bombs are impossible. */
export function createXmlScanner(handlers: XmlHandlers): XmlScanner {
  const state: ScanState = { buffer: '', position: 0, depth: 0, handlers }
  return {
    push(chunk) {
      state.buffer = state.position < state.buffer.length ? state.buffer.slice(state.position) + chunk : chunk
      state.position = 0
      while (readToken(state));
      if (state.buffer.length - state.position > IMPORT_TOKEN_MAX_CHARACTERS) throw brokenFile('a piece of its content is too long')
    },
    end() {
      const rest = state.buffer.slice(state.position)
      if (state.depth !== 0 || rest.trim() !== '') throw brokenFile('its content is cut off')
    },
  }
}

function readToken(state: ScanState): boolean {
  const { buffer, position, handlers } = state
  const start = buffer.indexOf('<', position)
  if (start < 0) return false
  const afterElement = handlers.readElement ? handlers.readElement(buffer, start) : -1
  if (afterElement >= 0) {
    state.position = afterElement
    return true
  }
  const sign = buffer.charCodeAt(start + 1)
  if (sign === 33 || sign === 63) return readSpecial(state, start)
  const end = tagEnd(buffer, start)
  if (end < 0) return false
  if (start > position) handlers.text?.(decodeEntities(buffer.slice(position, start)))
  state.position = end + 1
  if (sign === 47) {
    state.depth--
    handlers.close?.(localName(buffer.slice(start + 2, end)).trimEnd())
    return true
  }
  const empty = buffer.charCodeAt(end - 1) === 47
  const nameEnd = findNameEnd(buffer, start + 1, end)
  const name = localName(buffer.slice(start + 1, nameEnd))
  handlers.open(name, buffer.slice(nameEnd, empty ? end - 1 : end))
  if (empty) handlers.close?.(name)
  else state.depth++
  return true
}

/** The `>` that ends a tag: one inside a quoted attribute does not count. */
function tagEnd(buffer: string, start: number): number {
  let quote = 0
  for (let at = start + 1; at < buffer.length; at++) {
    const code = buffer.charCodeAt(at)
    if (quote) {
      if (code === quote) quote = 0
    } else if (code === 62) return at
    else if (code === 34 || code === 39) quote = code
  }
  return -1
}

function findNameEnd(buffer: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = buffer.charCodeAt(at)
    if (code <= 32 || code === 47) return at
  }
  return end
}

const localName = (name: string) => {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

function readSpecial(state: ScanState, start: number): boolean {
  const { buffer, position, handlers } = state
  if (buffer.length - start < 9) return false
  const cdata = buffer.startsWith('<![CDATA[', start)
  if (!cdata && buffer.startsWith('<!D', start)) throw brokenFile('it declares a document type, which is not allowed in a workbook')
  const closing = cdata ? ']]>' : buffer.startsWith('<!--', start) ? '-->' : '>'
  const end = buffer.indexOf(closing, start + (cdata ? 9 : closing === '-->' ? 4 : 2))
  if (end < 0) return false
  if (start > position) handlers.text?.(decodeEntities(buffer.slice(position, start)))
  if (cdata) handlers.text?.(buffer.slice(start + 9, end))
  state.position = end + closing.length
  return true
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Replaces the five named entities and character numbers; leaves everything else as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** The value of one attribute of a raw tag, by its name without prefix; for tags whose values hold no blanks. */
export function attribute(tag: string, name: string): string | undefined {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + 1)) {
    const before = tag.charCodeAt(at - 1)
    if (before > 32 && before !== 58) continue
    const equals = skipBlanks(tag, at + name.length)
    if (tag.charCodeAt(equals) !== 61) continue
    const quote = skipBlanks(tag, equals + 1)
    const end = tag.indexOf(tag.charAt(quote), quote + 1)
    if (end > quote) return decodeEntities(tag.slice(quote + 1, end))
  }
  return undefined
}

function skipBlanks(tag: string, from: number): number {
  let at = from
  while (at < tag.length && tag.charCodeAt(at) <= 32) at++
  return at
}

/** All attributes of a raw tag by their full names, prefix included. */
export function attributes(tag: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of tag.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found.set(name, decodeEntities(double ?? single ?? ''))
  }
  return found
}

/** True for the two spellings of a true flag. */
export const isTrue = (flag: string | undefined) => flag === '1' || flag === 'true'
