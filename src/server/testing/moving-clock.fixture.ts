import type { Clock } from '#server/kernel/clock.ts'

/** A clock that stands at a moment near the real one until a test moves it. */
export function movingClock(): Clock & { pass(ms: number): void } {
  let now = Date.now()
  return {
    now: () => new Date(now),
    pass: (ms) => {
      now += ms
    },
  }
}
