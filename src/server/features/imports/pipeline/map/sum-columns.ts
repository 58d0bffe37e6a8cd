import { cellText, isLiteral, looksEuropean, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'

/** With more columns in between, the parts of a sum are not searched. */
const PARTS_MAX = 16
/** Smaller amounts are written in thousands or millions and have decimals. */
const ROUNDED_FROM = 1_000

/** Whether a column adds up its neighbors on one side, by the number of these. */
interface Side {
  step: -1 | 1
  /** The neighbors, the nearest first, as of the last row. */
  parts: number[]
  /** Whether the first n + 1 neighbors have the sum in all rows. */
  isSum: boolean[]
  /**
   * The shares of the first one in rows of which at least two of them are not 0, and one or their sum is an amount: without such rows the column may only repeat another
   * one, or all of them are codes. Rows with the same share are one piece of evidence: constant amounts add up by chance.
   */
  evidence: Set<number>[]
}

const newSide = (step: Side['step']): Side => ({
  step,
  parts: [],
  isSum: Array.from({ length: PARTS_MAX }, () => true),
  evidence: Array.from({ length: PARTS_MAX }, () => new Set<number>()),
})

/** How many different rows must have the sum below a header that does not say so. */
const VARIED_ROWS_MIN = 3
const TOTAL = /\b(sub ?)?totals?\b|\btotaux\b|\bcombined\b|\bgesamt/

/** Whether a header says that its column adds up others. */
export function saysTotal(label: string): boolean {
  const header = normalizeHeader(label)
  return TOTAL.test(header.words) || scoreHeader(header).some(({ target, score }) => target === 'stated_tiv' && score >= 0.9)
}

/**
 * Recognizes columns that add up columns next to them, in every row. Sums of sums are made of the same parts.
 * @param possible the columns that may be a sum or a part of one, from 0
 * @param amounts the columns with values that are imported, if this is known: distinguishes their parts from the sums that are not imported
 * @param isTotal whether the header of a column says that it is a sum; one row shows of what. Others must be the sum in rows that vary.
 */
export function findSums(possible: readonly number[], amounts: readonly number[] = [], isTotal: (index: number) => boolean = () => true) {
  const relevant = [...new Set([...possible, ...amounts])].sort((a, b) => a - b)
  const imported = new Set(amounts)
  const columns = relevant.map((index) => ({
    index,
    rowsMin: isTotal(index) ? 1 : VARIED_ROWS_MIN,
    sides: [newSide(-1), newSide(1)],
  }))
  const found = new Map<number, readonly number[]>()
  const included = new Map<number, readonly number[]>()
  const others = relevant.filter((index) => !imported.has(index))
  return {
    /** @param amountAt the amount in a column; 0 without one, NaN if it is not known */
    add: (amountAt: (index: number) => number): void => {
      for (const { index, rowsMin, sides } of columns) {
        if (!sides.some(isPossible)) continue
        const [sums, addends] = imported.has(index) ? [included, others] : [found, relevant]
        sums.delete(index)
        const total = amountAt(index)
        for (const side of sides) if (total !== 0) compare(side, total, index, { relevant: addends, imported, sums: found, amountAt })
        const [parts] = sides.flatMap((side) => partsOf(side, rowsMin))
        if (parts) sums.set(index, parts)
      }
    },
    /** The parts of each sum. */
    found: (): ReadonlyMap<number, readonly number[]> => found,
    /** The parts of columns that may be sums, also by the evidence of a single row. */
    possibleParts: (): ReadonlySet<number> =>
      new Set(
        columns.flatMap(({ index, sides }) =>
          imported.has(index)
            ? []
            : sides
                .flatMap((side) => partsOf(side, 1))
                .slice(0, 1)
                .flat(),
        ),
      ),
    /** The columns without a mapping that an imported column adds up. */
    included: (): ReadonlySet<number> => new Set([...included.values()].flat()),
  }
}

interface Row {
  relevant: readonly number[]
  imported: ReadonlySet<number>
  sums: ReadonlyMap<number, unknown>
  amountAt: (index: number) => number
}

function compare(side: Side, total: number, index: number, { relevant, imported, sums, amountAt }: Row): void {
  if (!isPossible(side)) return
  const isBeside = (other: number) => (other - index) * side.step > 0 && !(side.step < 0 && sums.has(other))
  const others = relevant.filter(isBeside)
  side.parts = (side.step < 0 ? others.reverse() : others).slice(0, PARTS_MAX)
  let [sum, filled, first] = [0, 0, 0]
  let isMoney = Math.abs(total) >= ROUNDED_FROM || !Number.isInteger(total)
  for (let at = 0; at < PARTS_MAX; at += 1) {
    const part = side.parts[at]
    const amount = part === undefined ? Number.NaN : amountAt(part)
    sum += amount
    if (amount !== 0) filled += 1
    first ||= amount
    if (amount !== 0 && part !== undefined && imported.has(part)) isMoney = true
    const tolerance = Math.abs(total) >= ROUNDED_FROM ? (at + 1) / 2 : Math.abs(total) * 1e-6
    if (!(Math.abs(sum - total) <= tolerance)) side.isSum[at] = false
    else if (filled > 1 && isMoney && (side.evidence[at]?.size ?? 0) < VARIED_ROWS_MIN) side.evidence[at]?.add(first / total)
  }
}

const isPossible = ({ isSum }: Side): boolean => isSum.includes(true)

function partsOf({ isSum, evidence, parts }: Side, rowsMin: number): (readonly number[])[] {
  const at = isSum.findIndex((holds, index) => holds && (evidence[index]?.size ?? 0) >= rowsMin)
  return at < 0 ? [] : [parts.slice(0, at + 1)]
}

/** The amount in a column of a row; each is read once. */
export function addendReader(cells: readonly (Cell | undefined)[]): (index: number) => number {
  const read = new Map<number, number>()
  return (index) => {
    const known = read.get(index)
    if (known !== undefined) return known
    const cell = cells[index]
    const amount = isLiteral(cell) ? 0 : typeof cell === 'object' && cell !== null ? Number.NaN : (amountOf(cell) ?? 0)
    read.set(index, amount)
    return amount
  }
}

export function amountOf(cell: Cell | undefined, factor = 1): number | undefined {
  if (typeof cell === 'number') return cell
  const text = cellText(cell)
  return text === '' ? undefined : parseMoney(text, looksEuropean(text), factor)
}
