import { RECENT_SEARCHES_MAX } from '#contract/limits.ts'

const KEY = 'plumbline.recent-searches'

const keyOf = (userId: string): string => `${KEY}.${userId}`

/** The last texts that a user searched here and opened a result of, newest first. */
export function recentSearches(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((term) => typeof term === 'string') : []
  } catch {
    return []
  }
}

export function rememberSearch(userId: string, term: string): void {
  const others = recentSearches(userId).filter((other) => other.toLowerCase() !== term.toLowerCase())
  window.localStorage.setItem(keyOf(userId), JSON.stringify([term, ...others].slice(0, RECENT_SEARCHES_MAX)))
}

/** Of all users of this browser: the next one must not see what others searched. */
export function clearRecentSearches(): void {
  for (const key of Object.keys(window.localStorage)) if (key.startsWith(KEY)) window.localStorage.removeItem(key)
}
