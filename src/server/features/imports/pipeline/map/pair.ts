import type { HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { ValueSource } from '#server/features/imports/pipeline/read/value-source.ts'

/** The rank of a target that the company confirmed in an earlier import. */
export const SAVED_RANK = -1

/** A column and what it may mean. */
export interface Pair {
  index: number
  target: HeaderTarget
  score: number
  headerScore: number
  rank: number
  words: string
  /** The larger, the newer; 0 without one. */
  period: number
  /** Who states the values. */
  source: ValueSource | null
  hidden: boolean
  /** Filled cells, at most a sample. */
  filled: number
  /** Whether the column has no value, marks in place of the value above apart. */
  isEmpty: boolean
  /** The mean of the amounts in its cells. */
  mean: number
  /** Whether most cells are larger than the numbers of buildings. */
  hasAmounts: boolean
  /** Whether most cells are numbers larger than codes that do not count on as numbers of buildings do, or have decimals. */
  exceedsNumbers: boolean
  /** Whether most cells can only be money, or several ones below a header that may name a value. */
  isMoney: boolean
  /** Whether most cells are names of several words, such as `Campus 1`. */
  hasNames: boolean
  /** The currency that the header names. */
  currency: string | undefined
}
