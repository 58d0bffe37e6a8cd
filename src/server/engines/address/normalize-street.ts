/** `LONG:SHORT` pairs: short forms of USPS Publication 28, appendices B and C, as far as they occur in schedules. */
const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(' ').map((pair) => {
      const [long = '', short = ''] = pair.split(':')
      return [long, short] as const
    }),
  )

const SUFFIXES = pairs(
  'STREET:ST STR:ST AVENUE:AVE AV:AVE AVEN:AVE BOULEVARD:BLVD BOUL:BLVD DRIVE:DR DRV:DR ROAD:RD LANE:LN COURT:CT PLACE:PL CIRCLE:CIR CIRC:CIR ' +
    'PARKWAY:PKWY PKY:PKWY PARKWY:PKWY HIGHWAY:HWY HIWAY:HWY TERRACE:TER TERR:TER TRAIL:TRL SQUARE:SQ SQR:SQ PLAZA:PLZ CENTER:CTR CENTRE:CTR ' +
    'EXPRESSWAY:EXPY EXPWY:EXPY FREEWAY:FWY TURNPIKE:TPKE TRNPK:TPKE WY:WAY ALLEY:ALY BRIDGE:BRG CRESCENT:CRES CROSSING:XING CAUSEWAY:CSWY ' +
    'HEIGHTS:HTS JUNCTION:JCT LANDING:LNDG LOOP:LOOP MOUNT:MT MOUNTAIN:MTN POINT:PT RIDGE:RDG ROUTE:RTE RT:RTE STATION:STA VALLEY:VLY VIEW:VW VILLAGE:VLG',
)

const DIRECTIONALS = pairs('NORTH:N SOUTH:S EAST:E WEST:W NORTHEAST:NE NORTHWEST:NW SOUTHEAST:SE SOUTHWEST:SW NO:N SO:S')

const ORDINALS = pairs(
  'FIRST:1ST SECOND:2ND THIRD:3RD FOURTH:4TH FIFTH:5TH SIXTH:6TH SEVENTH:7TH EIGHTH:8TH NINTH:9TH TENTH:10TH ELEVENTH:11TH TWELFTH:12TH ' +
    'THIRTEENTH:13TH FOURTEENTH:14TH FIFTEENTH:15TH SIXTEENTH:16TH SEVENTEENTH:17TH EIGHTEENTH:18TH NINETEENTH:19TH TWENTIETH:20TH',
)

const SHORT_SUFFIXES = new Set(SUFFIXES.values())
const SHORT_DIRECTIONALS = new Set(DIRECTIONALS.values())

/** Whether a word in short form is a kind of street (`AVE`) or a direction (`N`). */
export const isStreetSuffix = (word: string): boolean => SHORT_SUFFIXES.has(word)
export const isDirectional = (word: string): boolean => SHORT_DIRECTIONALS.has(word)

/** Every word by its short form; SAINT is written like STREET. */
const LONG_FORMS = Map.groupBy([['SAINT', 'ST'] as const, ...SUFFIXES, ...DIRECTIONALS, ...ORDINALS], ([, short]) => short)

/** All spellings of a word of an address, with the word itself; only the word if it has no other. */
export function spellingsOf(word: string): string[] {
  const short = shorten(word)
  return [...new Set([word, short, ...(LONG_FORMS.get(short) ?? []).map(([long]) => long)])]
}

/** The words of addresses that have several spellings and begin with these letters. */
export const wordsBeginning = (letters: string): string[] =>
  [...LONG_FORMS.values()].flatMap((forms) => forms.map(([long]) => long).filter((long) => long.startsWith(letters)))

const FOREIGN_STREET =
  /(?:^|[\s,])(?:rue|avenue|boulevard|chemin|route|place|calle|avenida|carretera|via|rua)\s|(?:stra(?:ss|ß)e|str\.|weg|platz|gasse)(?![\p{L}])/iu

