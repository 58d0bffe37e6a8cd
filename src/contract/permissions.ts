import { codesOf } from './code-lists.ts'

/**
 * Every permission by the group under which init returns it, with the default roles that have it: one column per role, in the order of
 * DEFAULT_ROLE_LABELS.
 */
export const PERMISSIONS = {
  init: {
    view_global_search: 'xxxxx...',
    view_help_request: 'xxxxxxx.',
    view_dashboard_component: 'xxxxx...',
    view_accounts_component: 'xxxxx...',
    view_companies_component: 'xx......',
    view_users_component: 'xxx.....',
    view_subscriptions_component: 'x.......',
    view_roles_component: 'x.......',
    restore_records: 'xx......',
  },
  accounts: {
    view_company_accounts: 'xxxxx...',
    view_dashboard_account_datatable: 'xxxxx...',
    view_account_details: 'xxxxxxxx',
    view_account_activity: 'xxxx....',
    view_account_broker: 'xxxxx.x.',
    view_account_carrier: 'xxxxx.x.',
    view_account_status: 'xxxxx.x.',
    create_accounts: 'xxxx....',
    create_simple_accounts: 'xxxx....',
    create_standard_accounts: 'xxx.....',
    update_accounts: 'xxxx....',
    update_account_status: 'xxx.....',
    delete_accounts: 'xxx.....',
    manage_simple_accounts: 'xx......',
    update_account_sharing: 'xxxx....',
    view_accounts_datatable_actions: 'xxxx....',
    view_accounts_datatable_search: 'xxxxx...',
    view_accounts_datatable_filters: 'xxxxx...',
    view_accounts_datatable_column_settings: 'xxxxx...',
    view_property_types_pie_metric: 'xxxxx.xx',
    view_property_types_metric: 'xxxxx.xx',
    view_property_locations_metric: 'xxxxx.xx',
    view_account_reconciliation_metric: 'xxxxx.x.',
    view_download_document_list_button: 'xxxxx.xx',
    view_download_property_list_button: 'xxxxx.xx',
    view_download_all_files_button: 'xxxxx.xx',
    view_risk_control: 'xxxxx.x.',
    create_risk_control: 'xxx.x...',
    update_risk_control: 'xxx.x...',
    delete_risk_control: 'xxx.....',
  },
  account_properties: {
    view_account_properties: 'xxxxx.xx',
    create_account_properties: 'xxxx....',
    update_account_properties: 'xxxx....',
    delete_account_properties: 'xxx.....',
    bulk_upload_account_properties: 'xxxx....',
    view_account_properties_datatable_actions: 'xxxx....',
    view_account_properties_datatable_search: 'xxxxx.xx',
    view_account_properties_datatable_filters: 'xxxxx.xx',
    view_account_properties_datatable_column_settings: 'xxxxx...',
    resolve_discrepancies: 'xxxx....',
    manage_flags: 'xxxxx...',
  },
  account_files: {
    generate_disclosed_document_list: 'xxxxx.xx',
    view_account_files: 'xxxxxxxx',
    upload_account_files: 'xxxx.x..',
    update_account_files: 'xxxx....',
    delete_account_files: 'xxx.....',
    preview_files: 'xxxxx.xx',
    download_files: 'xxxxx.xx',
    download_all_files: 'xxxxx.xx',
    view_account_files_datatable_actions: 'xxxxx.xx',
    view_account_files_datatable_search: 'xxxxx.xx',
    view_account_files_datatable_filters: 'xxxxx...',
    view_account_files_datatable_column_settings: 'xxxxx...',
  },
  account_invites: {
    view_account_invites: 'xxxx....',
    create_account_invites: 'xxxx....',
    update_account_invites: 'xxxx....',
    view_account_invites_datatable_actions: 'xxxx....',
    view_account_invites_datatable_search: 'xxxx....',
    view_account_invites_datatable_column_settings: 'xxxx....',
  },
  companies: {
    view_company_details: 'xxxxx...',
    view_all_system_companies: 'xx......',
    create_companies: 'xx......',
    update_companies: 'xxx.....',
    delete_companies: 'x.......',
    view_companies_datatable_actions: 'xx......',
    view_companies_datatable_search: 'xx......',
    view_companies_datatable_filters: 'xx......',
    view_companies_datatable_column_settings: 'xx......',
  },
  users: {
    view_company_users: 'xxx.....',
    view_all_system_users: 'xx......',
    create_users: 'xxx.....',
    update_users: 'xxx.....',
    delete_users: 'xx......',
    view_users_datatable_actions: 'xxx.....',
    view_users_datatable_search: 'xxx.....',
    view_users_datatable_filters: 'xxx.....',
    view_users_datatable_column_settings: 'xxx.....',
  },
  subscriptions: {
    view_subscriptions: 'x.......',
    create_subscriptions: 'x.......',
    update_subscriptions: 'x.......',
    delete_subscriptions: 'x.......',
    view_subscriptions_datatable_actions: 'x.......',
    view_subscriptions_datatable_search: 'x.......',
    view_subscriptions_datatable_filters: 'x.......',
    view_subscriptions_datatable_column_settings: 'x.......',
  },
  role: {
    view_all_roles: 'x.......',
    create_roles: 'x.......',
    update_roles: 'x.......',
    delete_roles: 'x.......',
    view_roles_datatable_actions: 'x.......',
    view_roles_datatable_search: 'x.......',
    view_roles_datatable_filters: 'x.......',
    view_roles_datatable_column_settings: 'x.......',
  },
  statuses: {
    view_company_statuses: 'xxx.....',
    create_statuses: 'xxx.....',
    update_statuses: 'xxx.....',
    delete_statuses: 'xxx.....',
  },
  metrics: {
    view_accounts_summary_metric: 'xxxxx...',
  },
} as const

type Permissions = typeof PERMISSIONS
export type PermissionGroup = keyof Permissions
export type PermissionName = { [G in PermissionGroup]: keyof Permissions[G] }[PermissionGroup]

export const PERMISSION_GROUPS: Readonly<Record<string, readonly PermissionName[]>> = Object.fromEntries(
  Object.entries(PERMISSIONS).map(([group, permissions]) => [group, Object.keys(permissions) as PermissionName[]]), // keys of literal objects
)
export const PERMISSION_NAMES = Object.values(PERMISSION_GROUPS).flat()

interface ModelAccess {
  /** Who sees a record: everyone with access to its account, the users of its company, or every user with the permission. */
  visibility: 'account' | 'company' | 'system'
  /** The permission that opens the list and the realtime channel. */
  list: PermissionName
}

/** Every model with a list. The tests of isolation and permissions run for each of them. */
export const MODEL_ACCESS = {
  accounts: { visibility: 'account', list: 'view_accounts_component' },
  account_properties: { visibility: 'account', list: 'view_account_properties' },
  account_files: { visibility: 'account', list: 'view_account_files' },
  discrepancies: { visibility: 'account', list: 'view_account_properties' },
  companies: { visibility: 'company', list: 'view_companies_component' },
  users: { visibility: 'company', list: 'view_users_component' },
  subscriptions: { visibility: 'system', list: 'view_subscriptions_component' },
  roles: { visibility: 'company', list: 'view_roles_component' },
} as const satisfies Record<string, ModelAccess>

export type Model = keyof typeof MODEL_ACCESS
export const MODELS = codesOf(MODEL_ACCESS)

export const isPermission = (name: string): name is PermissionName => PERMISSION_NAMES.some((known) => known === name)
