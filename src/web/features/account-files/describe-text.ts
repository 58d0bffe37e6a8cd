import type { DocumentText, TextFailure, UnreadReason } from '#contract/document-texts.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { UNREADABLE, notSearched } from '#contract/unreadable.ts'

const FAILURES: Readonly<Record<TextFailure, string>> = {
  damaged: notSearched('damaged'),
  too_large: notSearched('too_large'),
  too_slow: 'Reading this file takes too much time, so its text cannot be searched.',
  missing: 'The stored file is missing, so its text cannot be searched.',
}

/** How much of the text of a document can be searched, and why nothing of it can. */
export function describeText(text: DocumentText): string {
  switch (text.state) {
    case 'waiting':
      return 'Not read yet'
    case 'reading':
      return 'Being read'
    case 'no_text':
      return 'This file has no text. It may be a scan.'
    case 'encrypted':
      return notSearched('encrypted')
    case 'not_supported':
      return `${notSearched('not_supported')} Search reads PDF, Word and Excel files, email and plain text.`
    case 'failed':
      return FAILURES[text.failure ?? 'damaged']
    case 'done':
      return describeRead(text)
  }
}

function describeRead({ pages, pages_without_text: blank, characters, is_cut: isCut, unread_attachments: unread }: DocumentText): string {
  const size = `${plural(characters, 'character')}${pages === null ? '' : ` on ${plural(pages, 'page or sheet', 'pages or sheets')}`}`
  const gaps = blank === 0 ? '' : ` ${formatNumber(blank)} of them ${blank === 1 ? 'is a picture or empty' : 'are pictures or empty'}.`
  return `${isCut ? 'Only the beginning was read: ' : ''}${size}.${gaps}${describeUnread(unread)}`
}

const REASONS: Readonly<Record<UnreadReason, string>> = { ...UNREADABLE, no_text: 'has no text' }

/** " 7 attachments cannot be searched: plan.pdf (is protected with a password) and 6 more." */
function describeUnread({ count, first }: DocumentText['unread_attachments']): string {
  if (count === 0) return ''
  const named = first.map(({ name, reason }) => `${name} (${REASONS[reason]})`)
  const more = count - first.length
  return ` ${plural(count, 'attachment')} cannot be searched: ${named.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}.`
}
