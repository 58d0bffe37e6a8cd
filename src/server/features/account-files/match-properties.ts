import { suggestCategory, wordsOfName } from '#contract/document-proposals.ts'
import { isDirectional, isStreetSuffix, normalizeStreet } from '#server/engines/address/normalize-street.ts'

export interface NamedProperty {
  id: string
  location_number: string | null
  building_number: string
  property_name: string | null
  address: string
  address_2: string | null
  city: string
}

const LOCATION =
  /(?<![A-Z])(?:LOC|LOCATION|LOCN)(?:\s*(?:NO|NUMBER|NUM|#))?[\s.#-]*([A-Z]?\d+[A-Z]?)(?![A-Z0-9])(?:-(\d+[A-Z]?)(?![A-Z0-9]))?/
const BUILDING = /(?<![A-Z])(?:BLDG|BUILDING|BLD)(?:\s*(?:NO|NUMBER|NUM|#))?[\s.#-]*([A-Z]|[A-Z]?\d+[A-Z]?)(?![A-Z0-9])/
const NAME_MIN_CHARACTERS = 4
/** More buildings than this at one location are not proposed together. */
const BUILDINGS_MAX = 25

/** What a path says about properties, for the query that finds candidates and for the match. */
export interface PathClues {
  /** In upper case, underscores and dots as spaces, without the extension. */
  text: string
  location: string | null
  building: string | null
  numbers: string[]
  /** See `wordsOfName`. */
  words: string
}

const withoutZeros = (code: string) => code.toUpperCase().replace(/^0+(?=.)/, '')

export function cluesOf(path: string): PathClues {
  const stem = path.replace(/\.[^./\\\s]{1,10}$/, '')
  const text = stem
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()
    .replace(/[_.,()[\]/\\]+/g, ' ')
  const location = LOCATION.exec(text)
  const building = BUILDING.exec(text)?.[1] ?? location?.[2]
  return {
    text,
    location: location?.[1] === undefined ? null : withoutZeros(location[1]),
    building: building === undefined ? null : withoutZeros(building),
    numbers: [...new Set(text.match(/\d+/g) ?? [])],
    words: wordsOfName(stem),
  }
}

/**
 * The property that the path of a document names by location number, street address or name, or all buildings of the one location.
 * Empty if clues are missing, contradict each other or fit several locations.
 */
export function matchProperties<P extends NamedProperty>(clues: PathClues, properties: readonly P[], accountName: string): P[] {
  const accountWords = wordsOfName(accountName)
  const named = [
    properties.filter((property) => clues.location !== null && withoutZeros(property.location_number ?? '') === clues.location),
    properties.filter((property) => namesStreet(clues.text, property)),
    longestNames(properties.filter((property) => namesProperty(clues.words, property, accountWords))),
  ].filter(({ length }, index) => length > 0 || (index === 0 && clues.location !== null))
  const isBuilding = ({ building_number }: P) => clues.building === null || withoutZeros(building_number) === clues.building
  if (named.length === 0) {
    const buildings = clues.building === null ? [] : properties.filter(isBuilding)
    return buildings.length === 1 ? buildings : []
  }
  const matches = properties.filter((property) => isBuilding(property) && named.every((group) => group.includes(property)))
  return isOneLocation(matches) ? matches : []
}

function isOneLocation([first, ...others]: readonly NamedProperty[]): boolean {
  if (first === undefined || others.length >= BUILDINGS_MAX) return false
  const key = ({ location_number, address, city }: NamedProperty) => location_number ?? `${address} ${city}`.toUpperCase()
  return others.every((other) => key(other) === key(first))
}

/** Whether the house number is followed by the name of the street. A direction or a kind of street that differs is another street. */
function namesStreet(text: string, { address, address_2 }: NamedProperty): boolean {
  const { number, street } = normalizeStreet(address, address_2 ?? '')
  if (number === '' || street === '') return false
  const wanted = streetParts(street)
  if (wanted.name.length === 0) return false
  return [...text.matchAll(new RegExp(`(?<![A-Z0-9])${number}(?:-\\d+)?(?![A-Z0-9])(.*)`, 'g'))].some(([, rest = '']) => {
    const given = streetParts(normalizeStreet(`${number} ${rest.replace(/\s-\s.*/, '')}`).street)
    const isSame = (own: string | undefined, other: string | undefined) => own === undefined || other === undefined || own === other
    return (
      wanted.name.every((word, index) => given.name[index] === word) &&
      isSame(wanted.direction, given.direction) &&
      (given.name.length > wanted.name.length || isSame(wanted.suffix, given.suffix))
    )
  })
}

/** The words up to the first kind of street, without the direction in front of them. */
function streetParts(street: string) {
  const words = street.split(' ').filter((word) => word !== '')
  const first = words[0] ?? ''
  const direction = words.length > 1 && isDirectional(first) ? first : undefined
  const rest = direction === undefined ? words : words.slice(1)
  const end = rest.findIndex((word, index) => index > 0 && isStreetSuffix(word))
  return { direction, name: end === -1 ? rest : rest.slice(0, end), suffix: end === -1 ? undefined : rest[end] }
}

/** A name that is part of the account's name, or only a word such as Roof, says nothing about the property. */
function namesProperty(words: string, { property_name }: NamedProperty, accountWords: string): boolean {
  const name = wordsOfName(property_name ?? '')
  if (name.trim().length < NAME_MIN_CHARACTERS || !words.includes(name) || accountWords.includes(name)) return false
  return name.trim().includes(' ') || suggestCategory({ path: name, type: '' }) === 'other'
}

/** `Main plant warehouse` is not `Main plant`. */
function longestNames<P extends NamedProperty>(properties: readonly P[]): P[] {
  const lengthOf = ({ property_name }: P) => wordsOfName(property_name ?? '').length
  const longest = Math.max(0, ...properties.map(lengthOf))
  return properties.filter((property) => lengthOf(property) === longest)
}
