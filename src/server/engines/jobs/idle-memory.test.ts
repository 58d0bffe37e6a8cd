import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { idleCollector } from './idle-memory.ts'

const MB = 1024 ** 2
let used = 0
let idle = true
const collect = vi.fn<() => void>(() => void (used = 60 * MB))
beforeEach(() => {
  vi.useFakeTimers()
  collect.mockClear()
  used = 50 * MB
  idle = true
})
afterEach(() => void vi.useRealTimers())
const open = () => idleCollector(() => idle, { usedBytes: () => used, collect })

it('collects once within 20 seconds after a job that left much garbage', () => {
  const jobEnded = open()
  used = 300 * MB
  jobEnded()
  jobEnded()
  vi.advanceTimersByTime(5_000)
  expect(collect).not.toHaveBeenCalled()
  vi.advanceTimersByTime(15_000)
  expect(collect).toHaveBeenCalledTimes(1)
  jobEnded()
  vi.advanceTimersByTime(60_000)
  expect(collect).toHaveBeenCalledTimes(1)
})

it('does not collect after small jobs', () => {
  const jobEnded = open()
  used = 80 * MB
  jobEnded()
  vi.advanceTimersByTime(60_000)
  expect(collect).not.toHaveBeenCalled()
})

it('waits until no job runs', () => {
  const jobEnded = open()
  used = 300 * MB
  idle = false
  jobEnded()
  vi.advanceTimersByTime(60_000)
  expect(collect).not.toHaveBeenCalled()
  idle = true
  vi.advanceTimersByTime(15_000)
  expect(collect).toHaveBeenCalledTimes(1)
})

it('collects garbage in V8', async () => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const jobEnded = idleCollector(() => true)
  let garbage: unknown[] | undefined = Array.from({ length: 1_500_000 }, (_, at) => ({ at }))
  expect(garbage).toHaveLength(1_500_000)
  garbage = undefined
  const before = process.memoryUsage().heapUsed
  jobEnded()
  vi.advanceTimersByTime(20_000)
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(40 * MB)
})
