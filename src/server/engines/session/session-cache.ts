import { LRUCache } from 'lru-cache'
import { SESSION_CACHE_MS } from '#contract/limits.ts'
import type { SignedIn } from '#server/access/viewer.ts'

/** A session as read from the database. */
export interface CachedSession {
  viewer: SignedIn
  lastUsedAt: Date
  expiresAt: Date
}

const SESSIONS_MAX = 10_000

/** Sessions by the digest of their token, for at most SESSION_CACHE_MS. */
export interface SessionCache {
  /** Call before reading a session and pass the result to `set`. */
  generation(): number
  /** Does nothing if the cache was cleared since `generation`: the session may have been read before the change. */
  set(digest: string, session: CachedSession, generation: number): void
  get(digest: string): CachedSession | undefined
  /** After every commit of this process, and whenever the database reports a changed session or right. */
  clear(): void
}

export function createSessionCache(): SessionCache {
  const sessions = new LRUCache<string, CachedSession>({ max: SESSIONS_MAX, ttl: SESSION_CACHE_MS, ttlResolution: 0 })
  let generation = 0
  return {
    generation: () => generation,
    set: (digest, session, readAt) => {
      if (readAt === generation) sessions.set(digest, session)
    },
    get: (digest) => sessions.get(digest),
    clear: () => {
      generation += 1
      sessions.clear()
    },
  }
}
