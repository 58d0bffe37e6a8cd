import { isPlaceholderAddress } from '#server/engines/address/address-keys.ts'
import { isDirectional, isStreetSuffix, normalizeStreet, similarity } from '#server/engines/address/normalize-street.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'

const SIMILAR = 0.6
const SAME_BUT_FOR_SPELLING = 0.85

const wordsOf = (name: string | null | undefined): string[] =>
  (name ?? '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The words of the name, without case and punctuation. */
export const comparableName = ({ property_name }: Pick<RowFields, 'property_name'>): string => wordsOf(property_name).join(' ')

export function hasSameName(fields: RowFields, values: RowFields): boolean {
  const name = comparableName(fields)
  return name !== '' && name === comparableName(values)
}

/** Whether no name contradicts: they are the same, or one of the two has none. */
export const hasSameNameOrNone = (fields: RowFields, values: RowFields): boolean =>
  !comparableName(fields) || !comparableName(values) || hasSameName(fields, values)

/** The words that distinguish the names of a chain or campus: store numbers, and single letters as in "Building B". */
const marksOf = (name: string): string =>
  wordsOf(name)
    .filter((word) => word.length === 1 || /\d/.test(word))
    .toSorted()
    .join(' ')

function isSimilarName(left: string, right: string, share: number): boolean {
  return similarity(left, right) >= share && marksOf(left) === marksOf(right)
}

/** Whether both have a name, and the two are different ones. */
export function hasOtherName(fields: RowFields, values: RowFields): boolean {
  const [left, right] = [fields.property_name, values.property_name]
  return Boolean(left && right) && !hasSameName(fields, values) && !isSimilarName(left ?? '', right ?? '', SIMILAR)
}

export const hasAlmostSameName = ({ property_name: left }: RowFields, { property_name: right }: RowFields): boolean =>
  isSimilarName(left ?? '', right ?? '', SAME_BUT_FOR_SPELLING)

/**
 * Whether the address allows two rows to be the same property: the house numbers are equal, and the street and city or ZIP are almost.
 * Undefined if one of the two has no street, so that nothing can be compared.
 */
export function hasSimilarAddress(fields: RowFields, values: RowFields): boolean | undefined {
  if (isPlaceholderAddress(fields.address ?? '') || isPlaceholderAddress(values.address ?? '')) return undefined
  const [left, right] = [normalizeStreet(fields.address ?? ''), normalizeStreet(values.address ?? '')]
  const hasOtherNumber = left.number !== '' && right.number !== '' && left.number !== right.number
  return !hasOtherNumber && isSimilarStreet(streetName(left.street), streetName(right.street)) && !isElsewhere(fields, values)
}

/** Whether a house number or street may be corrected: one of them is the same. */
export function hasPartOfAddress(fields: RowFields, values: RowFields): boolean {
  const [left, right] = [normalizeStreet(fields.address ?? ''), normalizeStreet(values.address ?? '')]
  return (
    (left.number !== '' && left.number === right.number) || (left.street !== '' && streetName(left.street) === streetName(right.street))
  )
}

/** Name and city; null unless both are given. */
export function nameInCity(fields: Pick<RowFields, 'property_name' | 'city'>): string | null {
  const [name, city] = [comparableName(fields), placeOf(fields)]
  return name && city ? `${name}|${city}` : null
}

/** Words or a few letters may differ, but no digits: 5th and 6th are different streets. */
function isSimilarStreet(left: string, right: string): boolean {
  if (left.replace(/\D/g, '') !== right.replace(/\D/g, '')) return false
  const length = Math.min(left.length, right.length)
  const errors = length >= LONG_STREET ? 2 : length >= SHORT_STREET ? 1 : 0
  return similarity(left, right) >= SIMILAR || editDistance(left, right) <= errors
}

const SHORT_STREET = 4
const LONG_STREET = 8

function editDistance(left: string, right: string): number {
  let distances = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...left].entries()) {
    const next = [row + 1]
    for (const [at, other] of [...right].entries()) {
      const replaced = (distances[at] ?? 0) + Number(letter !== other)
      next.push(Math.min(replaced, (distances[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    distances = next
  }
  return distances.at(-1) ?? 0
}

/** Without the kind of street and its direction, which most streets share. */
function streetName(street: string): string {
  const words = street.split(' ')
  const own = words.filter((word) => !isStreetSuffix(word) && !isDirectional(word))
  return (own.length > 0 ? own : words).join(' ')
}

/** Whether neither city nor postal code agree. */
function isElsewhere(fields: RowFields, values: RowFields): boolean {
  const pairs = [
    [placeOf(fields), placeOf(values)],
    [fields.postal_code?.slice(0, ZIP_DIGITS), values.postal_code?.slice(0, ZIP_DIGITS)],
  ] as const
  const comparable = pairs.filter(([left, right]) => left && right)
  return comparable.length > 0 && comparable.every(([left, right]) => left !== right)
}

const ZIP_DIGITS = 5
const placeOf = ({ city }: Pick<RowFields, 'city'>): string => normalizeStreet(city ?? '').street

/** What rarely changes about a building. */
const FIGURES = ['floor_area', 'year_built', 'stories'] as const
const SAME_FIGURES_MIN = 2

export const hasOtherFigures = (fields: RowFields, values: RowFields): boolean =>
  FIGURES.some((name) => fields[name] && values[name] && fields[name] !== values[name])

/** Whether no figure differs and at least two are the same; the building value counts if it is the same. */
export function hasSameFigures(fields: RowFields, values: RowFields): boolean {
  if (hasOtherFigures(fields, values)) return false
  return [...FIGURES, 'building_value' as const].filter((name) => fields[name] && fields[name] === values[name]).length >= SAME_FIGURES_MIN
}
