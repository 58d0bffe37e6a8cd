import { sql } from 'kysely'
import { mayGive, visibleUsers } from '#server/access/users.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

interface HeldRole {
  id: string
  name: string
  label: string
}

/** Users by their ids with what their list and panel show; the caller has made sure that they may be seen. */
export async function loadUsers(ctx: Context, ids: readonly string[]) {
  return ctx.db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .selectAll('users')
    .select([
      'companies.name as company_name',
      sql<HeldRole[]>`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'label', r.label) ORDER BY r.label), '[]')
        FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL WHERE x.user_id = users.id)`.as('roles'),
      sql<string[]>`(SELECT coalesce(array_agg(DISTINCT p), '{}') FROM user_roles x
        JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL, unnest(r.permissions) AS p WHERE x.user_id = users.id)`.as(
        'permissions',
      ),
    ])
    .where('users.id', 'in', [...ids])
    .execute()
}

export type UserRecord = Awaited<ReturnType<typeof loadUsers>>[number]

/** One user the viewer may see; `notFound` otherwise, whatever the reason. */
export async function findUser(ctx: Context, id: string): Promise<UserRecord> {
  const seen = await ctx.db.selectFrom('users').select('id').where('id', '=', id).where(visibleUsers(ctx.viewer)).executeTakeFirst()
  const [record] = seen === undefined ? [] : await loadUsers(ctx, [id])
  if (record === undefined) throw notFound('User')
  return record
}

/** Guests get these by their invitation or link, never by hand. */
const GUEST_ROLES = ['invite_guest', 'share_guest']

/** Roles that may be given to people of a company by this viewer: the system's and the company's own, within the viewer's rights. */
export async function givableRoles(ctx: Context, companyId: string | null): Promise<HeldRole[]> {
  const roles = await ctx.db
    .selectFrom('roles')
    .select(['id', 'name', 'label', 'permissions'])
    .where('deleted_at', 'is', null)
    .where('name', 'not in', GUEST_ROLES)
    .where((eb) => eb.or([eb('company_id', 'is', null), eb('company_id', '=', companyId)]))
    .orderBy('label')
    .execute()
  return roles.filter(({ permissions }) => mayGive(ctx.viewer, permissions)).map(({ id, name, label }) => ({ id, name, label }))
}
