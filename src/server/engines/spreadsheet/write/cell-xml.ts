import { DAY_MS } from '#contract/limits.ts'
import { CELL_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { escapeXml } from '#server/engines/office-files/xml.ts'
import { LITERAL_STYLE } from '../sheet.ts'

/** `number` shows the digits as they are, such as years; `count` has separators of thousands. */
export type ColumnKind = 'text' | 'number' | 'count' | 'money' | 'date' | 'percent' | 'link'

export interface SheetColumn {
  header: string
  /** In characters of the default font. */
  width: number
  kind: ColumnKind
  /** Texts that an import of the file reads as they are, see LITERAL_STYLE. */
  literal?: boolean
  /** Adds the sum of the column to the totals row. */
  total?: boolean
}

/** Dates are ISO text, percents a share (0.5 for 50%), links a text with its address. */
export type SheetValue = string | number | boolean | null | undefined | { text: string; href: string }

const EPOCH_MS = Date.UTC(1899, 11, 30)
/** 1 March 1900: the 1900 system counts a 29 February 1900, so earlier serials are off by one. */
const SERIAL_MIN = 61

/** Renders one cell of a column as XML; an empty value renders nothing. Text is an inline string, so it is never a formula. */
export type CellRenderer = (value: SheetValue, row: number) => string

/** What all cells of a column have in common is made once: a list has more than a million cells. */
export function cellRenderer({ kind, literal }: SheetColumn, letters: string): CellRenderer {
  const open = `<c r="${letters}`
  const number = `" s="${styleNumber(kind)}"><v>`
  const date = `" s="${styleNumber('date')}"><v>`
  const exactPercent = `" s="${styleNumber('exactPercent')}"><v>`
  const text = literal === true ? 'literal' : 'text'
  const plainText = `" s="${styleNumber(text)}" t="inlineStr"><is><t>`
  // Neighbors often have the same text, such as a state or a currency.
  const last = { text: '', xml: '' }
  return (value, row) => {
    if (value === null || value === undefined || value === '') return ''
    if (value === last.text) return `${open}${row}${last.xml}`
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return ''
      return `${open}${row}${kind === 'percent' && !isShownExactly(value) ? exactPercent : number}${value}</v></c>`
    }
    if (typeof value === 'boolean') return `${open}${row}" t="b"><v>${value ? 1 : 0}</v></c>`
    if (typeof value === 'object') return textXml(value.text, linkTarget(value.href) === undefined ? 'text' : 'link', `${letters}${row}`)
    const serial = kind === 'date' ? isoToSerial(value) : undefined
    if (serial !== undefined) return `${open}${row}${date}${serial}</v></c>`
    if (value.length > CELL_MAX_CHARACTERS || !PLAIN_TEXT.test(value)) return textXml(value, text, `${letters}${row}`)
    last.text = value
    last.xml = `${plainText}${value}</t></is></c>`
    return `${open}${row}${last.xml}`
  }
}

