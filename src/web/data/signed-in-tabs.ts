/** Held by every tab with a session. Locks exist in secure contexts only. */
const LOCK = 'plumbline.signed-in-tabs'

let letGo: (() => void) | undefined

/** Tells tabs that are opened from now on that this one has a session, until it has none or is closed. */
export function announceSession(hasSession: boolean): void {
  if (!hasSession) {
    letGo?.()
    letGo = undefined
  } else if (letGo === undefined && 'locks' in navigator) {
    const ended = new Promise<void>((resolve) => (letGo = resolve))
    void navigator.locks.request(LOCK, { mode: 'shared' }, () => ended)
  }
}

/** Whether another tab has a session, also one that is too busy to answer. False where the browser does not say. */
export async function isOtherTabSignedIn(): Promise<boolean> {
  if (!('locks' in navigator)) return false
  try {
    const { held = [] } = await navigator.locks.query()
    return held.some(({ name }) => name === LOCK)
  } catch {
    return false
  }
}
