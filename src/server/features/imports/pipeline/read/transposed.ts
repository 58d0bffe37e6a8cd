import { isInsuredValue } from '#contract/property-fields.ts'
import { cellText, isFilled, isNumeric, type Cell, type SheetRow } from './cells.ts'
import { isKnownHeader, normalizeHeader, scoreHeader } from './headers.ts'

/** The names of the fields may follow titles of groups and numbers. */
const NAME_COLUMNS = 3
const NAMES_MIN = 4
const LOCATIONS_MIN = 2
const ADDRESSES: ReadonlySet<string> = new Set(['address', 'full_address'])

const isAmount = (cell: Cell) => isNumeric(cell) || /^\P{L}*\d\P{L}*$/u.test(cellText(cell))

/** Whether a sheet names the fields below each other, so that its columns are the locations. A list of fields without values is none. */
export function isTransposed(rows: readonly SheetRow[]): boolean {
  return Array.from({ length: NAME_COLUMNS }, (_, column) => column).some((column) => {
    const named = rows.flatMap(({ cells }) => {
      const header = normalizeHeader(cellText(cells[column]))
      return isKnownHeader(header)
        ? [{ words: header.words, target: scoreHeader(header)[0]?.target ?? '', values: cells.slice(column + 1) }]
        : []
    })
    const names = new Set(named.map(({ words }) => words)).size
    const hasAddresses = named.some(({ target, values }) => {
      const filled = values.filter(isFilled)
      return (
        ADDRESSES.has(target) &&
        filled.length >= LOCATIONS_MIN &&
        filled.filter((cell) => /\d/.test(cellText(cell))).length * 2 >= filled.length
      )
    })
    const hasAmounts = named.some(({ target, values }) => isInsuredValue(target) && values.filter(isAmount).length >= LOCATIONS_MIN)
    return names >= NAMES_MIN && hasAddresses && hasAmounts && rows.every((row) => namesIn(row) < names)
  })
}

const namesIn = ({ cells }: SheetRow): number => {
  const headers = cells.flatMap((cell) => (typeof cell === 'string' ? [normalizeHeader(cell)] : [])).filter(isKnownHeader)
  return new Set(headers.map(({ words }) => words)).size
}
