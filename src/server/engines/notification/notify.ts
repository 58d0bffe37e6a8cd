import { sql } from 'kysely'
import { ACCOUNT_MODEL } from '#contract/models.ts'
import { notificationKind, type Delivery, type NotificationKind, type NotificationLink } from '#contract/notifications.ts'
import { getsKind, visibleNotifications, type SubjectModel } from '#server/access/notifications.ts'
import { uuids } from '#server/access/scope.ts'
import { loadViewers, viewerId, type SignedIn } from '#server/access/viewer.ts'
import type { WriteContext } from '../context.ts'
import { enqueue } from '../jobs/define-job.ts'
import { mailNotification } from './mail-notifications.job.ts'

/** Every API process listens to it and forwards the notice to the user's pages. */
export const NOTIFICATIONS_CHANNEL = 'plumbline_notifications'
export interface NotificationNotice {
  userId: string
  id: string
  createdAt: string
}

export interface NewNotification {
  kind: NotificationKind
  accountId: string
  /** The record that the message names: users who do not see it get no notification. The account is always checked. */
  subject?: { model: SubjectModel; id: string }
  /** A text that depends on what the user sees; undefined for no notification. */
  message: string | ((viewer: SignedIn) => Promise<string | undefined>)
  /** The part of the account that it opens. */
  child?: NotificationLink['child']
  /** Whether the viewer who did it is notified too, as of work in the background. */
  withActor?: boolean
  /** The same key reaches a user once only. */
  onceKey?: string
}

/**
 * Notifies these users in the transaction, those of them who see what the notification is about, each in the way of their choice.
 * Everyone can be named: visibility is checked here, and again when it is read or mailed.
 */
export async function notify(
  tx: WriteContext,
  userIds: readonly (string | null | undefined)[],
  notification: NewNotification,
): Promise<void> {
  const actor = notification.withActor === true ? null : viewerId(tx.viewer)
  const ids = [...new Set(userIds)].filter((id) => typeof id === 'string').filter((id) => id !== actor)
  if (ids.length === 0) return
  const viewers = (await loadViewers(tx.db, ids)).filter((viewer) => getsKind(viewer, notification.kind))
  const chosen = await chosenDeliveries(tx, notification.kind, viewers)
  for (const viewer of viewers) {
    const delivery = chosen.get(viewer.userId) ?? notificationKind(notification.kind).standard
    if (delivery !== 'off') await notifyOne(tx, viewer, notification, delivery)
  }
}

async function chosenDeliveries({ db }: WriteContext, kind: NotificationKind, viewers: readonly SignedIn[]) {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['user_id', 'delivery'])
    .where('kind', '=', kind)
    .where('user_id', '=', sql<string>`ANY(${uuids(viewers.map(({ userId }) => userId))})`)
    .execute()
  return new Map(rows.map(({ user_id, delivery }) => [user_id, delivery as Delivery])) // checked by the table
}

async function notifyOne(
  tx: WriteContext,
  viewer: SignedIn,
  { kind, accountId, subject, message, child, onceKey }: NewNotification,
  delivery: Delivery,
): Promise<void> {
  const text = typeof message === 'string' ? message : await message(viewer)
  if (text === undefined) return
  const link: NotificationLink = { model: ACCOUNT_MODEL, model_id: accountId, ...(child === undefined ? {} : { child }) }
  const createdAt = tx.clock.now()
  const { rows } = await sql<{ id: string }>`INSERT INTO notifications
      (user_id, type, account_id, subject_model, subject_id, icon, message, link, delivery, once_key, created_at)
    SELECT notifications.*, ${notificationKind(kind).icon}, ${text}, ${JSON.stringify(link)}::jsonb, ${delivery}, ${onceKey ?? null}, ${createdAt}
    FROM (SELECT ${viewer.userId}::uuid AS user_id, ${kind}::text AS type, ${accountId}::uuid AS account_id,
      ${subject?.model ?? null}::text AS subject_model, ${subject?.id ?? null}::uuid AS subject_id) AS notifications
    WHERE ${visibleNotifications(viewer)}
    ON CONFLICT (user_id, once_key) WHERE once_key IS NOT NULL DO NOTHING
    RETURNING id`.execute(tx.db)
  const [stored] = rows
  if (stored === undefined) return
  const notice: NotificationNotice = { userId: viewer.userId, id: stored.id, createdAt: createdAt.toISOString() }
  await sql`SELECT pg_notify(${NOTIFICATIONS_CHANNEL}, ${JSON.stringify(notice)})`.execute(tx.db)
  if (delivery === 'email') await enqueue(tx, mailNotification, { id: stored.id })
}
