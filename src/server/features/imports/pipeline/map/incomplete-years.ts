import { isMoneyField } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { Pair } from './pair.ts'

const COMPLETE_SHARE_MIN = 0.75

/** Whether the newer of two columns with the same words has values in so few of the rows of the older one that it may not be complete. */
export const isIncomplete = (newer: Pair, older: Pair): boolean =>
  isMoneyField(newer.target) &&
  newer.target === older.target &&
  newer.words === older.words &&
  newer.period > older.period &&
  (newer.mean === 0 ? older.mean > 0 : newer.filled < older.filled * COMPLETE_SHARE_MIN)
