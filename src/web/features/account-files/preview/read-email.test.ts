import { burn } from '@kenjiuno/msgreader/lib/Burner'
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader'
import { expect, it } from 'vitest'
import { readEmail } from './read-email.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

const MESSAGE = [
  'From: Dana Whitfield <dana@harborpoint.example>',
  'To: broker@plumbline.example, Jordan Blake <jordan@plumbline.example>',
  'Cc: claims@plumbline.example',
  'Subject: =?utf-8?q?Roof_report_=E2=80=93_12_Main_St?=',
  'Date: Mon, 16 Nov 2026 10:00:00 -0500',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>The <b>report</b> is attached.</p>',
  '--x',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="../../Roof report.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0=',
  '--x',
  'Content-Type: message/rfc822',
  '',
  'Subject: Former message',
  '',
  'Hello',
  '--x--',
  '',
].join('\r\n')

it('reads headers, text and attachments of a message of the Internet', async () => {
  const email = await readEmail(bytesOf(MESSAGE))
  expect(email).toMatchObject({
    from: 'Dana Whitfield <dana@harborpoint.example>',
    to: 'broker@plumbline.example, Jordan Blake <jordan@plumbline.example>',
    cc: 'claims@plumbline.example',
    subject: 'Roof report – 12 Main St',
    date: '2026-11-16T15:00:00.000Z',
  })
  expect(email.html).toContain('<b>report</b>')
  const [pdf, former] = email.attachments
  expect([pdf?.type, new TextDecoder().decode(pdf?.bytes), former?.type]).toEqual(['application/pdf', '%PDF-', 'message/rfc822'])
})

/** A message of Outlook from these streams. */
function outlook(streams: Record<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(streams)
  const entry = (name: string, type: number, length: number, children?: number[]) => ({ name, type, length, ...(children && { children }) })
  const root = entry(
    'Root Entry',
    TypeEnum.ROOT,
    0,
    names.map((_, index) => index + 1),
  )
  const files = names.map((name) => ({
    ...entry(name, TypeEnum.DOCUMENT, streams[name]?.length ?? 0),
    binaryProvider: () => streams[name] ?? new Uint8Array(),
  }))
  return new Uint8Array(burn([root, ...files]))
}

const wide = (text: string) => new Uint8Array(new Uint16Array([...text].map((letter) => letter.charCodeAt(0))).buffer)

it('reads a message of Outlook', async () => {
  const email = await readEmail(
    outlook({
      '__properties_version1.0': new Uint8Array(32),
      '__substg1.0_0037001F': wide('Roof report'),
      '__substg1.0_1000001F': wide('The report is attached.'),
      '__substg1.0_0C1A001F': wide('Dana Whitfield'),
    }),
  )
  expect(email).toMatchObject({ subject: 'Roof report', text: 'The report is attached.', from: 'Dana Whitfield', attachments: [] })
})

// The first example of [MS-OXRTFCP] section 3.
const COMPRESSED_RTF = '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232' + '0af32068656c090020627705b06c647d0a800fa0'

it('reads a message of Outlook that has formatted text only', async () => {
  const rtf = Uint8Array.from(COMPRESSED_RTF.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const email = await readEmail(outlook({ '__properties_version1.0': new Uint8Array(32), '__substg1.0_10090102': rtf }))
  expect(email).toMatchObject({ text: 'hello world', html: null })
})

it.each([
  ['a text file with the name of a message', bytesOf('Note to self: call the broker\n'.repeat(20))],
  [
    'an Outlook message of random bytes',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(5_000).fill(0x41)]),
  ],
  ['an Outlook message that is cut off', outlook({ '__substg1.0_0037001F': wide('Roof report') }).slice(0, 600)],
  ['an empty file', new Uint8Array()],
])('rejects %s', async (_name, bytes) => {
  await expect(readEmail(bytes)).rejects.toThrow()
})

const manyAttachments = (count: number, name: string) =>
  [
    'Subject: Plans',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...Array.from({ length: count }, () => `--x\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\na`),
    '--x--',
    '',
  ].join('\r\n')

it('counts the attachments that it does not list', async () => {
  const { attachments, unlistedAttachments } = await readEmail(bytesOf(manyAttachments(1_500, 'plan.txt')))
  expect([attachments.length, unlistedAttachments]).toEqual([500, 1_000])
})

it('shows the true ending of a name with characters that change the reading direction', async () => {
  const { attachments } = await readEmail(bytesOf(manyAttachments(1, 'invoice\u202Etxt.exe')))
  expect(attachments[0]?.name).toBe('invoicetxt.exe')
})
