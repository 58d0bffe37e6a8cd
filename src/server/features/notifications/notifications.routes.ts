import { sql } from 'kysely'
import type { z } from 'zod'
import {
  NOTIFICATION_KIND_NAMES,
  NotificationLink,
  notificationCalls,
  notificationKind,
  type Notification,
  type NotificationPreference,
} from '#contract/notifications.ts'
import type { BodyOf } from '#contract/route.ts'
import { getsKind, visibleNotifications } from '#server/access/notifications.ts'
import type { Context } from '#server/engines/context.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { invalid, notFound } from '#server/kernel/errors.ts'

const unread = (ctx: Context) =>
  ctx.db
    .selectFrom('notifications')
    .where('user_id', '=', signedIn(ctx).userId)
    .where('read_at', 'is', null)
    .where(visibleNotifications(ctx.viewer))

async function unreadNotifications(
  ctx: Context,
  limit: number,
): Promise<{ data: z.input<typeof Notification>[]; extra: { count: number } }> {
  const rows = await unread(ctx)
    .select(['id', 'message', 'icon', 'type', 'created_at', 'link'])
    .select(sql<number>`(count(*) OVER ())::int`.as('count'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const data = rows.map(({ created_at, link, type, icon, ...row }) => ({
    ...row,
    type: type as Notification['type'], // of a kind that the viewer gets
    icon: icon as Notification['icon'], // written with its kind
    created_at: created_at.toISOString(),
    link: NotificationLink.safeParse(link).data ?? null,
  }))
  return { data, extra: { count: rows[0]?.count ?? 0 } }
}

async function requireOwn(ctx: Context, id: string | undefined): Promise<void> {
  if (id === undefined || id === 'all') return
  const own = ctx.db.selectFrom('notifications').select('id').where('id', '=', id).where('user_id', '=', signedIn(ctx).userId)
  if ((await own.executeTakeFirst()) === undefined) throw notFound('Notification')
}

async function dismiss(ctx: Context, id: string, until: string | undefined): Promise<Date> {
  if (id !== 'all' && until !== undefined) throw invalid({ until: ['Only all notifications can be dismissed up to a time.'] })
  await requireOwn(ctx, id)
  const dismissedAt = ctx.clock.now()
  await ctx.db
    .updateTable('notifications')
    .set({ read_at: dismissedAt })
    .where('user_id', '=', signedIn(ctx).userId)
    .where('read_at', 'is', null)
    .$if(id !== 'all', (query) => query.where('id', '=', id))
    .$if(until !== undefined, (query) => query.where('created_at', '<=', new Date(until ?? 0)))
    .execute()
  return dismissedAt
}

const restore = (ctx: Context, dismissedAt: string) =>
  ctx.db
    .updateTable('notifications')
    .set({ read_at: null })
    .where('user_id', '=', signedIn(ctx).userId)
    .where('read_at', '=', new Date(dismissedAt))
    .execute()

/** Of the kinds that the viewer can get and that the product sends. */
async function preferences(ctx: Context): Promise<NotificationPreference[]> {
  const { userId } = signedIn(ctx)
  const rows = await ctx.db.selectFrom('notification_preferences').select(['kind', 'delivery']).where('user_id', '=', userId).execute()
  const chosen = new Map(rows.map(({ kind, delivery }) => [kind, delivery as NotificationPreference['delivery']])) // checked by the table
  return NOTIFICATION_KIND_NAMES.filter((kind) => isOffered(ctx, kind)).map((kind) => {
    const { label, standard } = notificationKind(kind)
    return { kind, label, delivery: chosen.get(kind) ?? standard }
  })
}

const isOffered = ({ viewer }: Context, kind: Notification['type']) => getsKind(viewer, kind) && notificationKind(kind).unused !== true

async function savePreferences(ctx: Context, { preferences: sent }: BodyOf<typeof notificationCalls.savePreferences>): Promise<void> {
  const chosen = NOTIFICATION_KIND_NAMES.flatMap((kind) => (sent[kind] === undefined ? [] : [{ kind, delivery: sent[kind] }]))
  const unknown = chosen.find(({ kind }) => !isOffered(ctx, kind))
  if (unknown !== undefined) throw invalid({ [`preferences.${unknown.kind}`]: ['You do not get notifications of this kind.'] })
  await transact(ctx, async (tx) => {
    for (const { kind, delivery } of chosen)
      await tx.db
        .insertInto('notification_preferences')
        .values({ user_id: signedIn(tx).userId, kind, delivery })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ delivery }))
        .execute()
  })
}

export const notificationRoutes = implement(
  notificationCalls,
  {
    index: ({ ctx, query }) => unreadNotifications(ctx, query.paginate),
    dismiss: async ({ ctx, params, body }) => {
      const dismissedAt = await dismiss(ctx, params.one_or_all, body.until)
      return { data: null, message: 'Dismissed.', extra: { dismissed_at: dismissedAt.toISOString() } }
    },
    restore: ({ ctx, body }) => done(restore(ctx, body.dismissed_at), 'Your notifications are shown again.'),
    preferences: async ({ ctx }) => ({ data: await preferences(ctx) }),
    savePreferences: async ({ ctx, body }) => {
      await savePreferences(ctx, body)
      return { data: await preferences(ctx), message: 'Your notifications were saved.' }
    },
  },
  (ctx, { one_or_all: id }) => requireOwn(ctx, id),
)
