import { describe, expect, it } from 'vitest'
import { TEXT_ATTACHED_MESSAGES_DEPTH, TEXT_ATTACHED_MESSAGES_MAX } from '#contract/reading-limits.ts'
import { email, pdf, read } from './document-text.fixture.ts'
import { outlook, outlookMessage } from './outlook-message.fixture.ts'

/** A message with messages attached as mail programs forward them. */
function forwarding(text: string, messages: readonly Buffer[], disposition = 'attachment'): Buffer {
  const boundary = `b${messages.reduce((sum, { length }) => sum + length, 0)}x`
  const part = (headers: string, body: string) => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`
  const header = `Content-Type: message/rfc822\r\nContent-Disposition: ${disposition}`
  const parts = [part('Content-Type: text/plain', text), ...messages.map((one) => part(header, one.toString()))]
  const head = `From: dana@broker.example\r\nSubject: Fwd\r\nContent-Type: multipart/mixed; boundary=${boundary}`
  return Buffer.from(`${head}\r\n\r\n${parts.join('')}--${boundary}--\r\n`)
}

const countOf = (word: string, texts: readonly (readonly string[])[]) => texts.join('\n').split(word).length - 1

describe('a message attached to a message', () => {
  it.each(['attachment', 'inline'])('is read with its attachments, once, if it is forwarded as %s', async (disposition) => {
    const inner = email('The numbat values', [{ name: 'note.txt', bytes: Buffer.from('Mill 9') }])
    const { texts, unreadAttachments } = await read('outer.eml', forwarding('See below', [inner], disposition))
    const place = 'Attachment Message 1.eml'
    expect(texts.map(([where]) => where)).toEqual(['Message', 'Message', place, place, `${place}, Attachment note.txt`])
    expect([countOf('numbat', texts), countOf('Mill 9', texts), countOf('See below', texts), unreadAttachments]).toEqual([1, 1, 1, []])
  })

  it.each([
    ['email in email', 'outer.eml', () => email('See below', [{ name: 'inner.eml', bytes: email('The numbat values') }])],
    ['Outlook in email', 'outer.eml', () => email('See below', [{ name: 'inner.msg', bytes: outlook('Inner', 'The numbat values') }])],
    ['email in Outlook', 'outer.msg', () => outlook('Outer', 'See below', [{ name: 'inner.eml', bytes: email('The numbat values') }])],
    [
      'Outlook in Outlook',
      'outer.msg',
      () => outlookMessage({ subject: 'Outer', messages: [{ subject: 'Inner', text: 'The numbat values' }] }),
    ],
  ])('is read as a file: %s', async (_kinds, name, content) => {
    const { texts, unreadAttachments } = await read(name, content())
    expect([countOf('numbat', texts), unreadAttachments]).toEqual([1, []])
  })

  it('says which of its own attachments have no text', async () => {
    const inner = email('See below', [{ name: 'scan.pdf', bytes: await pdf(['']) }])
    const { unreadAttachments } = await read('outer.eml', email('See below', [{ name: 'inner.eml', bytes: inner }]))
    expect(unreadAttachments).toEqual([{ name: 'inner.eml, scan.pdf', reason: 'no_text' }])
  })

  it('that is damaged does not hide the others', async () => {
    const attached = [
      { name: 'broken.eml', bytes: Buffer.from('no message') },
      { name: 'inner.eml', bytes: email('The numbat values') },
    ]
    const { texts, unreadAttachments } = await read('outer.eml', email('See below', attached))
    expect([countOf('numbat', texts), unreadAttachments]).toEqual([1, [{ name: 'broken.eml', reason: 'damaged' }]])
  })

  it('is not read beyond a limit of depth', async () => {
    let message = email('Level 0')
    for (let level = 1; level <= TEXT_ATTACHED_MESSAGES_DEPTH + 1; level += 1) message = forwarding(`Level ${level}`, [message])
    const { state, texts, unreadAttachments } = await read('deep.eml', message)
    expect([state, countOf('Level 1\n', texts) + countOf('Level 1,', texts), countOf('Level 0', texts)]).toEqual(['done', 1, 0])
    expect(unreadAttachments).toEqual([{ name: expect.any(String), reason: 'too_large' }])
  })

  it('is not read beyond a limit of messages', async () => {
    const messages = Array.from({ length: TEXT_ATTACHED_MESSAGES_MAX + 2 }, () => ({ subject: 'Again', text: 'The numbat values' }))
    const { texts, unreadAttachments } = await read('many.msg', outlookMessage({ subject: 'Outer', messages }))
    expect([countOf('numbat', texts), unreadAttachments?.length]).toEqual([TEXT_ATTACHED_MESSAGES_MAX, 2])
  })
})
