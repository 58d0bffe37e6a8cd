import { once } from '#contract/once.ts'
import { cellText, isFilled, isYear, type SheetRow } from './cells.ts'
import { isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'

const HEADER_SHARE = 0.6
/** A row with fewer names of columns than this is not another header. */
const NAMES_MIN = 3
/** How far above the header row its names may begin. */
const UPPER_ROWS = 3

/**
 * Recognizes headers below the header row, in the order of the rows: `repeated_header` for the same one, `header` for one that names other
 * columns, so that the rows below it form another table.
 */
export function headerReader(headerRow: number, labels: readonly string[]): (row: SheetRow) => 'header' | 'repeated_header' | undefined {
  const first: HeaderFacts[][] = []
  const headers = labels.map(headerFacts)
  return (row) => {
    if (headerRow === 0) return undefined
    if (row.number <= headerRow) {
      if (row.number > headerRow - UPPER_ROWS) first.push(row.cells.map((cell) => headerFacts(cellText(cell))))
      return row.number === headerRow ? 'header' : undefined
    }
    const filled = row.cells.flatMap((cell, column) => (isFilled(cell) ? [{ column, cell, text: cellText(cell) }] : []))
    if (filled.length < 2 || filled.some(({ cell, text }) => typeof cell !== 'string' || isQuantity(text))) return undefined
    const names = filled.map(({ column, text }) => ({ column, ...headerFacts(text) }))
    if (first.some((upper) => names.every((name) => isEqual(name, upper[name.column])))) return 'repeated_header'
    const isShared = (part: readonly unknown[]) => part.length >= filled.length * HEADER_SHARE
    const same = names.filter(({ column, words }) => words === headers[column]?.words)
    const known = names.filter(({ isKnown }) => isKnown)
    const hasNames = new Set(known.map(({ words }) => words)).size >= NAMES_MIN
    if (!isShared(same) && !(hasNames && isShared(known))) return undefined
    return names.some((name) => isOther(name, headers[name.column])) ? 'header' : 'repeated_header'
  }
}

/** The numbers of years may be names of columns. */
const isQuantity = (text: string): boolean => /^[\s\d$€£.,()-]*\d[\s\d$€£.,()-]*$/.test(text) && !isYear(text.trim())

interface HeaderFacts {
  words: string
  isKnown: boolean
  /** What changes the meaning of the values. */
  unit: string
  target: () => string | undefined
}

function headerFacts(text: string): HeaderFacts {
  const header = normalizeHeader(text)
  const { words, period, factor, currency, squareMeters } = header
  const unit = [period, factor, currency ?? '', squareMeters].join()
  const target = once(() => scoreHeader(header).find(({ score }) => score >= 0.9)?.target)
  return { words, isKnown: text.length > 1 && isKnownHeader(header), unit, target }
}

const isEqual = (name: HeaderFacts, other: HeaderFacts | undefined): boolean => name.words === other?.words && name.unit === other.unit

/** Whether a name has another meaning than the column has. A name above a column without one counts if it is a known header. */
function isOther(name: HeaderFacts, header: HeaderFacts | undefined): boolean {
  if (!header || header.words === '') return name.isKnown
  const isSame = name.words === header.words || (name.target() !== undefined && name.target() === header.target())
  return !isSame || name.unit !== header.unit
}

/** The columns that another header names differently, from 0. */
export const otherColumns = (cells: SheetRow['cells'], labels: readonly string[]): number[] =>
  cells.flatMap((cell, column) =>
    isFilled(cell) && isOther(headerFacts(cellText(cell)), headerFacts(labels[column] ?? '')) ? [column] : [],
  )
