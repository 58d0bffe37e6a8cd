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
