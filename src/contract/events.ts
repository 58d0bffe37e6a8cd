import { z } from 'zod'
import { MODEL_NAMES, type Model } from './models.ts'
import { Id, call, json, text } from './route.ts'

/** Events carry ids and times, never data: clients fetch data through calls, which check permissions. */
export const CHANNELS = {
  user: (userId: string) => `private-user.${userId}`,
  account: (accountId: string) => `private-account.${accountId}`,
  datatable: (model: Model) => `private-datatable.${model}`,
} as const

export const AccountUpdated = z.object({ id: Id, updatedAt: z.string(), scope: z.enum(['data', 'files']) })
export type AccountUpdated = z.output<typeof AccountUpdated>

/** What changed: data, documents, or only what is known of the texts of documents. */
const CHANGE_SCOPES = ['data', 'files', 'texts'] as const
export type ChangeScope = (typeof CHANGE_SCOPES)[number]

export const RowUpdated = z.object({
  model: z.enum(MODEL_NAMES),
  id: Id.nullable(),
  account_id: Id.nullable(),
  updatedAt: z.string(),
  scope: z.enum(CHANGE_SCOPES),
})
export type RowUpdated = z.output<typeof RowUpdated>

export const NotificationSent = z.object({ id: Id, createdAt: z.string() })
export type NotificationSent = z.output<typeof NotificationSent>

/** The user opened a record that their lists marked as new. */
export const RecordOpened = z.object({ model: z.enum(MODEL_NAMES) })
export type RecordOpened = z.output<typeof RecordOpened>

/** Payloads by channel and event name. The browser's staleness table must handle each of them. */
export interface ChannelEvents {
  user: { notification: NotificationSent; 'record-opened': RecordOpened }
  account: { 'model-updated': AccountUpdated }
  datatable: { 'model-updated': RowUpdated }
}

/** Why a socket of a user with too many is rejected. */
export const TOO_MANY_SOCKETS = 'too many sockets'

export const realtimeCalls = {
  authorize: call('POST', '/broadcasting/auth', 'signed-in', 'Sign a channel subscription', {
    body: z.strictObject({ socket_id: text(100), channel_name: text(200) }),
    output: json(z.object({ auth: z.string() })),
  }),
}
