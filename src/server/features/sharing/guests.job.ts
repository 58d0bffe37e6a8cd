import { sql } from 'kysely'
import { z } from 'zod'
import { formatDate } from '#contract/format.ts'
import { INVITE_WARNING_MS } from '#contract/guest-limits.ts'
import { DAY_MS } from '#contract/limits.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { transact } from '#server/engines/transaction/transact.ts'

const EVERY_MORNING = '11 7 * * *'
const EVERY_NIGHT = '52 3 * * *'

/** Notifies senders of invitations that end soon, once for each end. */
const warnOfExpiry = defineJob({
  name: 'warn-of-expiry',
  input: z.object({}),
  schedule: EVERY_MORNING,
  run: (ctx) =>
    transact(ctx, async (tx) => {
      const now = tx.clock.now()
      const until = new Date(now.getTime() + INVITE_WARNING_MS)
      const { rows } = await sql<{
        id: string
        account_id: string
        created_by: string | null
        email: string
        expires_at: Date
        timezone: string
      }>`
        UPDATE account_grants g SET expiry_warned_at = ${now} FROM accounts a JOIN companies c ON c.id = a.company_id
        WHERE a.id = g.account_id AND a.deleted_at IS NULL AND g.kind = 'invite' AND g.revoked_at IS NULL AND g.expiry_warned_at IS NULL
          AND g.expires_at > ${now} AND g.expires_at <= ${until}
        RETURNING g.id, g.account_id, g.created_by, g.email::text AS email, g.expires_at, c.timezone`.execute(tx.db)
      for (const { account_id: accountId, created_by, email, expires_at, timezone } of rows)
        await notify(tx, [created_by], {
          kind: 'invite_expiring',
          accountId,
          message: `The invitation of ${email} ends on ${formatDate(expires_at.toISOString(), timezone)}`,
        })
    }),
})

/** Visitors whose sessions have ended no longer count for the account. */
const removeVisitors = defineJob({
  name: 'remove-visitors',
  input: z.object({}),
  schedule: EVERY_NIGHT,
  run: async (ctx) => {
    const now = ctx.clock.now()
    await sql`UPDATE users SET deleted_at = ${now} WHERE kind = 'visitor' AND deleted_at IS NULL AND created_at < ${new Date(now.getTime() - DAY_MS)}
      AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id AND s.revoked_at IS NULL AND s.expires_at > ${now})`.execute(
      ctx.db,
    )
    await sql`DELETE FROM account_grants WHERE kind = 'preview' AND expires_at < ${now}`.execute(ctx.db)
    await sql`DELETE FROM link_codes WHERE expires_at < ${now}`.execute(ctx.db)
  },
})

export const guestJobs = [warnOfExpiry, removeVisitors]
