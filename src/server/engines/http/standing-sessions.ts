import { SESSION_KEPT_MS } from '#contract/limits.ts'
import type { SignedIn } from '#server/access/viewer.ts'

/** A session that stood when it was read, with what decides whether it still does. */
export interface StandingSession {
  viewer: SignedIn
  lastUsedAt: Date
  expiresAt: Date
}

/** More than a process serves in a second. */
const SESSIONS_KEPT = 10_000

const kept = new Map<string, { session: StandingSession; until: number }>()
let reading = 0

/** Names the moment before a session is read, for `keepStanding`. */
export const beginReading = (): number => reading

/**
 * Keeps a session for at most a second by the digest of its token; not one that was read before somebody lost a right, since
 * what was read may be from before that, too.
 */
export function keepStanding(digest: string, session: StandingSession, begun: number): void {
  if (begun !== reading) return
  if (kept.size >= SESSIONS_KEPT) kept.clear()
  kept.set(digest, { session, until: performance.now() + SESSION_KEPT_MS })
}

export function keptStanding(digest: string): StandingSession | undefined {
  const found = kept.get(digest)
  if (found === undefined || found.until > performance.now()) return found?.session
  kept.delete(digest)
  return undefined
}

/** After every commit of this process, and whenever the database says that somebody lost a session or a right. */
export function forgetStanding(): void {
  reading += 1
  kept.clear()
}
