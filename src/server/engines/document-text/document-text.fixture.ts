import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js'
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

interface OutlookMessage {
  subject: string
  text?: string
  /** In the code page of Western Windows. */
  html?: string
  /** Compressed. */
  rtf?: Buffer
  to?: readonly { name: string; email: string }[]
  attached?: readonly { name: string; bytes: Buffer }[]
  messages?: readonly OutlookMessage[]
}

/** Properties with a fixed length, after a header with this many bytes ([MS-OXMSG] 2.4). */
function fixedProperties(header: number, properties: readonly (readonly [tag: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(header + properties.length * 16)
  for (const [at, [tag, value]] of properties.entries()) {
    bytes.writeUInt32LE(tag, header + at * 16)
    bytes.writeUInt32LE(value, header + at * 16 + 8)
  }
  return bytes
}
const [TOP_HEADER, NESTED_HEADER, PART_HEADER] = [32, 24, 8]
const INTERNET_CODE_PAGE = 0x3fde0003
const WESTERN_WINDOWS = 1_252
const ATTACH_METHOD = 0x37050003
const [BY_VALUE, EMBEDDED_MESSAGE] = [1, 5]

/** An Outlook message as Outlook saves it: names in Unicode, each message within it in a storage of its own. */
export function outlookMessage(top: OutlookMessage): Buffer {
  const entries: Parameters<typeof burn>[0] = [{ name: 'Root Entry', type: TypeEnum.ROOT, length: 0, children: [] }]
  const add = (parent: number, name: string, content?: Buffer): number => {
    // The bytes in a buffer of their own, as the writer needs them.
    const file = content && { type: TypeEnum.DOCUMENT, length: content.length, binaryProvider: () => Uint8Array.from(content) }
    entries.push({ name, ...(file ?? { type: TypeEnum.DIRECTORY, length: 0, children: [] }) })
    entries[parent]?.children?.push(entries.length - 1)
    return entries.length - 1
  }
  const unicode = (value: string) => Buffer.from(value, 'utf16le')
  const number = (at: number) => `#${at.toString(16).toUpperCase().padStart(8, '0')}`
  const write = (into: number, header: number, { subject, text, html, rtf, to = [], attached = [], messages = [] }: OutlookMessage) => {
    add(into, '__properties_version1.0', fixedProperties(header, [[INTERNET_CODE_PAGE, WESTERN_WINDOWS]]))
    add(into, '__substg1.0_0037001F', unicode(subject))
    if (text !== undefined) add(into, '__substg1.0_1000001F', unicode(text))
    if (html !== undefined) add(into, '__substg1.0_10130102', Buffer.from(html, 'latin1'))
    if (rtf !== undefined) add(into, '__substg1.0_10090102', rtf)
    for (const [at, { name, email: address }] of to.entries()) {
      const folder = add(into, `__recip_version1.0_${number(at)}`)
      add(folder, '__properties_version1.0', fixedProperties(PART_HEADER, []))
      add(folder, '__substg1.0_3001001F', unicode(name))
      add(folder, '__substg1.0_3003001F', unicode(address))
    }
    const attach = (at: number, name: string, method: number): number => {
      const folder = add(into, `__attach_version1.0_${number(at)}`)
      add(folder, '__properties_version1.0', fixedProperties(PART_HEADER, [[ATTACH_METHOD, method]]))
      add(folder, '__substg1.0_3707001F', unicode(name))
      add(folder, '__substg1.0_3001001F', unicode(name))
      return folder
    }
    for (const [at, { name, bytes }] of attached.entries()) add(attach(at, name, BY_VALUE), '__substg1.0_37010102', bytes)
    for (const [at, message] of messages.entries()) {
      const folder = attach(attached.length + at, message.subject, EMBEDDED_MESSAGE)
      write(add(folder, '__substg1.0_3701000D'), NESTED_HEADER, message)
    }
  }
  write(0, TOP_HEADER, top)
  return Buffer.from(burn(entries))
}

/** An Outlook message with a subject, a text and attachments. */
export const outlook = (subject: string, text: string, attached: readonly { name: string; bytes: Buffer }[] = []): Buffer =>
  outlookMessage({ subject, text, attached })
