import { TEXT_PREFIX_MIN_CHARACTERS } from '#contract/reading-limits.ts'
import { searchWords, searchedWords } from './search-words.ts'

/** Consecutive words in one of several spellings; a page is found if it has each phrase of a search. */
export interface SearchedPhrase {
  forms: readonly (readonly string[])[]
  /** Whether the last word of the first form may be the beginning of a longer one. */
  isBeginning: boolean
}

const PHRASES_MAX = 16
/** Between thousands: 1,250,000 is one number. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g
const ZIP_PLUS_4 = /^\d{5}-\d{4}$/

/** The words of a text as the SQL function `document_words` stores them. */
export const textWords = (text: string): string[] => searchWords(text.replace(THOUSANDS, '')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/**
 * The phrases of a search. Words in quotes are one phrase, and so are the parts of a number such as POL-2024-001; other words of addresses
 * also have their other spellings. Never fails: a quote without an end is left out.
 */
export function searchedPhrases(term: string): SearchedPhrase[] {
  const phrases: SearchedPhrase[] = []
  let run: string[] = []
  const endRun = (isLast: boolean) => {
    const words = searchedWords(run.join(' '))
    for (const [at, { part, others }] of words.entries()) {
      const forms = [part, ...others].map(textWords).filter((form) => form.length > 0)
      if (forms.length > 0) phrases.push({ forms, isBeginning: isLast && at === words.length - 1 && isLong(forms[0]) })
    }
    run = []
  }
  const pieces = [...term.replace(/[“”„«»]/g, '"').matchAll(/"([^"]*)"|[^"\s]+/g)]
  for (const [at, [piece, quoted]] of pieces.entries()) {
    const words = textWords(piece)
    const isPhrase = quoted !== undefined || (/\d/.test(piece) && words.length > 1 && !ZIP_PLUS_4.test(piece))
    if (!isPhrase) run.push(piece.replace(THOUSANDS, ''))
    else {
      endRun(false)
      const isLast = quoted === undefined && at === pieces.length - 1
      if (words.length > 0) phrases.push({ forms: [words], isBeginning: isLast && isLong(words) })
    }
  }
  endRun(true)
  return phrases.slice(0, PHRASES_MAX)
}

const isLong = (words: readonly string[] = []): boolean => (words.at(-1) ?? '').length >= TEXT_PREFIX_MIN_CHARACTERS

/** The search in the language of `to_tsquery`: all phrases, in any order. Words have no character with a meaning in it. */
export const tsQuery = (phrases: readonly SearchedPhrase[]): string => phrases.map((phrase) => `(${formsQuery(phrase)})`).join(' & ')

/** The same words one after the other, without their other spellings. */
export const adjacentQuery = (phrases: readonly SearchedPhrase[]): string =>
  phrases.map(({ forms: [first = []], isBeginning }) => sequence(first, isBeginning)).join(' <-> ')

const formsQuery = ({ forms, isBeginning }: SearchedPhrase): string =>
  forms.map((words, at) => sequence(words, isBeginning && at === 0)).join(' | ')

const sequence = (words: readonly string[], isBeginning: boolean): string =>
  words.map((word, at) => `'${word}'${isBeginning && at === words.length - 1 ? ':*' : ''}`).join(' <-> ')
