import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectAfterStart, collectGarbage, idleCollector } from './idle-memory.ts'

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

it('collects the garbage of V8', async () => {
  vi.useRealTimers()
  const garbage = new WeakRef({})
  // A WeakRef holds its object until the end of the present task.
  await setImmediate()
  collectGarbage()
  expect(garbage.deref()).toBeUndefined()
})

it('collects once after the start, as soon as the process is not busy', () => {
  let share = 0.5
  collectAfterStart({ busyShare: () => share, collect })
  vi.advanceTimersByTime(20_000)
  expect(collect).not.toHaveBeenCalled()
  share = 0.01
  vi.advanceTimersByTime(60_000)
  expect(collect).toHaveBeenCalledTimes(1)
})

it('collects garbage with all that can be made again', async () => {
  vi.useRealTimers()
  const garbage = new WeakRef({})
  await setImmediate()
  collectGarbage('all')
  expect(garbage.deref()).toBeUndefined()
})
