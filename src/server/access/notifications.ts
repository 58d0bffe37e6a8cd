import { sql, type Expression, type SqlBool } from 'kysely'
import { NOTIFICATION_KIND_NAMES, notificationKind, type NotificationKind } from '#contract/notifications.ts'
import { visibleFiles } from './account-files.ts'
import { visibleProperties } from './account-properties.ts'
import { visibleAccounts } from './accounts.ts'
import { visibleImports } from './imports.ts'
import { visibleRiskControl } from './risk-control.ts'
import { isGuest } from './roles.ts'
import { FALSE } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

/** Whether the viewer gets notifications of this kind at all. Guests get none. */
export const getsKind = (viewer: Viewer, kind: NotificationKind): boolean =>
  viewer.kind === 'user' && !isGuest(viewer) && can(viewer, notificationKind(kind).needs)

const kindsOf = (viewer: Viewer): string[] => NOTIFICATION_KIND_NAMES.filter((kind) => getsKind(viewer, kind))

/** What notifications can be about, with the records of that kind that the viewer sees. */
const SUBJECTS = {
  account_properties: (viewer: Viewer, id: Expression<unknown>) =>
    sql`account_properties p WHERE p.id = ${id} AND p.deleted_at IS NULL AND ${visibleProperties(viewer, { account: 'p.account_id', id: 'p.id' })}`,
  account_files: (viewer: Viewer, id: Expression<unknown>) =>
    sql`account_files f WHERE f.id = ${id} AND f.deleted_at IS NULL AND ${visibleFiles(viewer, 'f')}`,
  risk_control: (viewer: Viewer, id: Expression<unknown>) =>
    sql`risk_control r WHERE r.id = ${id} AND r.deleted_at IS NULL AND ${visibleRiskControl(viewer, 'r')}`,
  imports: (viewer: Viewer, id: Expression<unknown>) => sql`imports i WHERE i.id = ${id} AND ${visibleImports(viewer, 'i')}`,
}
export type SubjectModel = keyof typeof SUBJECTS

/**
 * The viewer's own notifications about records that they still see: the only condition for the dropdown and its count, and for what is
 * mailed. Also checked before a notification is stored. One about a record that is in the trash or gone is hidden with it.
 */
export function visibleNotifications(viewer: Viewer): Expression<SqlBool> {
  if (viewer.kind !== 'user') return FALSE
  const subject = sql.ref('notifications.subject_id')
  const conditions = Object.entries(SUBJECTS).map(
    ([model, seen]) => sql`(notifications.subject_model = ${model} AND EXISTS (SELECT 1 FROM ${seen(viewer, subject)}))`,
  )
  return sql<SqlBool>`(notifications.user_id = ${viewer.userId} AND notifications.type = ANY(${kindsOf(viewer)}::text[])
    AND ${visibleAccounts(viewer, 'notifications.account_id', 'live')}
    AND (notifications.subject_model IS NULL OR ${sql.join(conditions, sql` OR `)}))`
}
