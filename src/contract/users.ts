import { z } from 'zod'
import { Cell, RowBase } from './datatable.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { CurrentPassword, EMAIL_INVALID, NewPassword, isEmail } from './session.ts'
import { Id, Nothing, call, json, text } from './route.ts'

/** Whether a user can sign in. */
export const USER_STATES = { active: 'Active', deactivated: 'Deactivated' } as const

export const UserRow = RowBase.extend({
  name: Cell,
  email: Cell,
  company: Cell,
  roles: Cell,
  state: Cell,
  last_login_at: Cell,
  created_at: Cell,
})
export type UserRow = z.output<typeof UserRow>

export const User = RecordBase.extend({
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  email: z.string(),
  cell_phone: z.string().nullable(),
  enable_2fa: z.boolean(),
  has_authenticator_app: z.boolean(),
  /** How many. */
  passkeys: z.number(),
  company: z.object({ id: Id, name: z.string() }),
  roles: z.array(z.object({ id: Id, name: z.string(), label: z.string() })),
  last_login_at: z.string().nullable(),
  /** Since when the user cannot sign in; null for an active user. */
  deactivated_at: z.string().nullable(),
})
export type User = z.output<typeof User>

export const UserInput = z.strictObject({
  first_name: text(60).min(1, 'Please enter a first name.'),
  last_name: text(60).min(1, 'Please enter a last name.'),
  email: z.string(EMAIL_INVALID).trim().max(254).refine(isEmail, EMAIL_INVALID),
  cell_phone: text(30).nullish(),
  company_id: Id,
  roles: z.array(Id).min(1, 'Please choose at least one role.').max(20),
  enable_2fa: z.boolean().default(false),
  /** Without a password the welcome email contains a link to set one, unless the company allows only single sign-on. */
  password: z.union([z.literal('').transform(() => undefined), NewPassword]).optional(),
  /** The password of the user who makes the change. Required for a new email, password or second factor. */
  current_password: z.string().max(256, 'This password is too long').nullish(),
})

export const userCalls = {
  ...recordCalls('users', { row: UserRow, record: User, input: UserInput, update: updateOf(UserInput) }),
  sendWelcome: call('POST', '/users/:id/sendwelcome', 'update_users', 'Send the welcome email with a link to set a password again', {
    output: json(Nothing),
  }),
  resetFactors: call('POST', '/users/:id/reset-second-factor', 'update_users', 'Remove the authenticator app and the passkeys of a user', {
    body: z.strictObject({ current_password: CurrentPassword }),
    output: json(Nothing),
  }),
}
