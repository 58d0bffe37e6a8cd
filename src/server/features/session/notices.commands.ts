import type { WriteContext } from '#server/engines/context.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'

const NOTICES = {
  password: 'The password of your account was changed. It is signed out everywhere except where the change was made.',
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

const contactOf = ({ supportEmail }: WriteContext['config']['product']) =>
  supportEmail === undefined ? 'your administrator' : `your administrator or ${supportEmail}`

/** Mails that a user who had no password set one. */
export async function mailFirstPassword(tx: WriteContext, to: string): Promise<void> {
  const { product, appUrl } = tx.config
  await enqueueMail(tx, {
    to,
    key: `notice ${newToken()}`,
    subject: `${product.name}: your password was set`,
    preview: FIRST_PASSWORD,
    heading: 'Your password was set',
    paragraphs: [`${FIRST_PASSWORD} You can now sign in with ${to}.`, `If you did not expect this, contact ${contactOf(product)} at once.`],
    button: { label: 'Sign in', url: `${appUrl}/login` },
    reason: 'You get this email because a link that was sent to this address was used to set the password.',
  })
}

const FIRST_PASSWORD = 'A password was set for your account.'

/** Mails what changed in how a user signs in, to the address they had before. */
export async function mailNotice(tx: WriteContext, to: string, changed: readonly NoticeKind[]): Promise<void> {
  const { name } = tx.config.product
  await enqueueMail(tx, {
    to,
    key: `notice ${newToken()}`,
    subject: `${name}: your sign-in was changed`,
    preview: changed.map((part) => NOTICES[part]).join(' '),
    heading: 'Your sign-in was changed',
    paragraphs: [...changed.map((part) => NOTICES[part]), `If you did not expect this, contact ${contactOf(tx.config.product)} at once.`],
    reason: `You get this email because it was sent to the address ${changed.includes('email') ? 'that your account had before the change' : 'of your account'}.`,
  })
}
