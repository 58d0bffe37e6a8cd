import { companyCalls, type CompanyRow } from '#contract/companies.ts'
import { initCalls, type TableSetting } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from '../engines/datatable/datatable.tsx'
import { tableColumn } from '#web/testing/table-column.ts'

const cell = (text: string) => ({ value: text, text })

export const companyRow = (index: number, more: Partial<CompanyRow> = {}): CompanyRow => ({
  id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
  deleted_at: null,
  is_new: false,
  name: cell(`Company ${index}`),
  users: cell('3'),
  accounts: cell('1'),
  subscriptions: cell(''),
  timezone: cell('America/New_York'),
  created_at: cell('Jan 2, 2026'),
  updated_at: cell('Jan 2, 2026'),
  ...more,
})

/** A server with these companies on one page. */
export const companiesServer = (rows: () => CompanyRow[]): FakeServer =>
  fakeServer()
    .on(companyCalls.columns, () => ({
      data: [
        tableColumn('name', 'Company', { primary: true, disabled: true }),
        tableColumn('users', 'Users', { classes: 'number' }),
        tableColumn('accounts', 'Accounts', { classes: 'number' }),
        tableColumn('timezone', 'Time zone', { default: false }),
      ],
    }))
    .on(companyCalls.filters, () => ({ data: [] }))
    .on(companyCalls.actions, () => ({ data: [] }))
    .on(companyCalls.index, () => onePage(rows()))
    .on(initCalls.saveSetting, ({ params, body }) => ({ data: { key: params.key, value: body.value } }))

const PERMISSIONS: PermissionName[] = [
  'view_companies_component',
  'view_companies_datatable_actions',
  'view_companies_datatable_search',
  'view_companies_datatable_column_settings',
  'delete_companies',
]

interface OpenOptions {
  permissions?: readonly PermissionName[]
  path?: string
  setting?: TableSetting
}

/** The list of companies on a page of its own. */
export function openCompanies({ permissions = PERMISSIONS, path = '/companies', setting = {} }: OpenOptions = {}) {
  const session = sessionWith(permissions)
  const settings = { ...session.settings, datatable: { companies: setting } }
  const table = <Datatable model="companies" label="companies" basePath="/companies" openIn="panel" />
  return renderWithSession(table, { session: { ...session, settings }, path })
}
