import { failure, isPlaceholder, NOTHING, placeholder, type Reading } from './reading.ts'

const SEXAGESIMAL =
  /^([NSEW])?\s*(-?\d{1,3})\s*(?:°|º|d|\s)\s*(\d{1,2}(?:\.\d+)?)\s*(?:'|′|’|m|\s)?\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:"|″|”|'')?)?\s*([NSEW])?$/i

/** Decimal degrees, also from degrees, minutes and seconds. Whether both make a place is judged on the row. */
export function readCoordinate(cell: string | number | boolean): Reading {
  if (typeof cell === 'number') return { value: cell }
  const text = String(cell).trim()
  if (/^(-+|none|nil)$/i.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  const decimal = /^([NSEW])?\s*(-?\d{1,3}(?:[.,]\d+)?)\s*°?\s*([NSEW])?$/i.exec(text)
  if (decimal) return { value: signed(Number((decimal[2] ?? '').replace(',', '.')), decimal[1] ?? decimal[3]) }
  const parts = SEXAGESIMAL.exec(text)
  if (!parts)
    return failure('bad_coordinates', `“${text}” is not a coordinate. Type decimal degrees such as 40.7128, or leave both cells empty.`)
  const degrees = Number(parts[2])
  const fraction = Number(parts[3]) / 60 + Number(parts[4] ?? 0) / 3600
  return { value: signed(degrees < 0 ? degrees - fraction : degrees + fraction, parts[1] ?? parts[5]) }
}

const signed = (value: number, side: string | undefined): number => {
  const rounded = Math.round(value * 1e7) / 1e7
  return side !== undefined && /[SW]/i.test(side) ? -Math.abs(rounded) : rounded
}