/** Nearly all texts: nothing to escape or to quote, and no space at the ends. One test takes a quarter of the time of all of them. */
const PLAIN_TEXT = /^[A-Za-z0-9](?:[ !#-%'-;=?-^`-~\u00a1-\ud7ff]*[!#-%'-;=?-^`-~\u00a1-\u167f])?$/

/** Whether a percentage has at most two decimals. */
const isShownExactly = (share: number): boolean => Math.abs(share * 10_000 - Math.round(share * 10_000)) < PRECISION
const PRECISION = 1e-9

/** Text that begins like a formula gets `quotePrefix`, so that it stays text when a user edits the cell. */
export function textXml(text: string, style: StyleName, reference: string): string {
  const isQuoted = /^[=+\-@\t\r]/.test(text)
  const number = styleNumber(isQuoted ? (style === 'literal' ? 'quotedLiteral' : 'quoted') : style)
  const space = /^\s|\s$|[\r\n]/.test(text) ? ' xml:space="preserve"' : ''
  return `<c r="${reference}" s="${number}" t="inlineStr"><is><t${space}>${escapeXml(text.slice(0, CELL_MAX_CHARACTERS))}</t></is></c>`
}

/** A web or mail address, or an encoded path relative to the workbook. Undefined for anything else, which is written as plain text. */
export function linkTarget(href: string): string | undefined {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return href
  if (/^[a-z][a-z0-9+.-]*:|^[\\/]|^\.\./i.test(href)) return undefined
  return href.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

function isoToSerial(iso: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/.test(iso)) return undefined
  const serial = (Date.parse(iso.length === 10 ? iso : `${iso.slice(0, 19)}Z`) - EPOCH_MS) / DAY_MS
  return serial >= SERIAL_MIN ? serial : undefined
}

const GENERAL = 0
const COUNT = 3
const PERCENT = 10
const TEXT = 49
const MONEY = 164
const DATE = 165
/** Two decimals, and more where a value has them. */
const EXACT_PERCENT = 166
const [BOLD, UNDERLINED] = [1, 2]
const GRAY = 2

/** Named styles of cells, by their position. */
const [NORMAL, LITERAL] = [0, 1]

const cellFormat = (format: number, font = 0, fill = 0, rest = '/>', named = NORMAL) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="0" xfId="${named}" applyNumberFormat="1" applyFont="1" applyFill="1"${rest}`

/** Cell formats; a cell names one by its position. The first is the default format. */
const STYLES = {
  none: '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  text: cellFormat(TEXT),
  number: cellFormat(GENERAL),
  count: cellFormat(COUNT),
  money: cellFormat(MONEY),
  date: cellFormat(DATE),
  percent: cellFormat(PERCENT),
  link: cellFormat(TEXT, UNDERLINED),
  header: cellFormat(GENERAL, BOLD, GRAY, ' applyAlignment="1"><alignment vertical="center" wrapText="1"/></xf>'),
  totalText: cellFormat(TEXT, BOLD),
  totalNumber: cellFormat(GENERAL, BOLD),
  totalCount: cellFormat(COUNT, BOLD),
  totalMoney: cellFormat(MONEY, BOLD),
  totalPercent: cellFormat(PERCENT, BOLD),
  quoted: cellFormat(TEXT, 0, 0, ' quotePrefix="1"/>'),
  exactPercent: cellFormat(EXACT_PERCENT, 0, 0, '/>', LITERAL),
  literal: cellFormat(TEXT, 0, 0, '/>', LITERAL),
  quotedLiteral: cellFormat(TEXT, 0, 0, ' quotePrefix="1"/>', LITERAL),
}
type StyleName = keyof typeof STYLES

const NUMBERS = new Map<string, number>(Object.keys(STYLES).map((name, at) => [name, at]))
const TOTALS: Partial<Record<ColumnKind, StyleName>> = {
  number: 'totalNumber',
  count: 'totalCount',
  money: 'totalMoney',
  percent: 'totalPercent',
}

const styleNumber = (name: StyleName): number => NUMBERS.get(name) ?? 0
export const totalStyleNumber = (kind: ColumnKind): number => styleNumber(TOTALS[kind] ?? 'totalText')

export const STYLES_XML = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="3"><numFmt numFmtId="${MONEY}" formatCode="#,##0;[Red]-#,##0"/><numFmt numFmtId="${DATE}" formatCode="mm/dd/yyyy"/>`,
  `<numFmt numFmtId="${EXACT_PERCENT}" formatCode="0.00##########%"/></numFmts>`,
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>',
  '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>',
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE9ECEF"/><bgColor indexed="64"/></patternFill></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>',
  `<xf numFmtId="${TEXT}" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`,
  `<cellXfs count="${NUMBERS.size}">${Object.values(STYLES).join('')}</cellXfs>`,
  `<cellStyles count="2"><cellStyle name="Normal" xfId="${NORMAL}" builtinId="0"/><cellStyle name="${LITERAL_STYLE}" xfId="${LITERAL}"/>`,
  '</cellStyles></styleSheet>',
].join('')
