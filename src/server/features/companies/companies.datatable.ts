import { sql, type SqlBool } from 'kysely'
import type { CompanyRow } from '#contract/companies.ts'
import { companyRules, visibleCompanies } from '#server/access/companies.ts'
import { visibleRoles } from '#server/access/roles.ts'
import { equalsAnyId, FALSE } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { rowsOf } from '#server/engines/record/define-record.ts'
import { loadCompanies, type CompanyRecord } from './companies.queries.ts'

/** The list of companies. */
export const companyDatatable = defineDatatable<CompanyRow>({
  model: 'companies',
  marksNew: true,
  visible: visibleCompanies,
  dependsOn: ['companies', 'users', 'accounts', 'subscriptions', 'roles'],
  defaultSort: { column: 'created_at', order: 'desc' },
  columns: {
    name: { label: 'Company', primary: true, sort: { by: sql`companies.name` } },
    users: { label: 'Users', align: 'right', width: 100 },
    accounts: { label: 'Accounts', align: 'right', width: 110 },
    subscriptions: { label: 'Subscription', width: 180 },
    timezone: { label: 'Time zone', default: false, sort: { by: sql`companies.timezone` } },
    created_at: { label: 'Created', width: 120, sort: { by: sql`companies.created_at` } },
    updated_at: { label: 'Updated', default: false, sort: { by: sql`companies.updated_at` } },
  },
  filters: {
    subscription: {
      label: 'Subscription',
      type: 'multiselect',
      options: subscriptionOptions,
      where: (_value, values, { viewer }) =>
        can(viewer, 'view_subscriptions')
          ? sql<SqlBool>`EXISTS (SELECT 1 FROM company_subscriptions x WHERE x.company_id = companies.id AND ${equalsAnyId('x.subscription_id', values)})`
          : FALSE,
    },
    role: {
      label: 'Users with role',
      type: 'multiselect',
      options: roleOptions,
      where: (_value, values, { viewer }) =>
        sql<SqlBool>`EXISTS (SELECT 1 FROM users JOIN user_roles x ON x.user_id = users.id WHERE users.company_id = companies.id
          AND users.deleted_at IS NULL AND ${equalsAnyId('x.role_id', values)} AND ${visibleUsers(viewer)})`,
    },
  },
  rows: rowsOf<CompanyRecord, CompanyRow>('companies', loadCompanies, companyRules, (record, timezone) => ({
    name: textCell(record.name),
    users: wholeCell(record.users ?? 0),
    accounts: wholeCell(record.accounts),
    subscriptions: textCell(record.subscription_name),
    timezone: textCell(record.timezone),
    created_at: dateCell(record.created_at, timezone),
    updated_at: dateCell(record.updated_at, timezone),
  })),
})

/** Live subscriptions, for viewers who see them. */
export async function subscriptionOptions({ db, viewer }: Context) {
  if (!can(viewer, 'view_subscriptions') && !can(viewer, 'update_subscriptions')) return []
  return db.selectFrom('subscriptions').select(['id as value', 'name as label']).where('deleted_at', 'is', null).orderBy('name').execute()
}

function roleOptions({ db, viewer }: Context) {
  return db
    .selectFrom('roles')
    .select(['id as value', 'label'])
    .where('deleted_at', 'is', null)
    .where(sql<SqlBool>`(roles.company_id IS NULL OR ${visibleRoles(viewer)})`)
    .orderBy('label')
    .execute()
}
