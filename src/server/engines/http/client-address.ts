import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Config } from '#server/kernel/config.ts'

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
