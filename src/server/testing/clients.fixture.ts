import type { Message } from '#server/engines/mail/mail.ts'
import { openMessage, StoredMessage } from '#server/engines/mail/stored-message.ts'
import type { TestApp } from './app.ts'

/** Posts as a client with this address, without a session unless a token is given. */
export async function postFrom(app: TestApp, address: string, path: string, body: object, token?: string) {
  const answer = await app.api.server.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    remoteAddress: address,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    payload: body,
  })
  return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after'] ?? Number.NaN), body: JSON.parse(answer.body) }
}

/** The mails to this address that wait in the queue, in their order; for an app without a worker. */
export async function queuedMails(app: TestApp, to: string): Promise<Message[]> {
  const { rows } = await app.system.pool.query<{ data: unknown }>(
    `SELECT data FROM pgboss.job WHERE name IN ('send-mail', 'send-urgent-mail') AND data->>'to' = $1 ORDER BY created_on`,
    [to],
  )
  const mails = rows.map(({ data }) => openMessage(app.system.config.secretKey, StoredMessage.parse(data)))
  return mails.filter((mail) => mail !== undefined)
}

export const countOf = (statuses: readonly number[], status: number): number => statuses.filter((one) => one === status).length
