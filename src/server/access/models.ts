import type { Model, PermissionName } from '#contract/permissions.ts'

interface ModelAccess {
  /** What a record belongs to: an account and whoever can see it, a company, or the whole system. */
  visibility: 'account' | 'company' | 'system'
  /** The permission that opens the list and the realtime channel of the model. */
  list: PermissionName
}

/** Every model; the isolation and permission tests are generated from this table. */
export const MODEL_ACCESS: Readonly<Record<Model, ModelAccess>> = {
  accounts: { visibility: 'account', list: 'view_accounts_component' },
  account_properties: { visibility: 'account', list: 'view_account_properties' },
  account_files: { visibility: 'account', list: 'view_account_files' },
  discrepancies: { visibility: 'account', list: 'view_account_properties' },
  companies: { visibility: 'company', list: 'view_companies_component' },
  users: { visibility: 'company', list: 'view_users_component' },
  subscriptions: { visibility: 'system', list: 'view_subscriptions_component' },
  roles: { visibility: 'company', list: 'view_roles_component' },
}
