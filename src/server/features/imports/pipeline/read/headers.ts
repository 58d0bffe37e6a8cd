import { HEADER_SYNONYMS, type HeaderTarget } from './header-synonyms.ts'

type Factor = 1 | 1_000 | 1_000_000

export interface NormalizedHeader {
  /** Comparable words, abbreviations expanded, year removed. */
  words: string
  /** `words` without spaces, and the header as written without spaces: OED names are one word. */
  compact: readonly [expanded: string, written: string]
  /** The year in the header. */
  year: number | null
  /** The header gives square meters as the unit. */
  squareMeters: boolean
  /** The factor that the header announces for its cells. */
  factor: Factor
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

const FACTORS: readonly [RegExp, Factor][] = [
  [/\bmm\b|in millions|\(millions\)|\$\s?m\b/i, 1_000_000],
  [/in thousands|\(?\b0{3}'?s\b\)?|\$\s?0{3}\b|us\$ thousands|\(thousands\)|\bthousands\b|\('?0{3}\)/i, 1_000],
]

/** The factor that a header or a title announces: `in thousands`, `(000s)`, `$mm`; otherwise 1. */
export const factorOf = (text: string): Factor => FACTORS.find(([pattern]) => pattern.test(text))?.[1] ?? 1

/** A column header as comparable words (docs/domain.md, "Header synonyms"). */
export function normalizeHeader(header: string): NormalizedHeader {
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
    compact: [compacted(expanded), compacted(text)],
    year,
    squareMeters: /\bm2\b|m²|sq\.?\s?m\b|square met|\bsqm\b/i.test(header),
    factor: factorOf(flat),
  }
}

/** A four-digit year anywhere in a header is the year of the values. */
function takeYear(text: string): { text: string; year: number | null } {
  const match = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)
  if (!match || match[0] === text) return { text, year: null }
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + 4)}`.replace(/\s*-\s*$|^\s*-\s*/g, ' ').replace(/\s+/g, ' ')
  return { text: rest.trim(), year: Number(match[0]) }
}

const compacted = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

export const headerTokens = (words: string): string[] =>
  words.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && word !== 'of' && word !== 'the')

export interface HeaderScore {
  target: HeaderTarget
  /** 1 exact, 0.9 other order, 0.6 to 0.85 shared words. */
  score: number
  /** Position of the synonym in its list; the lower one wins a tie. */
  rank: number
}

/** Words that occur in the headers of many fields count less. */
const GENERIC = new Set(
  'building buildings location property number value values type code name site total date year description class item unit street'.split(
    ' ',
  ),
)
const GENERIC_WEIGHT = 0.3
const OVERLAP_MIN = 0.5

const weightOf = (token: string) => (GENERIC.has(token) ? GENERIC_WEIGHT : 1)

interface Synonym {
  target: HeaderTarget
  rank: number
  tokens: ReadonlySet<string>
}

const exact = new Map<string, HeaderScore[]>()
const reordered = new Map<string, HeaderScore[]>()
const synonyms: Synonym[] = []

const sortedTokens = (words: string) => headerTokens(words).sort().join(' ')
const push = (index: Map<string, HeaderScore[]>, key: string, entry: HeaderScore) => {
  const list = index.get(key)
  if (!list) index.set(key, [entry])
  else if (!list.some(({ target }) => target === entry.target)) list.push(entry)
}

HEADER_SYNONYMS.forEach(({ target, header }, position) => {
  const normal = normalizeHeader(header)
  const rank = position - HEADER_SYNONYMS.findIndex((other) => other.target === target)
  for (const key of normal.compact) push(exact, key, { target, score: 1, rank })
  push(reordered, sortedTokens(normal.words), { target, score: 0.9, rank })
  synonyms.push({ target, rank, tokens: new Set(headerTokens(normal.words)) })
})

/** Whether a cell is exactly a known header. */
export const isKnownHeader = (header: NormalizedHeader): boolean => header.compact.some((key) => key !== '' && exact.has(key))

/** What a header may mean, each target once, best first. */
export function scoreHeader(header: NormalizedHeader): HeaderScore[] {
  const best = new Map<HeaderTarget, HeaderScore>()
  const offer = (entry: HeaderScore) => {
    const known = best.get(entry.target)
    if (!known || entry.score > known.score || (entry.score === known.score && entry.rank < known.rank)) best.set(entry.target, entry)
  }
  for (const key of header.compact) exact.get(key)?.forEach(offer)
  reordered.get(sortedTokens(header.words))?.forEach(offer)
  const tokens = new Set(headerTokens(header.words))
  if (tokens.size > 0) {
    for (const { target, rank, tokens: words } of synonyms) {
      const overlap = weightedJaccard(tokens, words)
      if (overlap >= OVERLAP_MIN) offer({ target, score: 0.6 + 0.5 * (overlap - OVERLAP_MIN) * 0.99, rank })
    }
  }
  const scores = [...best.values()].sort((a, b) => b.score - a.score || a.rank - b.rank)
  // An exact match excludes partial ones.
  return scores[0]?.score === 1 ? scores.filter(({ score }) => score >= 0.9) : scores
}

function weightedJaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  let all = 0
  let isSpecific = false
  for (const token of left) {
    all += weightOf(token)
    if (!right.has(token)) continue
    shared += weightOf(token)
    isSpecific ||= !GENERIC.has(token)
  }
  if (!isSpecific) return 0
  for (const token of right) if (!left.has(token)) all += weightOf(token)
  return shared / all
}
