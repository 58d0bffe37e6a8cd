import { Worker } from 'node:worker_threads'
import type { DocumentText, UnreadAttachment } from '#contract/document-texts.ts'
import { TEXT_READ_MS } from '#contract/reading-limits.ts'
import { errorCode } from '#server/kernel/errors.ts'
import type { TextPart } from './collect-parts.ts'

/** What a reader finds out about a document in addition to its text. */
export interface TextFacts {
  pages: number | null
  pagesWithoutText: number
  /** The attachments of a message that have no text to search. */
  unreadAttachments: UnreadAttachment[]
}

export interface ExtractedText extends Pick<DocumentText, 'failure' | 'pages' | 'pages_without_text' | 'is_cut'> {
  state: Exclude<DocumentText['state'], 'waiting' | 'reading'>
  parts: TextPart[]
  unreadAttachments: UnreadAttachment[]
}

export interface ExtractRequest {
  path: string
  /** The name of the document, which distinguishes kinds of text. */
  name: string
}

export type ExtractMessage =
  { message: 'part'; part: TextPart } | { message: 'end'; end: Pick<ExtractedText, 'state' | 'failure' | 'is_cut'>; facts: TextFacts }

interface Options {
  /** Aborted at shutdown: `extractText` then throws. */
  signal?: AbortSignal
  timeMs?: number
  memoryMb?: number
  growthMb?: number
}

const NOTHING_KNOWN = { pages: null, pages_without_text: 0, unreadAttachments: [] } as const satisfies Partial<ExtractedText>

const HEAP_MB = 384
/** How much the memory of the process may grow. */
const GROWTH_MB = 1_024
const MEGABYTE = 1024 ** 2
const MEMORY_CHECK_MS = 100
/** Texts are short-lived, so a small young generation is enough. */
const YOUNG_MEMORY_MB = 16

/**
 * Reads the text of a local file in a worker thread of its own, which is ended when it takes too much time or memory. What was read by then
 * is the text, marked as cut. Throws only at shutdown, never because of the file.
 */
export async function extractText(request: ExtractRequest, options: Options = {}): Promise<ExtractedText> {
  const { timeMs = TEXT_READ_MS, memoryMb = HEAP_MB, growthMb = GROWTH_MB } = options
  const worker = new Worker(new URL('./extract-text.worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
  })
  const parts: TextPart[] = []
  const ended = (failure: ExtractedText['failure']): ExtractedText =>
    parts.length === 0
      ? { ...NOTHING_KNOWN, state: 'failed', failure, parts, is_cut: false }
      : { ...NOTHING_KNOWN, state: 'done', failure: null, parts, is_cut: true }
  const { promise, resolve, reject } = Promise.withResolvers<ExtractedText>()
  const stop = () => reject(new Error('Stopped at shutdown; the next try reads the document again.'))
  worker.on('message', (message: ExtractMessage) => {
    if (message.message === 'part') parts.push(message.part)
    else {
      const { pages, pagesWithoutText, unreadAttachments } = message.facts
      resolve({ ...message.end, pages, pages_without_text: pagesWithoutText, unreadAttachments, parts })
    }
  })
  worker.on('error', (error) => resolve(ended(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'damaged')))
  worker.on('exit', () => resolve(ended('damaged')))
  const timer = setTimeout(() => resolve(ended('too_slow')), timeMs)
  // Buffers are outside the heap, so the limit of the worker does not count them.
  const memoryMax = process.memoryUsage.rss() + growthMb * MEGABYTE
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryMax) resolve(ended('too_large'))
  }, MEMORY_CHECK_MS)
  options.signal?.addEventListener('abort', stop)
  try {
    if (options.signal?.aborted === true) stop()
    return await promise
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', stop)
    clearInterval(watch)
    await worker.terminate()
  }
}
