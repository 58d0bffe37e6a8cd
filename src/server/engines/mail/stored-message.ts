import { z } from 'zod'
import { seal, unseal } from '../secrets/tokens.ts'
import { Message } from './mail.ts'

/** What shows a code or a link, or quotes users. */
const Content = Message.pick({ subject: true, text: true, html: true })

const Sealed = Message.omit({ subject: true, text: true, html: true }).extend({ sealed: z.base64() })
const Sent = Message.pick({ key: true, date: true, topic: true }).extend({ sent: z.literal(true) })

/**
 * A message in the queue. While it waits, its content is sealed with the secret key, so that who reads the database or a backup of it gets no
 * code or link that works. Afterwards only its key, time and topic are left. Earlier versions queued messages with their content.
 */
export const StoredMessage = z.union([Sent, Sealed, Message])
export type StoredMessage = z.output<typeof StoredMessage>

const keyOf = (secretKey: string, key: string) => `message ${key} ${secretKey}`

export function sealMessage(secretKey: string, { subject, text, html, ...rest }: Message): z.output<typeof Sealed> {
  const content = JSON.stringify({ subject, text, html })
  return { ...rest, sealed: seal(keyOf(secretKey, rest.key), content).toString('base64') }
}

/** Undefined for a message that was sent or has failed for good. Throws if it was sealed with another key. */
export function openMessage(secretKey: string, stored: StoredMessage): Message | undefined {
  if ('sent' in stored) return undefined
  if (!('sealed' in stored)) return stored
  const { sealed, ...rest } = stored
  return { ...rest, ...Content.parse(JSON.parse(unseal(keyOf(secretKey, rest.key), Buffer.from(sealed, 'base64')))) }
}
