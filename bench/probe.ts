// Loaded into the product with --import: reports memory and blocking of the event loop to the parent process.
import { isMainThread } from 'node:worker_threads'
import type { Sample } from './processes.ts'

const TICK_MS = 10
const TELL_EVERY_MS = 100

/** CPU milliseconds of this thread. */
const busy = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

if (isMainThread && process.send !== undefined) {
  let last = performance.now()
  let worked = busy()
  let longest = 0
  let busiest = 0
  setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - TICK_MS)
    last = now
    busiest = Math.max(busiest, busy() - worked)
    worked = busy()
  }, TICK_MS).unref()
  setInterval(() => {
    const sample: Sample = { rss: process.memoryUsage.rss(), stallMs: longest, busyMs: busiest }
    longest = 0
    busiest = 0
    if (process.connected) process.send?.(sample)
  }, TELL_EVERY_MS).unref()
  process.channel?.unref()
}
