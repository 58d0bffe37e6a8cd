import { z } from 'zod'
import { Id, Nothing, call, json } from './route.ts'
import { CurrentPassword, NewPassword } from './session.ts'
import { User, UserInput } from './users.ts'

/** The signed-in user. */
export const Profile = User.pick({ id: true, first_name: true, last_name: true, full_name: true, enable_2fa: true, version: true }).extend({
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  email: z.object({ text: z.string() }),
})
export type Profile = z.output<typeof Profile>

const ProfileInput = UserInput.pick({ first_name: true, last_name: true, email: true, current_password: true })
  .extend({ enable_2fa: z.boolean() })
  .partial()
  .extend({ id: Id.optional(), version: z.number().int().optional() })

const PasswordInput = z
  .strictObject({
    current_password: CurrentPassword,
    password: NewPassword,
    password_confirmation: z.string().min(1, 'Please repeat the password.'),
  })
  .refine((input) => input.password === input.password_confirmation, {
    path: ['password_confirmation'],
    message: 'The passwords you entered do not match',
  })

/** One sign-in of the user, on one device. */
export const SignedInDevice = z.object({
  id: Id,
  /** The one that makes this call. */
  current: z.boolean(),
  /** What the browser calls itself; empty if it does not say. */
  client: z.string(),
  address: z.string(),
  signed_in_at: z.string(),
  last_used_at: z.string(),
})
export type SignedInDevice = z.output<typeof SignedInDevice>

export const profileCalls = {
  show: call('GET', '/users/profile', 'signed-in', 'Your profile', { output: json(Profile) }),
  update: call('PUT', '/users/profile', 'signed-in', 'Change your profile', { body: ProfileInput, output: json(Profile) }),
  password: call('PUT', '/users/password', 'signed-in', 'Change your password', { body: PasswordInput, output: json(Nothing) }),
  sessions: call('GET', '/users/sessions', 'signed-in', 'Where you are signed in', { output: json(z.array(SignedInDevice)) }),
  endOthers: call('DELETE', '/users/sessions', 'signed-in', 'Sign out everywhere else', { output: json(Nothing) }),
  endOne: call('DELETE', '/users/sessions/:id', 'signed-in', 'Sign out on one device', { output: json(Nothing) }),
}