/** Whether a text is a house number with a kind of street: `100 Main St`, `11, rue Sherbrooke`, `Hauptstraße 5`. */
export function isStreetLine(line: string): boolean {
  if (!/\d/.test(line)) return false
  const { number, street } = normalizeStreet(line)
  return FOREIGN_STREET.test(line) || (number !== '' && street.split(' ').slice(1).some(isStreetSuffix))
}

/** Words that begin a unit. */
const UNIT_WORDS: ReadonlySet<string> = new Set('SUITE STE UNIT APT APARTMENT FL FLOOR FLR BLDG BUILDING RM ROOM #'.split(' '))

interface NormalStreet {
  /** House number, the low one of a range; empty when the line has none. */
  number: string
  /** The whole range when one is given, `10740-10760`. */
  range: string | null
  street: string
  unit: string
}

export const isUnitWord = (word: string): boolean => UNIT_WORDS.has(word)

/** A street line in standard short form: upper case, no punctuation, unit apart. A line that is no address is returned as its words. */
export function normalizeStreet(line: string, unitLine = ''): NormalStreet {
  const words = wordsOf(line)
  const { number, range, rest } = takeNumber(words)
  const { street, unit } = takeUnit(rest)
  const ownUnit = wordsOf(unitLine).filter((word) => !UNIT_WORDS.has(word))
  return { number, range, street: street.map(shorten).join(' '), unit: [...unit, ...ownUnit].join(' ') }
}

function wordsOf(line: string): string[] {
  return withoutAccents(line)
    .toUpperCase()
    .replace(/#/g, ' # ')
    .replace(/[^A-Z0-9#/-]/g, ' ')
    .replace(/(?<!\d)[-/]|[-/](?!\d)/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
}

/** Most lines are plain ASCII, which takes a fraction of the time to find out. */
const withoutAccents = (line: string): string => (/[^\0-\x7f]/.test(line) ? line.normalize('NFKD').replace(/\p{M}/gu, '') : line)

function takeNumber(words: string[]): { number: string; range: string | null; rest: string[] } {
  const [first = '', second = '', third = ''] = words
  const range = /^(\d+)-(\d+)$/.exec(first)
  if (range) return { number: range[1] ?? '', range: first, rest: words.slice(1) }
  if (!/^\d+[A-Z]?$/.test(first)) return { number: '', range: null, rest: words }
  if (/^\d\/\d$/.test(second)) return { number: `${first} ${second}`, range: null, rest: words.slice(2) }
  // Two consecutive house numbers are a range without its dash.
  if (/^\d+$/.test(first) && /^\d+$/.test(second) && third !== '' && Number(second) > Number(first) && second.length === first.length) {
    return { number: first, range: `${first}-${second}`, rest: words.slice(2) }
  }
  return { number: first, range: null, rest: words.slice(1) }
}

function takeUnit(words: string[]): { street: string[]; unit: string[] } {
  const at = words.findIndex((word, index) => index > 0 && UNIT_WORDS.has(word))
  if (at === -1) return { street: words, unit: [] }
  const value = words.slice(at + 1).filter((word) => !UNIT_WORDS.has(word))
  if (value.length > 0) return { street: words.slice(0, at), unit: value }
  // `3RD FLOOR`: the value is before the word.
  return { street: words.slice(0, at - 1), unit: words.slice(at - 1, at) }
}

const shorten = (word: string): string =>
  word === 'SAINT' ? 'ST' : (DIRECTIONALS.get(word) ?? SUFFIXES.get(word) ?? ORDINALS.get(word) ?? word)

/**
 * Similarity of two names or street lines from 0 to 1: twice the shared words over all words, in their short forms.
 * Compares whole words, never letters: `Grand Prairie` and `Grand Total` share one of two words.
 */
export function similarity(left: string, right: string): number {
  const a = tokens(left)
  const b = tokens(right)
  if (a.size === 0 || b.size === 0) return 0
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return (2 * shared) / (a.size + b.size)
}

function tokens(text: string): Set<string> {
  const { number, street, unit } = normalizeStreet(text)
  return new Set(`${number} ${street} ${unit}`.split(' ').filter((word) => word !== ''))
}
