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

export function collectGarbage(): void {
  // Contexts that are created with this flag have the function.
  setFlagsFromString('--expose-gc')
  runInNewContext(`gc({ type: 'major' })`)
  setFlagsFromString('--no-expose-gc')
}

const V8_HEAP: Heap = { usedBytes: () => process.memoryUsage().heapUsed, collect: collectGarbage }
