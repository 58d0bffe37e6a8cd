import { sql, type SqlBool } from 'kysely'
import type { UserRow } from '#contract/users.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { uuids } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { presentUserRow } from './users.presenter.ts'
import { loadUsers } from './users.queries.ts'
import { sendWelcome } from './welcome.commands.ts'

const COMPANY = sql`JOIN companies co ON co.id = users.company_id`
/** What is no id names nobody: the filter then matches nothing. */
const idsIn = (values: readonly string[]) => uuids(values.filter((value) => isUuid(value)))

export const userDatatable = defineDatatable<UserRow>({
  model: 'users',
  table: 'users',
  visible: visibleUsers,
  canSearch: 'view_users_datatable_search',
  canSeeTrash: 'delete_users',
  dependsOn: ['users', 'companies'],
  defaultSort: { column: 'name', order: 'asc' },
  columns: {
    name: { label: 'Name', primary: true, sort: { by: sql`users.last_name` } },
    email: { label: 'Email', width: 264, sort: { by: sql`users.email` } },
    company: { label: 'Company', width: 240, sort: { by: sql`co.name`, join: COMPANY } },
    roles: { label: 'Roles' },
    last_login_at: { label: 'Last sign-in', width: 120, sort: { by: sql`users.last_login_at`, nullsLast: true } },
    created_at: { label: 'Created', default: false, sort: { by: sql`users.created_at` } },
  },
  filters: {
    company: {
      label: 'Company',
      type: 'multiselect',
      options: companyOptions,
      where: (_value, values) => sql<SqlBool>`users.company_id = ANY(${idsIn(values)})`,
    },
    role: {
      label: 'Role',
      type: 'multiselect',
      options: roleOptions,
      where: (_value, values) =>
        sql<SqlBool>`EXISTS (SELECT 1 FROM user_roles x WHERE x.user_id = users.id AND x.role_id = ANY(${idsIn(values)}))`,
    },
  },
  actions: {
    send_welcome: { label: 'Send welcome mail', can: 'update_users', run: sendWelcome },
  },
  rows: async (ctx, ids) => (await loadUsers(ctx, ids)).map((record) => presentUserRow(record, timezoneOf(ctx.viewer))),
})

async function companyOptions(ctx: Context) {
  const rows = await ctx.db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(ctx.viewer))
    .orderBy('name')
    .execute()
  return rows.map(({ id, name }) => ({ value: id, label: name }))
}

/** Roles that somebody in sight holds. */
async function roleOptions(ctx: Context) {
  const rows = await ctx.db
    .selectFrom('roles')
    .select(['id', 'label'])
    .where('deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_roles')
          .innerJoin('users', 'users.id', 'user_roles.user_id')
          .select('user_roles.user_id')
          .whereRef('user_roles.role_id', '=', 'roles.id')
          .where(visibleUsers(ctx.viewer)),
      ),
    )
    .orderBy('label')
    .execute()
  return rows.map(({ id, label }) => ({ value: id, label }))
}
