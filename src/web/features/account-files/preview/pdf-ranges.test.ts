import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRangeReader } from './pdf-ranges.ts'

const DOCUMENT = new TextEncoder().encode('The roof was replaced in 2019.')

/** A store that accepts one link at a time. */
function storeWith(valid: { link: string }) {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (link: string, { headers }: { headers: { range: string } }) => {
    requests.push(`${link} ${headers.range}`)
    if (link !== valid.link) return new Response(null, { status: 403 })
    const [, begin = '', end = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range) ?? []
    return new Response(DOCUMENT.slice(Number(begin), Number(end) + 1), { status: 206 })
  })
  return requests
}
const OPEN = new AbortController().signal
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

afterEach(() => vi.unstubAllGlobals())

describe('a reader of parts of a document', () => {
  it('gets one new link for all parts that are rejected after the first link has expired', async () => {
    const valid = { link: '/first' }
    const requests = storeWith(valid)
    const renew = vi.fn<() => Promise<string>>(async () => valid.link)
    const read = createRangeReader('/first', renew, OPEN)
    expect(textOf(await read(0, 8))).toBe('The roof')
    valid.link = '/second'
    expect((await Promise.all([read(9, 12), read(13, 21)])).map(textOf)).toEqual(['was', 'replaced'])
    expect(renew).toHaveBeenCalledOnce()
    expect(textOf(await read(25, 29))).toBe('2019')
    expect(requests.at(-1)).toBe('/second bytes=25-28')
  })

  it('fails if the new link is rejected too, or there is none', async () => {
    storeWith({ link: '/none' })
    await expect(createRangeReader('/first', async () => '/second', OPEN)(0, 4)).rejects.toThrow('could not be fetched (403)')
    await expect(createRangeReader('/first', () => Promise.reject(new Error('offline')), OPEN)(0, 4)).rejects.toThrow('offline')
  })

  it('takes the part from the whole document if the store has no ranges', async () => {
    vi.stubGlobal('fetch', async () => new Response(DOCUMENT.slice()))
    expect(textOf(await createRangeReader('/first', async () => '/second', OPEN)(4, 8))).toBe('roof')
  })
})
