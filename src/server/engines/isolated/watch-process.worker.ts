import { workerData } from 'node:worker_threads'
import type { WatchLimits } from './isolated-process.ts'

const CHECK_MS = 100

const { parentId, memoryMaxBytes }: WatchLimits = workerData

// A thread of its own runs while the main thread reads synchronously. The parent of an orphan is another process.
setInterval(() => {
  if (process.ppid !== parentId || process.memoryUsage.rss() > memoryMaxBytes) process.kill(process.pid, 'SIGKILL')
}, CHECK_MS)
