import { setTimeout as pause } from 'node:timers/promises'

interface Polling {
  withinMs?: number
  everyMs?: number
}

/** Repeats the request until the result is as wanted and returns it; fails with the last result after `withinMs`. */
export async function eventually<T>(
  request: () => Promise<T>,
  wanted: (result: T) => boolean,
  { withinMs = 60_000, everyMs = 200 }: Polling = {},
): Promise<T> {
  const until = Date.now() + withinMs
  for (;;) {
    const result = await request()
    if (wanted(result)) return result
    if (Date.now() > until)
      throw new Error(`Not within ${withinMs / 1_000} s; the last result was ${JSON.stringify(result)?.slice(0, 600)}`)
    await pause(everyMs)
  }
}
