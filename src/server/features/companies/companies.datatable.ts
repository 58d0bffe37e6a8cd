import { sql } from 'kysely'
import type { CompanyRow } from '#contract/companies.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { presentCompanyRow } from './companies.presenter.ts'
import { loadCompanies } from './companies.queries.ts'

export const companyDatatable = defineDatatable<CompanyRow>({
  model: 'companies',
  table: 'companies',
  visible: visibleCompanies,
  canSearch: 'view_companies_datatable_search',
  canSeeTrash: 'delete_companies',
  dependsOn: ['companies', 'users', 'accounts'],
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
  filters: {},
  actions: {},
  rows: async (ctx, ids) => (await loadCompanies(ctx, ids)).map((record) => presentCompanyRow(record, timezoneOf(ctx.viewer))),
})
