import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { save, zip } from '../spreadsheet/spreadsheet.fixture.ts'
import type { TextPart } from './collect-parts.ts'
import type { ExtractMessage } from './extract-text.ts'
import { readText } from './read-text.ts'

/** Reads a file in this process. */
export async function read(name: string, content: Buffer | string) {
  const parts: TextPart[] = []
  let end: Extract<ExtractMessage, { message: 'end' }> | undefined
  await readText({ path: await save(name, content), name }, (message) => {
    if (message.message === 'part') parts.push(message.part)
    else end = message
  })
  return { ...end?.end, ...end?.facts, parts, texts: parts.map(({ place, text }) => [place, text]) }
}

/** A PDF with one page for each text; an empty text is an empty page. */
export function pdf(pages: readonly string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const document = new PDFDocument({ ...options, autoFirstPage: false })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  document.on('end', () => resolve(Buffer.concat(chunks)))
  for (const text of pages) document.addPage().text(text)
  document.end()
  return promise
}

/** A PDF of one page whose content unpacks to this many bytes of operators. */
export function pdfBomb(megabytes: number): Buffer {
  const content = deflateSync(Buffer.alloc(megabytes * 1024 ** 2, '(fire) Tj\n'), { level: 9 })
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
  ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`)
  const stream = `4 0 obj\n<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`
  const end = '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n'
  return Buffer.concat([Buffer.from(`%PDF-1.7\n${objects.join('')}${stream}`), content, Buffer.from(end)])
}

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A Word document with this inside of its body. */
export const word = (body: string, others: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
  zip([
    { name: 'word/document.xml', content: `<?xml version="1.0"?><w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>` },
    ...Object.entries(others).map(([name, content]) => ({ name: `word/${name}`, content })),
  ])

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** A message with attachments, as mail programs save it. */
export function email(text: string, attached: readonly { name: string; bytes: Buffer }[] = [], type = 'text/plain'): Buffer {
  const head = ['From: Dana Whitfield <dana@broker.example>', 'To: Underwriting <uw@carrier.example>', 'Subject: Renewal of Harbor Mills']
  const part = (headers: readonly string[], body: string) => `--part\r\n${headers.join('\r\n')}\r\n\r\n${body}\r\n`
  const files = attached.map(({ name, bytes }) =>
    part(
      [
        'Content-Type: application/octet-stream',
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: attachment; filename="${name}"`,
      ],
      bytes.toString('base64').replace(/(.{76})/g, '$1\r\n'),
    ),
  )
  const body = part([`Content-Type: ${type}; charset=utf-8`], text) + files.join('')
  return Buffer.from(`${head.join('\r\n')}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=part\r\n\r\n${body}--part--\r\n`)
}
