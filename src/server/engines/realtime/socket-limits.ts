import type { Closing } from '../http/connection-slots.ts'

/**
 * The connections that have not signed in. Above the limits the oldest of the network, or of all, is closed instead of the new one: pages sign
 * in at once, so a client that only opens connections closes its own.
 */
export function createAnonymousSlots<C extends Closing>({
  perNetwork,
  total,
  close,
}: {
  perNetwork: number
  total: number
  close(connection: C): void
}) {
  const open = new Map<C, string>()
  const oldestAbove = (network: string): C | undefined => {
    const ofNetwork = [...open.keys()].filter((connection) => open.get(connection) === network)
    if (ofNetwork.length >= perNetwork) return ofNetwork[0]
    return open.size >= total ? open.keys().next().value : undefined
  }
  const release = (connection: C) => void open.delete(connection)
  return {
    release,
    take(network: string, connection: C): void {
      const oldest = oldestAbove(network)
      if (oldest !== undefined) {
        release(oldest)
        close(oldest)
      }
      open.set(connection, network)
      connection.once('close', () => release(connection))
    },
  }
}
