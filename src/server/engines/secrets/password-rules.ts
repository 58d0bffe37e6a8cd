import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts'

const GUESSABLE = 'This password is easy to guess. Please choose one that is more than a common word, a name, a sequence or a repeat.'
const NAMED = 'Please choose a password that does not consist of your name, your email address, or the name of your company or the product.'
const DIFFERENT_MIN = 4
const SIMPLE = `Please use at least ${PASSWORD_MIN_CHARACTERS} characters that are not blanks, and at least ${DIFFERENT_MIN} different ones.`
/** Characters other than digits that a name needs to make a new password: "whitfieldabc" is as easy to guess as "whitfield". */
const ADDED_MAX = 5
const NAME_MIN_CHARACTERS = 3
/** Decimal logarithm; eight random characters need as many. */
const GUESSES_MIN = 8
const REMOVED_GUESSES = 2
/** Shorter words occur in random passwords. */
const CORE_MIN_CHARACTERS = 4

/** Why a password is too easy to guess, or undefined. `names` are words that others know of the user and of the product. */
export async function passwordProblem(password: string, names: readonly string[]): Promise<string | undefined> {
  const text = folded(password)
  const solid = text.replace(/\s/g, '')
  if (solid.length < PASSWORD_MIN_CHARACTERS || new Set(solid).size < DIFFERENT_MIN) return SIMPLE
  const words = wordsOf(names.map(folded))
  if (isMadeOf(lettersAndDigits(text), words)) return NAMED
  return (await isGuessable(text, solid, words)) ? GUESSABLE : undefined
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase().trim()
const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** The names and their parts without blanks and punctuation, the longest first. */
function wordsOf(names: readonly string[]): string[] {
  const words = names.flatMap((name) => [lettersAndDigits(name), ...name.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= NAME_MIN_CHARACTERS).toSorted((a, b) => b.length - a.length)
}

function isMadeOf(letters: string, words: readonly string[]): boolean {
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters)
  return rest !== letters && rest.replace(/\d+/g, '').length <= ADDED_MAX
}

/**
 * Blanks and punctuation hide a word from the estimate, so it is also made without them. Each different one then counts as a factor
 * of 100, so that random characters are not rejected. Digits before or after a single word or sequence count nothing.
 */
async function isGuessable(text: string, solid: string, words: readonly string[]): Promise<boolean> {
  const { estimateGuesses } = await import('./password-guesses.ts')
  const letters = lettersAndDigits(text)
  const removed = new Set(text.replace(/[\p{L}\p{N}]/gu, '')).size
  const guesses = [
    estimateGuesses(text, words).guesses,
    estimateGuesses(solid, words).guesses + (solid === text ? 0 : REMOVED_GUESSES),
    estimateGuesses(letters, words).guesses + removed * REMOVED_GUESSES,
  ]
  const core = letters.replace(/^\d+|\d+$/g, '')
  return Math.min(...guesses) < GUESSES_MIN || (core.length >= CORE_MIN_CHARACTERS && estimateGuesses(core, words).isOnePattern)
}
