import { once } from '#contract/once.ts'
import { ENGLISH_HEADERS, FOREIGN_HEADERS } from './header-synonyms.ts'
import { normalizeHeader } from './headers.ts'

/** Fewer headers of one language may be names. */
const HEADERS_MIN = 3

const keyOf = (header: string): string => normalizeHeader(header).words

const english = once(() => new Set(ENGLISH_HEADERS.map(keyOf)))
const languages = once(() =>
  Object.entries(FOREIGN_HEADERS).map(([language, headers]) => ({
    language,
    keys: new Set(headers.map(keyOf).filter((key) => !english().has(key))),
  })),
)

/** The language of headers other than English; undefined unless more of them are in it than in English. */
export function languageOf(headers: readonly string[]): string | undefined {
  const keys = headers.map(keyOf)
  const inEnglish = keys.filter((key) => english().has(key)).length
  const [most] = languages()
    .map(({ language, keys: known }) => ({ language, count: keys.filter((key) => known.has(key)).length }))
    .toSorted((a, b) => b.count - a.count)
  return most !== undefined && most.count >= HEADERS_MIN && most.count > inEnglish ? most.language : undefined
}
