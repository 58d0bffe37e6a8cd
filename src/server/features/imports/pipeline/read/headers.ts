import { HEADER_SYNONYMS, type HeaderTarget } from './header-synonyms.ts'
import { wordTable } from './word-table.ts'

type Factor = 1 | 1_000 | 1_000_000

export interface NormalizedHeader {
  /** Comparable words, abbreviations expanded, year removed. */
  words: string
  /** `words` without spaces, and the header as written without spaces: OED names are one word. */
  compact: readonly [expanded: string, written: string]
  year: number | null
  squareMeters: boolean
  /** The foreign currency that the header names, as written there. */
  currency: string | null
  /** The factor that the header announces for its cells. */
  factor: Factor
}

const EXPANSIONS = wordTable(
  'building:bldg,bld; buildings:bldgs; location:loc; locations:locs; number:no,nbr,nb,num,numero; year:yr; square feet:sqft,sf; value:val,vals,valu,amt,amount; insured:ins; ' +
    'replacement:repl; construction:constr,const,cnstr,cnst; occupancy:occ; sprinkler:sprk,sprink; address:addr; valuation:valution',
)

const FACTORS: readonly [RegExp, Factor][] = [
  [/\bmm\b|in millions|\(millions\)|\$\s?m\b/i, 1_000_000],
  [/in thousands|\(?\b0{3}'?s\b\)?|\$\s?0{3}\b|us\$ thousands|\(thousands\)|\bthousands\b|\('?0{3}\)/i, 1_000],
]

/** The factor that a header or a title announces: `in thousands`, `(000s)`, `$mm`; otherwise 1. */
export const factorOf = (text: string): Factor => FACTORS.find(([pattern]) => pattern.test(text))?.[1] ?? 1

