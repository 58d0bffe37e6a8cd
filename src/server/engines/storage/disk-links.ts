import { createHmac, timingSafeEqual } from 'node:crypto'
import { forbidden } from '#server/kernel/errors.ts'

export type LinkFields = Record<string, string>

/**
 * Signs what a link may do: HMAC-SHA256 over purpose and every field, `expires` (Unix milliseconds) among them.
 * `verify` returns the fields, or throws AppError `forbidden` for a link that was changed or is past its time.
 */
export function createLinkSigner(secret: string, now: () => Date) {
  // A key of its own, so that no other use of the secret can produce a valid link.
  const key = createHmac('sha256', secret).update('storage links').digest()
  const signatureOf = (purpose: string, fields: LinkFields) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))]))
      .digest()

  return {
    sign(purpose: 'POST' | 'PUT' | 'GET', fields: LinkFields, expiresInMs: number): LinkFields {
      const signed = { ...fields, expires: String(now().getTime() + expiresInMs) }
      return { ...signed, signature: signatureOf(purpose, signed).toString('base64url') }
    },
    verify(purpose: 'POST' | 'PUT' | 'GET', { signature = '', ...signed }: LinkFields): LinkFields {
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(purpose, signed)
      if (given.length !== right.length || !timingSafeEqual(given, right)) {
        throw forbidden('This link is not valid. Open the page again to get a new one.')
      }
      if (now().getTime() > Number(signed['expires'])) throw forbidden('This link has expired. Open the page again to get a new one.')
      return signed
    },
  }
}

export type LinkSigner = ReturnType<typeof createLinkSigner>
