import { sql, type SqlBool } from 'kysely'
import { INVITE_PRESETS } from '#contract/account-invites.ts'
import { isPermission } from '#contract/permissions.ts'
import { guestPermissions } from '#server/access/guest-permissions.ts'
import { givableRoles } from '#server/access/roles.ts'
import { mayGive } from '#server/access/users.ts'
import type { Context } from '#server/engines/context.ts'

const PRESETS: Readonly<Record<string, string>> = INVITE_PRESETS

interface InviteRole {
  id: string
  name: string
  label: string
  help: string
}

/**
 * The roles that the viewer can give to people from outside: first those made for them, then those that the viewer gives to users, cut to
 * what people from outside can do at all. None has a permission that the viewer does not have.
 */
export async function inviteRoles({ db, viewer }: Context): Promise<InviteRole[]> {
  const companyId = viewer.kind === 'user' ? viewer.companyId : null
  const rows = await db
    .selectFrom('roles')
    .select(['id', 'name', 'label', 'permissions', 'company_id'])
    .where('deleted_at', 'is', null)
    .where(
      sql<SqlBool>`((roles.company_id IS NULL AND roles.name = ANY(${Object.keys(PRESETS)}::text[]))
        OR (${givableRoles(viewer, companyId)} AND NOT 'view_all_system_companies' = ANY(roles.permissions)))`,
    )
    .orderBy('label')
    .execute()
  const offered = rows.flatMap(({ id, name, label, permissions, company_id }) => {
    const left = guestPermissions(permissions.filter(isPermission), { mayDownload: true, seesAll: true })
    if (left.length === 0 || !mayGive(viewer, left)) return []
    const preset = company_id === null ? PRESETS[name] : undefined
    return [
      {
        id,
        name,
        label: preset === undefined ? `Work on the account as ${label}` : label,
        help: preset ?? WORKS,
        isPreset: preset !== undefined,
      },
    ]
  })
  return offered.sort((one, other) => Number(other.isPreset) - Number(one.isPreset))
}

const WORKS =
  'Works on the properties and documents of this account as far as the role allows. Sees no private documents and no other account.'
