import { US_STATES } from '#contract/regions.ts'
import { isDirectional, isUnitWord, spellingsOf, wordsBeginning } from '../address/normalize-street.ts'

const SEPARATORS = /[.,;:/\\\-_()[\]{}"&@#+*!?|=<>~^%$–—−·•…“”„«»\t\n ]+/g

/** The words of a text in one spelling, as the SQL function `search_words` stores them, without the spaces around. */
export function searchWords(text: string): string {
  const lower = text.toLowerCase()
  // Most texts are plain ASCII, which needs no decomposition.
  const plain = /\P{ASCII}/u.test(lower)
    ? lower
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase()
    : lower
  return plain
    .replace(/['`’‘]/g, '')
    .replace(SEPARATORS, ' ')
    .trim()
}

/** One word of a search: a record has it if its words contain one of these texts. */
export interface SearchedWord {
  /** What was typed; with a space before it, a word must begin with it. */
  part: string
  /** Other whole words or phrases that mean the same, between spaces. */
  others: readonly string[]
}

/** More words than a useful search has; further ones are ignored. */
const WORDS_MAX = 16
const SHORT_WORD = /^\p{ASCII}{1,2}$/u
const ZIP_PLUS_4 = /\b(\d{5})-\d{4}\b/g

const STATES = new Map(
  Object.entries(US_STATES).flatMap(([code, { name, also }]) => {
    const forms = [name, code, ...also].map((form) => form.toLowerCase())
    return forms.map((form) => [form, forms] as const)
  }),
)

/**
 * The words of a search; a record is found if it has all of them. Words of addresses also find their other spellings (`n` north, `st`
 * street or saint, `5th` fifth, `illinois` il), unit marks are left out of addresses, and four digits after a ZIP code, too.
 */
export function searchedWords(term: string): SearchedWord[] {
  const words = searchWords(term.replace(ZIP_PLUS_4, '$1')).split(' ').filter(Boolean)
  const isAddress = words.length > 1 && words.some((word) => /^\d/.test(word))
  const phrases = joinPhrases(isAddress ? withoutUnitMarks(words) : words)
  return phrases.slice(0, WORDS_MAX).map((word, index) => {
    const isLast = index === phrases.length - 1
    const others = word.includes(' ') ? (STATES.get(word) ?? []) : otherSpellings(word, isLast && phrases.length > 1)
    const isHouseNumber = index === 0 && isAddress && /^\d/.test(word)
    const part = isHouseNumber || SHORT_WORD.test(word) ? ` ${word}` : word
    return { part, others: [...new Set(others)].filter((other) => other !== word).map((other) => ` ${other} `) }
  })
}

/** Joins the words of a state (`new york`) and of a direction (`n w`), which have other spellings only together. */
function joinPhrases(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1) ?? ''
    const pair = `${before} ${word}`
    if (STATES.has(pair) || (before.length === 1 && isDirectional(upper(before + word))))
      joined[joined.length - 1] = STATES.has(pair) ? pair : before + word
    else if (word === 'columbia' && joined.slice(-2).join(' ') === 'district of') joined.splice(-2, 2, 'district of columbia')
    else joined.push(word)
  }
  return joined
}

/** `100 main st ste 5` without `ste`: the stored unit may have another mark, or none. */
const withoutUnitMarks = (words: readonly string[]): string[] =>
  words.filter((word, index) => index === 0 || !isUnitWord(upper(word)) || !/\d|^[a-z]$/.test(words[index + 1] ?? ''))

/** The last word may still be typed: `123 main stre`. */
function otherSpellings(word: string, isUnfinished: boolean): string[] {
  const whole = spellingsOf(upper(word))
  const begun = isUnfinished && whole.length === 1 && word.length > 2 ? wordsBeginning(upper(word)).flatMap(spellingsOf) : []
  // `NW` may be stored as `N.W.`
  const apart = whole
    .filter((spelling) => isDirectional(spelling) && spelling.length === 2)
    .map((spelling) => [...spelling.toLowerCase()].join(' '))
  return [...[...whole, ...begun].map((spelling) => spelling.toLowerCase()), ...apart, ...(STATES.get(word) ?? [])]
}

const upper = (word: string): string => word.toUpperCase()
