import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { HeaderScore } from '#server/features/imports/pipeline/read/headers.ts'
import { isHouseNumber } from '#server/features/imports/pipeline/validate/house-number.ts'

interface Column {
  normalized: { words: string }
  scored: readonly HeaderScore[]
  sample: readonly Cell[]
}

/** Headers that mean a house number next to a street, and anywhere else the number of a row or a location. */
const ANY_NUMBER = /^(?:nr|nummer|number|numero|n)$/
const NONE = /^[-–—]+$/
const SHARE_MIN = 0.8
const STREETS_SHARE_MIN = 0.5
/** A header that only its place explains must be confirmed. */
const SCORE_BY_PLACE = 0.8

const shareOf = (cells: readonly Cell[], test: (text: string) => boolean) =>
  cells.filter((cell) => test(cellText(cell))).length / cells.length
const has = ({ scored }: Column, target: HeaderScore['target']) => scored.some((one) => one.target === target && one.score >= 0.9)
/** Whether the cells only count the rows. */
const isCount = (cells: readonly Cell[]) => cells.length > 1 && cells.every((cell, at) => cellText(cell) === String(at + 1))

/**
 * The column of streets without house numbers and the one with these numbers, from 0, and how certain that is; undefined without them. A
 * column called only `Nr.` has them if it is next to the streets and does not count the rows.
 */
export function findHouseNumbers(columns: readonly Column[]): { street: number; number: number; score: number } | undefined {
  const streets = (column: Column) =>
    has(column, 'address') && column.sample.length > 0 && shareOf(column.sample, (text) => !/\d/.test(text)) >= STREETS_SHARE_MIN
  const street = columns.findIndex(streets)
  if (street === -1) return undefined
  const isFull = ({ sample }: Column) => sample.length > 0 && shareOf(sample, (text) => isHouseNumber(text) || NONE.test(text)) >= SHARE_MIN
  const named = columns.findIndex((column) => has(column, 'house_number') && isFull(column))
  if (named !== -1) return { street, number: named, score: 1 }
  const hasNumber = (but: number) =>
    columns.some((column, at) => at !== but && has(column, 'location_number') && !ANY_NUMBER.test(column.normalized.words))
  const isMeant = (at: number) => {
    const column = columns[at]
    if (column === undefined || !ANY_NUMBER.test(column.normalized.words) || !isFull(column)) return false
    return hasNumber(at) || (at > street && !isCount(column.sample))
  }
  const number = [street + 1, street - 1].find(isMeant)
  return number === undefined ? undefined : { street, number, score: SCORE_BY_PLACE }
}
