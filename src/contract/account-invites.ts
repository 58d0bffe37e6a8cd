import { z } from 'zod'
import { Cell, RowBase, listCalls } from './datatable.ts'
import { Deadline, GuestTokens } from './guests.ts'
import { Id, call, json, jsonWith, text, textOrNull } from './route.ts'
import { EMAIL_BLANK, EMAIL_INVALID, isEmail } from './session.ts'

/** `Deactivated`: since the invitation, its person was deactivated or removed as a user of the product. */
export const INVITE_STATUSES = { active: 'Active', expired: 'Expired', deactivated: 'Deactivated' } as const

/** The roles that are offered first, with what they let a person do. */
export const INVITE_PRESETS = {
  invite_guest: 'Sees properties, documents that are not private and discrepancies, and downloads them.',
  upload_only: 'Adds documents and sees only those. Sees no properties.',
} as const

const Person = z.object({ full_name: z.string(), email: z.string() })

export const InviteRow = RowBase.extend({
  invited_user: Cell.extend(Person.partial().shape),
  email: Cell,
  role: Cell,
  status: Cell,
  expires_at: Cell.extend(Deadline.partial().shape),
  login_link: Cell,
  invited_by: Cell,
  sent_at: Cell,
  last_used_at: Cell,
})
export type InviteRow = z.output<typeof InviteRow>

export const Invite = z.object({
  id: Id,
  /** The secret in the link. */
  invite_id: z.string(),
  link: z.string(),
  login_link: z.string(),
  name: z.string(),
  account_id: Id,
  account_name: z.string(),
  /** The person as a user of this one account. */
  user_id: Id,
  invited_user: Person,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  company: z.string(),
  /** Null where the sender typed the name of the company. */
  company_id: Id.nullable(),
  role: z.string(),
  role_label: z.string(),
  status: z.enum(['Active', 'Expired', 'Deactivated']),
  expires_at: Deadline,
  invited_by: z.string(),
  created_at: z.string(),
  /** Null until then; so are the next two. */
  sent_at: z.string().nullable(),
  accepted_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})
export type Invite = z.output<typeof Invite>

const Email = z
  .string(EMAIL_BLANK)
  .trim()
  .min(1, EMAIL_BLANK)
  .max(254, 'This email is too long')
  .refine((value) => value === '' || isEmail(value), EMAIL_INVALID)

const InviteInput = z
  .strictObject({
    account_id: Id,
    /** The name of a role. */
    role: z.string().max(60).nullish(),
    email: z.union([z.null(), Email]).optional(),
    /** A user that the viewer sees, in place of email and names. */
    user_id: Id.nullish(),
    first_name: textOrNull(60).optional(),
    last_name: textOrNull(60).optional(),
    company: textOrNull(120).optional(),
    company_id: Id.nullish(),
  })
  .refine(({ email, user_id: user }) => (email ?? user ?? null) !== null, { message: EMAIL_BLANK, path: ['email'] })
export type InviteInput = z.output<typeof InviteInput>

const InviteToken = text(100).min(1, 'Please send the invitation.')

/** An invitation that the viewer has accepted. */
const OwnInvite = z.object({
  id: Id,
  account_id: Id,
  account_name: z.string(),
  company: z.string(),
  invited_by: z.string(),
  role_label: z.string(),
  expires_at: Deadline,
})
export type OwnInvite = z.output<typeof OwnInvite>

const GuestRole = z.object({ name: z.string(), label: z.string(), help: z.string() })

export const inviteCalls = {
  ...listCalls('account_invites', InviteRow),
  /** Always rejected: what people saw by an invitation stays on record. They are revoked. */
  remove: call('DELETE', '/account_invites', 'view_account_invites', 'Invitations are revoked, not deleted', {
    body: z.strictObject({ ids: z.array(Id).optional(), force: z.boolean().optional() }),
    output: json(z.null()),
  }),
  /** The roles that the viewer can give to people outside. */
  roles: call('GET', '/account_invites/roles', 'create_account_invites', 'The roles that you can give to people you invite', {
    output: json(z.array(GuestRole)),
  }),
  mine: call('GET', '/account_invites/mine', 'signed-in', 'The accounts to which you were invited', { output: json(z.array(OwnInvite)) }),
  show: call('GET', '/account_invites/:id', 'view_account_invites', 'Get an invitation', { output: json(Invite) }),
  create: call('POST', '/account_invites', 'create_account_invites', 'Invite a person to an account', {
    body: InviteInput,
    output: json(Invite),
  }),
  send: call('POST', '/account_invites/send', 'create_account_invites', 'Mail an invitation', {
    body: z.strictObject({ invite_id: text(100) }),
    output: json(z.null()),
  }),
  /** Uses nothing up, so that the scanner of a mail server does no harm. */
  look: call('POST', '/account_invites/look', 'public', 'See what an invitation is for', {
    knowsViewer: true,
    body: z.strictObject({ invite_id: InviteToken }),
    output: json(
      z.object({
        email: z.string(),
        account_name: z.string(),
        invited_by: z.string(),
        company: z.string(),
        logo_url: z.string().nullable(),
        expires_at: Deadline,
        /** The email of the session of this browser, if it belongs to another person. */
        signed_in_as: z.string().nullable(),
      }),
    ),
  }),
  accept: call('POST', '/account_invites/accept', 'public', 'Accept an invitation', {
    knowsViewer: true,
    /** `replace`: the session of another person in this browser may be replaced. */
    body: z.strictObject({ invite_id: InviteToken, replace: z.boolean().optional() }),
    /** `own`: the person is signed in as a user with the email of the invitation, whose session goes on. */
    output: jsonWith(z.object({ account_id: Id, own: z.boolean() }), GuestTokens),
  }),
  enter: call('POST', '/account_invites/:id/enter', 'signed-in', 'Open an account to which you were invited', {
    output: jsonWith(z.object({ account_id: Id }), GuestTokens),
  }),
  setPassword: call('POST', '/account_invites/password', 'signed-in', 'Mail a link with which an invited person sets a password', {
    guests: true,
    output: json(z.null()),
  }),
}
