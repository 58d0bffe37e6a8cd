import { normalizeStreet } from './normalize-street.ts'

/**
 * Similarity of two names or street lines from 0 to 1: twice the shared words over all words, in their short forms.
 * Compares whole words, never letters: `Grand Prairie` and `Grand Total` share one of two words.
 */
export function similarity(left: string, right: string): number {
  const a = tokens(left)
  const b = tokens(right)
  if (a.size === 0 || b.size === 0) return 0
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return (2 * shared) / (a.size + b.size)
}

function tokens(text: string): Set<string> {
  const { number, street, unit } = normalizeStreet(text)
  return new Set(`${number} ${street} ${unit}`.split(' ').filter((word) => word !== ''))
}
