import { cellText, isFilled, type SheetRow } from './cells.ts'
import type { ColumnRole } from './column-roles.ts'
import { isOfOtherTerm } from './other-terms.ts'
import { FEWER_CELLS, textsOf, type Location, type partialSums } from './partial-sums.ts'
import { isAmount, type Amounts } from './row-amounts.ts'
import { STREET, identityCells, ownCells } from './row-identity.ts'
import { isCertainSum } from './sum-evidence.ts'
import { isValue, matchingColumns, tolerance, type Sums } from './sums.ts'
import { TOTAL_AT_END, TOTAL_WORD, asksHowMuch, isTotalLabel, mayNameSum, namesSum } from './total-words.ts'

/** A row with more texts and as many cells as any location is one, also with a name such as `Total Wine & More`. */
const TEXTS_OF_LOCATION = 3

/** The sum of fewer rows may be the values of a location by chance. */
const WHOLE_ROWS_MIN = 3

/** A row that may be a total; `likely` without anything of its own, so that it probably is one. */
export type Doubt = 'doubtful' | 'likely'

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
export function totalKind(read: ReadRow, above: Above): 'subtotal' | 'total' | 'note' | Doubt | undefined {
  const { row, amounts, filled } = read
  const { section, all, partial, isTotaled, roles } = above
  const texts = row.cells.filter((cell, column): cell is string => typeof cell === 'string' && isFilled(cell) && !isAmount(amounts, column))
  const label = texts[0] ?? ''
  if (texts.length === 1 && all.rows > 0 && isOfOtherTerm(label)) return 'note'
  const hasWord = TOTAL_WORD.test(label) || (texts.length === 1 && TOTAL_AT_END.test(label))
  const words = texts.filter((text) => /[\p{L}\d]/u.test(text))
  const ofPlace = words.length > 1 ? sumOfPlace(read, above) : undefined
  if (ofPlace) return ofPlace
  if (!hasWord && texts.length > 1) return undefined
  if (words.length >= TEXTS_OF_LOCATION && filled >= all.filled) return undefined
  const [ofAll, ofSection] = [matchingColumns(amounts, all, roles), matchingColumns(amounts, section, roles)]
  const matches = Math.max(ofAll.length, ofSection.length)
  const parts = matches < 2 ? partial.countIn(read.written, (part) => filled + FEWER_CELLS <= part.filled) : 0
  if (hasWord ? matches === 0 && texts.length > 1 : matches < 2 && parts === 0) return undefined
  const sum = ofAll.length >= ofSection.length ? { columns: ofAll, sums: all } : { columns: ofSection, sums: section }
  const added = partial.last(parts > 0 ? parts : sum.sums.rows)
  const identity = identityOf(read, added, { roles, cellsMin: hasWord || parts > 0 ? Infinity : sum.sums.filled })
  const hasLabel = hasWord && texts.length === 1
  const isDoubtful = hasLabel ? identity > 1 && matches === 0 && parts === 0 : identity > 0 && !isCertain(read, added, roles)
  if (isDoubtful && read.written.some((amount, column) => isValue(amount, roles[column])))
    return texts.every(mayNameSum) && all.rows >= WHOLE_ROWS_MIN && ofAll.length > 1 && ofAll.length === valuesOf(read, roles).length
      ? 'likely'
      : 'doubtful'
  if (/\b(sub|sous)-?\s?total/i.test(label)) return 'subtotal'
  if (/^\W*(grand|total g[eé]n[eé]ral)/i.test(label)) return 'total'
  if (isTotaled && matches === 0 && parts === 0) return 'note'
  return parts > 0 && parts < all.rows ? 'subtotal' : ofAll.length >= ofSection.length ? 'total' : 'subtotal'
}

/**
 * Whether a row with a place is the sum of the locations above it, such as the buildings of a campus. It is one without a question only if it has
 * nothing of its own, and its label or its values leave no doubt. No location is likely to have the sums of all others.
 */
function sumOfPlace(read: ReadRow, { all, partial, roles }: Above): 'subtotal' | Doubt | undefined {
  const { row, written, filled } = read
  const texts = textsOf(row, written, roles)
  // A value may be given for the sum, and for some of its parts only.
  const added = partial.last(partial.countIn(written, (part) => texts <= part.texts))
  if (added.length === 0) return undefined
  const parts = added.map((part) => part.row)
  // A name that a location has, too, is no label of their sum.
  const hasLabel = row.cells.some(
    (cell, column) => typeof cell === 'string' && namesSum(cell) && !parts.some(({ cells }) => namesSum(cellText(cells[column]))),
  )
  const equal = equalValues(read, added, roles).length
  const isWhole = added.length === all.rows && all.rows >= WHOLE_ROWS_MIN && equal > 1 && equal === valuesOf(read, roles).length
  const fewer = Math.min(...added.map((part) => part.filled)) - filled
  const isProved = isCertain(read, added, roles)
  const hasNumber = row.cells.some((cell, column) => roles[column] === 'number' && isFilled(cell))
  if (ownCells(row, parts, roles) > 0) {
    if (isWhole && !hasNumber) return 'likely'
    return isProved || (hasLabel && fewer >= FEWER_CELLS) ? 'doubtful' : undefined
  }
  // One amount may be the total of the coverages of a location.
  if (fewer <= 0 && !(hasLabel && equal > 1)) return isWhole ? 'likely' : undefined
  return isProved || (hasLabel && equal > 1) ? 'subtotal' : 'likely'
}

