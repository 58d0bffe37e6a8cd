import { propertyField } from '#contract/property-fields.ts'
import { cellText, isFilled, type SheetRow } from './cells.ts'
import { isFieldName, type HeaderTarget } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'
import { amountsOf, type RowAmounts } from './row-amounts.ts'
import { isTotalLabel } from './total-words.ts'

type Targets = ReadonlySet<HeaderTarget>

const ADDRESSES: Targets = new Set<HeaderTarget>(['address', 'full_address', 'city_state_zip'])
/** Names of columns that identify a location, so that a table has each of them once. */
const IDENTITIES: Targets = new Set<HeaderTarget>(['location_number', 'property_name', 'address', 'full_address'])
const PLACES: Targets = new Set<HeaderTarget>([...IDENTITIES, 'building_number', 'city', 'state', 'postal_code', 'city_state_zip'])
const SHARED_MIN = 2
const SAME_SHARE = 0.5

interface Name {
  words: string
  target: HeaderTarget | undefined
}

function nameOf(text: string): Name {
  const header = normalizeHeader(text)
  return { words: header.words, target: scoreHeader(header).find(({ score }) => score >= 0.9)?.target }
}

const isMoney = ({ target }: Name) => target !== undefined && isFieldName(target) && propertyField(target).kind === 'money'
const indexIn = (names: readonly Name[], target: HeaderTarget) => names.findIndex((name) => name.target === target)

/**
 * The column, from 0, where another table begins to the right of the schedule: its header names a location again, and its rows list
 * other locations, or an empty column is before it, and it adds up the locations. Undefined where the columns repeat the location of their own row.
 */
export function sideTableStart(headerRow: number, rows: readonly SheetRow[]): number | undefined {
  const [header, above] = [headerRow, headerRow - 1].map((number) => rows.find((row) => row.number === number)?.cells ?? [])
  const width = Math.max(header?.length ?? 0, above?.length ?? 0)
  const names = Array.from({ length: width }, (_, column) => nameOf(cellText(header?.[column]) || cellText(above?.[column])))
  const below = rows.filter(({ number }) => number > headerRow)
  const starts = names.keys().filter((column) => namesTable(names, column) && listsOthers(names, column, below))
  return starts.next().value ?? recapStart(names, [above ?? [], header ?? []], below)
}

/** Whether the names from a column on are those of another table of locations, or of things at locations. */
function namesTable(names: readonly Name[], start: number): boolean {
  const [left, right, first] = [names.slice(0, start), names.slice(start), names[start]]
  const isRepeated = ({ target }: Name) => target !== undefined && indexIn(left, target) >= 0
  if (!first?.target || !PLACES.has(first.target) || !isRepeated(first)) return false
  const isSeparate = names[start - 1]?.words === ''
  if (!isSeparate && !left.some(({ words }) => words === first.words)) return false
  if (!left.some(({ target }) => target !== undefined && ADDRESSES.has(target))) return false
  const shared = new Set(right.flatMap((name) => (name.target && PLACES.has(name.target) && isRepeated(name) ? [name.target] : [])))
  const identities = [...shared].filter((target) => IDENTITIES.has(target)).length
  const isSchedule = shared.size >= SHARED_MIN && (identities >= SHARED_MIN || left.some(isMoney))
  return identities > 0 && (right.some(isMoney) ? isSchedule || isSeparate : isSchedule && identities >= SHARED_MIN)
}

/** Whether most rows have another location on the right than on the left, or one on a single side. */
function listsOthers(names: readonly Name[], start: number, rows: readonly SheetRow[]): boolean {
  const right = names.slice(start)
  const pairs = names.slice(0, start).flatMap(({ target }, column) => {
    const other = target !== undefined && IDENTITIES.has(target) ? indexIn(right, target) : -1
    return other < 0 ? [] : [[column, start + other] as const]
  })
  const filled = rows.filter(({ cells }) => pairs.some(([, other]) => isFilled(cells[other])))
  const same = filled.filter(({ cells }) => pairs.every(([column, other]) => cellText(cells[column]) === cellText(cells[other])))
  return filled.length > 0 && same.length < filled.length * SAME_SHARE
}

/** The columns from `start` up to `end`, which is not one of them, with empty columns on both sides. */
interface Block {
  start: number
  end: number
}

/** A row of a recap, with the text that says what it adds up. */
interface RecapRow {
  row: SheetRow
  text: string
  /** Of the columns next to the text. */
  amounts: RowAmounts
}

const RECAP = /\brecap(?:itulation)?\b/i
/** They name a recap, or the column of a location. */
const MAYBE_RECAP =
  /\b(?:summary|rates|breakdown|by (?:state|city|county|entity|company|coverage|location|region|division|line|type|year))\b/i
