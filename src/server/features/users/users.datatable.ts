import { sql, type SqlBool } from 'kysely'
import { optionsOf } from '#contract/form.ts'
import { USER_STATES, type UserRow } from '#contract/users.ts'
import { companyOptions } from '#server/access/require.ts'
import { equalsAnyId, equalsId } from '#server/access/scope.ts'
import { userRules, visibleUsers } from '#server/access/users.ts'
import { dateCell, textCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { idFilter, ifKnown } from '#server/engines/datatable/filters.ts'
import { rowsOf } from '#server/engines/record/define-record.ts'
import { setDeactivated } from './deactivate.commands.ts'
import { fullName, loadUsers, roleOptions, type UserRecord } from './users.queries.ts'
import { sendWelcome } from './welcome.commands.ts'

export const COMPANY = sql`JOIN companies co ON co.id = users.company_id`

/** The list of users. */
export const userDatatable = defineDatatable<UserRow>({
  model: 'users',
  marksNew: true,
  visible: visibleUsers,
  dependsOn: ['users', 'companies', 'roles'],
  defaultSort: { column: 'name', order: 'asc' },
  columns: {
    name: { label: 'Name', primary: true, sort: { by: sql`users.last_name` } },
    email: { label: 'Email', width: 232, sort: { by: sql`users.email` } },
    company: { label: 'Company', width: 188, sort: { by: sql`co.name`, join: COMPANY } },
    roles: { label: 'Roles' },
    state: { label: 'State', width: 120 },
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
    company_id: idFilter('Company', 'users.company_id'),
    role_id: {
      label: 'Role',
      type: 'text',
      hidden: true,
      where: (value) => sql<SqlBool>`EXISTS (SELECT 1 FROM user_roles x WHERE x.user_id = users.id AND ${equalsId('x.role_id', value)})`,
    },
    state: {
      label: 'State',
      type: 'select',
      options: () => optionsOf(USER_STATES),
      where: ifKnown(
        (value) => Object.hasOwn(USER_STATES, value),
        (_value, values) => sql<SqlBool>`(users.deactivated_at IS NULL) = ANY(${values.map((value) => value === 'active')}::boolean[])`,
      ),
    },
  },
  actions: {
    send_welcome: {
      label: 'Send welcome email',
      can: 'update_users',
      rule: 'update',
      prompt: {
        type: 'confirm',
        name: 'confirm',
        message: 'Each user gets an email with a link to set a password. Links in earlier emails stop working.',
      },
      run: sendWelcome,
    },
    deactivate: {
      label: 'Deactivate',
      can: 'update_users',
      rule: 'update',
      undo: 'reactivate',
      prompt: {
        type: 'confirm',
        name: 'confirm',
        message: 'They are signed out at once and cannot sign in until they are reactivated. What is assigned to them stays as it is.',
      },
      run: (ctx, ids, _input, versions) => setDeactivated(ctx, ids, true, versions),
    },
    reactivate: {
      label: 'Reactivate',
      can: 'update_users',
      rule: 'update',
      undo: 'deactivate',
      run: (ctx, ids, _input, versions) => setDeactivated(ctx, ids, false, versions),
    },
  },
  rows: rowsOf<UserRecord, UserRow>('users', loadUsers, userRules, (record, timezone) => ({
    name: textCell(fullName(record)),
    email: textCell(record.email),
    company: textCell(record.company_name),
    roles: textCell(record.roles.map(({ label }) => label).join(', ')),
    state: textCell(record.deactivated_at === null ? USER_STATES.active : USER_STATES.deactivated),
    last_login_at: dateCell(record.last_login_at, timezone),
    created_at: dateCell(record.created_at, timezone),
  })),
})
