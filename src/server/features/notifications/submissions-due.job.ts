import { sql } from 'kysely'
import { z } from 'zod'
import { plural } from '#contract/format.ts'
import { SUBMISSION_REMINDER_DAYS } from '#contract/limits.ts'
import { CHECKED_AS, inWork } from '#server/access/account-attention.ts'
import type { Context } from '#server/engines/context.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { transact } from '#server/engines/transaction/transact.ts'

const EVERY_MORNING = '30 10 * * *'

interface DueAccount {
  id: string
  name: string
  effective_date: string
  days: number
}

/**
 * Reminds of accounts in work that take effect within 30 and within 7 days and have open critical discrepancies. Each reminder reaches a
 * user once, so that a day without a run is made up for on the next one.
 */
export const notifySubmissionsDue = defineJob({
  name: 'notify-submissions-due',
  input: z.object({}),
  schedule: EVERY_MORNING,
  run: async (ctx, _input, { signal }) => {
    for (const account of await dueAccounts(ctx)) {
      if (signal.aborted) throw new Error('Stopped before all reminders were sent; the next try sends the rest.')
      await remind(ctx, account)
    }
  },
})

async function dueAccounts({ db, clock }: Context): Promise<DueAccount[]> {
  const { rows } = await sql<DueAccount>`SELECT due.* FROM (
      SELECT accounts.id, accounts.name, accounts.effective_date::text, accounts.effective_date - (${clock.now()} AT TIME ZONE c.timezone)::date AS days
      FROM accounts JOIN companies c ON c.id = accounts.company_id
      WHERE accounts.deleted_at IS NULL AND accounts.effective_date >= ${clock.now()}::date - 1
        AND accounts.effective_date <= ${clock.now()}::date + ${Math.max(...SUBMISSION_REMINDER_DAYS) + 1}::int
        AND ${inWork} AND ${CHECKED_AS.critical}) due
    WHERE due.days BETWEEN 0 AND ${Math.max(...SUBMISSION_REMINDER_DAYS)} ORDER BY due.id`.execute(db)
  return rows
}

const remind = (ctx: Context, { id, name, effective_date: date, days }: DueAccount): Promise<void> =>
  transact(ctx, async (tx) => {
    const reminder = Math.min(...SUBMISSION_REMINDER_DAYS.filter((from) => days <= from))
    const { owner, brokers } = await responsibleFor(tx.db, id)
    const when = days === 0 ? 'today' : `in ${plural(days, 'day')}`
    await notify(tx, [owner, ...brokers], {
      kind: 'submission_due',
      accountId: id,
      child: { model: 'discrepancies', model_id: null },
      message: `${name} takes effect ${when} and has open critical discrepancies.`,
      onceKey: `submission_due ${id} ${date} ${reminder}`,
    })
  })
