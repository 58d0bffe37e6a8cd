import { propertyField } from '#contract/property-fields.ts'
import { cellText, isFilled, type SheetRow } from './cells.ts'
import { isFieldName, type HeaderTarget } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'

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
 * other locations. Undefined where the columns repeat the location of their own row.
 */
export function sideTableStart(headerRow: number, rows: readonly SheetRow[]): number | undefined {
  const [header, above] = [headerRow, headerRow - 1].map((number) => rows.find((row) => row.number === number)?.cells ?? [])
  const width = Math.max(header?.length ?? 0, above?.length ?? 0)
  const names = Array.from({ length: width }, (_, column) => nameOf(cellText(header?.[column]) || cellText(above?.[column])))
  const below = rows.filter(({ number }) => number > headerRow)
  const starts = names.keys().filter((column) => namesTable(names, column) && listsOthers(names, column, below))
  return starts.next().value
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
