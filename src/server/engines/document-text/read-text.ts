import { readFile } from 'node:fs/promises'
import type { UnreadReason } from '#contract/document-texts.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readText as readChunks } from '../spreadsheet/read/read-text.ts'
import { createPartCollector, TextLimitReached, type PartCollector } from './collect-parts.ts'
import { detectKind, type DocumentKind } from './detect-kind.ts'
import type { ExtractMessage, ExtractRequest, TextFacts } from './extract-text.ts'
import { EncryptedDocument, readPdf } from './read-pdf.ts'
import { readSheets } from './read-sheets.ts'
import { readWord } from './read-word.ts'

const noFacts = (): TextFacts => ({ pages: null, pagesWithoutText: 0, unreadAttachments: [] })

type End = Extract<ExtractMessage, { message: 'end' }>['end']

const end = (state: End['state'], failure: End['failure'] = null): End => ({ state, failure, is_cut: false })

/** Reads the text of a file on this thread, which it may block for long and use much memory of; the server uses `extractText`. */
export async function readText({ path, name }: ExtractRequest, send: (message: ExtractMessage) => void): Promise<void> {
  const facts = noFacts()
  let hasText = false
  const collector = createPartCollector((part) => {
    hasText = true
    send({ message: 'part', part })
  })
  const kind = await detectKind(path, name).catch(causeOf)
  const finish = (result: End) => send({ message: 'end', end: result, facts })
  if (kind === 'damaged' || kind === 'too_large') return finish(end('failed', kind))
  if (kind === 'encrypted' || kind === 'not_supported') return finish(end(kind))
  try {
    await readKind(kind, path, collector, facts)
    finish(end(hasText ? 'done' : 'no_text'))
  } catch (error) {
    const cause = causeOf(error)
    if (cause === 'encrypted') finish(end('encrypted'))
    else if (hasText) finish({ ...end('done'), is_cut: true })
    else finish(end('failed', cause))
  }
}

/** Libraries that few documents need are loaded with the first one, because each document has a process of its own. */
async function readKind(kind: DocumentKind, path: string, collector: PartCollector, facts: TextFacts): Promise<void> {
  if (kind === 'pdf') await readPdf(path, collector, facts)
  else if (kind === 'word') await readWord(path, collector, facts)
  else if (kind === 'workbook' || kind === 'delimited') await readSheets(path, kind, collector, facts)
  else if (kind === 'text') await readPlainText(path, collector)
  else if (kind === 'html') collector.add({ page: null, place: '', text: await readHtml(path) })
  else {
    const { readEmail } = await import('./read-email.ts')
    await readEmail(path, kind, collector, async (attachment, { name, isMessage = false }) => {
      // A damaged or encrypted attachment does not hide the message.
      const reason = isMessage
        ? 'not_supported'
        : await readAttachment(attachment, name, collector).catch((error) => {
            if (error instanceof TextLimitReached) throw error
            return causeOf(error)
          })
      if (reason !== undefined) facts.unreadAttachments.push({ name, reason })
    })
  }
}

function causeOf(error: unknown): 'encrypted' | 'too_large' | 'damaged' {
  if (error instanceof EncryptedDocument) return 'encrypted'
  return error instanceof AppError && error.kind === 'too_large' ? 'too_large' : 'damaged'
}

/** Returns why it has no text. Attached messages are not read: a message could contain itself a thousand times. */
async function readAttachment(path: string, name: string, into: PartCollector): Promise<UnreadReason | undefined> {
  const kind = await detectKind(path, name)
  const place = `Attachment ${name}`
  const facts = noFacts()
  let hasText = false
  const collector: PartCollector = {
    ...into,
    add(part) {
      hasText ||= part.text.trim() !== ''
      into.add(part)
    },
  }
  if (kind === 'pdf') await readPdf(path, collector, facts, `${place}, page`)
  else if (kind === 'word') await readWord(path, collector, facts, `${place}, `)
  else if (kind === 'workbook' || kind === 'delimited') await readSheets(path, kind, collector, facts, `${place}, `)
  else if (kind === 'text') collector.add({ page: null, place, text: await readFile(path, 'utf8') })
  else if (kind === 'html') collector.add({ page: null, place, text: await readHtml(path) })
  else return kind === 'encrypted' || kind === 'damaged' ? kind : 'not_supported'
  return hasText ? undefined : 'no_text'
}

async function readPlainText(path: string, collector: PartCollector): Promise<void> {
  for await (const text of wholeLines(readChunks(path))) collector.add({ page: null, place: '', text })
}

async function readHtml(path: string): Promise<string> {
  let page = ''
  for await (const text of readChunks(path)) page += text
  const { textOfHtml } = await import('./read-html.ts')
  return textOfHtml(page)
}

/** Chunks of a text joined to at least this length, so that the parts of the index are not tiny. */
const CHUNK_CHARACTERS = 200_000

async function* wholeLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length < CHUNK_CHARACTERS) continue
    yield text
    text = ''
  }
  yield text
}
