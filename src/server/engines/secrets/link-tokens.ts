import { hashToken } from '../session/authenticate.ts'
import { newToken, seal, unseal } from './tokens.ts'

const SEALED_FOR = 'links of people from outside'

/** The secret of a new link with what is stored of it: a hash that finds it, and the sealed text, because users are shown the link again. */
export function newLinkToken(secretKey: string) {
  const token = newToken()
  return { token, columns: { token_hash: hashToken(token), token_sealed: seal(`${SEALED_FOR} ${secretKey}`, token) } }
}

/** The secret of a stored link. Throws if it was sealed with another key. */
export const openLinkToken = (secretKey: string, sealed: Buffer): string => unseal(`${SEALED_FOR} ${secretKey}`, sealed)
