import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long long work may keep the event loop to itself before others get a turn, in milliseconds. */
const SLICE_MS = 15

/** Call between steps of long work: gives the event loop a turn once a slice of time is used up. */
export function takingTurns(): () => Promise<void> {
  let turnEnds = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < turnEnds) return
    await nextTurn()
    turnEnds = performance.now() + SLICE_MS
  }
}
