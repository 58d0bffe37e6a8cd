import { DAY_MS } from '#contract/limits.ts'

const SERIAL_MAX = 2_958_465
const EPOCH_1900_MS = Date.UTC(1899, 11, 30)
const EPOCH_1904_MS = Date.UTC(1904, 0, 1)

/**
 * ISO date (with time when the number has a fraction) of a spreadsheet serial; undefined when it is no date.
 * In the 1900 system serial 60 is 29 February 1900, a day that never was, so what lies before is one day off.
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
