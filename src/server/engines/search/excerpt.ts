import type { ExcerptPart } from '#contract/document-texts.ts'
import type { SearchedPhrase } from './text-query.ts'
import { textWords } from './text-query.ts'

interface Token {
  word: string
  start: number
  end: number
}

interface Match {
  phrase: number
  start: number
  end: number
}

const WORD = /(?:[\p{L}\p{M}\p{N}'’‘`]|(?<=\d),(?=\d{3}(?!\d)))+/gu
/** A word for which `textWords` changes nothing but capital letters; most are. */
const PLAIN = /^[a-z0-9]+$/i
const EXCERPT_CHARACTERS = 240
const LINE_MIN_CHARACTERS = 60
/** How far before the first match a sentence may begin. */
const BEFORE_CHARACTERS = 100
/** A line ends a sentence unless it was only wrapped. A full stop does after a word of three letters, since shorter ones are often abbreviations, as in N. Main St. */
const ENDS_SENTENCE = /(?<=[\p{L}\p{N}]{3}|[)%"”])[.!?]\s|\n(?!\p{Ll})/gu

/** The sentence of a text with the most of the searched phrases, cut to a limited length, with the matches marked. */
export function excerptOf(body: string, phrases: readonly SearchedPhrase[]): ExcerptPart[] {
  const matches = findMatches(body, phrases)
  const shown = densest(matches)
  const start = shown === undefined ? 0 : sentenceStart(body, shown.start)
  const end = sentenceEnd(body, start, shown?.end ?? 0)
  const parts: ExcerptPart[] = []
  const add = (text: string, is_match: boolean) => {
    if (text !== '') parts.push({ text: text.replaceAll('\n', ' '), is_match })
  }
  add(start > 0 && !isSentenceStart(body, start) ? '… ' : '', false)
  let at = start
  for (const match of matches) {
    if (match.start < at || match.end > end) continue
    add(body.slice(at, match.start), false)
    add(body.slice(match.start, match.end), true)
    at = match.end
  }
  add(body.slice(at, end).trimEnd(), false)
  add(end < body.length && !/[.!?]$/.test(body.slice(start, end).trimEnd()) ? ' …' : '', false)
  return parts
}

function findMatches(body: string, phrases: readonly SearchedPhrase[]): Match[] {
  const tokens: Token[] = [...body.matchAll(WORD)].flatMap(({ 0: text, index }) =>
    // Two words only in rare scripts, which are not marked then.
    (PLAIN.test(text) ? [text.toLowerCase()] : textWords(text)).map((word) => ({ word, start: index, end: index + text.length })),
  )
  const matches = tokens.flatMap((_, at) => phrases.flatMap((phrase, index) => matchAt(tokens, at, phrase, index)))
  return matches.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

function matchAt(tokens: readonly Token[], at: number, { forms, isBeginning }: SearchedPhrase, phrase: number): Match[] {
  for (const [formAt, words] of forms.entries()) {
    const isFound = words.every((word, offset) => {
      const token = tokens[at + offset]?.word
      const mayBegin = isBeginning && formAt === 0 && offset === words.length - 1
      return token === word || (mayBegin && token?.startsWith(word) === true)
    })
    const [first, last] = [tokens[at], tokens[at + words.length - 1]]
    if (isFound && first !== undefined && last !== undefined) return [{ phrase, start: first.start, end: last.end }]
  }
  return []
}

/** From a match to the last of those that follow within the length of an excerpt: the place with the most different phrases, closest together. */
function densest(matches: readonly Match[]): { start: number; end: number } | undefined {
  let best: { start: number; end: number } | undefined
  let most = 0
  for (const [at, match] of matches.entries()) {
    const found = new Set<number>()
    let end = match.end
    for (let next = at; next < matches.length; next += 1) {
      const other = matches[next]
      if (other === undefined || other.end - match.start > EXCERPT_CHARACTERS - BEFORE_CHARACTERS) break
      if (!found.has(other.phrase)) end = Math.max(end, other.end)
      found.add(other.phrase)
    }
    const isCloser = best !== undefined && found.size === most && end - match.start < best.end - best.start
    if (found.size > most || isCloser) [best, most] = [{ start: match.start, end }, found.size]
  }
  return best
}

const isSentenceStart = (body: string, at: number): boolean => at === 0 || /(\n|[.!?]\s)$/.test(body.slice(Math.max(0, at - 2), at))

function sentenceStart(body: string, match: number): number {
  const from = Math.max(0, match - BEFORE_CHARACTERS)
  const before = body.slice(from, match)
  const ends = [...before.matchAll(ENDS_SENTENCE)].at(-1)
  if (ends !== undefined) return from + ends.index + ends[0].length
  const space = from === 0 ? -1 : before.indexOf(' ')
  return from === 0 ? 0 : from + space + 1
}

function sentenceEnd(body: string, start: number, match: number): number {
  const limit = start + EXCERPT_CHARACTERS
  for (const end of body.slice(start, limit + 1).matchAll(ENDS_SENTENCE)) {
    const at = start + end.index + end[0].trimEnd().length
    // A short line, such as a title, says little without the next one.
    if (at >= match && (end[0] !== '\n' || at - start >= LINE_MIN_CHARACTERS)) return at
  }
  if (limit >= body.length) return body.length
  const space = body.slice(match, limit).lastIndexOf(' ')
  return space > 0 ? match + space : Math.max(limit, match)
}
