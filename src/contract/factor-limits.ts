import { MINUTE_MS } from './limits.ts'

// Authenticator apps and passkeys (docs/product.md, "Sign-in and sessions")
export const RECOVERY_CODES = 10
/** How long the secret of an authenticator app can be confirmed with a first code. */
export const APP_SETUP_LIFE_MS = 60 * MINUTE_MS
export const PASSKEYS_MAX = 20
/** How long a browser can answer for a passkey. */
export const PASSKEY_CHALLENGE_LIFE_MS = 5 * MINUTE_MS
/** Rejected answers for one passkey, and started sign-ins with passkeys of one network in LOGIN_NETWORK_WINDOW_MS. */
export const PASSKEY_FAILURES_PER_HOUR = 15
export const PASSKEY_SIGN_INS_PER_NETWORK = 300

// Limits of sign-in that others cannot use up (docs/decisions/104)
/** Of the codes and mails of an hour, only for addresses that the user has signed in from. */
export const CHALLENGE_CODES_RESERVED = 5
export const CHALLENGE_MAILS_RESERVED = 2
export const RESET_MAILS_RESERVED = 2
/** Welcome mails to one recipient in an hour, sent by administrators, or requested by a person with an invitation. */
export const WELCOME_MAILS_PER_RECIPIENT = 3
