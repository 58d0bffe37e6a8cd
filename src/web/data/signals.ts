/** What happens to calls that concerns the whole page; the shell listens and decides what a person sees. */
export interface Signals {
  /** The session ended: by the person, by the server, or by inactivity. */
  'session-ended': { reason: 'signed-out' | 'expired' | 'inactive' | 'init-failed'; message: string | undefined }
  throttled: { message: string }
  maintenance: null
  unreachable: null
  'download-ready': { fileId: string; url: string; fileName: string }
  'download-failed': { fileId: string }
}

type Listener<K extends keyof Signals> = (detail: Signals[K]) => void
type Listeners = { [K in keyof Signals]: Set<Listener<K>> }

const listeners: Listeners = {
  'session-ended': new Set(),
  throttled: new Set(),
  maintenance: new Set(),
  unreachable: new Set(),
  'download-ready': new Set(),
  'download-failed': new Set(),
}

export function emitSignal<K extends keyof Signals>(name: K, detail: Signals[K]): void {
  for (const listener of listeners[name]) listener(detail)
}

/** Returns the function that stops listening. */
export function onSignal<K extends keyof Signals>(name: K, listener: Listener<K>): () => void {
  listeners[name].add(listener)
  return () => void listeners[name].delete(listener)
}
