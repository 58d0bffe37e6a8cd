import { z } from 'zod'
import { MODELS, type Model } from './permissions.ts'
import { Id, json, text, type Call } from './route.ts'

/** Realtime carries identity and time, never data (decisions Q100). Names on the wire begin with `private-`. */
export const CHANNELS = {
  user: (userId: string) => `private-user.${userId}`,
  account: (accountId: string) => `private-account.${accountId}`,
  datatable: (model: Model) => `private-datatable.${model}`,
} as const

export const AccountUpdated = z.object({ id: Id, updatedAt: z.string(), scope: z.enum(['data', 'files']) })
export type AccountUpdated = z.output<typeof AccountUpdated>

export const RowUpdated = z.object({ model: z.enum(MODELS), id: Id.nullable(), account_id: Id.nullable(), updatedAt: z.string() })
export type RowUpdated = z.output<typeof RowUpdated>

export const NotificationRaised = z.object({ id: Id, unread: z.number() })

/** Event name to payload, by channel; the browser's staleness table must answer each of them. */
export interface ChannelEvents {
  account: { 'model-updated': AccountUpdated }
  datatable: { 'model-updated': RowUpdated }
  user: { notification: z.output<typeof NotificationRaised> }
}

export const realtimeCalls = {
  authorise: {
    method: 'POST',
    path: '/broadcasting/auth',
    can: 'signed-in',
    summary: 'May this socket hear this channel?',
    body: z.strictObject({ socket_id: text(100), channel_name: text(200) }),
    output: json(z.object({ auth: z.string() })),
  },
} as const satisfies Record<string, Call>
