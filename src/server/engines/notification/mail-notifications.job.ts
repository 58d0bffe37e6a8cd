import { sql } from 'kysely'
import { z } from 'zod'
import { formatDate, plural } from '#contract/format.ts'
import { NotificationLink, notificationAddress, notificationKind, type NotificationKind } from '#contract/notifications.ts'
import { Id } from '#contract/route.ts'
import { visibleNotifications } from '#server/access/notifications.ts'
import { loadViewer, type SignedIn } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '../context.ts'
import { defineJob } from '../jobs/define-job.ts'
import { enqueueMail } from '../mail/send-mail.job.ts'
import { transact } from '../transaction/transact.ts'

/** Mails one notification, unless the user has dismissed it or no longer sees what it is about. */
export const mailNotification = defineJob({
  name: 'mail-notification',
  input: z.object({ id: Id }),
  run: (ctx, { id }) =>
    transact(ctx, async (tx) => {
      const row = await tx.db.selectFrom('notifications').select('user_id').where('id', '=', id).executeTakeFirst()
      const viewer = row && (await loadViewer(tx.db, row.user_id))
      const [notification] = viewer === undefined ? [] : await takeUnmailed(tx, viewer, { delivery: 'email', id })
      if (viewer === undefined || notification === undefined) return
      await enqueueMail(tx, {
        to: viewer.email,
        key: `notification ${id}`,
        subject: notification.message,
        preview: notificationKind(notification.type).label,
        heading: notificationKind(notification.type).label,
        paragraphs: [`Hello ${viewer.firstName},`, notification.message],
        button: { label: buttonOf(notification), url: urlOf(tx, notification) },
        reason: 'You get this email because your profile says that notifications of this kind are emailed to you at once.',
        settings: settings(tx),
      })
    }),
})

const DIGEST_LINES_MAX = 50
const EVERY_MORNING = '0 11 * * *'

/** One mail a day for each user with notifications for it. Each user is committed alone, so a killed run mails nothing twice. */
export const mailDigests = defineJob({
  name: 'mail-digests',
  input: z.object({}),
  schedule: EVERY_MORNING,
  run: async (ctx, _input, { signal }) => {
    const { rows } = await sql<{ user_id: string }>`SELECT DISTINCT user_id FROM notifications
      WHERE delivery = 'digest' AND mailed_at IS NULL AND read_at IS NULL`.execute(ctx.db)
    for (const { user_id } of rows) {
      if (signal.aborted) throw new Error('Stopped before all daily mails were queued; the next try queues the rest.')
      await mailDigest(ctx, user_id)
    }
  },
})

const mailDigest = (ctx: Context, userId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const viewer = await loadViewer(tx.db, userId)
    if (viewer === undefined) return
    const notifications = await takeUnmailed(tx, viewer, { delivery: 'digest' })
    if (notifications.length === 0) return
    const more = notifications.length - DIGEST_LINES_MAX
    const count = plural(notifications.length, 'notification')
    await enqueueMail(tx, {
      to: viewer.email,
      key: `digest ${userId} ${notifications[0]?.id ?? ''}`,
      subject: `${tx.config.product.name}: ${count} on ${formatDate(tx.clock.now().toISOString(), viewer.timezone)}`,
      preview: (notifications[0]?.message ?? '').replace(/\s+/g, ' '),
      heading: count,
      paragraphs: [
        `Hello ${viewer.firstName}, this is new since your last daily email.`,
        ...notifications.slice(0, DIGEST_LINES_MAX).map((notification) => ({ text: notification.message, url: urlOf(tx, notification) })),
        ...(more > 0 ? [`and ${more} more`] : []),
      ],
      button: { label: `Open ${tx.config.product.name}`, url: tx.config.appUrl },
      reason: 'You get this email because your profile says that notifications of these kinds are emailed to you once a day.',
      settings: settings(tx),
    })
  })

interface Unmailed {
  id: string
  type: NotificationKind
  message: string
  link: unknown
}

/** Marks the user's notifications that wait for a mail as mailed and returns those that can be mailed: visible and not dismissed. */
async function takeUnmailed(
  tx: WriteContext,
  viewer: SignedIn,
  { delivery, id = null }: { delivery: 'email' | 'digest'; id?: string | null },
): Promise<Unmailed[]> {
  const { rows } = await sql<Unmailed & { shown: boolean }>`UPDATE notifications SET mailed_at = ${tx.clock.now()}
    WHERE user_id = ${viewer.userId} AND delivery = ${delivery} AND mailed_at IS NULL AND (${id}::uuid IS NULL OR id = ${id})
    RETURNING id, type, message, link, (read_at IS NULL AND ${visibleNotifications(viewer)}) AS shown`.execute(tx.db)
  return rows.filter(({ shown }) => shown).sort((one, other) => one.id.localeCompare(other.id))
}

const linkOf = ({ link }: Unmailed): NotificationLink | undefined => NotificationLink.safeParse(link).data

const urlOf = ({ config }: Context, notification: Unmailed): string => {
  const link = linkOf(notification)
  return config.appUrl + (link === undefined ? '' : notificationAddress(link))
}

const BUTTONS: Readonly<Record<NonNullable<NotificationLink['child']>['model'], string>> = {
  account_files: 'Open documents',
  account_properties: 'Open properties',
  imports: 'Open import',
  archives: 'Open downloads',
  discrepancies: 'Open discrepancies',
  flags: 'Open flagged properties',
  risk_control: 'Open report',
}

function buttonOf(notification: Unmailed): string {
  const child = linkOf(notification)?.child
  return child === undefined ? 'Open account' : BUTTONS[child.model]
}

const settings = ({ config }: Context) => ({ label: 'Change this on your profile', url: `${config.appUrl}/profile` })
