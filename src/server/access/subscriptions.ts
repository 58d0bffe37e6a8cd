import type { Expression, SqlBool } from 'kysely'
import { FALSE, TRUE } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

/** Subscriptions belong to the system: all of them with the permission, none without. */
export const visibleSubscriptions = (viewer: Viewer): Expression<SqlBool> => (can(viewer, 'view_subscriptions') ? TRUE : FALSE)

export const subscriptionRules = (viewer: Viewer, { deleted_at }: { deleted_at: Date | null }) => ({
  update: deleted_at === null && can(viewer, 'update_subscriptions'),
  delete: can(viewer, 'delete_subscriptions'),
})
