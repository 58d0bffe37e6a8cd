import { sql, type SqlBool } from 'kysely'
import { userCalls, type UserRow } from '#contract/users.ts'
import { equalsAnyId } from '#server/access/scope.ts'
import { userRules, visibleUsers } from '#server/access/users.ts'
import { dateCell, textCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { implement } from '#server/engines/http/answer.ts'
import { defineRecord, rowsOf } from '#server/engines/record/define-record.ts'
import { recordHandlers } from '#server/engines/record/record-handlers.ts'
import { invalid } from '#server/kernel/errors.ts'
import { afterSave, beforeDestroy, beforeRestore, beforeSave, endAllSessions, hashNewPassword } from './save-user.ts'
import { userForm } from './users.form.ts'
import { companyOptions, fullName, loadUsers, roleOptions, type UserRecord } from './users.queries.ts'
import { sendWelcome } from './welcome.commands.ts'

const COMPANY = sql`JOIN companies co ON co.id = users.company_id`

const list = defineDatatable<UserRow>({
  model: 'users',
  table: 'users',
  visible: visibleUsers,
  canSearch: 'view_users_datatable_search',
  canSeeTrash: 'delete_users',
  dependsOn: ['users', 'companies', 'roles'],
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
      where: (_value, values) => equalsAnyId('users.company_id', values),
    },
    role: {
      label: 'Role',
      type: 'multiselect',
      options: roleOptions,
      where: (_value, values) =>
        sql<SqlBool>`EXISTS (SELECT 1 FROM user_roles x WHERE x.user_id = users.id AND ${equalsAnyId('x.role_id', values)})`,
    },
  },
  actions: {
    send_welcome: { label: 'Send welcome mail', can: 'update_users', run: sendWelcome },
  },
  rows: rowsOf<UserRecord, UserRow>('users', loadUsers, (record, timezone) => ({
    name: textCell(fullName(record)),
    email: textCell(record.email),
    company: textCell(record.company_name),
    roles: textCell(record.roles.map(({ label }) => label).join(', ')),
    last_login_at: dateCell(record.last_login_at, timezone),
    created_at: dateCell(record.created_at, timezone),
  })),
})

export const userRecord = defineRecord(userCalls, {
  table: 'users',
  list,
  opensTrashed: true,
  rules: userRules,
  cannotDelete: 'You cannot delete or restore yourself or a user with more permissions than you.',
  load: loadUsers,
  present: (_ctx, record) => ({
    first_name: record.first_name,
    last_name: record.last_name,
    full_name: fullName(record),
    email: record.email,
    cell_phone: record.cell_phone,
    enable_2fa: record.enable_2fa,
    company: { id: record.company_id, name: record.company_name },
    roles: record.roles,
    last_login_at: record.last_login_at?.toISOString() ?? null,
  }),
  search: {
    joins: COMPANY,
    name: sql`users.full_name`,
    detail: sql`concat_ws(' · ', users.email::text, co.name)`,
    order: sql`users.last_name`,
  },
  form: userForm,
  changeScope: (_tx, { id, company_id }) => ({ for: [company_id, id] }),
  comparable: (record) => ({ ...record, roles: record.roles.map(({ id }) => id) }),
  uniqueErrors: { users_email: () => invalid({ email: ['This email is already used by another user.'] }) },
  prepare: hashNewPassword,
  beforeSave,
  afterSave,
  beforeTrash: endAllSessions,
  beforeRestore,
  beforeDestroy,
  created: ({ password }) => (password === undefined ? 'The user was added. A welcome mail is on its way.' : 'The user was added.'),
})

export const userRoutes = implement(userCalls, recordHandlers(userRecord, userCalls))
