import { sql, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { PREVIEW_SESSION_MS } from '#contract/guest-limits.ts'
import { CHALLENGE_LIFE_MS, REFRESH_REUSE_GRACE_MS, SESSION_ABSOLUTE_MS, SESSION_REMEMBERED_MS } from '#contract/limits.ts'
import { Tokens } from '#contract/session.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { newToken, seal, unseal } from '#server/engines/secrets/tokens.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { unauthenticated } from '#server/kernel/errors.ts'

export type Pair = z.output<typeof Tokens>

/** Ends all sessions of this sign-in: the current one, those it replaced and those that replaced it. */
export async function signOut(ctx: Context): Promise<void> {
  const { viewer } = ctx
  if (viewer.kind !== 'user' || viewer.familyId === undefined) return
  const { familyId } = viewer
  await transact(ctx, (tx) => endFamily(tx, familyId))
}

/** Ends all sessions of a user, also those by invitations to their email, except those of the sign-in that makes the change. */
export function endSessions(tx: WriteContext, userId: string, exceptFamily?: string): Promise<void> {
  const invited = sql<string>`(SELECT p.id FROM users u JOIN account_grants g ON g.kind = 'invite' AND (g.member_id = u.id OR g.email = u.email)
    JOIN users p ON p.grant_id = g.id WHERE u.id = ${userId})`
  return revokeAll(
    tx,
    (sessions) => sessions.where((where) => where.or([where('user_id', '=', userId), where('user_id', 'in', invited)])),
    exceptFamily,
  )
}

/** The same for all users of a company. */
export function endSessionsOfCompany(tx: WriteContext, companyId: string, exceptFamily?: string): Promise<void> {
  const users = tx.db.selectFrom('users').select('id').where('company_id', '=', companyId)
  return revokeAll(tx, (sessions) => sessions.where('user_id', 'in', users), exceptFamily)
}

export const endFamily = (tx: WriteContext, familyId: string): Promise<void> =>
  revokeAll(tx, (sessions) => sessions.where('family_id', '=', familyId))

export const revoke = ({ db, clock }: WriteContext) =>
  db.updateTable('sessions').set({ revoked_at: clock.now() }).where('revoked_at', 'is', null)

type Revoked = ReturnType<typeof revoke>

/** Repeats until none is left: an exchange that commits while this waits for its lock adds a session that the statement does not see. */
async function revokeAll(tx: WriteContext, only: (sessions: Revoked) => Revoked, exceptFamily?: string): Promise<void> {
  const ended = only(revoke(tx))
  const others = exceptFamily === undefined ? ended : ended.where('family_id', '<>', exceptFamily)
  let revoked: bigint
  do revoked = (await others.executeTakeFirst()).numUpdatedRows
  while (revoked > 0n)
  await endPreviews(tx)
}

/** A preview, and an account opened from the list of invitations, end with the sign-in in which they were opened. */
async function endPreviews(tx: WriteContext): Promise<void> {
  const isOver = (opener: string) =>
    sql<SqlBool>`NOT EXISTS (SELECT 1 FROM sessions opener WHERE opener.family_id = ${sql.ref(opener)} AND opener.revoked_at IS NULL)`
  await revoke(tx).where('kind', '=', 'preview').where(isOver('sessions.opened_in')).execute()
  await revoke(tx).where('entered_in', 'is not', null).where(isOver('sessions.entered_in')).execute()
}

/**
 * Exchanges a refresh token for a new pair. Repeated within REFRESH_REUSE_GRACE_MS, the exchange answers the same pair, because
 * several tabs may make it at once. Later it answers another pair while the first was never used, because its answer may have been lost,
 * and the first pair ends. Any other reuse revokes all sessions of the family, also with an access token that has expired since: another
 * person has a copy of the token.
 */
export async function exchangeTokens(ctx: Context, refreshToken: string, caller: Caller): Promise<Pair> {
  const pair = await transact(ctx, (tx) => exchange(tx, refreshToken, caller))
  if (pair === undefined) throw unauthenticated()
  return pair
}

async function exchange(tx: WriteContext, refreshToken: string, caller: Caller): Promise<Pair | undefined> {
  const session = await tx.db
    .selectFrom('sessions')
    .selectAll()
    .where('refresh_hash', '=', hashToken(refreshToken))
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const now = tx.clock.now()
  if (session === undefined) return undefined
  const isOwn = tx.viewer.kind === 'user' && session.user_id === tx.viewer.userId
  if (tx.viewer.kind === 'user' && !isOwn) return undefined
  if (session.refresh_used_at !== null) {
    const isRepeated = now.getTime() - session.refresh_used_at.getTime() <= REFRESH_REUSE_GRACE_MS
    if (isRepeated && isOwn && session.successor !== null) return Tokens.parse(JSON.parse(unseal(refreshToken, session.successor)))
    if (isRepeated) return undefined
    const isLost = isOwn && session.expires_at > now && (await endUnused(tx, session))
    if (!isLost) {
      await endFamily(tx, session.family_id)
      return undefined
    }
  }
  if (!isOwn || session.expires_at <= now) return undefined
  const { id: _id, ...pair } = await openSession(tx, {
    userId: session.user_id,
    kind: 'user',
    remember: session.remember,
    address: caller.address,
    client: caller.client,
    idleMs: caller.idleMs,
    succeeds: session,
  })
  await tx.db
    .updateTable('sessions')
    .set({ refresh_used_at: now, successor: seal(refreshToken, JSON.stringify(pair)) })
    .where('id', '=', session.id)
    .execute()
  return pair
}

/** Ends the session that replaces this one, if it was never used; false if it was. */
async function endUnused(tx: WriteContext, { id, family_id }: { id: string; family_id: string }): Promise<boolean> {
  const unused = await revoke(tx).where('family_id', '=', family_id).where('replaces', '=', id).executeTakeFirst()
  return unused.numUpdatedRows > 0n
}

interface NewSession {
  userId: string
  kind: 'user' | 'challenge' | 'preview'
  remember: boolean
  address: string
  /** What the browser calls itself. */
  client?: string | undefined
  /** The address that the client reports. Only recorded, never trusted. */
  statedAddress?: string | null | undefined
  /** For how long the user has not been active. */
  idleMs?: number
  /** Of people from outside: when it ends, and whether its tokens can be exchanged for new ones. */
  guest?: { expiresAt: Date; refresh: boolean; openedIn?: string | undefined; enteredIn?: string | undefined }
  /** The session of the same sign-in that this one replaces. */
  succeeds?: { id: string; family_id: string; expires_at: Date; entered_in: string | null }
}

/** Creates a session and its tokens. Only the hashes of the tokens are stored. */
export async function openSession(tx: WriteContext, session: NewSession): Promise<Pair & { id: string }> {
  const { kind, remember, succeeds, guest } = session
  const now = tx.clock.now()
  const token = newToken()
  const refresh = kind === 'user' && guest?.refresh !== false ? newToken() : null
  const userMs = remember ? SESSION_REMEMBERED_MS : SESSION_ABSOLUTE_MS
  const lifeMs = { challenge: CHALLENGE_LIFE_MS, user: userMs, preview: PREVIEW_SESSION_MS }[kind]
  const { id } = await tx.db
    .insertInto('sessions')
    .values({
      family_id: succeeds?.family_id ?? sql<string>`uuidv7()`,
      user_id: session.userId,
      kind,
      access_hash: hashToken(token),
      replaces: succeeds?.id ?? null,
      opened_in: guest?.openedIn ?? null,
      entered_in: guest?.enteredIn ?? succeeds?.entered_in ?? null,
      refresh_hash: refresh === null ? null : hashToken(refresh),
      remember,
      address: session.address,
      client: session.client ?? null,
      stated_address: session.statedAddress ?? null,
      last_used_at: new Date(now.getTime() - (session.idleMs ?? 0)),
      expires_at: succeeds?.expires_at ?? guest?.expiresAt ?? new Date(now.getTime() + lifeMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, refresh_token: refresh, two_factor: kind === 'challenge' }
}

export async function recordSignIn(tx: WriteContext, userId: string): Promise<void> {
  const { company_id } = await tx.db
    .updateTable('users')
    .set({ previous_login_at: sql`last_login_at`, last_login_at: tx.clock.now() })
    .where('id', '=', userId)
    .returning('company_id')
    .executeTakeFirstOrThrow()
  emit(tx, { model: 'users', id: userId, for: [company_id, userId] })
}
