import { sql } from 'kysely'
import { CHALLENGE_LIFE_MS, SESSION_ABSOLUTE_MS, SESSION_REMEMBERED_MS } from '#contract/limits.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'

export interface Pair {
  token: string
  refresh_token: string | null
  two_factor: boolean
}

interface NewSession {
  userId: string
  kind: 'user' | 'challenge'
  remember: boolean
  address: string
  /** What the client says its address is. */
  statedAddress?: string | undefined
  familyId?: string
  expiresAt?: Date
}

/** Creates a session and its tokens. Only the hashes of the tokens are stored. */
export async function openSession(tx: WriteContext, session: NewSession): Promise<Pair & { id: string }> {
  const now = tx.clock.now().getTime()
  const token = newToken()
  const refresh = session.kind === 'user' ? newToken() : null
  const userLife = session.remember ? SESSION_REMEMBERED_MS : SESSION_ABSOLUTE_MS
  const life = session.kind === 'challenge' ? CHALLENGE_LIFE_MS : userLife
  const { id } = await tx.db
    .insertInto('sessions')
    .values({
      family_id: session.familyId ?? sql<string>`uuidv7()`,
      user_id: session.userId,
      kind: session.kind,
      access_hash: hashToken(token),
      refresh_hash: refresh === null ? null : hashToken(refresh),
      remember: session.remember,
      address: session.address,
      stated_address: session.statedAddress ?? null,
      last_used_at: new Date(now),
      expires_at: session.expiresAt ?? new Date(now + life),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, refresh_token: refresh, two_factor: session.kind === 'challenge' }
}

export async function recordSignIn(tx: WriteContext, userId: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ previous_login_at: sql`last_login_at`, last_login_at: tx.clock.now() })
    .where('id', '=', userId)
    .execute()
}
