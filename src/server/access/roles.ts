import { visibleInCompany } from './scope.ts'
import { mayGive } from './users.ts'
import { can, type Viewer } from './viewer.ts'

export const visibleRoles = visibleInCompany('roles', 'view_all_roles')

interface RoleState {
  name: string
  company_id: string | null
  permissions: readonly string[]
  deleted_at: Date | null
}

/** The code depends on these roles of the system by name. */
const REQUIRED_ROLES = ['upload_only', 'invite_guest', 'share_guest']

export const isRequiredRole = ({ name, company_id }: Pick<RoleState, 'name' | 'company_id'>): boolean =>
  company_id === null && REQUIRED_ROLES.includes(name)

/** A role with permissions that the viewer does not have cannot be changed: its users would get them from the viewer. */
export function roleRules(viewer: Viewer, role: RoleState) {
  const within = mayGive(viewer, role.permissions)
  return {
    update: within && role.deleted_at === null && can(viewer, 'update_roles'),
    delete: within && !isRequiredRole(role) && can(viewer, 'delete_roles'),
  }
}
