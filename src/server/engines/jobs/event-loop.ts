import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work may hold the event loop before other requests get a turn, in milliseconds. */
const SLICE_MS = 15

/** Returns `yieldToEventLoop`; call it between the steps of long work. It waits only when the current slice is used up. */
export function eventLoopYielder(): () => Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < sliceEnds) return
    await nextTurn()
    sliceEnds = performance.now() + SLICE_MS
  }
}
