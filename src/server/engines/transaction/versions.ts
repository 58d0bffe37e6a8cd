import { conflict } from '#server/kernel/errors.ts'

/**
 * Refuses a save that was made from an older state than the stored one, with both: what is stored now and what was sent.
 * Without a version the caller takes the last word.
 */
export function assertVersion(sent: number | undefined, stored: number, current: unknown, mine: unknown): void {
  if (sent === undefined || sent === stored) return
  throw conflict('Somebody else changed this while you were editing. Please compare both versions and save again.', {
    version: stored,
    current,
    mine,
  })
}
