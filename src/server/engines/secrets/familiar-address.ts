import { sql } from 'kysely'
import { HOUR_MS } from '#contract/limits.ts'
import type { Context } from '../context.ts'
import { isCounted, networkOf, type Limit } from './limiter.ts'

/**
 * The person at this address has just shown that the account is theirs, by a link that was mailed to it. For an hour the guesses of others do
 * not shut them out there.
 */
export const provenAddress = (userId: string, address: string): Limit => ({
  key: `proven ${userId} ${networkOf(address)}`,
  points: Number.POSITIVE_INFINITY,
  perMs: HOUR_MS,
})

/**
 * Whether a session of this user was opened from the address before, or their password set by a mailed link. Attempts from elsewhere must not
 * shut its users out. Of IPv6 the network counts, because devices change their address in it every day.
 */
export async function isFamiliar(ctx: Context, userId: string, address: string): Promise<boolean> {
  if (await isCounted(ctx, provenAddress(userId, address))) return true
  const { rows } = await sql`SELECT 1 FROM sessions WHERE user_id = ${userId} AND kind = 'user' AND ${isFrom(address)} LIMIT 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** Whether a visitor has opened the link from the address before. */
export async function isFamiliarToLink(ctx: Context, grantId: string, address: string): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM sessions JOIN users visitor ON visitor.id = sessions.user_id
    WHERE visitor.grant_id = ${grantId} AND sessions.kind = 'user' AND ${isFrom(address)} LIMIT 1`.execute(ctx.db)
  return rows.length > 0
}

/** A session from the address, or for IPv6 from its network. */
function isFrom(address: string) {
  const network = networkOf(address)
  return network.endsWith('/64')
    ? sql`CASE WHEN pg_input_is_valid(sessions.address, 'inet') THEN sessions.address::inet <<= ${network}::inet ELSE false END`
    : sql`sessions.address = ${address}`
}
