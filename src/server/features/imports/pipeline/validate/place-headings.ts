const PREFIX = /^(?:city|town|county)\s*[:–—-]\s*/i
const COUNTY = /\s(?:county|parish|borough)$/i
const NAME = /^\p{L}[\p{L} .'’-]{1,40}$/u
/** Words of titles that name something else than a place. */
const NO_PLACE =
  /\b(?:schedule|locations?|propert(?:y|ies)|buildings?|sites?|premises|division|region|district|owned|leased|rented|vacant|sold|new|other|misc\w*|warehouses?|offices?|retail|stores?|shops?|plants?|apartments?|residential|commercial|industrial|company|inc|llc|ltd|group|holdings|total|page|continued|section|table|notes?)\b/i
/** For several places. */
const GENERAL =
  /\b(?:various|all|north|south|east|west|central|northeast|northwest|southeast|southwest|midwest|domestic|international)\s*$/i

/**
 * The city or county that a heading may name, `AUSTIN` or `Harris County`. Cities are not in a list, so only a user can decide.
 * @param name the heading without counts and other endings
 */
export function headingPlace(name: string): { field: 'city' | 'county'; name: string } | undefined {
  const place = name.replace(PREFIX, '').trim()
  if (!NAME.test(place) || NO_PLACE.test(place) || GENERAL.test(place)) return undefined
  return { field: COUNTY.test(place) || /^county\b/i.test(name) ? 'county' : 'city', name: place }
}
