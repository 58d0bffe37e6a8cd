import { namedFactor, unitsIn, withoutDenied } from './amount-notation.ts'
import { isMoneyField, type HeaderTarget } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'

/** The costs of no thing in particular are the values of the schedule. */
const OF_NOTHING =
  /^(?:total )?(?:replacement|reproduction|reconstruction|rcv|rcn|cost|pd|property|insured|insurable|material|declared|others?$)/i

/** The field of the value that a text names. */
export function valueIn(text: string): HeaderTarget | undefined {
  if (OF_NOTHING.test(text)) return undefined
  const [name] = scoreHeader(normalizeHeader(text)).filter(({ target, score }) => score >= 0.9 && isMoneyField(target))
  return name === undefined || name.target === 'stated_tiv' ? undefined : name.target
}

/** Longer texts are no notes about units. */
export const CHARACTERS_MAX = 500

const wordList = (words: string) => new Set(words.split(' '))
/** Words that say nothing about which columns are meant. All others make a text unclear. */
const FILLING = wordList(
  'note notes nb that which it they important attention remark remarks comment comments please the these those are is be was were as and while whereas with have been shown stated expressed reported given quoted denominated listed presented provided entered recorded rounded to nearest in for of on apply applies annual annually below above here this und et y',
)
/** Next to a unit they say nothing else; elsewhere they are a unit of their own: `USD thousands (BI: USD)`. */
const CURRENCIES = wordList('us canadian dollar dollars pound pounds euros franc francs usd eur gbp cad chf')
const ALL = wordList('all any every each everything value values amount amounts figure figures numbers sum sums columns')
const OTHERS = wordList('other others else rest remaining remainder')
const EXCEPT = wordList('except excepting excluding')

