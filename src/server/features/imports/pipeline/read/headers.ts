import { once } from '#contract/once.ts'
import { IMPORT_HEADER_CHARACTERS } from '#contract/reading-limits.ts'
import { expandWords } from './abbreviations.ts'
import { factorOf, hasCurrency, withoutFactor, type Factor } from './amount-notation.ts'
import { CURRENCY_CODES, SIGN_LETTERS } from './currency-signs.ts'
import { withoutFootnotes, withoutShare } from './header-marks.ts'
import { HEADER_SYNONYMS, isMoneyField, type HeaderTarget } from './header-synonyms.ts'
import { namesShareOrChange } from './other-terms.ts'
import { partOfYear, withoutMonths, type PartOfYear } from './part-of-year.ts'
import { takePeriodWord, takeRevision, takeYear, withoutLink, withoutTrend } from './period.ts'
import { namesAmountPerArea, namesSquareMeters, withoutMeters } from './area-units.ts'
import { namesAmountOfOne, namesQuantity } from './quantities.ts'
import { isOfAnother, sharedWeight } from './shared-words.ts'
import { takeSource, type ValueSource } from './value-source.ts'

export interface NormalizedHeader {
  /** Comparable words, abbreviations expanded, year removed. */
  words: string
  /** `words` without spaces, and the header as written without spaces: OED names are one word. */
  compact: readonly [expanded: string, written: string]
  /** The words before a remark in parentheses at the end. */
  beforeRemark: string | null
  /** The year of the values. */
  year: number | null
  /** Orders columns with the same words: larger is newer, below 0 is the last period, 0 is unknown. */
  period: number
  /** Who states the values. */
  source: ValueSource | null
  squareMeters: boolean
  /** The foreign currency that the header names, as written there. */
  currency: string | null
  /** The factor that the header announces for its cells. */
  factor: Factor
  /** Whether the header names a currency or a factor. */
  isMoney: boolean
  /** The span of the amounts, if the header names one that is not a year. */
  partOfYear: PartOfYear | null
  /** Whether the header names an amount per area: `$/SF`, `Cost per sq ft`. */
  isPerArea: boolean
  /** Whether the header names the amount of one of several things: `Unit Cost`, `Contents ($/unit)`. */
  isOfOne: boolean
}

/** A column header as comparable words (docs/domain.md, "Header synonyms"). */
export function normalizeHeader(written: string): NormalizedHeader {
  const header = written.slice(0, IMPORT_HEADER_CHARACTERS)
  const { bare, flat } = bareHeader(header)
  const named = takeYear(bare)
  const linked = named.period > 0 && !isKnown(named.text) ? { ...named, text: withoutLink(named.text) } : named
  const { text, source } = isKnown(linked.text) ? takeSource(linked.text, () => false) : takeSource(linked.text, namesValue)
  const worded = isKnown(text) ? { text, period: 0 } : takePeriodWord(text)
  const revised = takeRevision({ text: worded.text, period: named.period || worded.period }, namesValue)
  return {
    ...comparable(revised.text),
    beforeRemark: wordsBeforeRemark(header),
    year: named.period > 0 ? Math.floor(named.period) : null,
    period: revised.period,
    source,
    squareMeters: namesSquareMeters(header),
    currency: FOREIGN_CURRENCY.exec(flat)?.[0].toLowerCase() ?? null,
    factor: factorOf(flat),
    isMoney: hasCurrency(flat) || factorOf(flat) > 1,
    partOfYear: partOfYear(header) ?? null,
    isPerArea: namesAmountPerArea(flat),
    isOfOne: namesAmountOfOne(flat),
  }
}

