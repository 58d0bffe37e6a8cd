import { lettersOf } from './countries.ts'

/** States, provinces and their postal areas, for the form, the import and the checks. */

interface StateFacts {
  name: string
  /** Abbreviations on old schedules, in upper case without dots. */
  also: readonly string[]
  /** First three digits of its ZIP codes, as single prefixes or ranges. */
  zips: string
  /** Rough; Alaska's does not include the Aleutian Islands beyond 180°. */
  box: RegionBox
}

export interface RegionBox {
  south: number
  north: number
  west: number
  east: number
}

const state = (name: string, also: string, zips: string, south: number, north: number, west: number, east: number): StateFacts => ({
  name,
  also: also === '' ? [] : also.split(' '),
  zips,
  box: { south, north, west, east },
})

export const US_STATES: Readonly<Record<string, StateFacts>> = {
  AL: state('Alabama', 'ALA', '350-352 354-369', 30.1, 35.1, -88.6, -84.8),
  AK: state('Alaska', 'ALAS', '995-999', 51, 71.6, -180, -129.9),
  AZ: state('Arizona', 'ARIZ', '850-853 855-857 859-860 863-865', 31.2, 37.1, -114.9, -109),
  AR: state('Arkansas', 'ARK', '716-729', 32.9, 36.6, -94.7, -89.6),
  CA: state('California', 'CALIF CAL', '900-908 910-928 930-961', 32.4, 42.1, -124.6, -114),
  CO: state('Colorado', 'COLO', '800-816', 36.9, 41.1, -109.2, -102),
  CT: state('Connecticut', 'CONN', '060-069', 40.9, 42.1, -73.8, -71.7),
  DE: state('Delaware', 'DEL', '197-199', 38.4, 39.9, -75.9, -74.9),
  DC: state('District of Columbia', 'WASHDC', '200 202-205 569', 38.7, 39.1, -77.2, -76.8),
  FL: state('Florida', 'FLA', '320-339 341-342 344 346-347 349', 24.3, 31.1, -87.7, -79.9),
  GA: state('Georgia', '', '300-319 398-399', 30.3, 35.1, -85.7, -80.7),
  HI: state('Hawaii', '', '967-968', 18.8, 28.6, -178.6, -154.7),
  ID: state('Idaho', 'IDA', '832-838', 41.9, 49.1, -117.3, -111),
  IL: state('Illinois', 'ILL', '600-620 622-629', 36.9, 42.6, -91.6, -87),
  IN: state('Indiana', 'IND', '460-479', 37.7, 41.9, -88.2, -84.7),
  IA: state('Iowa', '', '500-516 520-528', 40.3, 43.6, -96.7, -90.1),
  KS: state('Kansas', 'KANS KAN', '660-662 664-679', 36.9, 40.1, -102.1, -94.5),
  KY: state('Kentucky', 'KENT', '400-418 420-427', 36.4, 39.2, -89.7, -81.9),
  LA: state('Louisiana', '', '700-701 703-708 710-714', 28.8, 33.1, -94.1, -88.7),
  ME: state('Maine', '', '039-049', 42.9, 47.5, -71.2, -66.8),
  MD: state('Maryland', '', '206-212 214-219', 37.8, 39.8, -79.6, -74.9),
  MA: state('Massachusetts', 'MASS', '010-027 055', 41.1, 42.9, -73.6, -69.8),
  MI: state('Michigan', 'MICH', '480-499', 41.6, 48.4, -90.5, -82.1),
  MN: state('Minnesota', 'MINN', '550-551 553-567', 43.4, 49.5, -97.3, -89.4),
  MS: state('Mississippi', 'MISS', '386-397', 30, 35.1, -91.8, -88),
  MO: state('Missouri', '', '630-631 633-641 644-658', 35.9, 40.7, -95.9, -89),
  MT: state('Montana', 'MONT', '590-599', 44.3, 49.1, -116.1, -103.9),
  NE: state('Nebraska', 'NEBR NEB', '680-681 683-693', 39.9, 43.1, -104.1, -95.2),
  NV: state('Nevada', 'NEV', '889-891 893-895 897-898', 34.9, 42.1, -120.1, -113.9),
  NH: state('New Hampshire', '', '030-038', 42.6, 45.4, -72.7, -70.5),
  NJ: state('New Jersey', '', '070-089', 38.8, 41.4, -75.6, -73.8),
  NM: state('New Mexico', 'NMEX', '870-871 873-875 877-884', 31.2, 37.1, -109.2, -102.9),
  NY: state('New York', '', '005 063 100-149', 40.4, 45.1, -79.9, -71.7),
  NC: state('North Carolina', 'NCAR', '270-289', 33.7, 36.7, -84.4, -75.3),
  ND: state('North Dakota', 'NDAK', '580-588', 45.8, 49.1, -104.1, -96.5),
  OH: state('Ohio', '', '430-459', 38.3, 42.4, -84.9, -80.4),
  OK: state('Oklahoma', 'OKLA', '730-731 734-741 743-749', 33.5, 37.1, -103.1, -94.3),
  OR: state('Oregon', 'ORE OREG', '970-979', 41.9, 46.4, -124.7, -116.3),
  PA: state('Pennsylvania', 'PENN PENNA', '150-196', 39.6, 42.6, -80.6, -74.6),
  RI: state('Rhode Island', '', '028-029', 41, 42.1, -72, -71),
  SC: state('South Carolina', 'SCAR', '290-299', 31.9, 35.3, -83.4, -78.4),
  SD: state('South Dakota', 'SDAK', '570-577', 42.4, 46, -104.1, -96.3),
  TN: state('Tennessee', 'TENN', '370-385', 34.9, 36.8, -90.4, -81.5),
  TX: state('Texas', 'TEX', '733 750-770 772-799 885', 25.7, 36.6, -106.8, -93.4),
  UT: state('Utah', '', '840-847', 36.9, 42.1, -114.1, -109),
  VT: state('Vermont', '', '050-054 056-059', 42.6, 45.1, -73.5, -71.4),
  VA: state('Virginia', '', '201 220-246', 36.4, 39.6, -83.8, -75.1),
  WA: state('Washington', 'WASH', '980-986 988-994', 45.4, 49.1, -124.9, -116.8),
  WV: state('West Virginia', 'WVA', '247-268', 37.1, 40.7, -82.7, -77.6),
  WI: state('Wisconsin', 'WIS WISC', '530-532 534-535 537-549', 42.3, 47.4, -93, -86.1),
  WY: state('Wyoming', 'WYO', '820-831 834', 40.9, 45.1, -111.2, -104),
  PR: state('Puerto Rico', '', '006-007 009', 17.8, 18.7, -68, -65.1),
  VI: state('Virgin Islands', 'USVI USVIRGINISLANDS', '008', 17.6, 18.5, -65.2, -64.4),
  GU: state('Guam', '', '969', 13.2, 13.8, 144.5, 145.1),
  AS: state('American Samoa', '', '967', -14.7, -10.9, -171.2, -168),
  MP: state('Northern Mariana Islands', 'CNMI', '969', 13.9, 20.7, 144.7, 146.2),
}

