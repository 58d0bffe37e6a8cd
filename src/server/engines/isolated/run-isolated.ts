import { fork, type ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { childEnvironment } from '#server/kernel/config.ts'
import { STOP_SIGNALS, type ChildMessage } from './isolated-process.ts'

export interface IsolationOptions {
  /** Milliseconds that the process may work; time spent by the caller is not counted. */
  timeMs: number
  heapMb: number
  /** How much the resident memory of the process may grow, which includes the heap and buffers outside of it. */
  growthMb?: number | undefined
  /** The generator throws its reason when it is aborted. */
  signal?: AbortSignal | undefined
}

/** Why a process did not finish: a limit, an end without an answer, or an error that it reported (`cause`). */
export class IsolatedError extends Error {
  readonly reason: 'time' | 'memory' | 'ended' | 'failed'

  constructor(reason: IsolatedError['reason'], cause?: Error) {
    super(`The process stopped before it had finished (${reason}).`, { cause })
    this.reason = reason
  }
}

const GROWTH_MB = 1_024
/** What is read is short-lived, so a small young generation is enough and limits the memory of the process. */
const SEMI_SPACE_MB = 4
/** The end of the error output, in which V8 says that the heap is full. */
const COMPLAINT_CHARACTERS = 16_384
const OUT_OF_MEMORY = /Allocation failed - (?:JavaScript heap|process) out of memory/

/**
 * Yields the messages of a module that calls `answerParent` in a process of its own. The process can crash without harm to this one, is
 * killed at a limit or when the caller stops early, and ends by itself when this process is gone
 * (docs/decisions/106-hostile-files-in-a-process.md).
 * @throws IsolatedError
 */
export async function* runIsolated<Request, Message>(module: URL, request: Request, options: IsolationOptions): AsyncGenerator<Message> {
  const { timeMs, heapMb, growthMb = GROWTH_MB, signal } = options
  signal?.throwIfAborted()
  const child = fork(module, [String(process.pid), String(growthMb)], {
    execArgv: [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`],
    env: childEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const complaint = readComplaint(child)
  // "close" comes after the last message, "exit" may come before it.
  const messages = on(child, 'message', { close: ['close'] })
  let remainingMs = timeMs
  try {
    tell(child, request)
    for (;;) {
      const startedMs = performance.now()
      const { done, value } = await withinLimits(messages.next(), remainingMs, signal)
      remainingMs -= performance.now() - startedMs
      if (done === true) throw endOf(child, complaint())
      const [message] = value as [ChildMessage<Message>] // what answerParent sends
      if (message.kind === 'end') return
      if (message.kind === 'failed') throw new IsolatedError('failed', errorOf(message))
      if (message.isAwaited) tell(child, 'received')
      yield message.value
    }
  } finally {
    await kill(child)
  }
}

/** If the process has ended, the message is lost, and the end is noticed by its own event. */
const tell = (child: ChildProcess, message: unknown) => child.send(message as object, () => undefined) // what structured cloning accepts

/** Reads the error output, so that the process never waits for it. */
function readComplaint({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-COMPLAINT_CHARACTERS)))
  stderr?.on('error', () => undefined)
  return () => text
}

/** A process that `kill` has not ended was killed by its own watch, or by a system without memory. */
function endOf({ signalCode }: ChildProcess, complaint: string): Error {
  // It was not ready to ignore them yet. This says nothing about what it read.
  if (STOP_SIGNALS.some((signal) => signal === signalCode)) return new Error(`The process was stopped by ${signalCode}.`)
  return new IsolatedError(signalCode === 'SIGKILL' || OUT_OF_MEMORY.test(complaint) ? 'memory' : 'ended')
}

const errorOf = ({ message, stack, code }: Extract<ChildMessage<unknown>, { kind: 'failed' }>): Error =>
  Object.assign(new Error(message), { stack }, code === undefined ? {} : { code })

async function withinLimits<T>(work: Promise<T>, timeMs: number, signal: AbortSignal | undefined): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new IsolatedError('time')), Math.max(timeMs, 0))
  const stop = () => reject(signal?.reason)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Resolves when the process is gone and has closed its files. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
