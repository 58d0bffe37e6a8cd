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
  /** Numbers may be texts of digits. */
  digits?: boolean
  /** Adds the sum of the column to the totals row. */
  total?: boolean
}

/** Dates are ISO text, percents a share (0.5 for 50%), links a text with its address. */
export type SheetValue = string | number | boolean | null | undefined | { text: string; href: string }

const EPOCH_MS = Date.UTC(1899, 11, 30)
/** 1 March 1900: the 1900 system counts a 29 February 1900, so earlier serials are off by one. */
const SERIAL_MIN = 61

/**
 * Rows as XML; an empty value is no cell. Plain text is a string value, other text an inline string, so neither is a formula. What the cells of
 * a column or of a row have in common is made once: a list has more than a million cells.
 */
export class RowRenderer {
  private readonly forms: readonly CellForm[]
  /** What follows the number of the row in a cell, for each style and type of the sheet. */
  private readonly endings: readonly string[]

  /** @param letters of the columns */
  constructor(columns: readonly SheetColumn[], letters: readonly string[]) {
    const endings: string[] = []
    const endingOf = (ending: string) => (endings.includes(ending) ? endings.indexOf(ending) : endings.push(ending) - 1)
    // The style `number` is how cells look without one.
    const numberIn = (style: ColumnKind | StyleName) => endingOf(style === 'number' ? '"><v>' : `" s="${styleNumber(style)}"><v>`)
    this.forms = columns.map(({ kind, literal, digits = false }, at) => {
      const style = literal === true ? 'literal' : 'text'
      const text = endingOf(`" s="${styleNumber(style)}" t="str"><v>`)
      const begin = `<c r="${letters[at]}`
      const positions = { number: numberIn(kind), exactPercent: numberIn('exactPercent'), text }
      return { ...positions, kind, digits, style, letters: letters[at] ?? '', begin, next: VALUE_END + begin, plain: '' }
    })
    this.endings = endings
  }

  render(values: readonly SheetValue[], row: number): string {
    const { forms } = this
    const endings = this.endings.map((ending) => row + ending)
    let xml = `<row r="${row}">`
    let isOpen = false
    for (let at = 0; at < forms.length; at += 1) {
      const [form, value] = [forms[at], values[at]]
      if (form === undefined || value === null || value === undefined || value === '') continue
      const shown = form.kind === 'date' && typeof value === 'string' ? (isoToSerial(value) ?? value) : value
      const ending = endingOf(form, shown)
      xml += isOpen ? (ending === undefined ? VALUE_END : form.next) : ending === undefined ? '' : form.begin
      xml += ending === undefined ? otherXml(form, value, row) : `${endings[ending]}${shown as string | number}` // by endingOf
      isOpen = ending !== undefined
    }
    return `${xml}${isOpen ? VALUE_END : ''}</row>`
  }
}

const VALUE_END = '</v></c>'

interface CellForm {
  kind: ColumnKind
  digits: boolean
  style: 'text' | 'literal'
  letters: string
  /** Of each cell of the column. */
  begin: string
  /** The same after a cell with a value that is not closed. */
  next: string
  /** Positions of endings. */
  number: number
  exactPercent: number
  text: number
  /** The last text that was plain. Neighbors often have the same, such as a state or a currency. */
  plain: string
}

/** The position of the ending for a number or plain text; undefined for other values. */
function endingOf(form: CellForm, shown: NonNullable<SheetValue>): number | undefined {
  if (typeof shown === 'number') {
    if (!Number.isFinite(shown)) return undefined
    return form.kind === 'percent' && !isShownExactly(shown) ? form.exactPercent : form.number
  }
  if (typeof shown !== 'string') return undefined
  if (form.digits) return digitsOf(shown) === '' ? undefined : form.number
  if (shown === form.plain) return form.text
  if (shown.length > CELL_MAX_CHARACTERS || !PLAIN_TEXT.test(shown)) return undefined
  form.plain = shown
  return form.text
}

function otherXml({ letters, style, digits }: CellForm, value: NonNullable<SheetValue>, row: number): string {
  if (typeof value === 'number' || (typeof value === 'string' && digits)) return ''
  if (typeof value === 'boolean') return `<c r="${letters}${row}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') return textXml(value.text, linkTarget(value.href) === undefined ? 'text' : 'link', letters + row)
  return textXml(value, style, letters + row)
}

/** The digits of a column of digits; '' for NaN and Infinity, which the database writes as words. */
export const digitsOf = (text: string): string => (text.charCodeAt(text.length - 1) <= NINE ? text : '')
const NINE = '9'.charCodeAt(0)

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
  if (/^(https?:\/\/|mailto:)/i.test(href)) return withoutEscapes(href)
  if (/^[a-z][a-z0-9+.-]*:|^[\\/]|^\.\./i.test(href)) return undefined
  return withoutEscapes(href.toWellFormed().split('/').map(encodeURIComponent).join('/'))
}

/** An address is no text of a cell: `_x0041_` in the name of a file must not be escaped like one. */
const withoutEscapes = (address: string): string => address.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '%5F')

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
