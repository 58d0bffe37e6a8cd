/** By the user, by the server or by inactivity. */
export const END_REASONS = ['signed-out', 'expired', 'inactive'] as const
export interface SessionEnd {
  reason: (typeof END_REASONS)[number]
  message: string | undefined
}

/** Events of calls and downloads that concern the whole page; the shell subscribes and decides what the user sees. */
export interface PageEvents {
  /** In this tab or another one. */
  'session-ended': SessionEnd
  throttled: { message: string }
  /** The message is that of the product; a proxy has none. */
  maintenance: { message: string | undefined }
  unreachable: null
  /** `url` is null in a tab that did not start the download. `leftOut` says which documents are missing in it. */
  'download-ready': { fileId: string; accountId: string; url: string | null; fileName: string; leftOut: string | undefined }
  /** The message is that of an archive which was made, but can't be downloaded. */
  'download-failed': { fileId: string; message?: string }
}

type Listeners = { [K in keyof PageEvents]: Set<(detail: PageEvents[K]) => void> }

const listeners: Listeners = {
  'session-ended': new Set(),
  throttled: new Set(),
  maintenance: new Set(),
  unreachable: new Set(),
  'download-ready': new Set(),
  'download-failed': new Set(),
}

export function emitPageEvent<K extends keyof PageEvents>(name: K, detail: PageEvents[K]): void {
  for (const listener of listeners[name]) listener(detail)
}

/** Returns the function that unsubscribes. */
export function onPageEvent<K extends keyof PageEvents>(name: K, listener: (detail: PageEvents[K]) => void): () => void {
  listeners[name].add(listener)
  return () => void listeners[name].delete(listener)
}

export const EXPIRED_MESSAGE = 'You have been logged out, session expired.'

/** The end of a visit without a sign-out: its tabs show the page that says so. */
export const EXPIRED: SessionEnd = { reason: 'expired', message: undefined }
