import { LRUCache } from 'lru-cache'

const BODIES_MAX = 400
const BODY_MAX_CHARACTERS = 100_000

/**
 * JSON bodies of list pages by ETag. An ETag covers viewer, query and list version, so a cached body is never stale. `hasRequest`
 * says whether any body is cached for a viewer's query, which decides if reading the version by itself is worth a round trip.
 */
export interface ListCache {
  get(etag: string): string | undefined
  set(requestKey: string, etag: string, body: string): void
  hasRequest(requestKey: string): boolean
}

export function createListCache(): ListCache {
  const etags = new Map<string, string>()
  const bodies = new LRUCache<string, { body: string; requestKey: string }>({
    max: BODIES_MAX,
    dispose: ({ requestKey }, etag) => {
      if (etags.get(requestKey) === etag) etags.delete(requestKey)
    },
  })
  return {
    get: (etag) => bodies.get(etag)?.body,
    set: (requestKey, etag, body) => {
      if (body.length > BODY_MAX_CHARACTERS) return
      bodies.set(etag, { body, requestKey })
      etags.set(requestKey, etag)
    },
    hasRequest: (requestKey) => etags.has(requestKey),
  }
}
