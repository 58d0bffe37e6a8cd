import type { Context } from '#server/engines/context.ts'
import { PASSKEY_CHALLENGE_LIFE_MS } from '#contract/factor-limits.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'

/** A challenge for a new passkey of the user, or without one for a sign-in. */
export async function newChallenge({ db, clock }: Context, userId: string | null): Promise<{ challenge: string; timeout: number }> {
  const challenge = newToken()
  const expiresAt = new Date(clock.now().getTime() + PASSKEY_CHALLENGE_LIFE_MS)
  await db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hashToken(challenge), user_id: userId, expires_at: expiresAt })
    .execute()
  return { challenge, timeout: PASSKEY_CHALLENGE_LIFE_MS }
}

/** Whether the challenge was made for this and has not been answered. It cannot be answered again, also if this answer is rejected later. */
export async function takeChallenge({ db, clock }: Context, challenge: string, userId: string | null): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}

/** Passkeys belong to the host that users open, and work on its pages only. */
export function relyingParty({ config }: Context) {
  const { hostname, origin } = new URL(config.appUrl)
  return { id: hostname, origin, name: config.product.name }
}
