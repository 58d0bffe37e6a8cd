import { codesOf } from './code-lists.ts'
import { isPermission, PERMISSIONS, type PermissionName } from './permissions.ts'

export const DEFAULT_ROLE_LABELS = {
  admin: 'Administrator',
  provider: 'Provider staff',
  broker: 'Broker',
  client: 'Client',
  carrier: 'Carrier',
  upload_only: 'Upload only',
  invite_guest: 'Invited viewer',
  share_guest: 'Share-link visitor',
} as const
export type DefaultRole = keyof typeof DEFAULT_ROLE_LABELS
export const DEFAULT_ROLE_NAMES: readonly DefaultRole[] = codesOf(DEFAULT_ROLE_LABELS)
export const UPLOAD_ONLY_ROLE = 'upload_only'

/** The permissions with which a default role is created. */
export function defaultPermissions(role: DefaultRole): PermissionName[] {
  const column = DEFAULT_ROLE_NAMES.indexOf(role)
  const permissions = Object.values(PERMISSIONS).flatMap((group) => Object.entries(group))
  return permissions.flatMap(([name, roles]) => (roles.charAt(column) === 'x' && isPermission(name) ? [name] : []))
}
