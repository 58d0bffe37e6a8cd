import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Config } from '#server/kernel/config.ts'

/** What closes once, like a connection. */
interface Closing {
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

const bitsOf = (mask: string): number =>
  isIPv4(mask) ? mask.split('.').reduce((bits, byte) => bits + Number(byte).toString(2).replaceAll('0', '').length, 0) : Number(mask)

function addressList(text: string): BlockList {
  const addresses = new BlockList()
  for (const entry of text.split(/[,\s]+/).filter((part) => part !== '')) {
    const [address = '', mask] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (mask === undefined) addresses.addAddress(address, family)
    else addresses.addSubnet(address, bitsOf(mask), family)
  }
  return addresses
}

/** Whether an address is a trusted proxy; `hop` counts from this server. */
export function proxyCheck(trusted: Config['trustProxy']): (address: string, hop: number) => boolean {
  const proxies = typeof trusted === 'string' ? addressList(trusted) : undefined
  return (address, hop) =>
    typeof trusted === 'number' ? hop < trusted : isIP(address) !== 0 && proxies?.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') === true
}

/**
 * Reads the address of the client from a request that Fastify does not handle, by the same rule: the nearest one that is not a trusted
 * proxy.
 */
export function addressReader(trusted: Config['trustProxy']): (request: IncomingMessage) => string {
  const isProxy = proxyCheck(trusted)
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((address) => address.trim())
    const hops = [socket.remoteAddress ?? '', ...forwarded.filter((address) => address !== '').toReversed()]
    return hops.find((address, hop) => !isProxy(address, hop)) ?? hops.at(-1) ?? ''
  }
}
