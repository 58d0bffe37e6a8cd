import { SECOND_MS, UPLOAD_SPEED_WINDOW_MS } from '#contract/limits.ts'

/** Bytes a second over the last seconds, from samples of the bytes sent in all. */
export function speedMeter(now: () => number) {
  let samples: { at: number; sent: number }[] = []
  return {
    /** Adds a sample and answers the speed; 0 until there are two. A total that shrinks (a file left the list) starts anew. */
    sample(sent: number): number {
      const at = now()
      if (sent < (samples.at(-1)?.sent ?? 0)) samples = []
      samples = [...samples.filter((old) => at - old.at <= UPLOAD_SPEED_WINDOW_MS), { at, sent }]
      const first = samples[0]
      if (!first || at === first.at) return 0
      return ((sent - first.sent) / (at - first.at)) * SECOND_MS
    },
  }
}
