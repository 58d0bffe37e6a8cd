import type { Company, CompanyRow } from '#contract/companies.ts'
import { companyRules } from '#server/access/companies.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { dateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import type { CompanyRecord } from './companies.queries.ts'

export const presentCompany = (viewer: Viewer, record: CompanyRecord): Company => ({
  id: record.id,
  name: record.name,
  language: record.language,
  timezone: record.timezone,
  logo_url: null,
  subscriptions:
    record.subscription_id === null || record.subscription_name === null
      ? []
      : [{ id: record.subscription_id, name: record.subscription_name }],
  users: record.users ?? 0,
  accounts: record.accounts ?? 0,
  version: record.version,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
  deleted_at: record.deleted_at?.toISOString() ?? null,
  accessible_features: companyRules(viewer, record),
})

export const presentCompanyRow = (record: CompanyRecord, timezone: string): CompanyRow => ({
  id: record.id,
  deleted_at: record.deleted_at?.toISOString() ?? null,
  is_new: false,
  name: textCell(record.name),
  users: wholeCell(record.users ?? 0),
  accounts: wholeCell(record.accounts ?? 0),
  subscriptions: textCell(record.subscription_name),
  timezone: textCell(record.timezone),
  created_at: dateCell(record.created_at, timezone),
  updated_at: dateCell(record.updated_at, timezone),
})
