import { sql } from 'kysely'
import { plural } from '#contract/format.ts'
import { SUBMISSION_REMINDER_DAYS } from '#contract/limits.ts'
import { CHECKED_AS, inWork } from '#server/access/account-attention.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { NewNotification } from '#server/engines/notification/notify.ts'
import { defineReminderJob } from './define-reminder-job.ts'

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
export const notifySubmissionsDue = defineReminderJob({
  name: 'notify-submissions-due',
  schedule: EVERY_MORNING,
  findDue: dueAccounts,
  reminderOf,
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

async function reminderOf(_tx: WriteContext, { id, name, effective_date: date, days }: DueAccount): Promise<NewNotification> {
  const reminder = Math.min(...SUBMISSION_REMINDER_DAYS.filter((from) => days <= from))
  const when = days === 0 ? 'today' : `in ${plural(days, 'day')}`
  return {
    kind: 'submission_due',
    accountId: id,
    child: { model: 'discrepancies', model_id: null },
    message: `${name} takes effect ${when} and has open critical discrepancies.`,
    onceKey: `submission_due ${id} ${date} ${reminder}`,
  }
}
