import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as Nodemailer from 'nodemailer'
import { z } from 'zod'
import type { Config } from '#server/kernel/config.ts'
import { unavailable } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/html.ts'

export const Message = z.object({
  /** One address. */
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** The Message-ID is derived from it, so mail servers recognize a message that is sent twice. */
  key: z.string(),
})
type Message = z.output<typeof Message>

export type Mail = { send(message: Message): Promise<void>; close(): Promise<void> }

type MailConfig = Pick<Config, 'mailUrl' | 'mailFrom' | 'dataDir' | 'appUrl'>

/** SMTP with MAIL_URL; otherwise messages are written as .eml files to DATA_DIR/outbox. */
export async function openMail(config: MailConfig): Promise<Mail> {
  return config.mailUrl === undefined ? openOutbox(config) : openSmtp(config.mailUrl, config)
}

const optionsOf = (config: MailConfig, { key, ...content }: Message): Nodemailer.SendMailOptions => ({
  from: config.mailFrom,
  ...content,
  messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${new URL(config.appUrl).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
})

/** The mail library is loaded with the first message: it costs start-up time and memory. */
function lazyTransport<T extends { close(): void }>(create: (library: typeof Nodemailer) => T) {
  let opened: Promise<T> | undefined
  return {
    open: () => (opened ??= import('nodemailer').then(create)),
    close: async () => (await opened)?.close(),
  }
}

function openSmtp(url: string, config: MailConfig): Mail {
  const transport = lazyTransport(({ createTransport }) => createTransport(url))
  return {
    send: async (message) => {
      try {
        await (await transport.open()).sendMail(optionsOf(config, message))
      } catch (cause) {
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
    },
    close: transport.close,
  }
}

/** Text, or text with a link after it. */
type Paragraph = string | { text: string; url: string }

export interface Content {
  to: string
  key: string
  subject: string
  product: string
  paragraphs: readonly Paragraph[]
  button?: { label: string; url: string }
  /** Shown large. */
  code?: string
}

const plainText = (paragraph: Paragraph): string => (typeof paragraph === 'string' ? paragraph : `${paragraph.text} ${paragraph.url}`)

function paragraphHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`
  const url = escapeHtml(paragraph.url)
  return `<p>${escapeHtml(paragraph.text)}<br><a href="${url}" style="color:#7d541c">${url}</a></p>`
}

/** A message in the layout of the product, as plain text and as HTML. */
export function compose({ to, key, subject, product, paragraphs, button, code }: Content): Message {
  const parts = [...paragraphs.map(plainText), code, button && `${button.label}: ${button.url}`, `-- \n${product}`]
  const text = parts.filter((part) => part !== undefined).join('\n\n')
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#faf8f4;font:15px/1.6 Helvetica,Arial,sans-serif;color:#14202b">
<div style="max-width:34rem;margin:0 auto;padding:32px 24px"><p style="font-weight:600">${escapeHtml(product)}</p>
<div style="background:#fff;border:1px solid #e4ded2;border-radius:6px;padding:24px">
${paragraphs.map(paragraphHtml).join('\n')}
${code === undefined ? '' : `<p style="font-size:28px;letter-spacing:6px;font-weight:600">${escapeHtml(code)}</p>`}
${button === undefined ? '' : `<p><a href="${escapeHtml(button.url)}" style="display:inline-block;background:#7d541c;color:#fff;text-decoration:none;padding:10px 18px;border-radius:6px">${escapeHtml(button.label)}</a></p><p style="font-size:13px;color:#5b6670">${escapeHtml(button.url)}</p>`}
</div></div></body></html>`
  return { to, key, subject, text, html }
}
