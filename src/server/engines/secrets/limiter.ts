import { sql } from 'kysely'
import { throttled } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'

type Limit = { key: string; points: number; perMs: number }

/** Counts an attempt, for all processes together. Throws `throttled` with the seconds to wait after `points` attempts in `perMs`. */
export async function countAttempt(ctx: Context, { key, points, perMs }: Limit, message: string): Promise<void> {
  const now = ctx.clock.now().getTime()
  const { rows } = await sql<{ points: number; expire: number }>`INSERT INTO rate_limits AS r (key, points, expire)
    VALUES (${key}, 1, ${now + perMs})
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN r.expire <= ${now} THEN 1 ELSE r.points + 1 END,
      expire = CASE WHEN r.expire <= ${now} THEN ${now + perMs} ELSE r.expire END
    RETURNING points, expire`.execute(ctx.db)
  const row = rows[0]
  if (row !== undefined && row.points > points) throw throttled(message, Math.max(1, Math.ceil((row.expire - now) / 1_000)))
}

/** Call after a success. */
export async function clearAttempts(ctx: Context, key: string): Promise<void> {
  await ctx.db.deleteFrom('rate_limits').where('key', '=', key).execute()
}
