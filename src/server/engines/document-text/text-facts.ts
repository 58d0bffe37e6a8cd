import type { UnreadAttachment } from '#contract/document-texts.ts'

/** What a reader finds out about a document in addition to its text. */
export interface TextFacts {
  pages: number | null
  pagesWithoutText: number
  /** The attachments of a message that have no text to search. */
  unreadAttachments: UnreadAttachment[]
}

export const noFacts = (): TextFacts => ({ pages: null, pagesWithoutText: 0, unreadAttachments: [] })
