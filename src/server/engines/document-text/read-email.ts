import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type * as Outlook from '@kenjiuno/msgreader'
import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { decompressRtf } from '#contract/compressed-rtf.ts'
import { charsetOfCodePage } from '#contract/email-charset.ts'
import { areMessageHeaders } from '#contract/email-headers.ts'
import { textOfRtf } from '#contract/rtf-text.ts'
import { visibleName } from '#contract/visible-names.ts'
import type { PartCollector } from './collect-parts.ts'
import { mergeTexts } from './merge-texts.ts'
import { textOfHtml } from './read-html.ts'

export interface AttachedFile {
  name: string
  bytes: Uint8Array
  /** A message of Outlook within this one, whose bytes are left out: it could contain itself a thousand times. */
  isMessage?: true
}

interface Message {
  subject: string
  people: readonly string[]
  text: string
  attached: readonly AttachedFile[]
}

const MESSAGE = 'Message'
const NESTED_PARTS_MAX = 32
/** Larger attachments are copied to this name next to the message while they are read. */
const attachmentPath = (path: string) => `${path}-attachment`

/** Reads a message, then its attachments with `readAttachment`, which gets the place that search shows for them. */
export async function readEmail(
  path: string,
  kind: 'email' | 'outlook',
  collector: PartCollector,
  readAttachment: (path: string, file: AttachedFile) => Promise<void>,
): Promise<void> {
  const bytes = await readFile(path)
  const { subject, people, text, attached } = await (kind === 'email' ? parseInternetMail(bytes) : parseOutlook(bytes))
  collector.add({ page: null, place: MESSAGE, text: [subject, people.filter(Boolean).join(', '), text].join('\n') })
  for (const file of attached) {
    // The name of an attachment is text of the message, also if the attachment cannot be read.
    collector.add({ page: null, place: MESSAGE, text: file.name })
    await writeFile(attachmentPath(path), file.bytes)
    await readAttachment(attachmentPath(path), file)
  }
}

async function parseInternetMail(bytes: Uint8Array): Promise<Message> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: NESTED_PARTS_MAX,
    attachmentEncoding: 'arraybuffer',
  })
  if (!areMessageHeaders(mail.headers)) throw new Error('This is not a message.')
  return {
    subject: mail.subject ?? '',
    people: [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(personOf),
    text: await textOf(mail.text, mail.html),
    attached: mail.attachments.filter((attachment) => !isPictureInText(attachment)).flatMap(attachedFile),
  }
}

const personOf = (address: Address | undefined): string[] =>
  address === undefined ? [] : address.group === undefined ? [`${address.name} ${address.address}`.trim()] : address.group.flatMap(personOf)

/** Logos and signatures have no text that a user would miss. */
const isPictureInText = ({ contentId, disposition, mimeType }: Attachment): boolean =>
  contentId !== undefined && disposition !== 'attachment' && mimeType.startsWith('image/')

const attachedFile = ({ filename, mimeType, content }: Attachment, index: number): AttachedFile[] =>
  typeof content === 'string' ? [] : [{ name: attachmentName(filename, mimeType, index), bytes: new Uint8Array(content) }]

const attachmentName = (name: string | null | undefined, mimeType: string, index: number): string =>
  visibleName(name ?? '') || (mimeType === 'message/rfc822' ? `Message ${index + 1}.eml` : `Attachment ${index + 1}`)

async function textOf(plain: string | undefined, html: string | undefined): Promise<string> {
  const formatted = html === undefined ? '' : await textOfHtml(html)
  return mergeTexts(plain ?? '', formatted)
}

async function parseOutlook(bytes: Uint8Array): Promise<Message> {
  // The package is CommonJS with a `default` of its own, which loaders of modules treat differently.
  const { default: MsgReader } = createRequire(import.meta.url)('@kenjiuno/msgreader') as typeof Outlook.default
  const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const mail = reader.getFileData()
  if (mail.error !== undefined || mail.dataType !== 'msg') throw new Error(mail.error ?? 'This is not a message.')
  const people = [{ name: mail.senderName, email: mail.senderEmail }, ...(mail.recipients ?? [])]
  const html =
    mail.bodyHtml ?? (mail.html === undefined ? undefined : new TextDecoder(charsetOfCodePage(mail.internetCodepage)).decode(mail.html))
  return {
    subject: mail.subject ?? '',
    people: people.map(({ name = '', email = '' }) => `${name} ${email}`.trim()),
    text: await textOf(mail.body ?? (html === undefined ? formattedText(mail) : undefined), html),
    attached: (mail.attachments ?? []).map((file, index) => ({
      name: visibleName(file.fileName ?? file.name ?? '') || `Attachment ${index + 1}`,
      ...(file.innerMsgContent === true ? { bytes: new Uint8Array(), isMessage: true as const } : { bytes: contentOf(reader, file) }),
    })),
  }
}

/** Some messages have nothing but formatted text of Outlook. */
const formattedText = ({ compressedRtf: rtf }: Outlook.FieldsData): string | undefined =>
  rtf && textOfRtf(decompressRtf(rtf), (charset, bytes) => new TextDecoder(charset).decode(bytes))

/** Empty if the file has no content where it says. */
function contentOf(reader: InstanceType<typeof Outlook.default.default>, file: Outlook.FieldsData): Uint8Array {
  try {
    return reader.getAttachment(file).content
  } catch {
    return new Uint8Array()
  }
}
