import { setImmediate as nextIteration } from 'node:timers/promises'

/** How long work may block the event loop. */
const SLICE_MS = 15

/** Returns `yieldToEventLoop`: await it between the steps of long work. It yields only when the current slice is used up. */
export function eventLoopYielder(): () => Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < sliceEnds) return
    await nextIteration()
    sliceEnds = performance.now() + SLICE_MS
  }
}

/** Runs `step` at the first call, and then at most once in a period. The calls in between do nothing. */
export function atMostEvery<A extends unknown[]>(periodMs: number, step: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  let next = -Infinity
  return async (...args) => {
    if (performance.now() < next) return
    await step(...args)
    next = performance.now() + periodMs
  }
}
