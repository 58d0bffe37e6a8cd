import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { APP_SETUP_LIFE_MS } from '#contract/factor-limits.ts'
import { NOTIFICATION_LIFE_MS, SESSION_HISTORY_MS } from '#contract/limits.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'

const EVERY_NIGHT = '37 3 * * *'
const BATCH = 2_000

/**
 * Deletes expired rate limits, codes, reset links, challenges of passkeys, authenticator apps that were not confirmed, notifications, opened records and sessions, in batches so that no lock is held long. Sessions are stored for
 * SESSION_HISTORY_MS: a used refresh token must revoke its family, and an address that a user signed in from stays familiar.
 */
export const removeExpired = defineJob({
  name: 'remove-expired',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  run: async (ctx, _input, { signal }) => {
    const now = ctx.clock.now()
    const history = new Date(now.getTime() - SESSION_HISTORY_MS)
    const expired: readonly [table: string, condition: RawBuilder<unknown>][] = [
      ['rate_limits', sql`expire <= ${now.getTime()}`],
      ['notifications', sql`created_at <= ${new Date(now.getTime() - NOTIFICATION_LIFE_MS)}`],
      // What was opened before the previous sign-in is not new in any case.
      ['record_views', sql`viewed_at < (SELECT previous_login_at FROM users WHERE users.id = record_views.user_id)`],
      ['login_challenges', sql`expires_at <= ${now}`],
      ['passkey_challenges', sql`expires_at <= ${now}`],
      ['totp_secrets', sql`confirmed_at IS NULL AND created_at <= ${new Date(now.getTime() - APP_SETUP_LIFE_MS)}`],
      ['oidc_states', sql`expires_at <= ${now}`],
      ['sign_in_tickets', sql`expires_at <= ${now}`],
      ['password_resets', sql`expires_at <= ${now} OR used_at <= ${now}`],
      [
        'sessions',
        sql`expires_at <= ${history} AND NOT EXISTS (SELECT 1 FROM sessions later WHERE later.family_id = sessions.family_id
          AND later.expires_at > ${history})`,
      ],
    ]
    for (const [table, condition] of expired) {
      const batch = sql`SELECT ctid FROM ${sql.table(table)} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
      let deleted = BigInt(BATCH)
      while (deleted === BigInt(BATCH) && !signal.aborted) {
        const { numAffectedRows } = await sql`DELETE FROM ${sql.table(table)} WHERE ctid = ANY(ARRAY(${batch}))`.execute(ctx.db)
        deleted = numAffectedRows ?? 0n
      }
    }
  },
})
