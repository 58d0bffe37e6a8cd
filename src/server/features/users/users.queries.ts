import { sql, type Expression, type SqlBool } from 'kysely'
import { givableRoles, managesRolesOf, visibleRoles } from '#server/access/roles.ts'
import { visibleUsers } from '#server/access/users.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'

export type UserRecord = Awaited<ReturnType<typeof loadUsers>>[number]

export const loadUsers = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('users')
    .select([
      'companies.name as company_name',
      'companies.deleted_at as company_deleted_at',
      sql<
        { id: string; name: string; label: string }[]
      >`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'label', r.label) ORDER BY r.label), '[]')
        FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL WHERE x.user_id = users.id)`.as('roles'),
      sql<string[]>`(SELECT coalesce(array_agg(DISTINCT p), '{}') FROM user_roles x
        JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL, unnest(r.permissions) AS p WHERE x.user_id = users.id)`.as(
        'permissions',
      ),
      sql<boolean>`EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id AND t.confirmed_at IS NOT NULL)`.as(
        'has_authenticator_app',
      ),
      sql<number>`(SELECT count(*)::int FROM passkeys k WHERE k.user_id = users.id)`.as('passkeys'),
    ])
    .where(where)
    .execute()

export const fullName = (user: Pick<UserRecord, 'full_name' | 'first_name' | 'last_name'>): string =>
  user.full_name ?? `${user.first_name} ${user.last_name}`

export const loadGivableRoles = (ctx: Context, companyId: string | null) =>
  ctx.db
    .selectFrom('roles')
    .select(['id', 'name', 'label'])
    .where('deleted_at', 'is', null)
    .where(givableRoles(ctx.viewer, companyId))
    .orderBy('label')
    .execute()

/** Why one of these roles cannot be given to a user of the company. */
export async function reasonNotGivable({ db, viewer }: Context, roles: readonly string[], companyId: string): Promise<string> {
  const shown = sql<SqlBool>`(roles.company_id IS NULL OR ${visibleRoles(viewer)})`
  const live = db.selectFrom('roles').select('company_id').where(idIn('roles', roles)).where('deleted_at', 'is', null)
  const found = await live.where(shown).execute()
  if (found.some(({ company_id }) => company_id !== null && company_id !== companyId))
    return "One of these roles belongs to another company. Choose roles of the user's company."
  if (!managesRolesOf(viewer, companyId)) return 'You can only give roles to users of your own company.'
  if (found.length < new Set(roles).size) return 'One of these roles was not found. Choose roles from the list.'
  return 'You can only give roles whose permissions you have yourself.'
}

/** Roles that at least one visible user holds, as options of a filter. */
export const roleOptions = ({ db, viewer }: Context) =>
  db
    .selectFrom('roles')
    .select(['id as value', 'label'])
    .where('deleted_at', 'is', null)
    .where(
      sql<SqlBool>`EXISTS (SELECT 1 FROM user_roles x JOIN users ON users.id = x.user_id WHERE x.role_id = roles.id AND ${visibleUsers(viewer)})`,
    )
    .orderBy('label')
    .execute()
