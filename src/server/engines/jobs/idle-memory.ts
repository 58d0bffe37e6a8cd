import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const WAIT_MS = 15_000
/** With less garbage a collection is not worth its pause. */
const GROWN_BYTES = 48 * 1024 ** 2

interface Heap {
  usedBytes(): number
  collect(): void
}

/**
 * Collects the garbage that large jobs leave (docs/decisions/055-memory-after-large-jobs.md). V8 alone collects it when the process allocates
 * more, or after about 90 s without work. Call the result when a job ends.
 */
export function idleCollector(isIdle: () => boolean, { usedBytes, collect }: Heap = V8_HEAP): () => void {
  let timer: NodeJS.Timeout | undefined
  let before = usedBytes()
  const start = () => void (timer ??= setTimeout(collectIfIdle, WAIT_MS).unref())
  const collectIfIdle = () => {
    timer = undefined
    if (!isIdle()) return start()
    if (usedBytes() - before >= GROWN_BYTES) collect()
    before = Math.min(before, usedBytes())
  }
  return start
}

const LOOK_MS = 1_500
const IDLE_SHARE = 0.1

interface Quiet {
  /** The share of the time since the last call that the event loop was busy. */
  busyShare(): number
  collect(): void
}

/**
 * Collects once what only the start needed, as soon as the process had nothing to do for a moment
 * (docs/decisions/065-start-and-idle-memory.md).
 */
export function collectAfterStart({ busyShare, collect }: Quiet = thisProcess()): void {
  const look = () => (busyShare() < IDLE_SHARE ? collect() : wait())
  const wait = () => void setTimeout(look, LOOK_MS).unref()
  busyShare()
  wait()
}

/** `all` also frees what the program can make again, such as compiled code, and returns the pages at once; it takes longer. */
export function collectGarbage(what: 'garbage' | 'all' = 'garbage'): void {
  // Contexts that are created with this flag have the function.
  setFlagsFromString('--expose-gc')
  runInNewContext(what === 'all' ? `gc({ type: 'major', flavor: 'last-resort' })` : `gc({ type: 'major' })`)
  setFlagsFromString('--no-expose-gc')
}

const V8_HEAP: Heap = { usedBytes: () => process.memoryUsage().heapUsed, collect: () => collectGarbage() }

function thisProcess(): Quiet {
  let measured = performance.eventLoopUtilization()
  return {
    busyShare: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, measured)
      measured = now
      return utilization
    },
    collect: () => collectGarbage('all'),
  }
}
