import { createCipheriv, createDecipheriv, createHash, randomBytes, randomInt, createHmac, timingSafeEqual } from 'node:crypto'

/** 256 random bits, url-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Six random digits. */
export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

export const hashCode = (secret: string, sessionId: string, code: string): Buffer => hmac(secret, 'sign-in code', sessionId, code)

/** Without the letters i, l, o and u, which are read as digits or form words. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_GROUP = 4

/** 40 random bits as two groups of letters and digits. */
export function newRecoveryCode(): string {
  const characters = Array.from({ length: 2 * RECOVERY_GROUP }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join('')
  return `${characters.slice(0, RECOVERY_GROUP)}-${characters.slice(RECOVERY_GROUP)}`
}

/** The same for all ways to write the code. */
export function hashRecoveryCode(secret: string, userId: string, code: string): Buffer {
  const written = code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[il]/g, '1')
    .replace(/o/g, '0')
  return hmac(secret, 'recovery code', userId, written)
}

const keyOf = (secret: string) => createHash('sha256').update(`seal ${secret}`).digest()

/** AES-256-GCM under a key derived from the given secret: nonce, tag, text. */
export function seal(secret: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Throws for a wrong secret or a changed text. */
export function unseal(secret: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** HMAC-SHA256 over the purpose and the fields. The purpose is part of it, so a signature for one purpose is invalid for any other. */
const hmac = (secret: string, purpose: string, ...fields: readonly string[]): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...fields]))
    .digest()

/** The HMAC as URL-safe text. */
export const sign = (secret: string, purpose: string, ...fields: readonly string[]): string =>
  hmac(secret, purpose, ...fields).toString('base64url')

/** Compares in constant time. */
export function isSigned(signature: string, secret: string, purpose: string, ...fields: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64url')
  const expected = hmac(secret, purpose, ...fields)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
