/** What closes once, like a connection. */
export interface Closing {
  once(event: 'close', listener: () => void): unknown
}

/** The open connections of this process by key, such as a user; at most `max` of each. */
export function createSlots<C extends Closing>(max: number) {
  const open = new Map<string, Set<C>>()
  return {
    isFull: (key: string): boolean => (open.get(key)?.size ?? 0) >= max,
    /** Until the connection closes. Returns false if all slots are taken by others. */
    take(key: string, connection: C): boolean {
      const taken = open.get(key) ?? new Set<C>()
      if (taken.has(connection)) return true
      if (taken.size >= max) return false
      open.set(key, taken.add(connection))
      connection.once('close', () => {
        taken.delete(connection)
        if (taken.size === 0) open.delete(key)
      })
      return true
    },
  }
}
