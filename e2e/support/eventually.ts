import { setTimeout as pause } from 'node:timers/promises'

interface Patience {
  withinMs?: number
  everyMs?: number
}

/** Asks until the answer is as wanted, and answers it; fails with the last answer when time is up. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  { withinMs = 60_000, everyMs = 200 }: Patience = {},
): Promise<T> {
  const until = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    if (Date.now() > until)
      throw new Error(`Not within ${withinMs / 1_000} s; the last answer was ${JSON.stringify(answer)?.slice(0, 600)}`)
    await pause(everyMs)
  }
}
