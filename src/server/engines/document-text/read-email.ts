import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type * as Outlook from '@kenjiuno/msgreader'
import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { decompressRtf } from '#contract/compressed-rtf.ts'
import { charsetOfCodePage } from '#contract/email-charset.ts'
import { areMessageHeaders } from '#contract/email-headers.ts'
import { textOfRtf } from '#contract/rtf-text.ts'
import { visibleName } from '#contract/visible-names.ts'
import { mergeTexts } from './merge-texts.ts'
import { textOfHtml } from './read-html.ts'

/** An attachment as bytes, or a message that the file of Outlook holds in parts. */
export type AttachedFile = { name: string } & ({ bytes: Uint8Array; isMessage: boolean } | { message: () => Promise<Message> })

export interface Message {
  subject: string
  people: readonly string[]
  text: string
  attached: readonly AttachedFile[]
}

const NESTED_PARTS_MAX = 32
const MESSAGE_TYPE = 'message/rfc822'

/** Throws for a file that is not a message. */
export async function parseEmail(path: string, kind: 'email' | 'outlook'): Promise<Message> {
  const bytes = await readFile(path)
  return kind === 'email' ? parseInternetMail(bytes) : parseOutlook(bytes)
}

async function parseInternetMail(bytes: Uint8Array): Promise<Message> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: NESTED_PARTS_MAX,
    attachmentEncoding: 'arraybuffer',
    // Otherwise the text and the attachments of an attached message become those of this one, up to a depth.
    forceRfc822Attachments: true,
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
  typeof content === 'string'
    ? []
    : [
        {
          name: attachmentName(filename, mimeType, index),
          bytes: new Uint8Array(content),
          isMessage: mimeType === MESSAGE_TYPE,
        },
      ]

const attachmentName = (name: string | null | undefined, mimeType: string, index: number): string =>
  visibleName(name ?? '') || (mimeType === MESSAGE_TYPE ? `Message ${index + 1}.eml` : `Attachment ${index + 1}`)

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
  return outlookMessage(reader, mail)
}

type OutlookReader = InstanceType<typeof Outlook.default.default>

async function outlookMessage(reader: OutlookReader, mail: Outlook.FieldsData): Promise<Message> {
  const people = [{ name: mail.senderName, email: mail.senderEmail }, ...(mail.recipients ?? [])]
  const html =
    mail.bodyHtml ?? (mail.html === undefined ? undefined : new TextDecoder(charsetOfCodePage(mail.internetCodepage)).decode(mail.html))
  return {
    subject: mail.subject ?? '',
    people: people.map(({ name = '', email = '' }) => `${name} ${email}`.trim()),
    text: await textOf(mail.body ?? (html === undefined ? formattedText(mail) : undefined), html),
    attached: (mail.attachments ?? []).map((file, index) => outlookAttachment(reader, file, index)),
  }
}

function outlookAttachment(reader: OutlookReader, file: Outlook.FieldsData, index: number): AttachedFile {
  const name = visibleName(file.fileName ?? file.name ?? '') || `Attachment ${index + 1}`
  const inner = file.innerMsgContent === true ? file.innerMsgContentFields : undefined
  // Read when its turn comes, because a hostile file can hold the same message any number of times.
  return inner === undefined
    ? { name, bytes: contentOf(reader, file), isMessage: false }
    : { name, message: () => outlookMessage(reader, inner) }
}

/** Some messages have nothing but formatted text of Outlook. */
const formattedText = ({ compressedRtf: rtf }: Outlook.FieldsData): string | undefined =>
  rtf && textOfRtf(decompressRtf(rtf), (charset, bytes) => new TextDecoder(charset).decode(bytes))

/** Empty if the file has no content where it says. */
function contentOf(reader: OutlookReader, file: Outlook.FieldsData): Uint8Array {
  try {
    return reader.getAttachment(file).content
  } catch {
    return new Uint8Array()
  }
}
