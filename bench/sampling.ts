import { setTimeout as pause } from 'node:timers/promises'
import type { Started } from './processes.ts'

const TICK_MS = 10
const SETTLE_MS = 1_000

export interface Watched<T> {
  result: T
  seconds: number
  /** Largest growth of the product's resident memory in bytes. */
  grownBytes: number
  /** Longest time that the product's event loop was blocked by its own work. */
  busyMs: number
  /** Longest time between two iterations of the event loop, including waits for a CPU. */
  stallMs: number
  /** The same for this idle process: delays of the machine itself. */
  idleStallMs: number
}

/** Runs the work and samples the process of the product meanwhile. */
export async function watch<T>(product: Started, work: () => Promise<T>): Promise<Watched<T>> {
  await pause(SETTLE_MS)
  const before = Math.max(...product.samples.slice(-5).map(({ rss }) => rss))
  const from = product.samples.length
  let last = performance.now()
  let idleStallMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    idleStallMs = Math.max(idleStallMs, now - last - TICK_MS)
    last = now
  }, TICK_MS)
  const begun = performance.now()
  const result = await work()
  const seconds = (performance.now() - begun) / 1_000
  clearInterval(timer)
  await pause(2 * TICK_MS + 200)
  const seen = product.samples.slice(from)
  return {
    result,
    seconds,
    grownBytes: Math.max(0, ...seen.map(({ rss }) => rss - before)),
    busyMs: Math.max(0, ...seen.map(({ busyMs }) => busyMs)),
    stallMs: Math.max(0, ...seen.map(({ stallMs }) => stallMs)),
    idleStallMs,
  }
}
