import { readFile, writeFile } from 'node:fs/promises'
import type { UnreadReason } from '#contract/document-texts.ts'
import { TEXT_ATTACHED_MAX_BYTES, TEXT_ATTACHED_MESSAGES_DEPTH, TEXT_ATTACHED_MESSAGES_MAX } from '#contract/reading-limits.ts'
import { TextLimitReached, type PartCollector } from './collect-parts.ts'
import { detectKind } from './detect-kind.ts'
import { parseEmail, type AttachedFile, type Message } from './read-email.ts'
import { readHtmlFile } from './read-html.ts'
import { readPdf } from './read-pdf.ts'
import { readSheets } from './read-sheets.ts'
import { readWord } from './read-word.ts'
import { noFacts, type TextFacts } from './text-facts.ts'
import { causeOf } from './unreadable-cause.ts'

/** A message and everything attached to it. */
interface Reading {
  collector: PartCollector
  facts: TextFacts
  /** The name of the file to which an attachment is copied while it is read. */
  copy: string
  messages: number
  bytes: number
}

/** Where a message is: its own places begin with `place`, and the names of its attachments with `name`. */
interface Level {
  depth: number
  place: string
  name: string
}

/** Reads a message, then its attachments, and those of attached messages. */
export async function readMessage(path: string, kind: 'email' | 'outlook', collector: PartCollector, facts: TextFacts): Promise<void> {
  const reading = { collector, facts, copy: `${path}-attachment`, messages: 0, bytes: 0 }
  await readLevel(reading, await parseEmail(path, kind), { depth: 0, place: '', name: '' })
}

async function readLevel(reading: Reading, { subject, people, text, attached }: Message, level: Level): Promise<void> {
  const place = level.place === '' ? 'Message' : level.place
  reading.collector.add({ page: null, place, text: [subject, people.filter(Boolean).join(', '), text].join('\n') })
  for (const file of attached) {
    // The name of an attachment is text of the message, also if the attachment cannot be read.
    reading.collector.add({ page: null, place, text: file.name })
    const own = { depth: level.depth + 1, place: joined(level.place, `Attachment ${file.name}`), name: joined(level.name, file.name) }
    // A damaged or encrypted attachment does not hide the message.
    const reason = await readAttached(reading, file, own).catch((error: unknown) => {
      if (error instanceof TextLimitReached) throw error
      return causeOf(error)
    })
    if (reason !== undefined) reading.facts.unreadAttachments.push({ name: own.name, reason })
  }
}

const joined = (outer: string, inner: string): string => (outer === '' ? inner : `${outer}, ${inner}`)

/** Returns why it has no text. */
async function readAttached(reading: Reading, file: AttachedFile, level: Level): Promise<UnreadReason | undefined> {
  if ('message' in file) return readInner(reading, level, file.message)
  reading.bytes += file.bytes.length
  if (reading.bytes > TEXT_ATTACHED_MAX_BYTES) return 'too_large'
  const { copy } = reading
  await writeFile(copy, file.bytes)
  const kind = file.isMessage ? 'email' : await detectKind(copy, file.name)
  if (kind === 'email' || kind === 'outlook') return readInner(reading, level, () => parseEmail(copy, kind))
  const { collector, hasText } = watchText(reading.collector)
  if (kind === 'pdf') await readPdf(copy, collector, noFacts(), `${level.place}, page`)
  else if (kind === 'word') await readWord(copy, collector, noFacts(), `${level.place}, `)
  else if (kind === 'workbook' || kind === 'delimited') await readSheets(copy, kind, collector, noFacts(), `${level.place}, `)
  else if (kind === 'text') collector.add({ page: null, place: level.place, text: await readFile(copy, 'utf8') })
  else if (kind === 'html') collector.add({ page: null, place: level.place, text: await readHtmlFile(copy) })
  else return kind
  return hasText() ? undefined : 'no_text'
}

/** An attached message, unless it is too deep or one of too many: a message could contain itself a thousand times. */
async function readInner(reading: Reading, level: Level, parse: () => Promise<Message>): Promise<UnreadReason | undefined> {
  reading.messages += 1
  if (level.depth > TEXT_ATTACHED_MESSAGES_DEPTH || reading.messages > TEXT_ATTACHED_MESSAGES_MAX) return 'too_large'
  await readLevel(reading, await parse(), level)
  return undefined
}

function watchText(into: PartCollector) {
  let hasText = false
  const collector: PartCollector = {
    ...into,
    add(part) {
      hasText ||= part.text.trim() !== ''
      into.add(part)
    },
  }
  return { collector, hasText: () => hasText }
}
