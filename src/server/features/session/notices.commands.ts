import type { WriteContext } from '#server/engines/context.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'

const NOTICES = {
  password: 'The password of your account was changed. All sessions of your account have ended.',
  email: 'The email address of your account was changed. Use the new address to sign in; this one no longer works.',
  enable_2fa: 'The setting to ask for a code by email at sign-in was changed.',
  app_added: 'An authenticator app was set up for your account. Sign-ins ask for its codes.',
  app_removed: 'The authenticator app of your account was removed. Its codes and recovery codes no longer work.',
  recovery_codes: 'The recovery codes of your account were replaced. The earlier ones no longer work.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  factors_reset: 'An administrator removed the authenticator app and the passkeys of your account.',
} as const
export type NoticeKind = keyof typeof NOTICES

/** Mails what changed in how a user signs in, to the address they had before. */
export async function mailNotice(tx: WriteContext, to: string, changed: readonly NoticeKind[]): Promise<void> {
  const { name, supportEmail } = tx.config.product
  const contact = supportEmail === undefined ? 'your administrator' : `your administrator or ${supportEmail}`
  await enqueueMail(tx, {
    to,
    key: `notice ${newToken()}`,
    subject: `${name}: your sign-in was changed`,
    preview: changed.map((part) => NOTICES[part]).join(' '),
    heading: 'Your sign-in was changed',
    paragraphs: [...changed.map((part) => NOTICES[part]), `If you did not expect this, contact ${contact} at once.`],
    reason: 'You get this email because it was sent to the address that your account had before the change.',
  })
}