/** A recap with a single row would be like any other column that is filled once. */
const RECAP_ROWS_MIN = 2
/** The sums of a recap may be rounded, and those of rates are small. */
const SUM_SHARE = 0.002

/** The column where recaps begin to the right of the schedule, after which there is nothing else. */
function recapStart(names: readonly Name[], headers: readonly SheetRow['cells'][], rows: readonly SheetRow[]): number | undefined {
  const all = [...headers, ...rows.map(({ cells }) => cells)]
  const isEmpty = (column: number) => !all.some((cells) => isFilled(cells[column]))
  const width = Math.max(names.length, ...rows.map(({ cells }) => cells.length))
  let found: number | undefined
  let end = width
  for (let column = width - 1; column > 0; column -= 1) {
    if (!isEmpty(column - 1)) continue
    if (!isEmpty(column)) {
      if (!isRecap(names, { start: column, end }, { headers, rows })) break
      found = column
    }
    end = column - 1
  }
  return found
}

/**
 * Whether a block of columns adds up the locations on the left, which have values of their own. Groups of the schedule are separated by empty
 * columns, too: they say something about the location of their own row.
 */
function isRecap(
  names: readonly Name[],
  { start, end }: Block,
  { headers, rows }: { headers: readonly SheetRow['cells'][]; rows: readonly SheetRow[] },
): boolean {
  const left = names.slice(0, start)
  const addresses = left.flatMap(({ target }, column) => (target !== undefined && ADDRESSES.has(target) ? [column] : []))
  if (addresses.length === 0 || !left.some(isMoney)) return false
  const isLocation = ({ cells }: SheetRow) => addresses.some((column) => isFilled(cells[column]))
  const listed = listedIn({ start, end }, rows)
  const [first, last] = [listed.at(0), listed.at(-1)]
  if (!first || !last || listed.length < RECAP_ROWS_MIN) return false
  const title = headers.flatMap((cells) => cells.slice(start, end).map(cellText)).join(' ')
  if (RECAP.test(title)) return true
  const locations = rows.filter(isLocation)
  const hasTotal = isTotalLabel(last.text)
  const isBeside = isLocation(last.row) || (!last.row.cells.slice(0, start).some(isFilled) && listed.length !== locations.length + 1)
  const isShort = first.row.number <= (locations[1]?.number ?? 0) && last.row.number < (locations.at(-1)?.number ?? 0)
  if (MAYBE_RECAP.test(title) && (isShort || (hasTotal && isBeside))) return true
  if (hasTotal && isBeside && addsUp(listed)) return true
  return (isShort || hasTotal) && repeatsOthers(names, start, hasTotal ? listed.slice(0, -1) : listed)
}

/** The rows of a block below its own header: different texts in its first column and amounts next to them, without a gap; none if it has others. */
function listedIn({ start, end }: Block, rows: readonly SheetRow[]): RecapRow[] {
  const filled = rows.flatMap((row) => {
    const cells = row.cells.slice(start, end)
    return cells.some(isFilled) ? [{ row, text: cellText(cells[0]), cells }] : []
  })
  const amounts = filled.map(({ row, cells }) => amountsOf({ ...row, cells }).american.slice(1))
  const listed = filled.map(({ row, text }, index) => ({ row, text, amounts: amounts[index] ?? [] }))
  if (!listed[0]?.amounts.some(isNumber)) listed.shift()
  const isWhole = (listed.at(-1)?.row.number ?? 0) - (listed[0]?.row.number ?? 0) === listed.length - 1
  const isListed = (one: RecapRow) => /\p{L}/u.test(one.text) && one.amounts.some(isNumber)
  return isWhole && listed.every(isListed) && new Set(listed.map(({ text }) => text)).size === listed.length ? listed : []
}

const isNumber = (amount: number | undefined): boolean => amount !== undefined

/** Whether the last row of a recap is the sum of the others. */
function addsUp(listed: readonly RecapRow[]): boolean {
  const parts = listed.slice(0, -1)
  return (listed.at(-1)?.amounts ?? []).some((amount = 0, column) => {
    const sum = parts.reduce((all, part) => all + (part.amounts[column] ?? 0), 0)
    return amount !== 0 && Math.abs(sum - amount) <= Math.abs(amount) * SUM_SHARE
  })
}

/** Whether the first column of a recap has a name of the schedule, such as the state, but not what the schedule has below it. */
function repeatsOthers(names: readonly Name[], start: number, listed: readonly RecapRow[]): boolean {
  const target = names[start]?.target
  const column = target === undefined || !PLACES.has(target) || IDENTITIES.has(target) ? -1 : indexIn(names.slice(0, start), target)
  const others = listed.filter(({ row, text }) => cellText(row.cells[column]) !== text)
  return column >= 0 && others.length > 0 && others.length >= listed.length * (1 - SAME_SHARE)
}
