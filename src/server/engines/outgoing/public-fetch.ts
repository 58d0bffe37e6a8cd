import { lookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SECOND_MS } from '#contract/limits.ts'

const ANSWER_MAX_BYTES = 1_048_576
const TIMEOUT_MS = 10 * SECOND_MS

/** Addresses of version 4 that are not on the public internet. */
const RESERVED = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Within the public addresses of version 6: examples, and tunnels that lead to an address of version 4. */
const RESERVED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const PUBLIC_6 = ['2000::/3']

function listOf(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const [network = '', prefix] of subnets.map((subnet) => subnet.split('/'))) list.addSubnet(network, Number(prefix), family)
  return list
}

const reserved4 = listOf('ipv4', RESERVED)
const reserved6 = listOf('ipv6', RESERVED_6)
const public6 = listOf('ipv6', PUBLIC_6)

/** Whether the address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !reserved4.check(address)
  return family === 6 && public6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6')
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '').toLowerCase()
const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/**
 * Why the server makes no requests to this address; undefined if it does. `privateHosts` are those that may be on a private network; one
 * of them on this machine may use http.
 */
export function addressProblem(address: string, privateHosts: readonly string[]): string | undefined {
  const { hostname, protocol } = new URL(address)
  const host = bare(hostname)
  const isConfigured = privateHosts.includes(host)
  if (protocol !== 'https:' && !(protocol === 'http:' && isConfigured && isLoopback(host))) return 'The address must start with https://.'
  if (!isConfigured && (isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host)))) return noPublicAddress(host)
  return undefined
}

const noPublicAddress = (host: string) => `${host} has no public address.`

/** Checked when the connection is made, so that a name cannot lead elsewhere after a check. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const [first, ...others] = error === null ? found.filter(({ address }) => isPublicAddress(address)) : []
    if (error !== null) callback(error, [])
    else if (first === undefined) callback(new Error(noPublicAddress(hostname)), [])
    else if (options.all === true) callback(null, [first, ...others])
    else callback(null, first.address, first.family)
  })
}

interface OutgoingRequest {
  method: string
  headers: Record<string, string>
  body: unknown
  signal?: AbortSignal | undefined
}

/**
 * A request to an address that a user entered. Only to public addresses and `privateHosts`, without redirects, and with a limit of time and
 * size. Throws an error with a sentence for an address that is not allowed.
 */
export async function publicFetch(address: string, sent: OutgoingRequest, privateHosts: readonly string[]): Promise<Response> {
  const problem = addressProblem(address, privateHosts)
  if (problem !== undefined) throw new Error(problem)
  const { status, headers, body } = await answerOf(new URL(address), sent, privateHosts)
  return new Response([101, 204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers })
}

async function answerOf(url: URL, { method, headers, body, signal }: OutgoingRequest, privateHosts: readonly string[]) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const options = {
    method,
    headers,
    agent: false,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(!privateHosts.includes(bare(url.hostname)) && { lookup: lookupPublic }),
  }
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, resolve)
    request.once('error', reject)
    if (typeof body === 'string' || body instanceof URLSearchParams) request.end(body.toString())
    else request.end()
  })
  let size = 0
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) answer.destroy(new Error('The answer is too large.'))
  })
  const type = answer.headers['content-type']
  return { status: answer.statusCode ?? 0, headers: type === undefined ? {} : { 'content-type': type }, body: await buffer(answer) }
}
