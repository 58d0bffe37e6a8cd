/** Every permission by the group under which init returns it. */
export const PERMISSION_GROUPS = {
  init: [
    'view_global_search',
    'view_help_request',
    'view_dashboard_component',
    'view_accounts_component',
    'view_companies_component',
    'view_users_component',
    'view_subscriptions_component',
    'view_roles_component',
    'restore_records',
  ],
  accounts: [
    'view_company_accounts',
    'view_dashboard_account_datatable',
    'view_account_details',
    'view_account_activity',
    'view_account_broker',
    'view_account_carrier',
    'view_account_status',
    'create_accounts',
    'create_simple_accounts',
    'create_standard_accounts',
    'update_accounts',
    'update_account_status',
    'delete_accounts',
    'manage_simple_accounts',
    'update_account_sharing',
    'view_accounts_datatable_actions',
    'view_accounts_datatable_search',
    'view_accounts_datatable_filters',
    'view_accounts_datatable_column_settings',
    'view_property_types_pie_metric',
    'view_property_types_metric',
    'view_property_locations_metric',
    'view_account_reconciliation_metric',
    'view_download_document_list_button',
    'view_download_property_list_button',
    'view_download_all_files_button',
    'view_risk_control',
    'create_risk_control',
    'update_risk_control',
    'delete_risk_control',
  ],
  account_properties: [
    'view_account_properties',
    'create_account_properties',
    'update_account_properties',
    'delete_account_properties',
    'bulk_upload_account_properties',
    'view_account_properties_datatable_actions',
    'view_account_properties_datatable_search',
    'view_account_properties_datatable_filters',
    'view_account_properties_datatable_column_settings',
    'resolve_discrepancies',
    'manage_flags',
  ],
  account_files: [
    'generate_disclosed_document_list',
    'view_account_files',
    'upload_account_files',
    'update_account_files',
    'delete_account_files',
    'preview_files',
    'download_files',
    'download_all_files',
    'view_account_files_datatable_actions',
    'view_account_files_datatable_search',
    'view_account_files_datatable_filters',
    'view_account_files_datatable_column_settings',
  ],
  account_invites: [
    'view_account_invites',
    'create_account_invites',
    'update_account_invites',
    'view_account_invites_datatable_actions',
    'view_account_invites_datatable_search',
    'view_account_invites_datatable_column_settings',
  ],
  companies: [
    'view_company_details',
    'view_all_system_companies',
    'create_companies',
    'update_companies',
    'delete_companies',
    'view_companies_datatable_actions',
    'view_companies_datatable_search',
    'view_companies_datatable_filters',
    'view_companies_datatable_column_settings',
  ],
  users: [
    'view_company_users',
    'view_all_system_users',
    'create_users',
    'update_users',
    'delete_users',
    'view_users_datatable_actions',
    'view_users_datatable_search',
    'view_users_datatable_filters',
    'view_users_datatable_column_settings',
  ],
  subscriptions: [
    'view_subscriptions',
    'create_subscriptions',
    'update_subscriptions',
    'delete_subscriptions',
    'view_subscriptions_datatable_actions',
    'view_subscriptions_datatable_search',
    'view_subscriptions_datatable_filters',
    'view_subscriptions_datatable_column_settings',
  ],
  role: [
    'view_all_roles',
    'create_roles',
    'update_roles',
    'delete_roles',
    'view_roles_datatable_actions',
    'view_roles_datatable_search',
    'view_roles_datatable_filters',
    'view_roles_datatable_column_settings',
  ],
  statuses: ['view_company_statuses', 'create_statuses', 'update_statuses', 'delete_statuses'],
  metrics: ['view_accounts_summary_metric'],
} as const

export type PermissionGroup = keyof typeof PERMISSION_GROUPS
export type PermissionName = (typeof PERMISSION_GROUPS)[PermissionGroup][number]

export const PERMISSION_NAMES: readonly PermissionName[] = Object.values(PERMISSION_GROUPS).flat()

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
export const MODELS = Object.keys(MODEL_ACCESS) as Model[] // keys of a literal object are exactly its names

export const isPermission = (name: string): name is PermissionName => PERMISSION_NAMES.some((known) => known === name)
