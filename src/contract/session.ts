import { z } from 'zod'
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from './limits.ts'
import { Nothing, call, json, jsonWith, text } from './route.ts'

/** Seconds since the user of a page was last active. Calls of a page whose user is away do not extend the session; calls without this header do. */
export const IDLE_HEADER = 'x-idle-seconds'

export const EMAIL_BLANK = 'Email cannot be blank'
export const PASSWORD_BLANK = 'Password cannot be blank'

export const EMAIL_INVALID = 'Please enter a valid email address.'
/** Whether this is an email address; one that is not cannot belong to a user. */
export const isEmail = (value: string): boolean => z.regexes.email.test(value)

const Email = z
  .string(EMAIL_BLANK)
  .trim()
  .min(1, EMAIL_BLANK)
  .max(254, 'This email is too long')
  .refine((value) => value === '' || isEmail(value), EMAIL_INVALID)
const AnyPassword = z.string(PASSWORD_BLANK).min(1, PASSWORD_BLANK).max(256, 'This password is too long')
export const NewPassword = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `Please use at least ${PASSWORD_MIN_CHARACTERS} characters.`)
  .max(PASSWORD_MAX_CHARACTERS, `Please use at most ${PASSWORD_MAX_CHARACTERS} characters.`)

/** Confirms a change of how a user signs in. */
export const CurrentPassword = z.string().min(1, 'Please enter your current password.').max(256, 'This password is too long')

const LoginInput = z.strictObject({
  email: Email,
  password: AnyPassword,
  remember: z.boolean().nullish(),
  ip: text(60).nullish(),
})

export const Tokens = z.object({ token: z.string(), refresh_token: z.string().nullable(), two_factor: z.boolean() })

/** A code by email, a code of an authenticator app, or a recovery code of the app. */
export const ChallengeMethod = z.enum(['email', 'totp', 'recovery_code'])
export type ChallengeMethod = z.output<typeof ChallengeMethod>

/** With `two_factor`: the method of the challenge, and what the user can choose instead. */
const Challenge = z.object({ method: ChallengeMethod, alternatives: z.array(ChallengeMethod) })
export type Challenge = z.output<typeof Challenge>

export const RESET_LINK_INVALID = 'This password reset link is no longer valid. Please request a new one.'
/** A link that was changed on its way is not valid, as any other that is not known. */
const ResetToken = z.string().max(300)

const ResetInput = z
  .strictObject({
    email: Email,
    password: NewPassword,
    password_confirmation: z.string().min(1, 'Please repeat the password.'),
    token: ResetToken,
  })
  .refine((input) => input.password === input.password_confirmation, {
    path: ['password_confirmation'],
    message: 'The passwords you entered do not match',
  })

export const sessionCalls = {
  login: call('POST', '/login', 'public', 'Sign in', {
    duringMaintenance: true,
    body: LoginInput,
    output: jsonWith(Nothing, Tokens.extend(Challenge.partial().shape)),
  }),
  challenge: call('POST', '/two-factor-challenge', 'signed-in', 'Answer the second factor', {
    duringChallenge: true,
    duringMaintenance: true,
    body: z.strictObject({
      code: z.string().trim().min(1, 'Please enter the code.').max(10),
      /** Without it, the code is for the method of the sign-in. */
      method: ChallengeMethod.optional(),
    }),
    output: jsonWith(Nothing, Tokens),
  }),
  resendChallenge: call('POST', '/reset-two-factor-challenge', 'signed-in', 'Send a new code', {
    duringChallenge: true,
    duringMaintenance: true,
    output: json(Nothing),
  }),
  logout: call('GET', '/logout', 'signed-in', 'Sign out', {
    duringChallenge: true,
    duringMaintenance: true,
    guests: true,
    output: json(Nothing),
  }),
  logoutPost: call('POST', '/logout', 'signed-in', 'Sign out', {
    duringChallenge: true,
    duringMaintenance: true,
    guests: true,
    output: json(Nothing),
  }),
  keep: call('POST', '/token/keep', 'signed-in', 'Exchange the tokens for a new pair', {
    afterSession: true,
    guests: true,
    body: z.strictObject({ refresh_token: text(200) }),
    output: jsonWith(Nothing, Tokens),
  }),
  recover: call('POST', '/password/create', 'public', 'Mail a link to set a new password', {
    body: z.strictObject({ email: Email }),
    output: json(Nothing),
  }),
  checkReset: call('GET', '/password/find/:token', 'public', 'Check a reset link', {
    params: z.strictObject({ token: ResetToken }),
    output: json(z.object({ email: z.string() })),
  }),
  reset: call('POST', '/password/reset', 'public', 'Set a new password', { body: ResetInput, output: json(Nothing) }),
  status: call('GET', '/status', 'public', 'Check that the service is up', { output: json(z.object({ status: z.literal('up') })) }),
}