const REMARK = /^(.*\p{L}.*?)\s*\((?!in )([^()]*\p{L}[^()]*|\s*\d{1,2}\s*%\s*)\)\s*$/su
/** Remarks that say what else the cells contain. */
const OTHER_UNIT = /\b(per|sf|sq|ft|feet|m2|y|n|yes|no|code|type|number|id|name|year|yr|date|rate|limits?|ded|deductible)\b|[#/]/i

function wordsBeforeRemark(header: string): string | null {
  const [, name, remark = ''] = REMARK.exec(header) ?? []
  return name === undefined || OTHER_UNIT.test(remark) ? null : comparable(takeYear(bareHeader(name).bare).text).words
}

const CURRENCIES = new RegExp(`(?<![\\p{L}\\p{N}])(?:${CURRENCY_CODES})(?![\\p{L}\\p{N}])`, 'gu')
const FOREIGN_CURRENCY = new RegExp(`\\b(?:${CURRENCY_CODES.replace('usd|', '')})\\b|(?!\\$)\\p{Sc}`, 'iu')

const LETTERS_OF_SIGNS = new RegExp(SIGN_LETTERS, 'giu')

/** In lower case, without punctuation, units and footnote marks. */
function bareHeader(header: string): { bare: string; flat: string } {
  const flat = withoutTrend(withoutFootnotes(header).normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').replace(/\s+/g, ' ').trim())
  const split = withoutFactor(flat)
    .replace(LETTERS_OF_SIGNS, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/_/g, ' ')
  const plain = split
    .toLowerCase()
    .replace(/#/g, ' number ')
    .replace(/%/g, ' percent ')
    .replace(/\bn(?:\.?°|\.o(?![.\p{L}]))/gu, 'number ')
    .replace(/\bst\.(?=\s|$)/g, 'st')
    .replace(/(?<![\p{L}\p{N}])['’](\d\d)(?!\d)/gu, '20$1')
  const bare = plain
    .replace(/\(?\p{Sc}? ?'?\b(in )?(0{3}('?s)?|thousands|millions)\b\)?/gu, ' ')
    .replace(/[*:.()[\]$?"']/g, ' ')
    .replace(/sq\s+ft/g, 'sqft')
    // RMS has the values of each peril.
    .replace(/\b(?:eq|ws|to|fl|fr|tr)(?=cv\dval\b)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { bare: withoutShare(withoutUnits(withoutMeters(withoutMonths(bare)))), flat }
}

function comparable(text: string): Pick<NormalizedHeader, 'words' | 'compact'> {
  const words = expandWords(text)
  const expanded = words === 'st' ? 'state' : words
  return { words: expanded, compact: [compacted(expanded), compacted(text)] }
}

/** Without the currency and square meters, unless nothing else is left. */
function withoutUnits(text: string): string {
  const rest = text
    .replace(/(?<![\p{L}\p{N}])(us|m2|sqm|sq m)(?![\p{L}\p{N}])|\p{Sc}/gu, ' ')
    .replace(CURRENCIES, ' ')
    .replace(/\s+/g, ' ')
  return rest.trim() === '' ? text : rest.trim()
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

const synonyms = once(() =>
  HEADER_SYNONYMS.map(({ target, header, isWhole }, position) => {
    const { words, compact } = comparable(takeYear(bareHeader(header).bare).text)
    const rank = position - HEADER_SYNONYMS.findIndex((other) => other.target === target)
    const tokens = sortedTokens(words)
    return { target, rank, compact, sorted: tokens.join(' '), tokens: isWhole ? [] : [...new Set(tokens)] }
  }),
)
const knownKeys = once(() => new Set(synonyms().flatMap(({ compact }) => compact)))

const isKnown = (text: string): boolean => comparable(text).compact.some((key) => knownKeys().has(key))

/** Whether a cell is exactly a known header, in one language or in two. */
export const isKnownHeader = ({ compact, words }: NormalizedHeader): boolean =>
  compact.some((key) => knownKeys().has(key)) || (words.includes('/') && scoreParts(words).length > 0)

const IGNORED: HeaderScore[] = [{ target: 'ignore', score: 1, rank: 0 }]
/** What a header may mean, each target once, best first. */
export function scoreHeader({ compact, words, beforeRemark, isPerArea, isOfOne }: NormalizedHeader): HeaderScore[] {
  if (isPerArea) return IGNORED
  if (namesQuantity(words)) return []
  const scores = scoreWords(words, compact)
  if (namesShareOrChange(words) && [...scores, ...namesOfValues(beforeRemark ?? '')].some(({ target }) => isMoneyField(target)))
    return IGNORED
  if (isOfOne) return scores.filter(({ target }) => !isMoneyField(target))
  if (scores.some(({ score }) => score >= OTHER_ORDER)) return scores
  const { certain, uncertain } = scoreExtent(words)
  const named = [...scoreParts(words), ...scoreCoverage(words), ...certain]
  const remark = beforeRemark === null ? [] : namesOfValues(beforeRemark)
  const remarked = [...remark, ...uncertain].map((name) => ({ ...name, score: REMARK_SCORE }))
  return bestOf([...named, ...remarked, ...scores].filter(({ score }) => named.length === 0 || score >= OTHER_ORDER))
}

/** Whether a header is a known name of a value. */
export const isHeaderOfValue = (header: string): boolean =>
  scoreHeader(normalizeHeader(header)).some(({ target, score }) => score >= OTHER_ORDER && isMoneyField(target))

const OTHER_ORDER = 0.9
const BOTH_NAMES = 0.95
const OVERLAP_MIN = 0.5
/** A remark may limit what the column has the values of, so that a user must confirm it. */
const REMARK_SCORE = 0.8

const bestOf = (scores: readonly HeaderScore[]): HeaderScore[] => {
  const sorted = scores.toSorted((a, b) => b.score - a.score || a.rank - b.rank)
  return [...Map.groupBy(sorted, ({ target }) => target).values()].flatMap(([first]) => first ?? [])
}

const namesIn = (text: string): HeaderScore[] => {
  const { words, compact } = comparable(text.trim())
  return scoreWords(words, compact).filter(({ score }) => score >= OTHER_ORDER)
}
const namesOfValues = (text: string): HeaderScore[] => namesIn(text).filter(({ target }) => isMoneyField(target))

const namesValue = (text: string): boolean => namesOfValues(text).length > 0

/** Headers in two languages, or with two names of one thing: `bâtiment / building`. */
function scoreParts(words: string): HeaderScore[] {
  const [first, ...others] = words.split('/').map(namesIn)
  if (!first || others.length === 0) return []
  const isCommon = ({ target }: HeaderScore) => others.every((names) => names.some((name) => name.target === target))
  return first.filter(isCommon).map((name) => ({ ...name, score: BOTH_NAMES }))
}

const COVERAGE = /\b(?:subject of insurance|cov(?:erage)? [a-f])\b/

/** The name of a value after or before that of its coverage: `cov a building`. */
function scoreCoverage(words: string): HeaderScore[] {
  if (!COVERAGE.test(words)) return []
  const name = words
    .replace(COVERAGE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,-]+|[\s,-]+$/g, '')
  return namesOfValues(name).map((score) => ({ ...score, score: OTHER_ORDER }))
}

const EXTENT = /^(.+?)[\s,-]+(excl|excluding|exclusive of|without|w\/o|less|net of|incl|including|inclusive of)\s+\S/u

/** The name of a value before what it does not contain: `contents excl stock`. What it contains, too, may be the value of another column. */
function scoreExtent(words: string): Record<'certain' | 'uncertain', HeaderScore[]> {
  const [, name = '', extent = ''] = EXTENT.exec(words) ?? []
  const isCertain = ({ target }: HeaderScore) => !extent.startsWith('incl') && target !== 'stated_tiv'
  const names = (name === '' ? [] : namesOfValues(name)).map((value) => ({ ...value, score: OTHER_ORDER }))
  return { certain: names.filter(isCertain), uncertain: names.filter((value) => !isCertain(value)) }
}

function scoreWords(words: string, compact: NormalizedHeader['compact']): HeaderScore[] {
  const tokens = sortedTokens(words)
  const [sorted, distinct] = [tokens.join(' '), [...new Set(tokens)]]
  const scores = synonyms().map((synonym): HeaderScore => {
    const { target, rank } = synonym
    if (compact.some((key) => synonym.compact.includes(key))) return { target, score: 1, rank }
    if (sorted === synonym.sorted) return { target, score: OTHER_ORDER, rank }
    const overlap = isOfAnother(target, distinct, synonym.tokens) ? 0 : sharedWeight(distinct, synonym.tokens)
    return { target, score: overlap >= OVERLAP_MIN ? 0.6 + 0.5 * (overlap - OVERLAP_MIN) * 0.99 : 0, rank }
  })
  // A match of all words excludes partial ones.
  const min = scores.some(({ score }) => score >= OTHER_ORDER) ? OTHER_ORDER : 0.6
  return bestOf(scores.filter(({ score }) => score >= min))
}
