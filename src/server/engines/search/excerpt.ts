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

/** With plain loops, because a search reads several pages of a thousand words each for its excerpts. */
function findMatches(body: string, phrases: readonly SearchedPhrase[]): Match[] {
  const tokens = tokensOf(body)
  const matches: Match[] = []
  for (let at = 0; at < tokens.length; at += 1)
    for (const [phrase, searched] of phrases.entries()) {
      const last = lastOf(tokens, at, searched)
      if (last !== undefined) matches.push({ phrase, start: tokens[at]?.start ?? 0, end: last.end })
    }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end)
}

function tokensOf(body: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: text, index: start } of body.matchAll(WORD)) {
    const end = start + text.length
    if (PLAIN.test(text)) tokens.push({ word: text.toLowerCase(), start, end })
    // Two words only in rare scripts, which are not marked then.
    else for (const word of textWords(text)) tokens.push({ word, start, end })
  }
  return tokens
}

/** The last word of a phrase that begins with the word at a place; undefined if none does. */
function lastOf(tokens: readonly Token[], at: number, { forms, isBeginning }: SearchedPhrase): Token | undefined {
  for (const [form, words] of forms.entries()) {
    const last = words.length - 1
    let offset = 0
    while (offset <= last && isWord(tokens[at + offset]?.word, words[offset] ?? '', isBeginning && form === 0 && offset === last))
      offset += 1
    if (offset > last && last >= 0) return tokens[at + last]
  }
  return undefined
}

const isWord = (word: string | undefined, searched: string, isBeginning: boolean): boolean =>
  word === searched || (isBeginning && word !== undefined && word.startsWith(searched))

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