/** Columns of places and of values, and those of coverages, whose total is one of the location. */
const NO_LABELS: ReadonlySet<ColumnRole | undefined> = new Set(['place', 'value', 'other'])
/** Columns of what is known of a location, where "Total" may be an answer: that all of it has sprinklers, or that nothing is vacant. */
const ANSWERS: ReadonlySet<ColumnRole | undefined> = new Set(['identity', 'amount'])

/** What rounding may change in a sum that is stated in thousands. */
const ROUNDED_SHARE = 0.002

/**
 * Whether a row that is no proved total probably is one by its label: the word for a total, or a name with it above about the sum of the last
 * locations. For a row that otherwise looks like a location, the columns are returned where the word is no label if they have answers.
 * @param labels the headers of the columns
 */
export function isNamedTotal(
  { row, written }: Pick<ReadRow, 'row' | 'written'>,
  { partial, roles }: Pick<Above, 'partial' | 'roles'>,
  labels: readonly string[],
): boolean | readonly number[] {
  if (!written.some((amount, column) => isValue(amount, roles[column]))) return false
  const texts = row.cells.flatMap((cell, column) =>
    typeof cell === 'string' && !NO_LABELS.has(roles[column]) && !isOfSideTable(row, column, { labels, roles })
      ? [{ text: cell, column }]
      : [],
  )
  const totals = texts.flatMap(({ text, column }) => (isTotalLabel(text) ? [column] : []))
  if (totals.some((column) => !ANSWERS.has(roles[column]))) return true
  if (totals.length > 0 && !isLocation(row, partial.last(Infinity), roles)) return true
  const unclear = totals.filter((column) => roles[column] !== 'identity' && !asksHowMuch(labels[column] ?? ''))
  if (unclear.length > 0) return unclear
  const parts = texts.some(({ text }) => namesSum(text)) ? aboutAddedUp(written, partial.last(Infinity), roles) : []
  return parts.length > 0 && !hasOwnStreet(row, parts, roles)
}

/** Whether a cell is to the right of an empty column without a header, which follows a location: another table may be there. */
function isOfSideTable(
  { cells }: SheetRow,
  column: number,
  { labels, roles }: { labels: readonly string[]; roles: readonly ColumnRole[] },
): boolean {
  const gap = labels.findLastIndex((label, index) => index < column && label === '' && !isFilled(cells[index]))
  return cells.slice(0, Math.max(gap, 0)).some((cell, index) => roles[index] === 'place' && /\p{L}/u.test(cellText(cell)))
}

/** Whether a row has the number and the address of a location, or a street that no other one has. */
function isLocation(row: SheetRow, others: readonly Location[], roles: readonly ColumnRole[]): boolean {
  const textsIn = (role: ColumnRole) => row.cells.flatMap((cell, column) => (roles[column] === role ? [cellText(cell)] : []))
  const place = textsIn('place').filter((text) => !COUNT_OF.test(text))
  const hasAddress = place.some((text) => /\p{L}/u.test(text)) && place.some((text) => /\d/.test(text))
  return (hasAddress && textsIn('number').some((text) => /\d/.test(text))) || hasOwnStreet(row, others, roles)
}

/** Of the locations that a row adds up: `2 stores`. */
const COUNT_OF = /^\d+\s+(?:stores?|locations?|locs?|sites?|buildings?|bldgs?|properties|campus(?:es)?|units?)\b/iu
const hasOwnStreet = ({ cells }: SheetRow, parts: readonly Location[], roles: readonly ColumnRole[]): boolean =>
  cells.some((cell, column) => {
    const text = cellText(cell)
    const isOwn = () => parts.every(({ row }) => cellText(row.cells[column]) !== text)
    return roles[column] === 'place' && STREET.test(text) && !COUNT_OF.test(text) && isOwn()
  })

/** The last locations whose sum is about the largest value of a row; empty if there are none. */
function aboutAddedUp(written: Location['amounts'], locations: readonly Location[], roles: readonly ColumnRole[]): readonly Location[] {
  const values = written.map((amount, column) => (isValue(amount, roles[column]) ? (amount ?? 0) : 0))
  const largest = Math.max(...values)
  const key = values.indexOf(largest)
  let sum = 0
  for (let at = locations.length - 1; at >= 0 && sum <= largest; at -= 1) {
    sum += locations[at]?.amounts[key] ?? 0
    if (Math.abs(sum - largest) <= largest * ROUNDED_SHARE) return locations.slice(at)
  }
  return []
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

const valuesOf = ({ written }: ReadRow, roles: readonly ColumnRole[]): number[] =>
  written.flatMap((amount, column) => (isValue(amount, roles[column]) ? [column] : []))

/** The columns with values in which a row has the sum of others. */
function equalValues(read: ReadRow, added: readonly Location[], roles: readonly ColumnRole[]): number[] {
  const sumOf = (column: number) => added.reduce((sum, { amounts }) => sum + (amounts[column] ?? 0), 0)
  return valuesOf(read, roles).filter((column) => Math.abs(sumOf(column) - (read.written[column] ?? 0)) <= tolerance(sumOf(column)))
}

/** All values of the row are sums, and they cannot be by chance. */
function isCertain(read: ReadRow, added: readonly Location[], roles: readonly ColumnRole[]): boolean {
  const equal = equalValues(read, added, roles)
  const parts = added.map(({ amounts }) => amounts)
  return equal.length === valuesOf(read, roles).length && isCertainSum(read.written, parts, equal)
}
