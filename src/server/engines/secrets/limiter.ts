import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { throttled, type AppError } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'

export type Limit = {
  key: string
  points: number
  perMs: number
  /** What users can do instead of waiting, as the end of a sentence. */
  instead?: string
}

/**
 * Counts an attempt, for all processes together, unless `points` were counted in `perMs` already: `over` is then the seconds to wait. Two
 * limits of one key with different points are one limit, the last attempts of which are reserved for the larger one.
 */
export async function addAttempt(ctx: Context, { key, points, perMs }: Limit): Promise<{ over: number | undefined }> {
  const now = ctx.clock.now().getTime()
  const { rows } = await sql`INSERT INTO rate_limits AS r (key, points, expire)
    VALUES (${key}, 1, ${now + perMs})
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN r.expire <= ${now} THEN 1 ELSE r.points + 1 END,
      expire = CASE WHEN r.expire <= ${now} THEN ${now + perMs} ELSE r.expire END
      WHERE r.expire <= ${now} OR r.points < ${points}::float8
    RETURNING key`.execute(ctx.db)
  if (rows.length > 0) return { over: undefined }
  const row = await ctx.db.selectFrom('rate_limits').select('expire').where('key', '=', key).executeTakeFirst()
  return { over: Math.max(1, Math.ceil((Number(row?.expire ?? now) - now) / 1_000)) }
}

/** Counts an attempt; throws `throttled` with the time to wait after too many. `message` is a sentence that the time completes. */
export async function countAttempt(ctx: Context, limit: Limit, message: string): Promise<void> {
  const { over } = await addAttempt(ctx, limit)
  if (over !== undefined) throw tooMany(message, over, limit.instead)
}

export const tooMany = (message: string, seconds: number, instead?: string): AppError =>
  throttled(`${message} Please try again in ${timeText(seconds)}${instead === undefined ? '' : `, or ${instead}`}.`, seconds)

const timeText = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** Takes back an attempt that was counted before its outcome was known. */
export async function releaseAttempt(ctx: Context, key: string): Promise<void> {
  await sql`UPDATE rate_limits SET points = points - 1 WHERE key = ${key} AND points > 0`.execute(ctx.db)
}

/** Call after a success. */
export async function clearAttempts(ctx: Context, key: string): Promise<void> {
  await ctx.db.deleteFrom('rate_limits').where('key', '=', key).execute()
}

/** For limits that a new password ends. */
export const RESET_INSTEAD = 'set a new password to sign in now'

/** Whether an attempt was counted that is not over yet. */
export async function isCounted({ db, clock }: Context, { key }: Limit): Promise<boolean> {
  const query = db.selectFrom('rate_limits').select('key').where('key', '=', key).where('expire', '>', clock.now().getTime())
  return (await query.executeTakeFirst()) !== undefined
}

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4

/** The address itself, or for IPv6 its /64, because one client has all addresses of it. */
export function networkOf(address: string): string {
  const mapped = IPV4_MAPPED.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const first = groups(head)
  const last = groups(tail ?? '')
  const zeros = Array.from({ length: Math.max(0, IPV6_GROUPS - first.length - last.length) }, () => '0')
  const all = [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16))
  return `${all.slice(0, IPV6_NETWORK_GROUPS).join(':')}::/64`
}
