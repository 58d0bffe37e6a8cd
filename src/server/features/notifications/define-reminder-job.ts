import { z } from 'zod'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'
import { notify, type NewNotification } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { transact } from '#server/engines/transaction/transact.ts'

interface ReminderJob<Due> {
  name: string
  /** Cron expression (UTC). */
  schedule: string
  /** What needs a reminder now. */
  findDue: (ctx: Context) => Promise<readonly Due[]>
  /** The reminder; undefined if another run has sent it meanwhile. What it writes is committed with the reminder. */
  reminderOf: (tx: WriteContext, due: Due) => Promise<NewNotification | undefined>
  /** What else is due each time, after the reminders. */
  afterwards?: (ctx: Context, signal: AbortSignal) => Promise<void>
}

/**
 * Declares a job that reminds the owner and the brokers of an account. Each reminder is one transaction, so that a run that is killed
 * sends nothing twice.
 */
export const defineReminderJob = <Due>({ name, schedule, findDue, reminderOf, afterwards }: ReminderJob<Due>) =>
  defineJob({
    name,
    input: z.object({}),
    schedule,
    run: async (ctx, _input, { signal }) => {
      for (const due of await findDue(ctx)) {
        if (signal.aborted) throw new Error('Stopped before all reminders were sent; the next try sends the rest.')
        await remind(ctx, (tx) => reminderOf(tx, due))
      }
      await afterwards?.(ctx, signal)
    },
  })

const remind = (ctx: Context, reminderIn: (tx: WriteContext) => Promise<NewNotification | undefined>): Promise<void> =>
  transact(ctx, async (tx) => {
    const reminder = await reminderIn(tx)
    if (reminder === undefined) return
    const { owner, brokers } = await responsibleFor(tx.db, reminder.accountId)
    await notify(tx, [owner, ...brokers], reminder)
  })