export const CA_PROVINCES: Readonly<Record<string, { name: string; also: readonly string[]; letters: string }>> = {
  AB: { name: 'Alberta', also: ['ALTA'], letters: 'T' },
  BC: { name: 'British Columbia', also: [], letters: 'V' },
  MB: { name: 'Manitoba', also: ['MAN'], letters: 'R' },
  NB: { name: 'New Brunswick', also: [], letters: 'E' },
  NL: { name: 'Newfoundland and Labrador', also: ['NF', 'NFLD', 'NEWFOUNDLAND'], letters: 'A' },
  NS: { name: 'Nova Scotia', also: [], letters: 'B' },
  NT: { name: 'Northwest Territories', also: ['NWT'], letters: 'X' },
  NU: { name: 'Nunavut', also: [], letters: 'X' },
  ON: { name: 'Ontario', also: ['ONT'], letters: 'KLMNP' },
  PE: { name: 'Prince Edward Island', also: ['PEI'], letters: 'C' },
  QC: { name: 'Quebec', also: ['PQ', 'QUE', 'QUÉBEC'], letters: 'GHJ' },
  SK: { name: 'Saskatchewan', also: ['SASK'], letters: 'S' },
  YT: { name: 'Yukon', also: ['YUKONTERRITORY'], letters: 'Y' },
}

/** `N. Dakota`, `So. Carolina`, `W. Virginia`, `N. Mexico`. */
const SHORT_WORDS: Readonly<Record<string, readonly string[]>> = {
  North: ['N', 'No', 'Nth'],
  South: ['S', 'So', 'Sth'],
  West: ['W'],
  New: ['N'],
}
const shortNames = (name: string) => {
  const [first = '', ...rest] = name.split(' ')
  return (SHORT_WORDS[first] ?? []).map((short) => lettersOf([short, ...rest].join(' ')))
}

const wordsOf = (regions: Readonly<Record<string, { name: string; also: readonly string[] }>>) =>
  new Map(
    Object.entries(regions).flatMap(([code, { name, also }]) =>
      [code, lettersOf(name), ...shortNames(name), ...also].map((word) => [word, code] as const),
    ),
  )
const US_WORDS = wordsOf(US_STATES)
const CA_WORDS = wordsOf(CA_PROVINCES)

/** The code of a state or province from its code, name or abbreviation; undefined if the country has none. */
export const stateFromText = (text: string, country = 'US'): string | undefined =>
  (country === 'CA' ? CA_WORDS : US_WORDS).get(lettersOf(text))

export const isStateOf = (code: string, country: string) =>
  country === 'US' ? Object.hasOwn(US_STATES, code) : country === 'CA' ? Object.hasOwn(CA_PROVINCES, code) : true

export const stateName = (code: string): string => US_STATES[code]?.name ?? CA_PROVINCES[code]?.name ?? code

const STATES_BY_PREFIX = new Map<number, string[]>()
for (const [code, { zips }] of Object.entries(US_STATES)) {
  for (const range of zips.split(' ')) {
    const [first, last = first] = range.split('-').map(Number)
    for (let prefix = first ?? 0; prefix <= (last ?? 0); prefix += 1)
      STATES_BY_PREFIX.set(prefix, [...(STATES_BY_PREFIX.get(prefix) ?? []), code])
  }
}

/** The states in which a US ZIP can be; undefined if no state uses its first three digits. */
export const stateOfZip = (zip: string): string[] | undefined =>
  /^\d{5}/.test(zip) ? STATES_BY_PREFIX.get(Number(zip.slice(0, 3))) : undefined

/** States whose ZIP codes begin with a zero, which spreadsheets drop. */
export const zipLosesZero = (code: string): boolean => US_STATES[code]?.zips.split(' ').some((range) => range.startsWith('0')) ?? false

/** Whether a Canadian postal code begins with a letter of the province. */
export const isPostalCodeOfProvince = (postalCode: string, code: string): boolean =>
  CA_PROVINCES[code]?.letters.includes(postalCode.charAt(0).toUpperCase()) ?? true

export const stateBox = (code: string): RegionBox | undefined => US_STATES[code]?.box
