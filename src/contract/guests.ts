import { z } from 'zod'
import { Id, call, json } from './route.ts'

/** An instant as pages show it. `human` says what it means: "Nov 12, 2026", or "Never". */
export const Deadline = z.object({ date: z.string().nullable(), human: z.string() })
export type Deadline = z.output<typeof Deadline>

/** The addresses on the page that let a person in. */
export const inviteAddress = (token: string): string => `/invite/${token}`
export const shareAddress = (accountId: string, token: string): string => `/account/${accountId}/share/${token}`

/** Who sent the account to a person from outside. */
const Inviting = z.object({
  full_name: z.string(),
  company: z.string(),
  /** Of the person who sent it; null where that person has gone. */
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The day on which it was sent, in the time zone of the company. */
  date: z.string(),
  logo_url: z.string().nullable(),
})
export type Inviting = z.output<typeof Inviting>

/** The tokens of a session that an invitation or a link opens; null where the present session goes on. */
export const GuestTokens = z.object({ token: z.string().nullable(), refresh_token: z.string().nullable() })

/** What a person outside may do with a document that they see. */
export const LINK_RIGHTS = { view: 'View only', download: 'View and download' } as const

export const guestCalls = {
  inviting: call('GET', '/account_invites/inviting', 'signed-in', 'Who sent you the account of this session', {
    guests: true,
    output: json(Inviting.nullable()),
  }),
  /** A session in which the viewer sees the account as a person from outside does. */
  viewAs: call('POST', '/accounts/:id/view-as', 'view_account_invites', 'See an account as an invited person or a visitor does', {
    body: z
      .strictObject({ grant_id: Id.optional(), role: z.string().max(60).optional() })
      .refine(
        ({ grant_id: grant, role }) => (grant === undefined) !== (role === undefined),
        'Please choose an invitation, a link or a role.',
      ),
    output: json(z.object({ token: z.string(), account_id: Id, name: z.string() })),
  }),
}
