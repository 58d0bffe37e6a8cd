import { charsetOfCodePage } from './email-charset.ts'

/** Groups without text of the document. Others that readers do not need begin with `\*`. */
const HIDDEN_GROUPS: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet info pict object header headerf headerl headerr footer footerf footerl footerr fldinst'.split(' '),
)
const CHARACTERS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  sect: '\n',
  page: '\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}
const SYMBOLS: Readonly<Record<string, string>> = { '~': '\u00A0', _: '-', '\\': '\\', '{': '{', '}': '}', '\n': '\n', '\r': '\n' }
const TOKEN = /\\([a-z]{1,32})(-?\d{1,9})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi
const UNICODE_SIGN = 65_536

interface Group {
  hidden: boolean
  /** Formatting that the HTML within the RTF replaces. Its line breaks count, because the tags of the HTML are hidden. */
  replaced: boolean
  /** How many characters for old readers follow each Unicode character. */
  alternatives: number
}

function codesOf(text: string): number[] {
  const codes: number[] = []
  for (let at = 0; at < text.length; at += 1) codes.push(text.charCodeAt(at))
  return codes
}

/** Decodes the bytes of a character set; both sides have a decoder, but this room has none. */
type Decode = (charset: string, bytes: Uint8Array) => string

/** The text of RTF, which has one character for each byte. Any input has a text. */
export function textOfRtf(rtf: string, decode: Decode): string {
  let group: Group = { hidden: false, replaced: false, alternatives: 1 }
  const outer: Group[] = []
  const parts: string[] = []
  const charset = charsetOfCodePage(Number(/\\ansicpg(\d{1,5})/.exec(rtf)?.[1] ?? 1_252))
  let bytes: number[] = []
  let skipped = 0
  const flush = () => {
    if (bytes.length > 0) parts.push(decode(charset, Uint8Array.from(bytes)))
    bytes = []
  }
  const add = (text: string, isBreak = false) => {
    if (group.hidden || (group.replaced && !isBreak)) return
    flush()
    parts.push(text)
  }
  const addBytes = (more: number[]) => {
    const shown = more.slice(skipped)
    skipped = Math.max(0, skipped - more.length)
    if (!group.hidden && !group.replaced) for (const byte of shown) bytes.push(byte)
  }
  const control = (word: string, value: number | undefined) => {
    if (HIDDEN_GROUPS.has(word)) group.hidden = true
    else if (word === 'htmlrtf') group.replaced = value !== 0
    else if (word === 'uc') group.alternatives = Math.max(0, value ?? 1)
    else if (word === 'u' && value !== undefined) {
      add(String.fromCharCode((value + UNICODE_SIGN) % UNICODE_SIGN))
      skipped = group.alternatives
    } else if (word in CHARACTERS) add(CHARACTERS[word] ?? '', CHARACTERS[word] === '\n')
  }
  for (const [, word, value, hex, symbol, brace, text] of rtf.matchAll(TOKEN)) {
    if (word !== undefined) control(word, value === undefined ? undefined : Number(value))
    else if (hex !== undefined) addBytes([Number.parseInt(hex, 16)])
    else if (symbol === '*') group.hidden = true
    else if (symbol !== undefined) add(SYMBOLS[symbol] ?? '')
    else if (text !== undefined) addBytes(codesOf(text))
    else if (brace === '{') {
      outer.push(group)
      group = { ...group }
      skipped = 0
    } else if (brace === '}') {
      group = outer.pop() ?? group
      skipped = 0
    }
  }
  flush()
  return parts
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
