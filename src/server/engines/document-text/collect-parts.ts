import { TEXT_MAX_CHARACTERS, TEXT_MAX_PAGES } from '#contract/reading-limits.ts'

/** Longer pages, sheets and messages are stored in several parts. Positions of words in the index end at 16,383. */
export const TEXT_PART_CHARACTERS = 20_000

/** A page, sheet or message of a document, or a part of a long one. */
export interface TextPart {
  /** Of a PDF, from 1. */
  page: number | null
  /** As search shows it; empty for a text without pages. */
  place: string
  text: string
}

/** Thrown when a limit ends the reading; what was collected by then is the text. */
export class TextLimitReached extends Error {}

export interface PartCollector {
  /** Throws TextLimitReached. */
  add(part: TextPart): void
  /** Throws TextLimitReached if this page is beyond the limit. */
  startPage(): void
}

/** Names of sheets and attachments are as long as who made the file wants. */
const PLACE_MAX_CHARACTERS = 200

/** Passes on texts in parts of a limited length, up to the limits of a document. */
export function createPartCollector(send: (part: TextPart) => void): PartCollector {
  let characters = 0
  let pages = 0
  return {
    add({ text, page, place: longPlace }) {
      const place = cleanText(longPlace).replaceAll('\n', ' ').slice(0, PLACE_MAX_CHARACTERS)
      for (const part of splitText(cleanText(text))) {
        const room = TEXT_MAX_CHARACTERS - characters
        const taken = part.slice(0, room)
        characters += taken.length
        if (taken !== '') send({ page, place, text: taken })
        if (taken.length < part.length) throw new TextLimitReached()
      }
    },
    startPage() {
      pages += 1
      if (pages > TEXT_MAX_PAGES) throw new TextLimitReached()
    },
  }
}

/** Without what a database cannot store, and without the white space of layouts. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\u0000', '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()

/** Parts of at most TEXT_PART_CHARACTERS, divided at the end of a line or word where possible. */
export function* splitText(text: string): Generator<string> {
  let from = 0
  while (text.length - from > TEXT_PART_CHARACTERS) {
    const window = text.slice(from, from + TEXT_PART_CHARACTERS)
    const line = window.lastIndexOf('\n')
    const end = line > TEXT_PART_CHARACTERS / 2 ? line : window.lastIndexOf(' ')
    const length = end > 0 ? end + 1 : TEXT_PART_CHARACTERS
    yield text.slice(from, from + length)
    from += length
  }
  if (from < text.length) yield text.slice(from)
}
