import { sql, type Expression, type SqlBool } from 'kysely'
import { FALSE, TRUE, seesAllCompanies, visibleInCompany } from './scope.ts'
import { mayGive } from './users.ts'
import { can, type Viewer } from './viewer.ts'

export const visibleRoles = visibleInCompany('roles', 'view_all_roles')

interface RoleState {
  name: string
  company_id: string | null
  permissions: readonly string[]
  deleted_at: Date | null
}

/** Given by an invitation or a share link, never by a user. */
const GUEST_ROLES = ['invite_guest', 'share_guest']
/** Whether the viewer is from outside, or has no other roles than people from outside. */
export const isGuest = (viewer: Viewer): boolean =>
  viewer.kind === 'user' &&
  (viewer.via !== undefined || (viewer.roles.length > 0 && viewer.roles.every(({ name }) => GUEST_ROLES.includes(name))))
/** The code depends on these roles of the system by name. */
const REQUIRED_ROLES = ['upload_only', ...GUEST_ROLES]

export const isRequiredRole = ({ name, company_id }: Pick<RoleState, 'name' | 'company_id'>): boolean =>
  company_id === null && REQUIRED_ROLES.includes(name)

/**
 * Whether the viewer makes, changes and gives roles outside of their company. A role for all companies decides what users of other
 * companies may do, so seeing all roles is not enough.
 */
export const managesRolesOf = (viewer: Viewer, companyId: string | null): boolean =>
  seesAllCompanies(viewer) || (viewer.kind === 'user' && viewer.companyId === companyId)

/** Whether the viewer chooses the company of a new role. */
export const choosesRoleCompany = (viewer: Viewer): boolean => can(viewer, 'view_all_roles') && seesAllCompanies(viewer)

/** Roles that the viewer can give to users of a company: roles of the system and of the company, without more permissions than the viewer's. */
export function givableRoles(viewer: Viewer, companyId: string | null): Expression<SqlBool> {
  if (companyId !== null && !managesRolesOf(viewer, companyId)) return FALSE
  const permissions = viewer.kind === 'user' ? [...viewer.permissions] : []
  const within = viewer.kind === 'system' ? TRUE : sql<SqlBool>`roles.permissions <@ ${permissions}::text[]`
  return sql<SqlBool>`(roles.company_id IS NULL OR roles.company_id = ${companyId}) AND roles.name <> ALL(${GUEST_ROLES}::text[]) AND ${within}`
}

/** A role with permissions that the viewer does not have cannot be changed: its users would get them from the viewer. */
export function roleRules(viewer: Viewer, role: RoleState) {
  const within = mayGive(viewer, role.permissions) && managesRolesOf(viewer, role.company_id)
  return {
    update: within && role.deleted_at === null && can(viewer, 'update_roles'),
    delete: within && !isRequiredRole(role) && can(viewer, 'delete_roles'),
  }
}
