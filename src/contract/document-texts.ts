import { z } from 'zod'
import { Flag01, Id, call, json } from './route.ts'
import { SearchInAccountQuery } from './search.ts'

/** How far the text of a document is known. Only a document with `done` is found by its text. */
export const TEXT_STATES = ['waiting', 'reading', 'done', 'no_text', 'encrypted', 'not_supported', 'failed'] as const
export type TextState = (typeof TEXT_STATES)[number]

/** What a search of texts can say about documents: found by their text, not yet, or never. The values of the filter `text`. */
export const TEXT_GROUPS = {
  searchable: { label: 'Text can be searched', states: ['done'] },
  waiting: { label: 'Text is not read yet', states: ['waiting', 'reading'] },
  unreadable: { label: 'No text to search', states: ['no_text', 'encrypted', 'not_supported', 'failed'] },
} as const satisfies Record<string, { label: string; states: readonly TextState[] }>

/** Why a document with `failed` could not be read. */
export const TEXT_FAILURES = ['damaged', 'too_large', 'too_slow', 'missing'] as const
export type TextFailure = (typeof TEXT_FAILURES)[number]

/** Why the text of an attachment cannot be searched. */
const UNREAD_REASONS = ['encrypted', 'damaged', 'too_large', 'not_supported', 'no_text'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]

/** An attachment of an email without text to search. */
export const UnreadAttachment = z.object({ name: z.string(), reason: z.enum(UNREAD_REASONS) })
export type UnreadAttachment = z.output<typeof UnreadAttachment>

/** How much of the text of a document can be searched. */
export const DocumentText = z.object({
  state: z.enum(TEXT_STATES),
  failure: z.enum(TEXT_FAILURES).nullable(),
  /** Pages of a PDF or Word document, sheets of a workbook; null where a document has no pages. */
  pages: z.number().nullable(),
  /** Pages of a PDF that are pictures or empty. */
  pages_without_text: z.number(),
  characters: z.number(),
  /** Only the beginning was read, because of a limit. */
  is_cut: z.boolean(),
  /** Of an email: how many attachments have no text to search, and the first of them. */
  unread_attachments: z.object({ count: z.number(), first: z.array(UnreadAttachment) }),
})
export type DocumentText = z.output<typeof DocumentText>

/** A piece of text, and whether it is what was searched. */
export const ExcerptPart = z.object({ text: z.string(), is_match: z.boolean() })
export type ExcerptPart = z.output<typeof ExcerptPart>

/** Where the text of a document has the searched words. */
export const TextMatch = z.object({
  /** Of a PDF, so that the preview can open it. */
  page: z.number().nullable(),
  /** `Page 12`, `Sheet Values`, `Message`, `Attachment report.pdf, page 3`; empty for a text without parts. */
  place: z.string(),
  excerpt: z.array(ExcerptPart),
})
export type TextMatch = z.output<typeof TextMatch>

/** A document whose text has the searched words. */
export const TextHit = TextMatch.extend({ id: Id, account_id: Id, name: z.string(), account: z.string() })
export type TextHit = z.output<typeof TextHit>

/** Documents that a search of texts cannot find yet, and those that it will never find. */
export const UnreadTexts = z.object({ waiting: z.number(), unreadable: z.number() })
export type UnreadTexts = z.output<typeof UnreadTexts>

/** The text of a document without its form. */
export const PlainText = z.object({
  state: z.enum(TEXT_STATES),
  parts: z.array(z.object({ place: TextMatch.shape.place, body: z.string() })),
  /** There is more text than this. */
  is_cut: z.boolean(),
})
export type PlainText = z.output<typeof PlainText>

export const documentTextCalls = {
  searchTexts: call('GET', '/account_files/text-search', 'view_account_files', 'Find documents by the text on one of their pages', {
    query: SearchInAccountQuery,
    output: json(z.array(TextHit)),
  }),
  unreadTexts: call('GET', '/account_files/unread-texts', 'view_account_files', 'How many documents have no text to be searched', {
    query: SearchInAccountQuery.pick({ filter__account_id: true }).extend({ filter__sov: Flag01.optional() }),
    output: json(UnreadTexts),
  }),
  plainText: call('GET', '/accounts/:id/files/:file_id/text', 'preview_files', 'The text of a document, as far as it is read', {
    output: json(PlainText),
  }),
}
