import { readText as readChunks } from '../spreadsheet/read/read-text.ts'
import { createPartCollector, type PartCollector } from './collect-parts.ts'
import { detectKind, type DocumentKind } from './detect-kind.ts'
import type { ExtractMessage, ExtractRequest } from './extract-text.ts'
import { readPdf } from './read-pdf.ts'
import { readSheets } from './read-sheets.ts'
import { readWord } from './read-word.ts'
import { noFacts, type TextFacts } from './text-facts.ts'
import { causeOf } from './unreadable-cause.ts'

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
  else if (kind === 'html') {
    const { readHtmlFile } = await import('./read-html.ts')
    collector.add({ page: null, place: '', text: await readHtmlFile(path) })
  } else {
    const { readMessage } = await import('./read-message.ts')
    await readMessage(path, kind, collector, facts)
  }
}

async function readPlainText(path: string, collector: PartCollector): Promise<void> {
  for await (const text of wholeLines(readChunks(path))) collector.add({ page: null, place: '', text })
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
