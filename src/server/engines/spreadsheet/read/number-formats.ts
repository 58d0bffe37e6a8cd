import { DAY_MS } from '#contract/limits.ts'
import { meaningOf, type FormatMeaning } from './format-literals.ts'

/** The meaning of a number that its format reveals. */
export interface NumberFormat extends FormatMeaning {
  date: boolean
  /** Decimals shown of a percentage; undefined for other formats. */
  percentDecimals?: number
  /** A pattern of zeros and dashes such as `00000` or `00000-0000`: codes whose leading zeros count. */
  padding?: string
}

const PLAIN: NumberFormat = { date: false }

/** Built-in formats by their number (ECMA-376 part 1, 18.8.30), those in the files of East Asian versions included. */
export function builtinFormat(id: number): NumberFormat {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return { date: true }
  if (id === 9) return { date: false, percentDecimals: 0 }
  if (id === 10) return { date: false, percentDecimals: 2 }
  return PLAIN
}

/** Reads a custom format code; only its first section (positive numbers) counts. Times without a day are not dates. */
export function parseFormat(code: string): NumberFormat {
  const bare = code
    .replace(/"[^"]*"|\\.|[_*]./g, (quoted) => (quoted === '\\-' || quoted === '"-"' ? '-' : ''))
    .replace(/\[[^\]]*\]/g, '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase()
  if (!bare || bare === 'general' || bare === '@') return PLAIN
  if (bare.includes('%')) return { date: false, percentDecimals: /\.([0#?]+)/.exec(bare)?.[1]?.length ?? 0 }
  if (/^0[0-]*0$/.test(bare)) return { date: false, padding: bare }
  if (/[yd]/.test(bare)) return { date: true }
  const date = bare.includes('m') && !/[hs0#]/.test(bare)
  return date ? { date } : { date, ...meaningOf(code) }
}

/** The number as its format shows it where that carries meaning; otherwise plainly, never with separators or signs. */
export function displayNumber(value: number, format: NumberFormat): string {
  if (format.percentDecimals !== undefined) return `${(value * 100).toFixed(format.percentDecimals)}%`
  if (format.padding !== undefined && Number.isSafeInteger(value) && value >= 0) return pad(value, format.padding)
  return String(value)
}

/**
 * A dollar sign says something only next to another currency: without one, amounts stay numbers, which are read faster than texts.
 */
export function withoutPlainDollars(formats: readonly NumberFormat[]): NumberFormat[] {
  const isPlain = ({ currency }: NumberFormat) => currency === undefined || currency === DOLLAR
  if (!formats.every(isPlain)) return [...formats]
  return formats.map((format) => ({ ...format, currency: undefined }))
}
const DOLLAR = '$'

function pad(value: number, pattern: string): string {
  const digits = String(value).padStart(pattern.replaceAll('-', '').length, '0')
  let rest = digits.length
  let shown = ''
  for (let at = pattern.length - 1; at >= 0; at--) shown = (pattern[at] === '-' ? '-' : (digits[--rest] ?? '')) + shown
  return digits.slice(0, rest) + shown
}

const SERIAL_MAX = 2_958_465
const EPOCH_1900_MS = Date.UTC(1899, 11, 30)
const EPOCH_1904_MS = Date.UTC(1904, 0, 1)

/**
 * ISO date (with time when the number has a fraction) of a spreadsheet serial; undefined outside the calendar.
 * In the 1900 system serial 60 is 29 February 1900, a day that did not exist, so earlier serials are one day off.
 */
export function serialToIso(serial: number, date1904: boolean): string | undefined {
  if (!(serial >= (date1904 ? 0 : 1)) || serial > SERIAL_MAX) return undefined
  const day = Math.floor(serial)
  if (!date1904 && day === 60) return undefined
  const shift = !date1904 && day < 60 ? 1 : 0
  const seconds = Math.round((serial + shift) * 86_400)
  const iso = new Date((date1904 ? EPOCH_1904_MS : EPOCH_1900_MS) + (seconds / 86_400) * DAY_MS).toISOString()
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : iso.slice(0, 19)
}
