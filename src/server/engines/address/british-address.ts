import { PROPERTY_FIELDS } from '#contract/property-fields.ts'

const CODE = '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}|GIR ?0AA'
const ONLY_CODE = new RegExp(`^(?:${CODE})$`, 'i')
const CODE_AT_END = new RegExp(`^(.*?)(?:^|[\\s,]+)(${CODE})$`, 'is')

export const isBritishCode = (text: string): boolean => ONLY_CODE.test(text.trim())

/** A text that ends with a British postal code, and the code in its usual form; undefined for others. */
export function takeBritishCode(text: string): { rest: string; code: string } | undefined {
  const [, rest, code] = CODE_AT_END.exec(text.trim()) ?? []
  if (rest === undefined || code === undefined) return undefined
  const compact = code.replace(/\s/g, '').toUpperCase()
  return { rest: rest.trim(), code: `${compact.slice(0, -3)} ${compact.slice(-3)}` }
}

/** The last words of streets. Those that end the names of many towns are missing. */
const STREET =
  /\b(?:st|street|rd|road|ln|lane|ave|avenue|dr|drive|close|cres|crescent|way|court|place|terrace|gardens|row|sq|square|walk|mews|parade|grove|wharf|quay|yard|approach|broadway|highway)\.?$/i
/** Without those that are also cities, such as Durham. */
const COUNTY =
  /shire$|^(?:county|co\.?|greater) \p{L}|^(?:(?:east|west|north|south|mid) )?(?:sussex|kent|surrey|essex|norfolk|suffolk|devon|dorset|cornwall|somerset|cumbria|northumberland|midlands|glamorgan|merseyside|tyne (?:and|&) wear|isle of wight|rutland|middlesex|gwynedd|powys|dyfed|clwyd|gwent|fife|angus)$/iu

/**
 * The parts of an address whose house has a name and no number, without its postal code: the city is the last one that is no county, and
 * what is before it is the address. Undefined without a house and a city.
 */
export function splitNamedHouse(parts: readonly string[]): { address: string; city: string; county: string | null } | undefined {
  const hasCounty = parts.length > 2 && COUNTY.test(parts.at(-1) ?? '')
  const at = parts.length - (hasCounty ? 2 : 1)
  const address = parts.slice(0, at).join(', ')
  const [city, county = null] = parts.slice(at)
  if (at < 1 || city === undefined || STREET.test(city) || address.length > PROPERTY_FIELDS.address.max) return undefined
  return { address, city, county }
}

const WITH_NAMED_HOUSES: ReadonlySet<string> = new Set('GB IE IM JE GG'.split(' '))

/** Whether an address is complete without a house number, since houses in the country may have names instead: `The Old Mill, Mill Lane`. */
export const hasHouseName = (
  address: string,
  { country, address_2 }: { country?: string | null | undefined; address_2?: string | null | undefined },
): boolean =>
  WITH_NAMED_HOUSES.has(country ?? '') &&
  /\p{L}{2}/u.test(address) &&
  (Boolean(address_2) || /,\s*\p{L}/u.test(address) || !STREET.test(address))