/** What words exclude or deny in the languages of the headers. `No. 5` is a number. */
const EXCEPTION =
  /(?<![\p{L}\p{N}])(?:but|except\p{L}*|excl\p{L}*|exempt\p{L}*|without|w\/o|not|never|none|neither|nor|\p{L}+n['’]t|cannot|only|solely|unless(?! otherwise (?:noted|stated|indicated|specified|shown))|(?:other|rather) than|(?:apart|aside) from|instead of|save|besides|minus|however|although|though|außer|ausser|ohne|nicht|kein\p{L}*|nur|lediglich|ausgenommen|ausnahme\p{L}*|bis auf|jedoch|aber|sondern|sauf|hors|pas|hormis|seulement|uniquement|sans|mais|salvo|no(?!\.|\s*\d|\s+of\b)|solo|solamente|unicamente|sin|menos|pero|eccetto|tranne|senza|exceto)(?![\p{L}\p{N}-])/iu

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Words, and signs that may mean something: `BI = $`, `(-BI)`, `≠`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*|(?<![^\s(])[-−–—](?=\p{L})|[^\p{L}\p{N}\s'’"“”,;:.()[\]/&+*=!|_–—-]/gu
const NAME_WORDS_MAX = 6
/** A name of a column does not contain other signs. */
const NO_NAME = /[^\p{L}\p{N}\s'’,.&/+-]|^-/u
const COLUMN = /^(?:col|column|spalte|colonne|columna)$/
const LETTER = /^[A-Z]{1,2}$/

/** A text as one sign a word, without filling: c for a column, a for all, o for the others, x, b and n for exceptions, $ for a currency, ? for unknown words. */
function signsOf(text: string): { signs: string; columns: string[] } {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, key: plain(word), start: index, end: index + word.length }))
  const columns: string[] = []
  let signs = ''
  let isByLetter = false
  for (let at = 0; at < words.length;) {
    const [first, name] = [words[at], nameAt(text, words, at)]
    if (!first) break
    const { word, key } = first
    if (name) columns.push(name.target)
    if (isByLetter && LETTER.test(word)) columns.push(word)
    if (name || (isByLetter && LETTER.test(word))) signs += 'c'
    else if (COLUMN.test(key)) signs += columns.length > 0 || LETTER.test(words[at + 1]?.word ?? '') ? '' : '?'
    else signs += signOf(key)
    isByLetter ||= COLUMN.test(key) || key === 'columns' || key === 'cols'
    at += name?.words ?? 1
  }
  return { signs, columns }
}

function signOf(key: string): string {
  if (key === 'only') return 'n'
  if (key === 'but') return 'b'
  if (EXCEPT.has(key)) return 'x'
  if (OTHERS.has(key)) return 'o'
  if (CURRENCIES.has(key) || /^\p{Sc}$/u.test(key)) return '$'
  if (ALL.has(key)) return 'a'
  return FILLING.has(key) || key === 'cols' ? '' : '?'
}

interface Word {
  key: string
  start: number
  end: number
}

/** The longest name of a value that begins with a word. */
function nameAt(text: string, words: readonly Word[], at: number): { target: string; words: number } | undefined {
  const first = words[at]
  if (!first || FILLING.has(first.key) || ALL.has(first.key) || OTHERS.has(first.key)) return undefined
  for (let count = Math.min(NAME_WORDS_MAX, words.length - at); count > 0; count -= 1) {
    const name = text.slice(first.start, words[at + count - 1]?.end)
    const target = NO_NAME.test(name) ? undefined : valueIn(name)
    if (target !== undefined) return { target, words: count }
  }
  return undefined
}

/**
 * The sentences that are understood, with u for thousands or millions and f for full amounts: each column before or behind its unit, or one
 * exception.
 */
const CLEAR = [
  /^(?:(?:a?c+a?|a?oa?|a)[uf])+$/,
  /^a?uc+$/,
  /^a?uc+fc+$/,
  /^a?ux(?:c+a?)$/,
  /^a?u[xb]c+a?[uf]$/,
  /^axc+a?u$/,
  /^afxc+u$/,
  /^a?uc+n$|^n?c+a?n?u$/,
]

export interface UnitSentence {
  /** The columns that it names, by field or letter. */
  columns: readonly string[]
  /** The factors that it names. */
  factors: readonly number[]
  /** Whether it names a column, or excludes something. */
  isAboutSome: boolean
  /** Whether each of its words is understood. */
  isClear: boolean
}

const PARTS = /\s[–—-]\s|[|\n]/u

/** What a text about units says, by its words. */
export function unitSentence(written: string): UnitSentence {
  const text = written.slice(0, CHARACTERS_MAX)
  const excludes = EXCEPTION.test(withoutDenied(text))
  // `Acme – Contents in thousands`
  const parts = text
    .split(PARTS)
    .filter((part) => unitsIn(part).units.length > 0 || EXCEPTION.test(part) || /[co]/.test(signsOf(part).signs))
  const { units, after } = unitsIn(parts.join(' – '))
  const read = [...units.map(({ before }) => before), after].map(signsOf)
  const signs = read.map((part, index) => part.signs + (units[index] === undefined ? '' : units[index].factor > 1 ? 'u' : 'f')).join('')
  const factors = new Set(units.flatMap(({ factor }) => (factor > 1 ? [factor] : [])))
  const columns = read.flatMap((part) => part.columns)
  const isColumn = columns.length > 0 || /(?<!\p{L})(?:column|spalte|colonne|columna)(?!\p{L})/iu.test(text)
  return {
    columns,
    factors: factors.size > 0 ? [...factors].sort((a, b) => a - b) : namedFactor(text) > 1 ? [namedFactor(text)] : [],
    isAboutSome: isColumn || excludes,
    isClear: CLEAR.some((sentence) => sentence.test(signs.replace(/\$*([uf])\$*/g, '$1').replace(/a+/g, 'a'))) && factors.size > 0,
  }
}

/** Whether a text denies its unit for single columns, so that others may have it: `Only buildings are not in thousands`. */
export function deniesForSome(text: string): boolean {
  if (namedFactor(text) === 1) return false
  const { signs, columns } = signsOf(withoutDenied(text.slice(0, CHARACTERS_MAX)))
  return columns.length > 0 && (signs.includes('o') || EXCEPTION.test(withoutDenied(text)))
}

const EXCEPTION_FIRST = new RegExp(`^[^\\p{L}\\p{N}]*${EXCEPTION.source}`, 'iu')
/** Longer ones are about something else. */
const EXCEPTION_CHARACTERS_MAX = 60

/** Whether a text excludes columns, and nothing else: it may belong to the text above it. */
export const isException = (text: string): boolean =>
  text.length <= EXCEPTION_CHARACTERS_MAX && EXCEPTION_FIRST.test(text) && signsOf(text).columns.length > 0
