import { LRUCache } from 'lru-cache'
import type { StoredJson } from './http/compress.ts'
import { MINUTE_MS, SESSION_CACHE_MS } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import type { SignedIn } from '#server/access/viewer.ts'

const SESSIONS_MAX = 10_000
const METRICS_MAX = 2_000
const LIST_BODIES_MAX = 400
const RECORD_VERSIONS_MAX = 10_000
const LIST_BODY_MAX_CHARACTERS = 100_000
/** Enough for every list with every order and filter in use. */
const STATEMENTS_MAX = 2_000
/** An estimate changes slowly. */
const FREQUENT_WORDS_MS = 10 * MINUTE_MS

export type Caches = ReturnType<typeof createCaches>

/** The caches of a process, created with its services. */
export const createCaches = () => ({
  sessionCache: createSessionCache(),
  listCache: createListCache(),
  maintenance: createMaintenanceState(),
  /** Metrics by name, account, viewer and permissions; `version` is that of the counted models from before the metric was computed. */
  metricCache: new LRUCache<string, { metric: Metric; version: string; madeAt: number }>({ max: METRICS_MAX }),
  /** By the rights of a viewer and the id of a record: a version of the record and the ETag of the answer in that version. */
  recordVersions: new LRUCache<string, { version: string; etag: string }>({ max: RECORD_VERSIONS_MAX }),
  /** Texts of the INSERTs of records that are prepared. Callers choose the columns they send, and PostgreSQL stores each variant. */
  preparedInserts: new Set<string>(),
  /** The share of pages of documents with each frequent word, as PostgreSQL estimates it; empty as long as it has no statistics. */
  frequentWords: new LRUCache<'shares', ReadonlyMap<string, number>>({ max: 1, ttl: FREQUENT_WORDS_MS }),
  /** For `runPrepared`. */
  statementNames: new LRUCache<string, string>({ max: STATEMENTS_MAX }),
})

/** A session as read from the database. */
export type CachedSession = { viewer: SignedIn; lastUsedAt: Date; expiresAt: Date }

/** Sessions by the digest of their token, for at most SESSION_CACHE_MS. */
function createSessionCache() {
  const sessions = new LRUCache<string, CachedSession>({ max: SESSIONS_MAX, ttl: SESSION_CACHE_MS, ttlResolution: 0 })
  let generation = 0
  return {
    /** Call before reading a session and pass the result to `set`. */
    generation: () => generation,
    /** Does nothing if the cache was cleared since `generation`: the session may have been read before the change. */
    set(digest: string, session: CachedSession, readAt: number): void {
      if (readAt === generation) sessions.set(digest, session)
    },
    get: (digest: string) => sessions.get(digest),
    /** After each commit that changed sessions or rights of these users and companies; of all of them if undefined. */
    clear(principals?: readonly string[]): void {
      generation += 1
      if (principals === undefined) return sessions.clear()
      const named = new Set(principals)
      const outdated = [...sessions.entries()].filter(([, { viewer }]) => named.has(viewer.userId) || named.has(viewer.companyId))
      for (const [digest] of outdated) sessions.delete(digest)
    },
  }
}

/**
 * JSON bodies of list pages by ETag. An ETag covers viewer, query and list version, so a cached body is never stale. `hasRequest`
 * says whether any body is cached for a viewer's query, which decides if reading the version by itself is worth a round trip.
 */
function createListCache() {
  const etags = new Map<string, string>()
  const bodies = new LRUCache<string, { body: StoredJson; requestKey: string }>({
    max: LIST_BODIES_MAX,
    dispose: ({ requestKey }, etag) => {
      if (etags.get(requestKey) === etag) etags.delete(requestKey)
    },
  })
  return {
    get: (etag: string) => bodies.get(etag)?.body,
    set(requestKey: string, etag: string, body: StoredJson): void {
      if (body.text.length > LIST_BODY_MAX_CHARACTERS) return
      bodies.set(etag, { body, requestKey })
      etags.set(requestKey, etag)
    },
    hasRequest: (requestKey: string) => etags.has(requestKey),
  }
}

/** The message of the maintenance, if there is one, as it was last read. */
function createMaintenanceState() {
  let message: string | undefined
  let reads = 0
  let newest = 0
  return {
    message: () => message,
    /** The result of a read is not used after that of one that began later, since that may have seen a later change. */
    async update(read: () => Promise<string | undefined>): Promise<void> {
      const turn = (reads += 1)
      const found = await read()
      if (turn < newest) return
      newest = turn
      message = found
    },
  }
}
