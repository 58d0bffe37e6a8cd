import { normalizeStreet } from './normalize-street.ts'

type AddressParts = { [part in 'address' | 'address_2' | 'city' | 'state' | 'postal_code']?: string | null | undefined }

export interface AddressKeys {
  /** Number, street, unit and five-digit ZIP; null when the street or the postal code is missing. */
  strong: string | null
  /** Number, street, city and state; null when street or city is missing. */
  weak: string | null
}

const PLACEHOLDERS = new Set([
  '',
  'TBD',
  'TBA',
  'VARIOUS',
  'N A',
  'NA',
  'NONE',
  'UNKNOWN',
  'X',
  'SAME',
  ...['DETERMINED', 'ADVISED', 'ANNOUNCED', 'CONFIRMED'].map((done) => `TO BE ${done}`),
])

/** Whether a street line is a placeholder: empty, TBD, Various, N/A, X. */
export const isPlaceholderAddress = (line: string): boolean =>
  !/\d/.test(line) && PLACEHOLDERS.has(normalizeStreet(line.replace(/[^\p{L}\p{N}]/gu, ' ')).street)

/** Two keys that are equal for every spelling of an address; docs/domain.md, "Matching". */
export function addressKeys({ address, address_2, city, state, postal_code }: AddressParts): AddressKeys {
  const line = address ?? ''
  if (isPlaceholderAddress(line)) return { strong: null, weak: null }
  const { number, street, unit } = normalizeStreet(line, address_2 ?? '')
  if (street === '' && number === '') return { strong: null, weak: null }
  const place = normalizeStreet(city ?? '')
  const zip = zipKey(postal_code ?? '')
  return {
    strong: zip === '' ? null : [number, street, unit, zip].join('|'),
    weak: place.street === '' ? null : [number, street, place.street, (state ?? '').toUpperCase()].join('|'),
  }
}

const zipKey = (postalCode: string): string => {
  const compact = postalCode.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^\d{9}$/.test(compact) ? compact.slice(0, 5) : compact
}
