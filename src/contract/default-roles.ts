import { PERMISSION_NAMES, type PermissionName } from './permissions.ts'

const ROLES = ['admin', 'provider', 'broker', 'client', 'carrier', 'upload_only', 'invite_guest', 'share_guest'] as const
export type DefaultRole = (typeof ROLES)[number]

export const DEFAULT_ROLE_LABELS: Readonly<Record<DefaultRole, string>> = {
  admin: 'Administrator',
  provider: 'Provider staff',
  broker: 'Broker',
  client: 'Client',
  carrier: 'Carrier',
  upload_only: 'Upload only',
  invite_guest: 'Invited viewer',
  share_guest: 'Share-link visitor',
}

/** The permissions of each role, with one column per role in the order above. A permission without a row does not compile. */
const GRANTS: Readonly<Record<PermissionName, string>> = {
  // Shell
  view_global_search: 'xxxxx...',
  view_help_request: 'xxxxxxx.',
  view_dashboard_component: 'xxxxx...',
  view_accounts_component: 'xxxxx...',
  view_companies_component: 'xx......',
  view_users_component: 'xxx.....',
  view_subscriptions_component: 'x.......',
  view_roles_component: 'x.......',
  // Scope
  view_company_accounts: 'xxxxx...',
  view_company_users: 'xxx.....',
  view_company_details: 'xxxxx...',
  view_all_system_companies: 'xx......',
  view_all_system_users: 'xx......',
  view_all_roles: 'x.......',
  view_subscriptions: 'x.......',
  // Dashboard
  view_dashboard_account_datatable: 'xxxxx...',
  view_accounts_summary_metric: 'xxxxx...',
  // Accounts
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
  // Overview and downloads
  view_property_types_pie_metric: 'xxxxx.xx',
  view_property_types_metric: 'xxxxx.xx',
  view_property_locations_metric: 'xxxxx.xx',
  view_account_reconciliation_metric: 'xxxxx.x.',
  view_download_document_list_button: 'xxxxx.xx',
  view_download_property_list_button: 'xxxxx.xx',
  view_download_all_files_button: 'xxxxx.xx',
  generate_disclosed_document_list: 'xxxxx.xx',
  // Properties
  view_account_properties: 'xxxxx.xx',
  create_account_properties: 'xxxx....',
  update_account_properties: 'xxxx....',
  delete_account_properties: 'xxx.....',
  bulk_upload_account_properties: 'xxxx....',
  view_account_properties_datatable_actions: 'xxxx....',
  view_account_properties_datatable_search: 'xxxxx.xx',
  view_account_properties_datatable_filters: 'xxxxx.xx',
  view_account_properties_datatable_column_settings: 'xxxxx...',
  // Reconciliation
  resolve_discrepancies: 'xxxx....',
  manage_flags: 'xxxxx...',
  // Files
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
  // Invites
  view_account_invites: 'xxxx....',
  create_account_invites: 'xxxx....',
  update_account_invites: 'xxxx....',
  view_account_invites_datatable_actions: 'xxxx....',
  view_account_invites_datatable_search: 'xxxx....',
  view_account_invites_datatable_column_settings: 'xxxx....',
  // Risk control
  view_risk_control: 'xxxxx.x.',
  create_risk_control: 'xxx.x...',
  update_risk_control: 'xxx.x...',
  delete_risk_control: 'xxx.....',
  // Statuses
  view_company_statuses: 'xxx.....',
  create_statuses: 'xxx.....',
  update_statuses: 'xxx.....',
  delete_statuses: 'xxx.....',
  // Administration
  create_companies: 'xx......',
  update_companies: 'xxx.....',
  delete_companies: 'x.......',
  create_users: 'xxx.....',
  update_users: 'xxx.....',
  delete_users: 'xx......',
  create_subscriptions: 'x.......',
  update_subscriptions: 'x.......',
  delete_subscriptions: 'x.......',
  create_roles: 'x.......',
  update_roles: 'x.......',
  delete_roles: 'x.......',
  restore_records: 'xx......',
  // Admin tables
  view_companies_datatable_actions: 'xx......',
  view_companies_datatable_search: 'xx......',
  view_companies_datatable_filters: 'xx......',
  view_companies_datatable_column_settings: 'xx......',
  view_users_datatable_actions: 'xxx.....',
  view_users_datatable_search: 'xxx.....',
  view_users_datatable_filters: 'xxx.....',
  view_users_datatable_column_settings: 'xxx.....',
  view_subscriptions_datatable_actions: 'x.......',
  view_subscriptions_datatable_search: 'x.......',
  view_subscriptions_datatable_filters: 'x.......',
  view_subscriptions_datatable_column_settings: 'x.......',
  view_roles_datatable_actions: 'x.......',
  view_roles_datatable_search: 'x.......',
  view_roles_datatable_filters: 'x.......',
  view_roles_datatable_column_settings: 'x.......',
}

export const UPLOAD_ONLY_ROLE = 'upload_only'
export const DEFAULT_ROLE_NAMES: readonly DefaultRole[] = ROLES

/** The permissions with which a default role is created. */
export function defaultPermissions(role: DefaultRole): PermissionName[] {
  const column = ROLES.indexOf(role)
  return PERMISSION_NAMES.filter((name) => GRANTS[name].charAt(column) === 'x')
}
