import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressReader } from './client-address.ts'

const request = (peer: string, forwarded?: string) =>
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

describe('the address of a client', () => {
  it.each([
    [false, '198.51.100.4', '203.0.113.7', '198.51.100.4'],
    [1, '198.51.100.4', '192.0.2.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.4', '192.0.2.1, 203.0.113.7', '192.0.2.1'],
    [1, '198.51.100.4', undefined, '198.51.100.4'],
    ['10.0.0.0/8, ::1', '10.1.2.3', '192.0.2.1, 203.0.113.7, ::1', '203.0.113.7'],
    ['10.0.0.0/255.0.0.0', '::ffff:10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['10.0.0.0/8', '198.51.100.4', '203.0.113.7', '198.51.100.4'],
    ['10.0.0.0/8', '10.1.2.3', 'unknown', 'unknown'],
  ] as const)('with the trusted proxies %s, from %s with the header %s, is %s', (trusted, peer, forwarded, address) => {
    expect(addressReader(trusted)(request(peer, forwarded))).toBe(address)
  })
})
