import { normalizeHeader, type NormalizedHeader } from './headers.ts'

const ONLY_YEAR = /^(?:fye?|cy|ay|py)? ?(?:(?:19|20)\d\d|(?<=[a-z] ?)\d\d)$/

/** What was learned by the keys of the columns of a file. Nothing of columns with the same words if another number of columns had them. */
export function learnedTargets(keys: readonly string[], saved: ReadonlyMap<string, string>): (string | undefined)[] {
  const present = new Set(keys)
  return keys.map((key) => {
    const second = `${key.replace(/ \(column \d+\)$/, '')} (column 2)`
    return present.has(second) === saved.has(second) ? saved.get(key) : undefined
  })
}

/**
 * The keys by which mappings of these columns are learned. Columns with the same words and different periods have keys of their own: the
 * newest one has the words alone, so that the key is the same next year, also if another one names no year. Columns with the same words and period are numbered. A header that is only a year
 * has no key: next year it names the older values.
 */
export function learnedKeys(headers: readonly (string | NormalizedHeader)[]): string[] {
  const normalized = headers.map((header) => (typeof header === 'string' ? normalizeHeader(header) : header))
  const newest = new Map<string, number>()
  const all = normalized.map(({ words, period, source }) => ({
    period,
    words: source === 'recommended' ? `${words} (recommended)` : words,
  }))
  for (const { words, period } of all) newest.set(words, Math.max(newest.get(words) ?? 0, period))
  const counts = new Map<string, number>()
  return all.map(({ words, period }) => {
    if (ONLY_YEAR.test(words)) return ''
    const key = period < (newest.get(words) ?? 0) ? `${words} (${period === 0 ? 'no year' : 'older year'})` : words
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 || words === '' ? key : `${key} (column ${count})`
  })
}
