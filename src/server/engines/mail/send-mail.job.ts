import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { SYSTEM } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '../context.ts'
import { transact } from '../transaction/transact.ts'
import { changedGrant } from '../visits/record-visit.ts'
import { defineJob, enqueue, type FinalFailure, type JobRun } from '../jobs/define-job.ts'
import type { Message } from './mail.ts'
import { openMessage, sealMessage, StoredMessage } from './stored-message.ts'
import { compose, type Content } from './template.ts'

/** How long a message is tried whose content does not expire. */
const TRIED_FOR_MS = 3 * DAY_MS
/** `sendUntil` ends the tries long before these are used up. */
const RETRIES = 1_000
/** Codes and links that work for this time or less are for a user who is waiting. */
const URGENT_MS = HOUR_MS

async function deliver(ctx: Context, stored: StoredMessage, { id, attempt }: Pick<JobRun, 'id' | 'attempt'>): Promise<FinalFailure | void> {
  const failure = await sendStored(ctx, stored, attempt)
  await emptyMessage(ctx, id)
  return failure
}

async function sendStored(ctx: Context, stored: StoredMessage, attempt: number): Promise<FinalFailure | void> {
  // The queue may run a job again that has ended.
  if ('sent' in stored) return undefined
  const { sendUntil } = stored
  if (sendUntil !== undefined && new Date(sendUntil) <= ctx.clock.now())
    return { failed: `The message could not be sent until ${sendUntil} and is no longer sent.` }
  if (attempt > 1 && (await isReplaced(ctx, stored))) return { failed: 'A newer message replaces this one.' }
  const message = openMessage(ctx.config.secretKey, stored)
  const delivery = message && (await ctx.mail.send(message))
  if (delivery?.accepted === false) return { failed: `The mail server rejected the message: ${delivery.reason}` }
  if (message?.grantId !== undefined) await markSent(ctx, message.grantId)
}

/** The time at which an invitation was mailed. */
const markSent = (ctx: Context, id: string): Promise<void> =>
  transact({ ...ctx, viewer: SYSTEM }, async (tx) => {
    const sent = tx.db.updateTable('account_grants').set({ sent_at: tx.clock.now() }).where('id', '=', id).returning(['id', 'account_id'])
    const grant = await sent.executeTakeFirst()
    if (grant !== undefined) changedGrant(tx, grant)
  })

/** The queue stores jobs that have ended for some days. */
const emptyMessage = ({ db }: Context, id: string) =>
  sql`UPDATE pgboss.job SET data = jsonb_build_object('sent', true, 'key', data->'key')
      || CASE WHEN data ? 'topic' THEN jsonb_build_object('topic', data->'topic', 'date', data->'date') ELSE '{}' END
    WHERE name IN (${sendMail.name}, ${sendUrgentMail.name}) AND id = ${id}`.execute(db)

async function isReplaced({ db }: Context, { topic, date }: Pick<Message, 'topic' | 'date'>): Promise<boolean> {
  if (topic === undefined || date === undefined) return false
  const { rows } = await sql`SELECT 1 FROM pgboss.job WHERE name IN (${sendMail.name}, ${sendUrgentMail.name})
    AND data->>'topic' = ${topic} AND data->>'date' > ${date} LIMIT 1`.execute(db)
  return rows.length > 0
}

const options = { input: StoredMessage, retries: RETRIES, concurrency: 2, run: deliver }
export const sendMail = defineJob({ ...options, name: 'send-mail', retryDelayMaxSeconds: 15 * 60 })
/** Has workers of its own, so these messages never wait for others. */
export const sendUrgentMail = defineJob({ ...options, name: 'send-urgent-mail', retryDelayMaxSeconds: 30 })

interface Mailing extends Omit<Content, 'product' | 'appUrl'> {
  /** How long the code or link in it works; it is not sent later. */
  validForMs?: number
  /** Of messages with one topic that could not be sent at once, only the newest is sent. */
  topic?: string
  /** The invitation that it mails, which stores when it was sent. */
  grantId?: string
}

/** Queues a message in the transaction. */
export async function enqueueMail(tx: WriteContext, { validForMs = TRIED_FOR_MS, topic, grantId, ...content }: Mailing): Promise<void> {
  const now = tx.clock.now()
  const message = {
    ...compose({ ...content, product: tx.config.product.name, appUrl: tx.config.appUrl }),
    topic,
    grantId,
    date: now.toISOString(),
    sendUntil: new Date(now.getTime() + Math.min(validForMs, TRIED_FOR_MS)).toISOString(),
  }
  await enqueue(tx, validForMs <= URGENT_MS ? sendUrgentMail : sendMail, sealMessage(tx.config.secretKey, message))
}
