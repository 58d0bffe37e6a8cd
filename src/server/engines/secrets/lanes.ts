import { conflict, type AppError } from '#server/kernel/errors.ts'

interface LaneOptions {
  /** Work that runs at once, in all lanes and in one. */
  running: number
  runningPerLane: number
  /** Work that waits, in all lanes and in one. More is rejected with `full`. */
  waiting: number
  waitingPerLane: number
  full: () => AppError
}

type Start = () => void

/** What waits in each lane. The order of the lanes is the order of their turns: one that had its turn goes to the end. */
function createWaitingList() {
  const lanes = new Map<string, Start[]>()
  let size = 0
  return {
    size: (lane?: string): number => (lane === undefined ? size : (lanes.get(lane)?.length ?? 0)),
    add(lane: string, start: Start): void {
      lanes.set(lane, [...(lanes.get(lane) ?? []), start])
      size += 1
    },
    remove(lane: string, start: Start): void {
      const rest = (lanes.get(lane) ?? []).filter((other) => other !== start)
      lanes.delete(lane)
      if (rest.length > 0) lanes.set(lane, rest)
      size -= 1
    },
    /** The first of the next lane that may start work. */
    next(isFree: (lane: string) => boolean): { lane: string; start: Start } | undefined {
      for (const [lane, [start]] of lanes) if (start !== undefined && isFree(lane)) return { lane, start }
      return undefined
    },
  }
}

/**
 * A bounded queue that is fair between lanes: the next work comes from the lane that waits longest for its turn, so a lane with much
 * work delays another by one piece only. Work whose signal is aborted while it waits never starts.
 */
export function createLanes({ running: maxRunning, runningPerLane, waiting: maxWaiting, waitingPerLane, full }: LaneOptions) {
  const waiting = createWaitingList()
  const runningIn = new Map<string, number>()
  let running = 0

  const count = (lane: string, change: 1 | -1): void => {
    running += change
    const inLane = (runningIn.get(lane) ?? 0) + change
    if (inLane === 0) runningIn.delete(lane)
    else runningIn.set(lane, inLane)
  }
  const isFree = (lane: string): boolean => (runningIn.get(lane) ?? 0) < runningPerLane
  const startNext = (): void => {
    const next = running < maxRunning ? waiting.next(isFree) : undefined
    if (next === undefined) return
    waiting.remove(next.lane, next.start)
    count(next.lane, 1)
    next.start()
  }
  const turnIn = (lane: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', abandon)
        resolve()
      }
      const abandon = () => {
        waiting.remove(lane, start)
        reject(disconnected())
      }
      signal?.addEventListener('abort', abandon, { once: true })
      waiting.add(lane, start)
      startNext()
    })
  /** Whether this lane, which may hold fewer than the others, or the whole queue is full. */
  const isFull = (lane: string, inLane = waitingPerLane) => ({
    lane: waiting.size(lane) >= inLane,
    queue: waiting.size() >= maxWaiting,
  })

  return {
    isFull,
    async run<T>(lane: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted === true) throw disconnected()
      const waits = running >= maxRunning || !isFree(lane)
      const { lane: laneFull, queue: queueFull } = isFull(lane)
      // Work that starts at once takes no place, so a full queue of one lane never rejects it.
      if (waits && (laneFull || queueFull)) throw full()
      await turnIn(lane, signal)
      try {
        return await work()
      } finally {
        count(lane, -1)
        startNext()
      }
    },
  }
}

/** For the log only: the client is gone. */
const disconnected = () => conflict('The connection was closed before its turn.')
