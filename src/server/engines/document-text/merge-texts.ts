/** Longer texts are not compared: both are taken. */
const COMPARED_CHARACTERS = 1_000_000

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const pairsOf = (words: readonly string[]): string[] => words.slice(1).map((word, at) => `${words[at]} ${word}`)

/**
 * The plain and the formatted text of one message, which usually say the same. The lines of the formatted text with words that do not follow
 * each other in the plain one are added to it.
 */
export function mergeTexts(plain: string, formatted: string): string {
  if (plain.trim() === '') return formatted
  if (plain.length > COMPARED_CHARACTERS || formatted.length > COMPARED_CHARACTERS) return `${plain}\n${formatted}`
  const words = wordsOf(plain)
  const [single, pairs] = [new Set(words), new Set(pairsOf(words))]
  const isNew = (line: string) => {
    const own = wordsOf(line)
    return own.some((word) => !single.has(word)) || pairsOf(own).some((pair) => !pairs.has(pair))
  }
  return [plain, ...formatted.split('\n').filter(isNew)].join('\n')
}
