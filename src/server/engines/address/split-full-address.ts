import { countryFromText } from '#contract/countries.ts'
import { stateFromText } from '#contract/regions.ts'

const ZIP = /(?:^|\s)(\d{5}(?:-?\d{4})?|[A-Za-z]\d[A-Za-z]\s?\d[A-Za-z]\d)$/
const UNIT = /^(?:suite|ste|unit|apt|apartment|floor|fl|bldg|building|room|rm|#)\b|^#/i
const STATE_WORDS_MAX = 3

const partsOf = (text: string) =>
  text
    .split(/[,\n;]+/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '')

/** Splits `street, unit, city, ST ZIP, country` at its commas; undefined when the parts are ambiguous. */
export function splitFullAddress(text: string) {
  const parts = partsOf(text)
  const country = takeCountry(parts)
  const place = takeStateAndZip(parts, country ?? 'US')
  const city = place && (place.city ?? parts.pop())
  const [address, ...rest] = parts
  if (!place || city === undefined || address === undefined) return undefined
  if (!rest.every((part) => UNIT.test(part)) && rest.length > 1) return undefined
  return { address, address_2: rest.join(', ') || null, city, state: place.state, postal_code: place.postal_code, country }
}

/**
 * Splits `city, ST ZIP`, with or without commas. Undefined unless there is a city without digits, and a state. Without ZIP and comma
 * the state must be a code, because Port Washington is a city.
 */
export function splitCityStateZip(text: string) {
  const parts = partsOf(text)
  const hasComma = parts.length > 1
  const country = takeCountry(parts)
  const place = takeStateAndZip(parts, country ?? 'US') ?? undefined
  const city = place && (place.city ?? parts.pop())
  if (!place || place.state === null || city === undefined || /\d/.test(city) || parts.length > 0) return undefined
  if (!hasComma && place.postal_code === null && !/\s[A-Z]{2}$/.test(text.trim())) return undefined
  return { city, state: place.state, postal_code: place.postal_code, country }
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
