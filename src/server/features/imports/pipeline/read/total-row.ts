import { isFilled, type SheetRow } from './cells.ts'
import type { ColumnRole } from './column-roles.ts'
import { isOfOtherTerm } from './other-terms.ts'
import type { Location, partialSums } from './partial-sums.ts'
import { isAmount, type Amounts } from './row-amounts.ts'
import { identityCells } from './row-identity.ts'
import { isCertainSum } from './sum-evidence.ts'
import { isValue, matchingColumns, tolerance, type Sums } from './sums.ts'

/** At the start only and as a whole word: `Grand Prairie` and `Rio Grande Blvd` are places. */
export const TOTAL_WORD = /^\W*(grand total|(sub|sous)-?\s?totals?|total(s|es)?|totaux|sum|somme|suma)\b/i
/** At the end only if a row has no other text: `Texas Subtotal`. */
const TOTAL_AT_END = /\s(sub-?\s?)?totals?\W*$/i
/** A row with more texts and as many cells as any location is one, also with a name such as `Total Wine & More`. */
const TEXTS_OF_LOCATION = 3

interface ReadRow {
  row: SheetRow
  amounts: Amounts
  /** In either notation. */
  written: Location['amounts']
  /** Number of filled cells. */
  filled: number
}

interface Above {
  section: Sums
  all: Sums
  partial: ReturnType<typeof partialSums>
  roles: readonly ColumnRole[]
  /** Whether a row below the last location has the sum of all. */
  isTotaled: boolean
}

/**
 * Whether a row is a total of the rows above. A total of something else than the locations, such as those of last year, is a note. A row that has
 * their sums, but may as well be a location, is doubtful: it stays, and a question says so.
 */
export function totalKind(read: ReadRow, above: Above): 'subtotal' | 'total' | 'note' | 'doubtful' | undefined {
  const { row, amounts, filled } = read
  const { section, all, partial, isTotaled, roles } = above
  const texts = row.cells.filter((cell, column): cell is string => typeof cell === 'string' && isFilled(cell) && !isAmount(amounts, column))
  const label = texts[0] ?? ''
  if (texts.length === 1 && all.rows > 0 && isOfOtherTerm(label)) return 'note'
  const hasWord = TOTAL_WORD.test(label) || (texts.length === 1 && TOTAL_AT_END.test(label))
  if (!hasWord && texts.length > 1) return undefined
  if (texts.filter((text) => /[\p{L}\d]/u.test(text)).length >= TEXTS_OF_LOCATION && filled >= all.filled) return undefined
  const [ofAll, ofSection] = [matchingColumns(amounts, all, roles), matchingColumns(amounts, section, roles)]
  const matches = Math.max(ofAll.length, ofSection.length)
  const parts = matches < 2 ? partial.countIn(read.written, filled) : 0
  if (hasWord ? matches === 0 && texts.length > 1 : matches < 2 && parts === 0) return undefined
  const sum = ofAll.length >= ofSection.length ? { columns: ofAll, sums: all } : { columns: ofSection, sums: section }
  const added = partial.last(parts > 0 ? parts : sum.sums.rows)
  const identity = identityOf(read, added, { roles, cellsMin: hasWord || parts > 0 ? Infinity : sum.sums.filled })
  const hasLabel = hasWord && texts.length === 1
  const isDoubtful = hasLabel ? identity > 1 && matches === 0 && parts === 0 : identity > 0 && !isCertain(read, added, roles)
  if (isDoubtful && read.written.some((amount, column) => isValue(amount, roles[column]))) return 'doubtful'
  if (/\b(sub|sous)-?\s?total/i.test(label)) return 'subtotal'
  if (/^\W*(grand|total g[eé]n[eé]ral)/i.test(label)) return 'total'
  if (isTotaled && matches === 0 && parts === 0) return 'note'
  return parts > 0 && parts < all.rows ? 'subtotal' : ofAll.length >= ofSection.length ? 'total' : 'subtotal'
}

/** A row with as many cells as a location has an identity, too: those of a campus often have only a few. */
function identityOf(
  { row, filled }: ReadRow,
  added: readonly Location[],
  { roles, cellsMin }: { roles: readonly ColumnRole[]; cellsMin: number },
): number {
  const cells = identityCells(
    row,
    added.map((part) => part.row),
    roles,
  )
  return cells + Number(filled >= cellsMin)
}

/** All values of the row are sums, and they cannot be by chance. */
function isCertain({ written }: ReadRow, added: readonly Location[], roles: readonly ColumnRole[]): boolean {
  const parts = added.map(({ amounts }) => amounts)
  const values = written.flatMap((amount, column) => (isValue(amount, roles[column]) ? [column] : []))
  const sumOf = (column: number) => parts.reduce((sum, amounts) => sum + (amounts[column] ?? 0), 0)
  const isEqual = (column: number) => Math.abs(sumOf(column) - (written[column] ?? 0)) <= tolerance(sumOf(column))
  return values.every(isEqual) && isCertainSum(written, parts, values)
}
