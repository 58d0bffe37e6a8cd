import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js'

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
