import { codesOf } from './code-lists.ts'
import type { PermissionName } from './permissions.ts'

export interface ModelInfo {
  /** One record and several, in lower case, as texts of the interface and messages name them. */
  one: string
  many: string
  /** Who sees a record: everyone with access to its account, the users of its company, or every user with the permission. */
  visibility: 'account' | 'company' | 'system'
  /** The permission that opens the list and the realtime channel. */
  list: PermissionName
  /** The permission to see the records of all companies; `view_all_system_companies` unless given. */
  all?: PermissionName
  /** The permission to open one record, where it is not that of the list. */
  show?: PermissionName
}

/** Every model with a list. The tests of isolation and permissions run for each of them. */
export const MODELS = {
  accounts: { one: 'account', many: 'accounts', visibility: 'account', list: 'view_accounts_component', show: 'view_account_details' },
  account_properties: { one: 'property', many: 'properties', visibility: 'account', list: 'view_account_properties' },
  account_files: { one: 'document', many: 'documents', visibility: 'account', list: 'view_account_files' },
  discrepancies: { one: 'discrepancy', many: 'discrepancies', visibility: 'account', list: 'view_account_properties' },
  companies: { one: 'company', many: 'companies', visibility: 'company', list: 'view_companies_component', show: 'view_company_details' },
  users: { one: 'user', many: 'users', visibility: 'company', list: 'view_users_component', all: 'view_all_system_users' },
  subscriptions: {
    one: 'subscription',
    many: 'subscriptions',
    visibility: 'system',
    list: 'view_subscriptions_component',
    all: 'view_subscriptions',
    show: 'view_subscriptions',
  },
  roles: { one: 'role', many: 'roles', visibility: 'company', list: 'view_roles_component', all: 'view_all_roles' },
} as const satisfies Record<string, ModelInfo>

export type Model = keyof typeof MODELS
/** Models whose records are created, changed and deleted with permissions of that name. */
export type RecordModel = { [M in Model]: `create_${M}` | `update_${M}` | `delete_${M}` extends PermissionName ? M : never }[Model]
export const MODEL_NAMES = codesOf(MODELS)
