import { sql } from 'kysely'
import type { z } from 'zod'
import { CHALLENGE_LIFE_MS, SESSION_ABSOLUTE_MS, SESSION_REMEMBERED_MS } from '#contract/limits.ts'
import type { Tokens } from '#contract/session.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'

export type Pair = z.output<typeof Tokens>

interface NewSession {
  userId: string
  kind: 'user' | 'challenge'
  remember: boolean
  address: string
  /** What the client says its address is. */
  statedAddress?: string | undefined
  /** The session of the same sign-in that this one replaces. */
  succeeds?: { family_id: string; expires_at: Date }
}

/** Creates a session and its tokens. Only the hashes of the tokens are stored. */
export async function openSession(tx: WriteContext, session: NewSession): Promise<Pair & { id: string }> {
  const { kind, remember, succeeds } = session
  const now = tx.clock.now()
  const token = newToken()
  const refresh = kind === 'user' ? newToken() : null
  const lifeMs = { challenge: CHALLENGE_LIFE_MS, user: remember ? SESSION_REMEMBERED_MS : SESSION_ABSOLUTE_MS }[kind]
  const { id } = await tx.db
    .insertInto('sessions')
    .values({
      family_id: succeeds?.family_id ?? sql<string>`uuidv7()`,
      user_id: session.userId,
      kind,
      access_hash: hashToken(token),
      refresh_hash: refresh === null ? null : hashToken(refresh),
      remember,
      address: session.address,
      stated_address: session.statedAddress ?? null,
      last_used_at: now,
      expires_at: succeeds?.expires_at ?? new Date(now.getTime() + lifeMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, refresh_token: refresh, two_factor: kind === 'challenge' }
}

export async function recordSignIn(tx: WriteContext, userId: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ previous_login_at: sql`last_login_at`, last_login_at: tx.clock.now() })
    .where('id', '=', userId)
    .execute()
}
