import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { factorOf, namedFactor, unitsIn, type Factor } from './amount-notation.ts'
import { isMoneyField } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'
import { CHARACTERS_MAX, deniesForSome, isException, unitSentence, valueIn } from './unit-sentences.ts'
import { namesValue } from './value-names.ts'

/** What texts say about the units of single columns, by the field of their values or by their letter. */
export interface UnitNotes {
  columns: ReadonlyMap<string, Factor>
  /** That of all other columns. */
  others: Factor
}

/** What a part of a text is about: single columns, all of them, those that no other part names, or amounts that are no insured values. */
interface Subject {
  kind: 'columns' | 'all' | 'others' | 'no_values'
  columns: readonly string[]
  /** The columns that are not meant. */
  except: readonly string[]
}

const FILLING =
  /(?<![\p{L}\p{N}])(?:notes?|nb|that|which|it|they|everything|important|attention|remarks?|comments?|please|all|the|these|those|only|are|is|be|was|were|as|and|but|while|whereas|except|with|have|been|shown|stated|expressed|reported|given|quoted|payable|paid|charged|denominated|listed|presented|provided|entered|recorded|rounded|to|nearest|in|for|of|on|apply|applies|column|columns|values?|amounts?|figures?|numbers|sums?|annual|annually|locations?|sites|schedule|table|sheet|file|sov|below|above|here|this|each|(?:u\.?s\.?|canadian)? ?(?:dollars?|euros?|pounds?|francs?)|usd|eur|gbp|cad|chf)(?![\p{L}\p{N}])/giu
const OTHERS = /^(?:(?:all|any|everything) )?(?:others?|else|the rest|rest|remaining|remainder)$/i
/** Amounts that are not the values of locations. */
export const OTHER_AMOUNTS =
  '(?:premiums?|loans?|mortgages?|deductibles?|deds?|retentions?|excess(?:es)?|sublimits?|rates?|fees?|tax(?:es)?|commissions?|brokerage|quotes?|invoices?|insurance costs?|purchase prices?|claims?|losses|sales|turnover|revenues?|pramien?|selbstbehalte?|darlehen|primes?|primas?|prets?|franchises?|prestamos?|deducibles?)'
const ONLY_NO_VALUES = new RegExp(`^(?:(?:policy|flood|wind|quake|loss|per|occurrence|total) )*${OTHER_AMOUNTS}(?: balances?)?$`, 'iu')
const areNoValues = (said: string): boolean => {
  const names = said.split(JOINTS).filter((name) => /\p{L}/u.test(name))
  return names.length > 0 && names.every((name) => ONLY_NO_VALUES.test(withoutFilling(name).normalize('NFKD').replace(/\p{M}/gu, '')))
}
const JOINTS = /\s*(?:[,/+&]|(?<![\p{L}\p{N}])(?:and|und|et|y|or)(?![\p{L}\p{N}]))\s*/giu
const EXCEPTION =
  /(?<![\p{L}\p{N}])(?:except(?:ing)?|excluding|excl\.?|other than|apart from|but not|without|save)(?: for)?(?![\p{L}\p{N}])([^;()[\].]*)/iu
/** Where a sentence or a title ends. */
const ENDS = /[;|()[\]\n]|\.(?=\s|$)|\s[–—-]\s/u

