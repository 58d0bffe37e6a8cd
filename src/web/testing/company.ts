import type { Company } from '#contract/companies.ts'
import { COMPANY_ID } from './session.ts'

/** The company of the session. */
export const aCompany = (more: Partial<Company> = {}): Company => ({
  id: COMPANY_ID,
  version: 4,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-03T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true },
  name: 'Harbor Point',
  language: 'en',
  timezone: 'America/Chicago',
  logo_url: null,
  subscriptions: [],
  users: 3,
  accounts: 12,
  check_settings: {},
  email_instead_of_app: false,
  ...more,
})
