/** Whether the machine is online, and how to wait; the tests bring their own. */
export interface Connection {
  isOnline(): boolean
  /** Resolves when the machine is online; rejects with the signal's reason. */
  whenOnline(signal: AbortSignal): Promise<void>
  /** Resolves after `ms`, or at once when the machine comes online meanwhile. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

const onlineOrAfter = (ms: number | null, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const timer = ms === null ? undefined : setTimeout(finish, ms)
    function finish() {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    function stop() {
      finish()
    }
    window.addEventListener('online', finish)
    signal.addEventListener('abort', stop)
  })

export const browserConnection: Connection = {
  isOnline: () => navigator.onLine,
  whenOnline: async (signal) => {
    if (!navigator.onLine) await onlineOrAfter(null, signal)
  },
  pause: (ms, signal) => onlineOrAfter(ms, signal),
}
