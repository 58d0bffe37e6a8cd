import { SPLIT_TARGETS, type SplitTarget } from '#contract/import-inputs.ts'
import { isStreetLine } from '#server/engines/address/normalize-street.ts'
import { splitCityStateZip, splitCodeAndCity, splitFullAddress, splitStreetAndCity } from '#server/engines/address/split-full-address.ts'
import { cellText, lineText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { HeaderScore } from '#server/features/imports/pipeline/read/headers.ts'

/** Headers under which people write an address, or parts of it. */
const ADDRESS_HEADERS: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>([
  'address',
  'address_2',
  'full_address',
  'city_state_zip',
  'city',
  'state',
  'postal_code',
  'location_number',
])
const ADDRESS_SHARE_MIN = 0.5
const NUMBER_SHARE_MIN = 0.9
/** A split that the header does not name must be confirmed. */
const SCORE_MAX = 0.8
const UNKNOWN_HEADER_SCORE = 0.7
const LOCATION_BUILDING = /^(\d{1,6})[./-](\d{1,3})$/

/**
 * The split that most cells of a column need, regardless of the field that its header names; undefined if they need none.
 * @param hasCity whether another column has the city, so that the parts of an address are those of the street
 */
export function proposeSplit(
  scores: readonly HeaderScore[],
  cells: readonly Cell[],
  { hasCity, hasNumbers }: { hasCity: boolean; hasNumbers: boolean },
): HeaderScore | undefined {
  const target = addressSplit(scores, cells.map(lineText), hasCity) ?? numberSplit(scores, cells.map(cellText), hasNumbers)
  if (target === undefined) return undefined
  const named = scores.find((score) => score.target === target)
  if (named && named.score >= SCORE_MAX) return named
  return { target, score: Math.min(SCORE_MAX, scores[0]?.score ?? UNKNOWN_HEADER_SCORE), rank: 0 }
}

const shareOf = (texts: readonly string[], test: (text: string) => boolean) => texts.filter(test).length / Math.max(1, texts.length)

/** Headers of other fields under which people write the street address. */
const STREET_HEADERS: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>([
  ...ADDRESS_HEADERS,
  'location_building',
  'property_name',
  'location_group',
  'description',
])
const STREET_SHARE_MIN = 0.5

/** Whether a column is named as the one with the addresses, and has some. */
export const isAddressColumn = (scores: readonly HeaderScore[], cells: readonly Cell[]): boolean =>
  scores.some(({ target, score }) => (target === 'address' || target === 'full_address') && score >= 0.9) &&
  shareOf(cells.map(cellText), (text) => /\d/.test(text)) > ADDRESS_SHARE_MIN

/**
 * The street address, if the header says that the column has the full address but another one has the city, or if no column is named as the
 * address and the cells are streets with house numbers. The latter must be confirmed.
 */
export function proposeStreet(
  scores: readonly HeaderScore[],
  cells: readonly Cell[],
  { hasCity, hasAddress }: { hasCity: boolean; hasAddress: boolean },
): HeaderScore | undefined {
  const full = scores.find(({ target, score }) => target === 'full_address' && score >= 0.9)
  if (full && hasCity && cells.length > 0) return { ...full, target: 'address' }
  const [best] = scores
  if (hasAddress || (best && !STREET_HEADERS.has(best.target))) return undefined
  const texts = cells.map(cellText)
  return shareOf(texts, isStreetLine) >= STREET_SHARE_MIN ? { target: 'address', score: SCORE_MAX, rank: 0 } : undefined
}

/** Whether a column has the city of an address, alone or with the state. */
export const isCityColumn = (scores: readonly HeaderScore[], cells: readonly Cell[]): boolean =>
  cells.length > 0 &&
  (scores.some(({ target, score }) => (target === 'city' || target === 'city_state_zip') && score >= 0.9) || areCities(cells.map(lineText)))

const areCities = (texts: readonly string[]) => shareOf(texts, (text) => splitCityStateZip(text) !== undefined) > ADDRESS_SHARE_MIN

function addressSplit(scores: readonly HeaderScore[], texts: readonly string[], hasCity: boolean): SplitTarget | undefined {
  if (scores.length > 0 && !scores.some(({ target }) => ADDRESS_HEADERS.has(target))) return undefined
  if (shareOf(texts, (text) => splitFullAddress(text) !== undefined && /\d/.test(text)) > ADDRESS_SHARE_MIN) return 'full_address'
  if (areCities(texts) || areCodesAndCities(scores, texts)) return 'city_state_zip'
  return !hasCity && shareOf(texts, (text) => splitStreetAndCity(text) !== undefined) > ADDRESS_SHARE_MIN ? 'full_address' : undefined
}

const PLACE_HEADERS: ReadonlySet<HeaderTarget> = new Set<HeaderTarget>(['city_state_zip', 'city', 'postal_code'])

/** Only below a header for them: `12345 Main` may be a street. */
const areCodesAndCities = ([best]: readonly HeaderScore[], texts: readonly string[]): boolean =>
  best !== undefined && PLACE_HEADERS.has(best.target) && shareOf(texts, (text) => splitCodeAndCity(text) !== undefined) > ADDRESS_SHARE_MIN

/** Whether a column is named as the one with the location numbers, and has some. */
export const isNumberColumn = (scores: readonly HeaderScore[], cells: readonly Cell[]): boolean =>
  cells.length > 0 && scores.some(({ target, score }) => target === 'location_number' && score >= 0.9)

/**
 * Numbers such as 1.1 and 1.2, which list several buildings of one location. They may be named as those of the buildings if no other column
 * has the location numbers.
 */
function numberSplit(scores: readonly HeaderScore[], texts: readonly string[], hasNumbers: boolean): SplitTarget | undefined {
  const isNamed = ({ target, score }: HeaderScore) =>
    target === 'location_number' || (target === 'building_number' && score >= 0.9 && !hasNumbers)
  if (!scores.some(isNamed)) return undefined
  const parts = texts.flatMap((text) => [LOCATION_BUILDING.exec(text)?.slice(1) ?? []]).filter(([location]) => location !== undefined)
  const locations = new Set(parts.map(([location]) => location))
  const hasFirstBuilding = parts.some(([, building]) => Number(building) === 1)
  const isNumbered = parts.length >= texts.length * NUMBER_SHARE_MIN && hasFirstBuilding && locations.size < parts.length
  return isNumbered ? 'location_building' : undefined
}

export const isSplitTarget = (target: string): target is SplitTarget => Object.hasOwn(SPLIT_TARGETS, target)
