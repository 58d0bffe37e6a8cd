export interface NormalHeader {
  /** Comparable words, abbreviations expanded, year removed. */
  words: string
  /** The same without blanks, and the header as written without blanks: OED names are one word. */
  squashed: readonly [expanded: string, written: string]
  /** The year that stood in the header, if one did. */
  year: number | null
  /** What the header itself says about its cells. */
  hints: { money: boolean; area: boolean; squareMetres: boolean; percent: boolean; factor: 1 | 1_000 | 1_000_000 }
}

const EXPANSIONS: Readonly<Record<string, string>> = {
  bldg: 'building',
  bldgs: 'buildings',
  bld: 'building',
  loc: 'location',
  locs: 'locations',
  no: 'number',
  nbr: 'number',
  num: 'number',
  yr: 'year',
  sqft: 'square feet',
  sf: 'square feet',
  val: 'value',
  valu: 'value',
  amt: 'value',
  amount: 'value',
  repl: 'replacement',
  constr: 'construction',
  const: 'construction',
  cnstr: 'construction',
  cnst: 'construction',
  occ: 'occupancy',
  sprk: 'sprinkler',
  sprink: 'sprinkler',
  addr: 'address',
  valution: 'valuation',
}

const FACTORS: readonly [RegExp, 1_000 | 1_000_000][] = [
  [/\bmm\b|in millions|\(millions\)|\$\s?m\b/i, 1_000_000],
  [/in thousands|\(?\b0{3}'?s\b\)?|\$\s?0{3}\b|us\$ thousands|\(thousands\)|\bthousands\b|\('?0{3}\)/i, 1_000],
]

/** The factor a header or a title announces: `in thousands`, `(000s)`, `$mm`; 1 when it says nothing. */
export const factorOf = (text: string): 1 | 1_000 | 1_000_000 => FACTORS.find(([pattern]) => pattern.test(text))?.[1] ?? 1

/** A column header as comparable words (domain section 4). */
export function normaliseHeader(header: string): NormalHeader {
  const flat = header.normalize('NFKC').replace(/\s+/g, ' ').trim()
  const split = flat
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/_/g, ' ')
  const plain = split
    .toLowerCase()
    .replace(/#/g, ' number ')
    .replace(/%/g, ' percent ')
    .replace(/\bst\.(?=\s|$)/g, 'st')
  const bare = plain
    .replace(/\(?\b(in )?(0{3}'?s|thousands|millions)\b\)?/g, ' ')
    .replace(/[*:.()[\]$?"']/g, ' ')
    .replace(/sq\s+ft/g, 'sqft')
  const { text, year } = takeYear(bare.replace(/\s+/g, ' ').trim())
  const words = text
    .split(/(?=[\s/&,-])|(?<=[\s/&,-])/)
    .map((word) => EXPANSIONS[word] ?? word)
    .join('')
    .replace(/number( number)+/g, 'number')
    .replace(/\s+/g, ' ')
    .trim()
  const expanded = words === 'st' ? 'state' : words
  return {
    words: expanded,
    squashed: [squash(expanded), squash(text)],
    year,
    hints: {
      money: /\$|usd|\bvalue|\btiv\b/i.test(flat),
      area: /sq|\bsf\b|feet|area/i.test(flat),
      squareMetres: /\bm2\b|m²|sq\.?\s?m\b|square met|\bsqm\b/i.test(header),
      percent: flat.includes('%'),
      factor: factorOf(flat),
    },
  }
}

/** A four-digit year tells which year's values these are, wherever it stands. */
function takeYear(text: string): { text: string; year: number | null } {
  const match = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)
  if (!match || match[0] === text) return { text, year: null }
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + 4)}`.replace(/\s*-\s*$|^\s*-\s*/g, ' ').replace(/\s+/g, ' ')
  return { text: rest.trim(), year: Number(match[0]) }
}

const squash = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

export const headerTokens = (words: string): string[] =>
  words.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && word !== 'of' && word !== 'the')
