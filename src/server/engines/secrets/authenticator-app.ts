import { seal, unseal } from './tokens.ts'

const ALGORITHM = 'SHA1'
const DIGITS = 6
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** Codes of one period before and after are accepted, because clocks differ. */
const WINDOW = 1

/** The user is part of the key, so a secret that is copied to another user does not work. */
const keyFor = (secretKey: string, userId: string) => `authenticator app of ${userId} ${secretKey}`

/** Loaded when it is used: few calls need it. */
const library = () => import('otpauth')

/** A new secret for an authenticator app, as users type it, with the address that is shown as a QR code, and as it is stored. */
export async function newAppSecret({
  secretKey,
  userId,
  issuer,
  label,
}: {
  secretKey: string
  userId: string
  issuer: string
  label: string
}) {
  const { Secret, TOTP } = await library()
  const secret = new Secret({ size: SECRET_BYTES })
  const uri = new TOTP({ issuer, label, secret, algorithm: ALGORITHM, digits: DIGITS, period: PERIOD_SECONDS }).toString()
  return { secret: secret.base32, uri, sealed: seal(keyFor(secretKey, userId), secret.base32) }
}

/** The number of the period whose code this is, at a time; undefined for a wrong code. */
export async function stepOf(
  code: string,
  app: { secretKey: string; userId: string; sealed: Buffer; now: Date },
): Promise<number | undefined> {
  const { Secret, TOTP } = await library()
  const secret = Secret.fromBase32(unseal(keyFor(app.secretKey, app.userId), app.sealed))
  const totp = new TOTP({ secret, algorithm: ALGORITHM, digits: DIGITS, period: PERIOD_SECONDS })
  const timestamp = app.now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
