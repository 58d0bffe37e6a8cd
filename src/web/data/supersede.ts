import type { Call } from '#contract/route.ts'

const pending = new Map<string, AbortController>()

/**
 * The signal that stops a call when a newer one takes its place (decisions Q108): lists without regard to the search
 * text, searches by path, metrics by address. Undefined for every other call.
 */
export function supersede(call: Call, url: string): AbortSignal | undefined {
  const key = keyOf(call, url)
  if (key === undefined) return undefined
  pending.get(key)?.abort()
  const controller = new AbortController()
  pending.set(key, controller)
  return controller.signal
}

function keyOf(call: Call, url: string): string | undefined {
  if (call.method !== 'GET') return undefined
  const [path = '', query = ''] = url.split('?')
  if (call.path.endsWith('/search')) return path
  if (call.path.startsWith('/metrics/')) return url
  if (call.output.kind !== 'json' || call.output.extra === undefined) return undefined
  const rest = new URLSearchParams(query)
  rest.delete('search')
  return `${path}?${rest.toString()}`
}
