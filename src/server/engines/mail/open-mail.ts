import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import type { Config } from '#server/kernel/config.ts'
import { unavailable } from '#server/kernel/errors.ts'
import type { Letter, Mail } from './mail.ts'

/** SMTP with MAIL_URL; otherwise every letter becomes an .eml file in DATA_DIR/outbox. */
export async function openMail(config: Pick<Config, 'mailUrl' | 'mailFrom' | 'dataDir' | 'appUrl'>): Promise<Mail> {
  return config.mailUrl === undefined ? openOutbox(config) : openSmtp(config.mailUrl, config)
}

type MailConfig = Pick<Config, 'mailFrom' | 'dataDir' | 'appUrl'>

const messageOf = (config: MailConfig, letter: Letter): SendMailOptions => ({
  from: config.mailFrom,
  to: letter.to,
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  messageId: `<${createHash('sha256').update(letter.key).digest('hex').slice(0, 40)}@${new URL(config.appUrl).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
})

function openSmtp(url: string, config: MailConfig): Mail {
  const transport = nodemailer.createTransport(url)
  return {
    kind: 'smtp',
    send: async (letter) => {
      try {
        await transport.sendMail(messageOf(config, letter))
      } catch (cause) {
        throw Object.assign(unavailable('The mail server did not take the message. It is tried again.'), { cause })
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
    kind: 'outbox',
    send: async (letter) => {
      const { message } = await transport.sendMail(messageOf(config, letter))
      const file = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`)
      await writeFile(`${file}.part`, message as Buffer) // `buffer: true` above
      await rename(`${file}.part`, file)
    },
    close: async () => transport.close(),
  }
}
