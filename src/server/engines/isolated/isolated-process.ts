import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { errorCode } from '#server/kernel/errors.ts'

export type ChildMessage<Message> =
  | { kind: 'value'; value: Message; isAwaited: boolean }
  | { kind: 'end' }
  | { kind: 'failed'; message: string; stack: string | undefined; code: string | undefined }

export interface WatchLimits {
  parentId: number
  memoryMaxBytes: number
}

interface Channel<Message> {
  /** Sends without waiting, for messages whose size is limited together. */
  post(message: Message): void
  /** At most one message is unread while the next is prepared, so that a slow reader slows this process down. */
  send(message: Message): Promise<void>
}

const MEGABYTE = 1024 ** 2
/** Terminals and service managers send these to all processes of a server, which decides by itself when its readers end. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The main function of a process that `runIsolated` starts. It can block the main thread; a thread that is never ended watches the
 * parent and the memory meanwhile.
 */
export async function answerParent<Request, Message>(answer: (request: Request, channel: Channel<Message>) => Promise<void>) {
  process.on('uncaughtException', fail)
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined)
  becomeFirstVictim()
  const [parentId, growthMb] = process.argv.slice(2).map(Number)
  const limits = { parentId, memoryMaxBytes: process.memoryUsage.rss() + Number(growthMb) * MEGABYTE }
  new Worker(new URL('./watch-process.worker.ts', import.meta.url), { workerData: limits })
  const [request] = (await once(process, 'message')) as [Request] // what runIsolated sends first
  let received: Promise<unknown> = Promise.resolve()
  const post = (value: Message) => tellParent({ kind: 'value', value, isAwaited: false })
  const send = async (value: Message) => {
    await received
    received = once(process, 'message')
    tellParent({ kind: 'value', value, isAwaited: true })
  }
  await answer(request, { post, send })
  // The process is killed, so Node does not write it at the end.
  flushCompileCache()
  tellParent({ kind: 'end' })
}

/** If memory is short, Linux ends the process with the highest score, which is the server if this one is smaller. */
function becomeFirstVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Another system, or one that does not allow it.
  }
}

/** The parent then kills this process. */
function fail(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  tellParent({ kind: 'failed', message, stack, code: errorCode(error) })
}

const tellParent = (message: ChildMessage<unknown>) => void process.send?.(message)
