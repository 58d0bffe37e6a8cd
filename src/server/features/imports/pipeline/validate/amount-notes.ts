/** Longer texts are notes. */
const CHARACTERS_MAX = 60

const AMOUNT_FOLLOWS = '(?=\\(?\\p{Sc}?\\s?\\d|(?:usd|cad|eur|gbp)\\b)'
const ESTIMATES = [
  new RegExp(`^(?:est\\.?|estimated|approx\\.?|approximately|about|circa|ca\\.|ca(?= )|c\\.|[~≈±]|\\+/-)\\s*${AMOUNT_FOLLOWS}`, 'iu'),
  /\s*\(?(?<!\p{L})(?:est\.?|estimated?|approx\.?|approximately)\)?$|\s*(?:[~≈±]|\+\/-)$/iu,
]
/** Notes that say nothing about the amount: a footnote mark, the basis of the value, and its year. */
const REMARKS = [
  /^[*†‡]+\s*(?=[\p{Sc}\d])/u,
  /\s*[*†‡]+\d?$/,
  /(?<=\d{2})\s*(?:\(\d\)|[¹²³⁰⁴-⁹])$/u,
  /\s*\(?(?<!\p{L})(?:rcv?|rcn|acv|replacement cost|actual cash value)\)?$/iu,
  /\s+\((?:19|20)\d\d\)$/,
]

/** An amount without the notes around it, and whether they say that it is an estimate: `approx. 3,000,000` and `$2.5M (2025)*`. */
export function withoutNotes(text: string): { text: string; isEstimate: boolean } {
  if (text.length > CHARACTERS_MAX || !/\d/.test(text)) return { text, isEstimate: false }
  const without = (from: string, notes: readonly RegExp[]) => notes.reduce((rest, note) => rest.replace(note, ''), from)
  // A note may follow another one.
  const bare = without(without(text, REMARKS), REMARKS)
  const amount = without(without(bare, ESTIMATES), REMARKS)
  return { text: amount, isEstimate: without(bare, ESTIMATES) !== bare }
}