const tidy = (text: string) =>
  text
    .replace(/[^\p{L}\p{N}&/,+'’]+/gu, ' ')
    .replace(/^[\s,/&+]+|[\s,/&+]+$/g, '')
    .trim()

/** A text without the words of sentences about amounts. */
export const withoutFilling = (text: string) => tidy(text.replace(FILLING, ' '))
const namesIn = (text: string): string[] =>
  text
    .split(JOINTS)
    .map(withoutFilling)
    .filter((name) => name !== '')

const LETTER = /^[A-Z]{1,2}$/

/** The columns that a text names, if it names nothing else: by what they contain, or by their letters. */
export function columnsIn(text: string): string[] {
  const whole = valueIn(tidy(text.replace(FILLING, (word) => (/^and$/i.test(word) ? word : ' '))))
  if (whole !== undefined) return [whole]
  const isByLetter = /\bcolumns?\b/i.test(text)
  const columns = namesIn(text).map((name) => valueIn(name) ?? (isByLetter && LETTER.test(name) ? name : undefined))
  return columns.every((column) => column !== undefined) ? columns : []
}

/** `Contents (col. G)`: the letter adds nothing. */
const LETTER_REMARK = /[([]\bcol(?:umn)?\.?\s[A-Z]{1,2}[)\]]/gi
/** `Business personal property (BPP) is`: a remark in the middle. */
const REMARK = /\(([^()]*)\)(?=\s*\p{L})/gu

function subjectOf(text: string): Subject {
  const [exception = '', excluded = ''] = EXCEPTION.exec(text) ?? []
  const parts = text
    .replace(exception, ' ')
    .replace(LETTER_REMARK, ' ')
    .replace(/\bcol(s?)\./gi, 'column$1')
    .replace(REMARK, ', $1, ')
    .split(ENDS)
  const said = parts.findLast((part) => /\p{L}/u.test(part)) ?? ''
  const columns = columnsIn(said)
  const kind = columns.length > 0 ? 'columns' : OTHERS.test(withoutFilling(said)) ? 'others' : areNoValues(said) ? 'no_values' : 'all'
  return { kind, columns, except: columnsIn(excluded) }
}

/** What follows a unit may name its columns: `in thousands for contents`, `$000s (buildings only)`. */
function subjectAfter(text: string): Subject {
  const [said = ''] = text.replace(/^[\s):\]–—-]*\(?/u, '').split(ENDS)
  return subjectOf(said)
}

/** The units in a text with their subjects. */
function clausesOf(text: string): { factor: Factor; subject: Subject }[] {
  const { units, after } = unitsIn(text.slice(0, CHARACTERS_MAX))
  let isNamedBefore = false
  return units.map(({ factor, before }, index) => {
    // `except BI in full dollars`
    const own = subjectOf(isNamedBefore ? '' : before.replace(/^[\s,;]*except(?:ing)?(?: for)?(?=\s)/i, ' '))
    const next = units[index + 1]?.before
    const following = subjectAfter(next ?? after)
    const isNext = next !== undefined && !/^\W*(?:of [\p{L}$€£]+ )?(?:for|on)\b/iu.test(next)
    const isFollowing = own.kind === 'all' && following.kind === 'columns' && !isNext
    isNamedBefore = isFollowing && next !== undefined && !ENDS.test(next)
    return { factor, subject: isFollowing ? following : { ...own, except: [...own.except, ...following.except] } }
  })
}

/** Whether the units that a text names are those of premiums, deductibles, loans and the like. */
export function isOfOtherAmounts(text: string): boolean {
  const clauses = clausesOf(text).filter(({ factor }) => factor > 1)
  return clauses.length > 0 && clauses.every(({ subject: { kind } }) => kind === 'no_values')
}

/** A text that names a unit, but not clearly of which columns. */
export interface UnclearUnit {
  text: string
  factors: readonly number[]
}

/** Whether the columns that a text is about may be others than those that were found, so that a user must say it. */
function isUnclear(text: string): boolean {
  if (factorOf(text) === 1) return deniesForSome(text)
  const { columns, isAboutSome, isClear } = unitSentence(text)
  if (!isAboutSome) return false
  if (columns.length === 0 && isOfOtherAmounts(text)) return false
  const found = new Set(clausesOf(text).flatMap(({ subject }) => [...subject.columns, ...subject.except]))
  const isSame =
    [...found].every((column) => columns.includes(column)) && columns.every((column) => found.has(column) || LETTER.test(column))
  return !isClear || found.size === 0 || !isSame
}

/** Whether a text names a column, in any language of the headers, with a unit or as an exception. */
export const mayLimitUnit = (text: string): boolean => (namedFactor(text) > 1 ? unitSentence(text).columns.length > 0 : isException(text))

/** Not `in dollars`, which may only name the currency. */
const FULL_AMOUNTS = /(?<![\p{L}\p{N}])(?:full|whole|actual|exact|single|unrounded)(?![\p{L}\p{N}])/iu

/** Whether a text says that amounts are not in a unit: `not in thousands`, or `All values in whole dollars`. */
export function deniesUnit(text: string): boolean {
  if (factorOf(text) > 1) return false
  return namedFactor(text) > 1 || (FULL_AMOUNTS.test(text) && clausesOf(text).some(({ subject }) => subject.kind === 'all'))
}

/** The texts that name a unit, but not clearly of which columns: those with words that are not known, and those that contradict each other. */
export function unclearUnits(texts: readonly string[]): UnclearUnit[] {
  const asUnclear = (text: string): UnclearUnit => ({ text, factors: unitSentence(text).factors })
  const unclear = texts.filter(isUnclear)
  if (unclear.length > 0) return unclear.map(asUnclear)
  // `All values in thousands`, and `except BI` in the next cell.
  const announcing = texts.filter((text) => factorOf(text) > 1 && !isOfOtherAmounts(text))
  if (announcing.length > 0 && texts.some((text) => factorOf(text) === 1 && isException(text)))
    return texts.filter((text) => announcing.includes(text) || isException(text)).map(asUnclear)
  // `All values in thousands`, and below the table `Values are in whole dollars, not thousands`.
  if (announcing.length > 0 && texts.some(deniesUnit))
    return texts.filter((text) => announcing.includes(text) || deniesUnit(text)).map(asUnclear)
  const units = texts.flatMap((text) =>
    clausesOf(text).flatMap(({ factor, subject }) => subject.columns.map((column) => ({ text, column, factor }))),
  )
  const isContradicted = ({ column, factor }: (typeof units)[number]) =>
    units.some((other) => other.column === column && other.factor !== factor)
  return [...new Set(units.filter(isContradicted).map(({ text }) => text))].map(asUnclear).filter(({ factors }) => factors.length > 0)
}

/** The units of single columns that texts name. Undefined if they name none, another one than that of all columns, or two of one column. */
export function unitNotes(texts: readonly string[]): UnitNotes | undefined {
  const clauses = texts.flatMap(clausesOf)
  const factorsOf = (kind: Subject['kind']) => clauses.filter(({ subject }) => subject.kind === kind).map(({ factor }) => factor)
  const others = new Set(factorsOf('others'))
  const all = new Set(factorsOf('all').filter((factor) => factor > 1))
  const general = others.size > 0 ? others : all
  const [other = 1] = general
  const columns = new Map<string, Factor>()
  for (const { factor, subject } of clauses)
    if (subject.kind === 'columns')
      for (const column of subject.columns) {
        if (columns.has(column) && columns.get(column) !== factor) return undefined
        columns.set(column, factor)
      }
  for (const { subject } of clauses) for (const column of subject.except) if (!columns.has(column)) columns.set(column, 1)
  const isOther = [...columns.values()].some((factor) => factor !== other)
  return general.size > 1 || !isOther ? undefined : { columns, others: other }
}

/** The texts that are about all columns with values. Units of single columns are in the names of these. */
export const textsAboutAll = <T>(texts: readonly T[], textOf: (text: T) => string, notes: UnitNotes | undefined): T[] =>
  texts.filter((text) => factorOf(textOf(text)) === 1 || (notes === undefined && !isOfOtherAmounts(textOf(text))))

/** The names of columns with the units that notes name for them. */
export function labelsWithUnits(labels: readonly string[], notes: UnitNotes | undefined): readonly string[] {
  if (notes === undefined) return labels
  const { columns, others } = notes
  return labels.map((label, index) => {
    const header = normalizeHeader(label)
    const [name] = scoreHeader(header).filter(({ target }) => isMoneyField(target))
    const own = columns.get(columnLetters(index + 1))
    if (header.factor > 1 || (own === undefined && name === undefined && !namesValue(label))) return label
    const factor = own ?? (name && columns.get(name.target)) ?? others
    return factor === 1 ? label : `${label} (in ${factor === 1_000 ? 'thousands' : 'millions'})`
  })
}
