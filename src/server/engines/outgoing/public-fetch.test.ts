import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { addressProblem, isPublicAddress, publicFetch } from './public-fetch.ts'

const GET = { method: 'GET', headers: {}, body: undefined }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server
}

describe('addresses', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001::1',
    '2001:db8::1',
    'no address',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each([
    ['https://2130706433/', [], '127.0.0.1 has no public address.'],
    ['https://0x7f.1/', [], '127.0.0.1 has no public address.'],
    ['http://login.example.com/', ['login.example.com'], 'The address must start with https://.'],
    ['ftp://login.example.com/', [], 'The address must start with https://.'],
    ['http://127.0.0.1:4970/', ['127.0.0.1'], undefined],
    ['https://10.0.0.1/', ['10.0.0.1'], undefined],
    ['https://login.example.com/', [], undefined],
  ])('%s with private hosts %j: %s', (address, privateHosts, problem) => expect(addressProblem(address, privateHosts)).toBe(problem))
})

describe('requests', () => {
  it('reach a configured private host, with method and body, and follow no redirect', async () => {
    const address = await serve((request, response) => {
      if (request.url === '/elsewhere') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      else request.pipe(response.writeHead(201, { 'content-type': 'text/plain' }))
    })
    const body = new URLSearchParams({ code: 'a b' })
    const answer = await publicFetch(`${address}/token`, { ...GET, method: 'POST', body }, ['127.0.0.1'])
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([201, 'text/plain', 'code=a+b'])
    expect((await publicFetch(`${address}/elsewhere`, GET, ['127.0.0.1'])).status).toBe(302)
  })

  it('are not made to a host that is not configured', async () => {
    let requests = 0
    const address = await serve((_request, response) => {
      requests += 1
      response.end()
    })
    await expect(publicFetch(address.replace('http', 'https'), GET, [])).rejects.toThrow('127.0.0.1 has no public address.')
    // A name is checked when its address is known.
    const named = address.replace(/^http:\/\/127\.0\.0\.1/, 'https://localhost.localdomain')
    await expect(publicFetch(named, GET, [])).rejects.toThrow()
    expect(requests).toBe(0)
  })

  it('end at the time limit with an answer that has begun and never ends', async () => {
    const address = await serve((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10)
      response.once('close', () => clearInterval(drip))
    })
    const signal = AbortSignal.timeout(100)
    await expect(publicFetch(address, { ...GET, signal }, ['127.0.0.1'])).rejects.toThrow()
  })

  it('end with an answer that is too large', async () => {
    const address = await serve((_request, response) => response.end(Buffer.alloc(1_048_577)))
    await expect(publicFetch(address, GET, ['127.0.0.1'])).rejects.toThrow('The answer is too large.')
  })
})
