import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/kernel/config.ts'
import { unavailable } from '#server/kernel/errors.ts'

export interface Message {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** The Message-ID is derived from it, so mail servers recognize a message that is sent twice. */
  key: string
}

export interface Mail {
  send(message: Message): Promise<void>
  close(): Promise<void>
}

type MailConfig = Pick<Config, 'mailUrl' | 'mailFrom' | 'dataDir' | 'appUrl'>

/** SMTP with MAIL_URL; otherwise messages are written as .eml files to DATA_DIR/outbox. */
export async function openMail(config: MailConfig): Promise<Mail> {
  return config.mailUrl === undefined ? openOutbox(config) : openSmtp(config.mailUrl, config)
}

const optionsOf = (config: MailConfig, { to, subject, text, html, key }: Message): SendMailOptions => ({
  from: config.mailFrom,
  to,
  subject,
  text,
  html,
  messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${new URL(config.appUrl).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
})

function openSmtp(url: string, config: MailConfig): Mail {
  const transport = nodemailer.createTransport(url)
  return {
    send: async (message) => {
      try {
        await transport.sendMail(optionsOf(config, message))
      } catch (cause) {
        throw Object.assign(unavailable('The mail server did not accept the message.'), { cause })
      }
    },
    close: async () => transport.close(),
  }
}

async function openOutbox(config: MailConfig): Promise<Mail> {
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    send: async (message) => {
      const { message: content } = await transport.sendMail(optionsOf(config, message))
      const file = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`)
      await writeFile(`${file}.part`, content as Buffer) // `buffer: true` above
      await rename(`${file}.part`, file)
    },
    close: async () => transport.close(),
  }
}
