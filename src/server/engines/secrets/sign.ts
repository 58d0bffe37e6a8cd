import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over the purpose and the fields. The purpose is part of it, so a signature for one purpose is invalid for any other. */
export const hmac = (secret: string, purpose: string, ...fields: readonly string[]): Buffer =>
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
