import type { DocumentText, TextFailure } from '#contract/document-texts.ts'
import { formatNumber, plural } from '#contract/format.ts'

const FAILURES: Readonly<Record<TextFailure, string>> = {
  damaged: 'Could not be read: the file is damaged.',
  too_large: 'Could not be read: the file is too large.',
  too_slow: 'Could not be read: it takes too much time.',
  missing: 'Could not be read: the stored file is missing.',
}

/** How much of the text of a document can be searched, and why nothing of it can. */
export function describeText(text: DocumentText): string {
  switch (text.state) {
    case 'waiting':
      return 'Not read yet'
    case 'reading':
      return 'Being read'
    case 'no_text':
      return 'The file has no text. It may be a scan.'
    case 'encrypted':
      return 'Could not be read: the file needs a password.'
    case 'not_supported':
      return 'Not read: search reads PDF, Word and Excel files, email and plain text.'
    case 'failed':
      return FAILURES[text.failure ?? 'damaged']
    case 'done':
      return describeRead(text)
  }
}

function describeRead({ pages, pages_without_text: blank, characters, is_cut: isCut }: DocumentText): string {
  const size = `${plural(characters, 'character')}${pages === null ? '' : ` on ${plural(pages, 'page or sheet', 'pages or sheets')}`}`
  const gaps = blank === 0 ? '' : ` ${formatNumber(blank)} of them ${blank === 1 ? 'is a picture or empty' : 'are pictures or empty'}.`
  return isCut ? `Only the beginning was read: ${size}.${gaps}` : `${size}.${gaps}`
}
