import type { Clock } from '#server/kernel/clock.ts'

/** A clock that starts at the current time and moves only when a test moves it. */
export function movingClock(): Clock & { pass(ms: number): void } {
  let now = Date.now()
  return {
    now: () => new Date(now),
    pass: (ms) => {
      now += ms
    },
  }
}
