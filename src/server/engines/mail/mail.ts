import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type * as Nodemailer from 'nodemailer'
import { z } from 'zod'
import type { Config } from '#server/kernel/config.ts'
import { unavailable } from '#server/kernel/errors.ts'
import { rejectionOf } from './rejection.ts'
import { MARK } from './template.ts'

export const Message = z.object({
  /** One address. */
  to: z.string(),
  replyTo: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** The Message-ID is derived from it, so mail servers recognize a message that is sent twice. */
  key: z.string(),
  /** When it was queued, which is the date that its reader sees. */
  date: z.iso.datetime().optional(),
  /** It is not sent after this time. */
  sendUntil: z.iso.datetime().optional(),
  /** A newer message with the same topic replaces one that could not be sent at once. */
  topic: z.string().optional(),
  /** The invitation that it mails. */
  grantId: z.uuid().optional(),
})
export type Message = z.output<typeof Message>

/** Whether the mail server has accepted the message. If it rejected it for good, another try gets the same answer. */
type Delivery = { accepted: true } | { accepted: false; reason: string }

export interface Mail {
  /** Throws if the message can be sent later. */
  send(message: Message): Promise<Delivery>
  close(): Promise<void>
}

type MailConfig = Pick<Config, 'mailUrl' | 'mailFrom' | 'dataDir' | 'appUrl'>

/** SMTP with MAIL_URL; otherwise messages are written as .eml files to DATA_DIR/outbox. */
export async function openMail(config: MailConfig): Promise<Mail> {
  return sendOnce(config.mailUrl === undefined ? await openOutbox(config) : openSmtp(config.mailUrl, config))
}

const REMEMBERED_MESSAGES = 1_000

/**
 * A job runs again if the queue has lost it, for example while the database was not reachable. The message is then not sent again by a
 * process that has sent it or is sending it.
 */
function sendOnce(mail: Mail): Mail {
  const sent = new LRUCache<string, Promise<Delivery>>({ max: REMEMBERED_MESSAGES })
  return {
    ...mail,
    send: async (message) => {
      const running = sent.get(message.key) ?? mail.send(message)
      sent.set(message.key, running)
      try {
        return await running
      } catch (error) {
        if (sent.get(message.key) === running) sent.delete(message.key)
        throw error
      }
    },
  }
}

const optionsOf = (config: MailConfig, { key, to, replyTo, subject, text, html, date }: Message): Nodemailer.SendMailOptions => ({
  from: config.mailFrom,
  to,
  ...(replyTo === undefined ? {} : { replyTo }),
  ...(date === undefined ? {} : { date: new Date(date) }),
  subject,
  text,
  html,
  attachments: [{ ...MARK, contentType: 'image/png', contentDisposition: 'inline' }],
  messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${new URL(config.appUrl).hostname}>`,
  // Neither servers nor people's absence notices answer these messages.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', 'Content-Language': 'en' },
})

/** The mail library is loaded with the first message: it costs start-up time and memory. */
function lazyTransport<T extends { close(): void }>(create: (library: typeof Nodemailer) => T) {
  let opened: Promise<T> | undefined
  return {
    open: () => (opened ??= import('nodemailer').then(create)),
    close: async () => (await opened)?.close(),
  }
}

/**
 * For a server that does not answer at all. The library's ten minutes for any other answer stay: a server that has the whole message may
 * take long to accept it, and a second try before its answer would send it twice.
 */
const CONNECTION_TIMEOUT_MS = 10_000

const withTimeout = (url: string): string =>
  url.includes('connectionTimeout=') ? url : `${url}${url.includes('?') ? '&' : '?'}connectionTimeout=${CONNECTION_TIMEOUT_MS}`

/** One connection for each message: a pool would send a message again if its connection ends before the answer. */
function openSmtp(url: string, config: MailConfig): Mail {
  const transport = lazyTransport(({ createTransport }) => createTransport(withTimeout(url)))
  return {
    send: async (message) => {
      try {
        await (await transport.open()).sendMail(optionsOf(config, message))
        return { accepted: true }
      } catch (cause) {
        const reason = rejectionOf(cause)
        if (reason !== undefined) return { accepted: false, reason }
        throw Object.assign(unavailable('The mail server did not accept the message.'), { cause })
      }
    },
    close: transport.close,
  }
}

async function openOutbox(config: MailConfig): Promise<Mail> {
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Messages contain codes and links that sign in; earlier versions made the folder readable by all users of the machine.
  await chmod(folder, 0o700)
  const transport = lazyTransport(({ createTransport }) => createTransport({ streamTransport: true, buffer: true, newline: 'unix' }))
  return {
    send: async (message) => {
      const { message: content } = await (await transport.open()).sendMail(optionsOf(config, message))
      const file = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`)
      await writeFile(`${file}.part`, content as Buffer, { mode: 0o600 }) // `buffer: true` above
      await rename(`${file}.part`, file)
      return { accepted: true }
    },
    close: transport.close,
  }
}