/** A column header as comparable words (docs/domain.md, "Header synonyms"). */
export function normalizeHeader(header: string): NormalizedHeader {
  const flat = header.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').replace(/\s+/g, ' ').trim()
  const split = flat
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/_/g, ' ')
  const plain = split
    .toLowerCase()
    .replace(/#/g, ' number ')
    .replace(/%/g, ' percent ')
    .replace(/\bn°/g, 'number ')
    .replace(/\bst\.(?=\s|$)/g, 'st')
    .replace(/(?<![\p{L}\p{N}])['’](\d\d)(?!\d)/gu, '20$1')
  const bare = plain
    .replace(/\(?\b(in )?(0{3}'?s|thousands|millions)\b\)?/g, ' ')
    .replace(/[*:.()[\]$?"']/g, ' ')
    .replace(/sq\s+ft/g, 'sqft')
    .replace(/\s+/g, ' ')
    .trim()
  const { text, year } = takeYear(withoutUnits(bare))
  const words = text
    .split(/(?=[\s/&,-])|(?<=[\s/&,-])/)
    .map((word) => EXPANSIONS.get(word) ?? word)
    .join('')
    .replace(/number( number)+/g, 'number')
    .replace(/\s+/g, ' ')
    .trim()
  const expanded = words === 'st' ? 'state' : words
  return {
    words: expanded,
    compact: [compacted(expanded), compacted(text)],
    year,
    squareMeters: /\bm2\b|m²|sq\.?\s?m\b|square met|\bsqm\b|m[eè]tres carr|metros cuadr/i.test(header),
    currency: /\b(eur|gbp|cad|aud)\b|€|£/i.exec(flat)?.[0].toLowerCase() ?? null,
    factor: factorOf(flat),
  }
}

/** Without the currency and square meters, unless nothing else is left. */
function withoutUnits(text: string): string {
  const rest = text.replace(/(?<![\p{L}\p{N}])(us|usd|eur|gbp|cad|aud|m2|sqm|sq m)(?![\p{L}\p{N}])|[€£]/gu, ' ').replace(/\s+/g, ' ')
  return rest.trim() === '' ? text : rest.trim()
}

/**
 * The keys by which mappings of these columns are learned. Columns with the same words and different years have two keys: the newest
 * year has the words alone, so that the key is the same next year.
 */
export function learnedKeys(headers: readonly string[]): string[] {
  const normalized = headers.map(normalizeHeader)
  const newest = new Map<string, number>()
  for (const { words, year } of normalized) newest.set(words, Math.max(newest.get(words) ?? 0, year ?? 0))
  return normalized.map(({ words, year }) => (year !== null && year < (newest.get(words) ?? 0) ? `${words} (older year)` : words))
}

/** A four-digit year (or `'26`, already completed) anywhere in a header is the year of the values. */
function takeYear(text: string): { text: string; year: number | null } {
  const match = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)
  if (!match || match[0] === text) return { text, year: null }
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + 4)}`.replace(/\s*-\s*$|^\s*-\s*/g, ' ').replace(/\s+/g, ' ')
  return { text: rest.trim(), year: Number(match[0]) }
}

const compacted = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

export interface HeaderScore {
  target: HeaderTarget
  /** 1 exact, 0.9 other order, 0.6 to 0.85 shared words. */
  score: number
  /** Position of the synonym in its list; the lower one wins a tie. */
  rank: number
}

const LINKING_WORDS = new Set('of the de du des del la le les el los las d l'.split(' '))

const sortedTokens = (words: string): string[] =>
  words
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !LINKING_WORDS.has(word))
    .sort()

const SYNONYMS = HEADER_SYNONYMS.map(({ target, header }, position) => {
  const { words, compact } = normalizeHeader(header)
  const rank = position - HEADER_SYNONYMS.findIndex((other) => other.target === target)
  const tokens = sortedTokens(words)
  return { target, rank, compact, sorted: tokens.join(' '), tokens: [...new Set(tokens)] }
})
const KNOWN = new Set(SYNONYMS.flatMap(({ compact }) => compact))

/** Whether a cell is exactly a known header. */
export const isKnownHeader = (header: NormalizedHeader): boolean => header.compact.some((key) => KNOWN.has(key))

/** What a header may mean, each target once, best first. */
export function scoreHeader({ compact, words }: NormalizedHeader): HeaderScore[] {
  const tokens = sortedTokens(words)
  const sorted = tokens.join(' ')
  const distinct = [...new Set(tokens)]
  const scores = SYNONYMS.map((synonym): HeaderScore => {
    const { target, rank } = synonym
    if (compact.some((key) => synonym.compact.includes(key))) return { target, score: 1, rank }
    if (sorted === synonym.sorted) return { target, score: 0.9, rank }
    const overlap = sharedWeight(distinct, synonym.tokens)
    return { target, score: overlap >= OVERLAP_MIN ? 0.6 + 0.5 * (overlap - OVERLAP_MIN) * 0.99 : 0, rank }
  })
  // An exact match excludes partial ones.
  const min = scores.some(({ score }) => score === 1) ? 0.9 : 0.6
  const best = scores.filter(({ score }) => score >= min).sort((a, b) => b.score - a.score || a.rank - b.rank)
  return [...Map.groupBy(best, ({ target }) => target).values()].flatMap(([first]) => first ?? [])
}

/** Words that occur in the headers of many fields count less. */
const GENERIC = new Set(
  'building buildings location property number value values type code name site total date year description class item unit street'.split(
    ' ',
  ),
)
const GENERIC_WEIGHT = 0.3
const OVERLAP_MIN = 0.5

const weigh = (tokens: readonly string[]) => tokens.reduce((sum, token) => sum + (GENERIC.has(token) ? GENERIC_WEIGHT : 1), 0)

/** The share of the words that both have, by weight; 0 if they share generic words only. */
function sharedWeight(left: readonly string[], right: readonly string[]): number {
  const shared = left.filter((token) => right.includes(token))
  return shared.every((token) => GENERIC.has(token)) ? 0 : weigh(shared) / weigh([...new Set([...left, ...right])])
}
