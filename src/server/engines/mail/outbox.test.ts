import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { openMail } from './mail.ts'
import { compose } from './template.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plumbline-mail-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const config = (mailUrl?: string) => ({
  mailUrl,
  mailFrom: 'Plumbline <no-reply@example.test>',
  dataDir,
  appUrl: 'https://app.example.test',
})
const newMessage = (key: string, changes: Partial<Parameters<typeof compose>[0]> = {}) =>
  compose({
    to: 'ada@example.test',
    key,
    subject: 'Grüße',
    product: 'Plumbline',
    appUrl: 'https://app.example.test',
    preview: 'Good morning.',
    heading: 'Good morning',
    paragraphs: ['Good morning.'],
    reason: 'A test sent it.',
    ...changes,
  })
const all = async () => {
  const folder = join(dataDir, 'outbox')
  return Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), 'utf8')))
}
const line = (message: string | undefined, name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(message ?? '')?.[1]

describe('the outbox', () => {
  it('can be read by its owner only, also when an earlier version made it', async () => {
    const folder = join(dataDir, 'outbox')
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const mail = await openMail(config())
    await mail.send(newMessage('private'))
    const names = await readdir(folder)
    const modes = await Promise.all(
      [folder, ...names.map((name) => join(folder, name))].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o600])
    await rm(folder, { recursive: true })
    await mail.close()
  })

  it('stores each message as an .eml file', async () => {
    const mail = await openMail(config())
    await mail.send(newMessage('one', { code: '012345', button: { label: 'Open', url: 'https://app.example.test/x?a=1&b=2' } }))
    const [message] = await all()
    expect(line(message, 'To')).toBe('ada@example.test')
    expect(line(message, 'From')).toBe('Plumbline <no-reply@example.test>')
    expect(line(message, 'Auto-Submitted')).toBe('auto-generated')
    expect(message).toMatch(/Content-Type: multipart\/alternative/)
    expect(line(message, 'Content-ID')).toBe('<mark@product>')
    expect(line(message, 'Reply-To')).toBeUndefined()
    expect(message).toContain('012345')
    await mail.close()
  })

  it('gives messages with the same key the same Message-ID', async () => {
    for (const key of ['twice', 'twice', 'once']) {
      const mail = await openMail(config())
      await mail.send(newMessage(key))
      await mail.close()
    }
    const ids = (await all()).slice(-3).map((message) => line(message, 'Message-ID'))
    expect(ids[0]).toMatch(/^<[\da-f]{40}@app\.example\.test>$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })

  it('has the address that answers go to', async () => {
    const mail = await openMail(config())
    await mail.send(newMessage('answer', { replyTo: 'grace@example.test' }))
    expect(line((await all()).at(-1), 'Reply-To')).toBe('grace@example.test')
    await mail.close()
  })

  it('ignores headers injected through subject or address', async () => {
    const mail = await openMail(config())
    await mail.send(
      newMessage('headers', { subject: 'Hello\r\nBcc: victim@example.test', to: 'ada@example.test\r\nBcc: victim@example.test' }),
    )
    const message = (await all()).at(-1) ?? ''
    expect(message.split('\n\n')[0]).not.toMatch(/^Bcc:/im)
  })
})

describe('SMTP', () => {
  it('rejects with an AppError when the server cannot be reached, so the job is retried', async () => {
    const mail = await openMail(config('smtp://127.0.0.1:1'))
    const sent = mail.send(newMessage('lost'))
    await expect(sent).rejects.toBeInstanceOf(AppError)
    await expect(sent).rejects.toMatchObject({ kind: 'unavailable' })
    await mail.close()
  })
})
