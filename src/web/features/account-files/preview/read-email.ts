import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader'
import PostalMime, { type Address } from 'postal-mime'
import { decompressRtf } from '#contract/compressed-rtf.ts'
import { charsetOfCodePage } from '#contract/email-charset.ts'
import { areMessageHeaders } from '#contract/email-headers.ts'
import { EMAIL_ATTACHMENTS_MAX, EMAIL_BODY_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { textOfRtf } from '#contract/rtf-text.ts'
import { visibleName } from '#contract/visible-names.ts'
import type { EmailAttachment, EmailMessage } from './email-message.ts'

/** The default export of this CommonJS module is the module itself where imports work as in Node.js, such as in the built page. */
const { default: MsgReader = MsgReaderModule } = MsgReaderModule as typeof MsgReaderModule & { default?: typeof MsgReaderModule }

const OLE_START = [0xd0, 0xcf, 0x11, 0xe0]
const NESTING_MAX = 20
const HEADER_MAX_BYTES = 262_144

/** Reads a message in the format of Outlook (.msg) or of the Internet (.eml). Throws for one that cannot be read. */
export async function readEmail(bytes: Uint8Array<ArrayBuffer>): Promise<EmailMessage> {
  return OLE_START.every((byte, index) => bytes[index] === byte) ? readOutlook(bytes) : readInternet(bytes)
}

const cut = (text: string | undefined): string | null => text?.slice(0, EMAIL_BODY_MAX_CHARACTERS) ?? null

const dateOf = (text: string | undefined): string | null => {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

const person = (name: string | undefined, address: string | undefined): string =>
  name && address && name !== address ? `${name} <${address}>` : address || name || ''

async function readInternet(bytes: Uint8Array<ArrayBuffer>): Promise<EmailMessage> {
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true,
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADER_MAX_BYTES,
  })
  if (!areMessageHeaders(email.headers)) throw new Error('This is not a message.')
  const people = (list: readonly Address[] = []): string =>
    list.map(({ name, address, group }) => (group ? people(group) : person(name, address))).join(', ')
  const attachments = email.attachments
    .slice(0, EMAIL_ATTACHMENTS_MAX)
    .map(({ filename, mimeType, content, contentId, disposition }, index) => ({
      id: index,
      name: visibleName(filename ?? '') || (mimeType === 'message/rfc822' ? `Message ${index + 1}.eml` : `Attachment ${index + 1}`),
      type: mimeType,
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
      contentId: disposition === 'attachment' ? null : (contentId?.replace(/^<|>$/g, '') ?? null),
    }))
  return {
    from: people(email.from ? [email.from] : []),
    to: people(email.to),
    cc: people(email.cc),
    date: dateOf(email.date),
    subject: email.subject ?? '',
    text: cut(email.text),
    html: cut(email.html),
    attachments,
    unlistedAttachments: Math.max(0, email.attachments.length - EMAIL_ATTACHMENTS_MAX),
  }
}

function readOutlook(bytes: Uint8Array<ArrayBuffer>): EmailMessage {
  const reader = new MsgReader(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const fields = reader.getFileData()
  if (fields.error !== undefined || fields.dataType !== 'msg') throw new Error(fields.error ?? 'This is not a message.')
  const recipients = (kind: string) =>
    (fields.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === kind)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
      .join(', ')
  const html = fields.html === undefined ? fields.bodyHtml : new TextDecoder(charsetOfCodePage(fields.internetCodepage)).decode(fields.html)
  return {
    from: person(fields.senderName, fields.senderSmtpAddress ?? fields.creatorSMTPAddress ?? fields.senderEmail),
    to: recipients('to'),
    cc: recipients('cc'),
    date: dateOf(fields.clientSubmitTime ?? fields.messageDeliveryTime),
    subject: fields.subject ?? '',
    text: cut(fields.body ?? (html === undefined ? formattedText(fields) : undefined)),
    html: cut(html),
    attachments: (fields.attachments ?? [])
      .slice(0, EMAIL_ATTACHMENTS_MAX)
      .map((attachment, index) => outlookAttachment(reader, attachment, index)),
    unlistedAttachments: Math.max(0, (fields.attachments ?? []).length - EMAIL_ATTACHMENTS_MAX),
  }
}

/** Some messages have nothing but formatted text of Outlook. */
const formattedText = ({ compressedRtf: rtf }: FieldsData): string | undefined =>
  rtf && textOfRtf(decompressRtf(rtf), (charset, bytes) => new TextDecoder(charset).decode(bytes))

function outlookAttachment(reader: MsgReaderModule, attachment: FieldsData, index: number): EmailAttachment {
  const { fileName, content } = reader.getAttachment(attachment)
  return {
    id: index,
    // The library adds the ending of a message, also to a name that has it.
    name:
      visibleName(fileName.replace(/(\.msg)\.msg$/i, '$1') || attachment.fileName || attachment.name || '') || `Attachment ${index + 1}`,
    type: attachment.innerMsgContent === true ? 'application/vnd.ms-outlook' : (attachment.attachMimeTag ?? 'application/octet-stream'),
    bytes: new Uint8Array(content),
    contentId: attachment.pidContentId ?? null,
  }
}
