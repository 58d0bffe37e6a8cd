import { sql, type Expression, type SqlBool } from 'kysely'
import { isPermission } from '#contract/permissions.ts'
import { FALSE, TRUE } from './scope.ts'
import { can, viewerId, type Viewer } from './viewer.ts'

/**
 * The own record, the users of the own company, or all users, depending on the viewer's permissions. People from outside are no users of the
 * company that let them in: invitations and links show them.
 */
export function visibleUsers(viewer: Viewer, users = 'users'): Expression<SqlBool> {
  // Written so that the database expects most users to be members.
  const isMember = sql`${sql.ref(`${users}.kind`)} <> ALL('{guest,visitor}')`
  if (viewer.kind === 'system') return TRUE
  if (can(viewer, 'view_all_system_users')) return sql<SqlBool>`${isMember}`
  if (viewer.kind !== 'user') return FALSE
  return can(viewer, 'view_company_users')
    ? sql<SqlBool>`(${sql.ref(`${users}.company_id`)} = ${viewer.companyId} AND ${isMember})`
    : sql<SqlBool>`(${sql.ref(`${users}.id`)} = ${viewer.userId} AND ${isMember})`
}

/** A user with more permissions than the viewer cannot be changed: a new email or password would hand those permissions over. */
export function userRules(viewer: Viewer, user: { id: string; deleted_at: Date | null; permissions: readonly string[] }) {
  const within = mayGive(viewer, user.permissions)
  return {
    update: within && user.deleted_at === null && can(viewer, 'update_users'),
    delete: within && viewerId(viewer) !== user.id && can(viewer, 'delete_users'),
  }
}

/** Users can only give permissions that they have themselves. */
export const mayGive = (viewer: Viewer, permissions: readonly string[]): boolean =>
  viewer.kind === 'system' || (viewer.kind === 'user' && permissions.every((name) => isPermission(name) && viewer.permissions.has(name)))
