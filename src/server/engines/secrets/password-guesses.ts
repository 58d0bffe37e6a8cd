import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// Separate from password-rules.ts, which imports this module when the first password is set: the words take 7 MB and 45 ms.
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** The time grows with the length; 40 characters take at most 20 ms. */
const ESTIMATED_CHARACTERS_MAX = 40

export interface Estimate {
  /** Decimal logarithm of the number of guesses. */
  guesses: number
  /** Whether all of it is one common word, name, sequence or repeat. */
  isOnePattern: boolean
}

/** How many guesses find the password when common words, names, sequences, keyboard patterns and repeats are tried first. */
export function estimateGuesses(password: string, names: readonly string[]): Estimate {
  const { guessesLog10, sequence } = estimator.check(password.slice(0, ESTIMATED_CHARACTERS_MAX), [...names])
  return { guesses: guessesLog10, isOnePattern: sequence.length === 1 && sequence[0]?.pattern !== 'bruteforce' }
}
