import type { DocumentText, UnreadAttachment } from '#contract/document-texts.ts'
import { TEXT_READ_MS } from '#contract/reading-limits.ts'
import { IsolatedError, runIsolated } from '../isolated/run-isolated.ts'
import type { TextPart } from './collect-parts.ts'
import type { TextFacts } from './text-facts.ts'

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

const FAILURES = { time: 'too_slow', memory: 'too_large', ended: 'damaged', failed: 'damaged' } as const satisfies Record<
  IsolatedError['reason'],
  ExtractedText['failure']
>

/**
 * Reads the text of a local file in a process of its own, which is ended when it takes too much time or memory. What was read by then
 * is the text, marked as cut. Throws at shutdown, and if there can be no process now, never because of the file.
 */
export async function extractText(request: ExtractRequest, options: Options = {}): Promise<ExtractedText> {
  const { timeMs = TEXT_READ_MS, memoryMb: heapMb = HEAP_MB, growthMb, signal } = options
  const module = new URL('./extract-text.process.ts', import.meta.url)
  const parts: TextPart[] = []
  const ended = (failure: ExtractedText['failure']): ExtractedText =>
    parts.length === 0
      ? { ...NOTHING_KNOWN, state: 'failed', failure, parts, is_cut: false }
      : { ...NOTHING_KNOWN, state: 'done', failure: null, parts, is_cut: true }
  try {
    for await (const message of runIsolated<ExtractRequest, ExtractMessage>(module, request, { timeMs, heapMb, growthMb, signal })) {
      if (message.message === 'part') parts.push(message.part)
      else {
        const { pages, pagesWithoutText, unreadAttachments } = message.facts
        return { ...message.end, pages, pages_without_text: pagesWithoutText, unreadAttachments, parts }
      }
    }
    return ended('damaged')
  } catch (error) {
    if (signal?.aborted === true) throw new Error('Stopped at shutdown; the next try reads the document again.', { cause: error })
    if (error instanceof IsolatedError) return ended(FAILURES[error.reason])
    throw error
  }
}
