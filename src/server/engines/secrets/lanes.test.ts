import { describe, expect, it } from 'vitest'
import { throttled } from '#server/kernel/errors.ts'
import { createLanes } from './lanes.ts'

const options = { running: 1, runningPerLane: 1, waiting: 10, waitingPerLane: 3, full: () => throttled('Full.', 1) }
/** Work that runs until `end` is called. */
function controlled(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async () => {
    log.push(name)
    await promise
    return name
  }
  return { work, end: resolve }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a queue with lanes', () => {
  it('gives each lane its turn', async () => {
    const lanes = createLanes(options)
    const log: string[] = []
    const work = (name: string) => async () => void log.push(name)
    await Promise.all([
      lanes.run('a', work('a1')),
      lanes.run('a', work('a2')),
      lanes.run('a', work('a3')),
      lanes.run('b', work('b1')),
      lanes.run('c', work('c1')),
    ])
    expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  it('rejects more work than a lane may hold, and accepts it in another', async () => {
    const lanes = createLanes(options)
    const first = controlled([], 'first')
    const all = [lanes.run('a', first.work), ...Array.from({ length: 3 }, () => lanes.run('a', async () => 'next'))]
    await expect(lanes.run('a', async () => 'more')).rejects.toThrow('Full.')
    const other = lanes.run('b', async () => 'other')
    first.end()
    expect(await Promise.all([...all, other])).toEqual(['first', 'next', 'next', 'next', 'other'])
  })

  it('runs one piece of work of a lane at a time, and other lanes next to it', async () => {
    const lanes = createLanes({ ...options, running: 5 })
    const log: string[] = []
    const [one, two, three] = [controlled(log, 'a1'), controlled(log, 'a2'), controlled(log, 'b1')]
    const all = [lanes.run('a', one.work), lanes.run('a', two.work), lanes.run('b', three.work)]
    await settle()
    expect(log).toEqual(['a1', 'b1'])
    for (const { end } of [one, two, three]) end()
    await Promise.all(all)
    expect(log).toEqual(['a1', 'b1', 'a2'])
  })

  it('starts work of a free lane at once, even when the whole queue is full', async () => {
    const lanes = createLanes({ ...options, running: 5, waiting: 1 })
    const log: string[] = []
    const first = controlled(log, 'first')
    const all = [lanes.run('a', first.work), lanes.run('a', async () => 'waits')]
    await expect(lanes.run('a', async () => 'more')).rejects.toThrow('Full.')
    expect(await lanes.run('b', async () => 'other')).toBe('other')
    first.end()
    expect(await Promise.all(all)).toEqual(['first', 'waits'])
  })

  it('drops waiting work whose signal is aborted, and continues after work that failed', async () => {
    const lanes = createLanes(options)
    const log: string[] = []
    const first = controlled(log, 'first')
    const closing = new AbortController()
    const failing = lanes.run('a', async () => {
      await first.work()
      throw new Error('It failed.')
    })
    const dropped = lanes.run('a', controlled(log, 'dropped').work, closing.signal)
    const last = lanes.run('a', async () => 'last', closing.signal)
    closing.abort()
    await expect(dropped).rejects.toThrow('The connection was closed')
    await expect(last).rejects.toThrow('The connection was closed')
    first.end()
    await expect(failing).rejects.toThrow('It failed.')
    await expect(lanes.run('a', async () => 'next', closing.signal)).rejects.toThrow('The connection was closed')
    expect(await lanes.run('a', async () => 'next')).toBe('next')
    expect(log).toEqual(['first'])
  })
})
