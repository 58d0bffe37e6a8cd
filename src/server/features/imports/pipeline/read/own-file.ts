import { once } from '#contract/once.ts'
import { isFilled, isLiteral, type Cell } from './cells.ts'
import { COMPUTED_HEADERS } from './header-synonyms.ts'
import { normalizeHeader } from './headers.ts'

/** Other programs may compute one of these, too. */
const COMPUTED_MIN = 2

const computed = once(() => new Set(COMPUTED_HEADERS.map((header) => normalizeHeader(header).words)))

/** Whether headers are those of a list or export of the product: some of its columns are what only the product computes. */
export const isOwnFile = (headers: readonly string[]): boolean =>
  new Set(headers.map((header) => normalizeHeader(header).words).filter((words) => computed().has(words))).size >= COMPUTED_MIN

const STATUS = 'status'

/**
 * The columns of a list of the product, from 0, with custom fields: after the column of the status, with the name of one, or with cells that the list
 * wrote as texts of properties.
 * @param names the custom fields of the account
 */
export function customColumns(columns: readonly { header: string; cells: readonly Cell[] }[], names: ReadonlySet<string>): Set<number> {
  const status = columns.findIndex(({ header }) => normalizeHeader(header).words === STATUS)
  if (status === -1) return new Set()
  const areTexts = (cells: readonly Cell[]) => cells.some(isFilled) && cells.every((cell) => !isFilled(cell) || isLiteral(cell))
  const isCustom = ({ header, cells }: (typeof columns)[number]) => header !== '' && (names.has(header) || areTexts(cells))
  return new Set(columns.flatMap((column, index) => (index > status && isCustom(column) ? [index] : [])))
}
