import { countryFromText } from '#contract/countries.ts'
import { stateFromText } from '#contract/regions.ts'
import { splitNamedHouse, takeBritishCode } from './british-address.ts'

const ZIP = /(?:^|\s)(\d{5}(?:-?\d{4})?|[A-Za-z]\d[A-Za-z]\s?\d[A-Za-z]\d)$/
const UNIT = /^(?:suite|ste|unit|apt|apartment|floor|fl|bldg|building|room|rm|#)\b|^#/i
const STATE_WORDS_MAX = 3

const HOUSE_NUMBER = /^\d{1,6}\p{L}?$/u

/** The parts between commas. A house number alone belongs to the street after it: `11, rue Sherbrooke`. */
function partsOf(text: string): string[] {
  const [first, second, ...rest] = text
    .split(/[,\n;]+/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '')
  if (first === undefined || second === undefined) return first === undefined ? [] : [first]
  return HOUSE_NUMBER.test(first) && /^\p{L}/u.test(second) ? [`${first}, ${second}`, ...rest] : [first, second, ...rest]
}

/** Splits `street, unit, city, ST ZIP, country` at its commas; undefined when the parts are ambiguous. */
export function splitFullAddress(text: string) {
  const parts = partsOf(text)
  const country = takeCountry(parts)
  const place = takeStateAndZip(parts, country ?? 'US')
  const city = place && (place.city ?? parts.pop())
  const [first, ...others] = parts
  if (!place || city === undefined || first === undefined) return undefined
  // A unit may be written above its street.
  const isUnitFirst = UNIT.test(first) && others.length === 1 && /\d/.test(others[0] ?? '') && !UNIT.test(others[0] ?? '')
  const [address = first, ...rest] = isUnitFirst ? [...others, first] : [first, ...others]
  if (!rest.every((part) => UNIT.test(part)) && rest.length > 1) return undefined
  return { address, address_2: rest.join(', ') || null, city, state: place.state, postal_code: place.postal_code, country }
}

const EUROPEAN_CODE = /^(?:[A-Z]{1,2}-)?(\d{4,5}) +(?=\p{L})/u
const PLACE = /^\p{L}[\p{L} .'’()-]{1,40}$/u
/** Words of parts of buildings, and the last words of streets. */
const NO_PLACE =
  /\b(suite|unit|flat|apartment|floor|level|building|bldg|room|tower|wing|block|lot|rear|basement|mall|plaza)\b|\b(st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|hwy|highway|pkwy|parkway)\.?$/i
const BRITISH_UNIT = /^flat\b/i

/**
 * Splits `name, unit, street, city, county`, with or without the county, a postal code at its usual place, and the country. The street is
 * the first part with a digit that is not a unit. Undefined unless a city without digits follows it. With a British postal code the house
 * may have a name instead of a number.
 */
export function splitStreetAndCity(text: string) {
  const parts = partsOf(text)
  const country = takeCountry(parts)
  const last = parts.pop() ?? ''
  const british = takeBritishCode(last)
  const bare = british?.rest ?? last
  const all = [...parts, ...(bare === '' ? [] : [bare])]
  const european = all.flatMap((part) => EUROPEAN_CODE.exec(part)?.[1] ?? [])[0] ?? null
  const isCoded = (part: string, at: number) => at > 0 && EUROPEAN_CODE.test(part)
  const places = all.map((part, at) => (isCoded(part, at) ? part.replace(EUROPEAN_CODE, '') : part))
  const isUnit = (part: string) => UNIT.test(part) || BRITISH_UNIT.test(part)
  const others = places.filter((part) => !isUnit(part))
  const street = others.findIndex((part) => /\d/.test(part))
  if (street < 0 && british) return namedHouse(places, isUnit, { postal_code: british.code, country })
  const [address, city, county, ...rest] = others.slice(street)
  const isPlace = (place: string) => PLACE.test(place) && !NO_PLACE.test(place)
  if (street < 0 || street > 1 || address === undefined || city === undefined || rest.length > 0) return undefined
  if (!isPlace(city) || (county !== undefined && !isPlace(county))) return undefined
  const address_2 = [...others.slice(0, street), ...places.filter(isUnit)].join(', ') || null
  return { address, address_2, city, county: county ?? null, postal_code: british?.code ?? european, country }
}

/** An estate may be in the part of its unit: `Unit 4 Riverside Park`. */
function namedHouse(parts: readonly string[], isUnit: (part: string) => boolean, place: { postal_code: string; country: string | null }) {
  const others = parts.filter((part) => !isUnit(part))
  const own = others.length === 1 ? parts.find((part) => isUnit(part) && part.split(' ').length > 2) : undefined
  const house = splitNamedHouse(own === undefined ? others : [own, ...others])
  if (house === undefined || NO_PLACE.test(house.city)) return undefined
  return { ...house, address_2: parts.filter((part) => isUnit(part) && part !== own).join(', ') || null, ...place }
}

const SLASH = /\s*[/|]\s*/g

/**
 * Splits `city, ST ZIP`, with or without commas, and `city/ST`. Undefined unless there is a city without digits, and a state. Without ZIP
 * and comma the state must be a code, because Port Washington is a city.
 */
export const splitCityStateZip = (text: string) => splitCity(text) ?? splitCity(text.replace(SLASH, ', '))

function splitCity(text: string) {
  const parts = partsOf(text)
  const hasComma = parts.length > 1
  const country = takeCountry(parts)
  const place = takeStateAndZip(parts, country ?? 'US') ?? undefined
  const city = place && (place.city ?? parts.pop())
  if (!place || place.state === null || city === undefined || /\d/.test(city) || parts.length > 0) return undefined
  if (!hasComma && place.postal_code === null && !/\s[A-Z]{2}$/.test(text.trim())) return undefined
  return { city, state: place.state, postal_code: place.postal_code, country }
}

/** The end of a Dutch postal code, `1012 NX`, is no city. */
const CODE_LETTERS = /^[A-Z]{2}$/

/** Splits `3011 Bern` and `CH-2502 Biel/Bienne`: in many countries the postal code is before the city. */
export function splitCodeAndCity(text: string) {
  const [whole, postal_code] = EUROPEAN_CODE.exec(text.trim()) ?? []
  if (whole === undefined || postal_code === undefined) return undefined
  const city = text.trim().slice(whole.length)
  return PLACE.test(city.replaceAll('/', ' ')) && !NO_PLACE.test(city) && !CODE_LETTERS.test(city) ? { city, postal_code } : undefined
}

/** A two-letter part is read as a state first: CA is California. */
function takeCountry(parts: string[]): string | null {
  const last = parts.at(-1) ?? ''
  const code = countryFromText(last)
  if (code === undefined || parts.length < 3 || (stateFromText(last) !== undefined && code !== 'US')) return null
  parts.pop()
  return code
}

function takeStateAndZip(parts: string[], country: string) {
  const last = parts.pop()
  if (last === undefined) return undefined
  const postalCode = ZIP.exec(last)?.[1] ?? null
  let before = postalCode === null ? last : last.slice(0, -postalCode.length).trim()
  if (before === '') before = parts.pop() ?? ''
  const stateOf = (text: string) => stateFromText(text, country) ?? (isCanadian(postalCode) ? stateFromText(text, 'CA') : undefined)
  const whole = stateOf(before)
  if (whole !== undefined) return { state: whole, postal_code: postalCode, city: null }
  const words = before.split(' ')
  for (let count = Math.min(STATE_WORDS_MAX, words.length - 1); count > 0; count -= 1) {
    const state = stateOf(words.slice(-count).join(' '))
    if (state !== undefined) return { state, postal_code: postalCode, city: words.slice(0, -count).join(' ') }
  }
  return postalCode !== null && country !== 'US' && country !== 'CA' ? { state: null, postal_code: postalCode, city: before } : undefined
}

const isCanadian = (postalCode: string | null): boolean => postalCode !== null && /^[A-Za-z]/.test(postalCode)
