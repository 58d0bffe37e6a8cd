import { afterEach, describe, expect, it, vi } from 'vitest'
import { PdfParts } from './pdf-parts.ts'

const DOCUMENT = new TextEncoder().encode('The roof was replaced in 2019.')
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

afterEach(() => vi.unstubAllGlobals())

describe('the parts that pdf.js requests', () => {
  /** `wait` ends when the store may answer. */
  function openDocument(wait: Promise<unknown>) {
    const signals: AbortSignal[] = []
    vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      await wait
      return new Response(DOCUMENT.slice(0, 4), { status: 206 })
    })
    const renew = vi.fn<() => Promise<string>>(async () => '/second')
    const onFailure = vi.fn<() => void>()
    const parts = new PdfParts({ size: DOCUMENT.length, url: '/first', renew, onFailure })
    const received = vi.fn<(part: string) => void>()
    parts.transportReady(({ begin, chunk }: { begin: number; chunk: Uint8Array }) => received(`${begin}: ${textOf(chunk)}`))
    parts.requestDataRange(0, 4)
    return { parts, received, onFailure, renew, signals }
  }

  it('arrive while the document is open', async () => {
    const { received } = openDocument(Promise.resolve())
    await vi.waitFor(() => expect(received).toHaveBeenCalledExactlyOnceWith('0: The '))
  })

  it.each(['arrives', 'fails'])('are canceled and forgotten when it is closed, also if a part still %s', async (how) => {
    const { promise, resolve, reject } = Promise.withResolvers()
    const { parts, received, onFailure, renew, signals } = openDocument(promise)
    parts.abort()
    if (how === 'arrives') resolve(null)
    else reject(new Error('offline'))
    await new Promise((done) => setTimeout(done, 10))
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    expect([received, onFailure, renew].map((call) => call.mock.calls.length)).toEqual([0, 0, 0])
  })
})
