import { HEADER_SYNONYMS } from './header-synonyms.ts'
import type { HeaderTarget } from './header-target.ts'
import { headerTokens, normaliseHeader, type NormalHeader } from './normalise-header.ts'

export interface HeaderScore {
  target: HeaderTarget
  /** 1 exact, 0.9 other order, 0.6 to 0.85 shared words. */
  score: number
  /** Position of the synonym in its list; the likelier word wins a tie. */
  rank: number
}

/** Words that stand in the headers of many fields say little about any one of them. */
const GENERIC = new Set(
  'building buildings location property number value values type code name site total date year description class item unit street'.split(
    ' ',
  ),
)
const GENERIC_WEIGHT = 0.3
const OVERLAP_AT_LEAST = 0.5

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
  const normal = normaliseHeader(header)
  const rank = position - HEADER_SYNONYMS.findIndex((other) => other.target === target)
  for (const key of normal.squashed) push(exact, key, { target, score: 1, rank })
  push(reordered, sortedTokens(normal.words), { target, score: 0.9, rank })
  synonyms.push({ target, rank, tokens: new Set(headerTokens(normal.words)) })
})

/** Whether a cell is, word for word, a header of this trade. */
export const isKnownHeader = (header: NormalHeader): boolean => header.squashed.some((key) => key !== '' && exact.has(key))

/** What a header may mean, each target once, strongest first. */
export function scoreHeader(header: NormalHeader): HeaderScore[] {
  const best = new Map<HeaderTarget, HeaderScore>()
  const offer = (entry: HeaderScore) => {
    const known = best.get(entry.target)
    if (!known || entry.score > known.score || (entry.score === known.score && entry.rank < known.rank)) best.set(entry.target, entry)
  }
  for (const key of header.squashed) exact.get(key)?.forEach(offer)
  reordered.get(sortedTokens(header.words))?.forEach(offer)
  const tokens = new Set(headerTokens(header.words))
  if (tokens.size > 0) {
    for (const { target, rank, tokens: words } of synonyms) {
      const overlap = weightedJaccard(tokens, words)
      if (overlap >= OVERLAP_AT_LEAST) offer({ target, score: 0.6 + 0.5 * (overlap - OVERLAP_AT_LEAST) * 0.99, rank })
    }
  }
  const scores = [...best.values()].sort((a, b) => b.score - a.score || a.rank - b.rank)
  // A header that is word for word one thing does not also half mean another.
  return scores[0]?.score === 1 ? scores.filter(({ score }) => score >= 0.9) : scores
}

function weightedJaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  let all = 0
  let telling = false
  for (const token of left) {
    all += weightOf(token)
    if (!right.has(token)) continue
    shared += weightOf(token)
    telling ||= !GENERIC.has(token)
  }
  if (!telling) return 0
  for (const token of right) if (!left.has(token)) all += weightOf(token)
  return shared / all
}
