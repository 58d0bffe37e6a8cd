import { CELL_MAX_CHARACTERS, DAY_MS } from '#contract/limits.ts'
import type { WrittenColumn, WrittenValue } from './write-shapes.ts'
import { cellStyle, QUOTED_STYLE } from './write-styles.ts'

const EPOCH_MS = Date.UTC(1899, 11, 30)
/** The first serial that the 1900 system counts right (1 March 1900). */
const SERIAL_MIN = 61

/** One cell as XML, empty text for an empty one. Text is always an inline string, so nothing ever becomes a formula. */
export function cellXml(column: WrittenColumn, value: WrittenValue, reference: string): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'number') {
    return Number.isFinite(value) ? `<c r="${reference}" s="${cellStyle(column.kind)}"><v>${value}</v></c>` : ''
  }
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') return textXml(value.text, cellStyle(linkTarget(value.href) === undefined ? 'text' : 'link'), reference)
  const serial = column.kind === 'date' ? isoToSerial(value) : undefined
  if (serial !== undefined) return `<c r="${reference}" s="${cellStyle('date')}"><v>${serial}</v></c>`
  return textXml(value, cellStyle('text'), reference)
}

/** An inline string in the given style; text that begins like a formula carries the mark that keeps it text. */
export function textXml(text: string, style: number, reference: string): string {
  const shown = /^[=+\-@\t\r]/.test(text) ? QUOTED_STYLE : style
  const space = /^\s|\s$|[\r\n]/.test(text) ? ' xml:space="preserve"' : ''
  return `<c r="${reference}" s="${shown}" t="inlineStr"><is><t${space}>${escapeXml(text.slice(0, CELL_MAX_CHARACTERS))}</t></is></c>`
}

/**
 * The target of a link: a web or mail address, or a path relative to the workbook, encoded. Undefined for anything
 * else (scripts, other places on the disk), which is then written as plain text.
 */
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// oxlint-disable-next-line no-control-regex -- these are the characters XML forbids, and those that mean something in it
const NEEDS_ESCAPE = /[&<>"_\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/

/** Text for XML: markup escaped; characters XML 1.0 cannot hold dropped; what looks like an Office escape kept literal. */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these are the characters XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
      .replaceAll('\r', '_x000D_')
  )
}
