import { formatDate } from '#contract/format.ts'
import type { Deadline } from '#contract/guests.ts'

const NEVER = 'Never'

/** The end of an invitation or link, as users of this time zone read it. */
export const deadlineOf = (expiresAt: Date | null, timezone: string): Deadline => ({
  date: expiresAt?.toISOString() ?? null,
  human: expiresAt === null ? NEVER : formatDate(expiresAt.toISOString(), timezone),
})
