import type { PermissionName } from '#contract/permissions.ts'

/**
 * What people from outside can do at most, also with roles that allow more inside of a company: see one account, its properties and documents,
 * and work on those. Nothing about users, companies, roles or other accounts, and nothing that names other parties.
 */
const GUEST_PERMISSIONS: ReadonlySet<PermissionName> = new Set([
  'view_help_request',
  'view_account_details',
  'view_account_broker',
  'view_account_carrier',
  'view_account_status',
  'view_property_types_pie_metric',
  'view_property_types_metric',
  'view_property_locations_metric',
  'view_account_reconciliation_metric',
  'view_download_document_list_button',
  'view_download_property_list_button',
  'view_download_all_files_button',
  'view_risk_control',
  'view_account_properties',
  'create_account_properties',
  'update_account_properties',
  'bulk_upload_account_properties',
  'view_account_properties_datatable_actions',
  'view_account_properties_datatable_search',
  'view_account_properties_datatable_filters',
  'view_account_properties_datatable_column_settings',
  'resolve_discrepancies',
  'generate_disclosed_document_list',
  'view_account_files',
  'upload_account_files',
  'update_account_files',
  'preview_files',
  'download_files',
  'download_all_files',
  'view_account_files_datatable_actions',
  'view_account_files_datatable_search',
  'view_account_files_datatable_filters',
  'view_account_files_datatable_column_settings',
] as const satisfies PermissionName[])

/** Those that a link for looking only takes away. */
const DOWNLOADS: ReadonlySet<PermissionName> = new Set([
  'download_files',
  'download_all_files',
  'view_download_document_list_button',
  'view_download_property_list_button',
  'view_download_all_files_button',
  'generate_disclosed_document_list',
] as const satisfies PermissionName[])

/**
 * Those that a link to a part of the account takes away: findings compare its properties with the others, reports and imports are about
 * several of them, and a person who changes something needs to see all of it.
 */
const OF_THE_WHOLE: ReadonlySet<PermissionName> = new Set([
  'view_account_reconciliation_metric',
  'resolve_discrepancies',
  'view_risk_control',
  'create_account_properties',
  'update_account_properties',
  'bulk_upload_account_properties',
  'upload_account_files',
  'update_account_files',
] as const satisfies PermissionName[])

interface GrantRights {
  mayDownload: boolean
  /** All properties and all categories of documents. */
  seesAll: boolean
}

/** What can be done with selected documents; without any of it, the list selects none. */
const WITH_DOCUMENTS: readonly PermissionName[] = ['download_files', 'update_account_files', 'delete_account_files']

/** The permissions of a role that are left to a person from outside. */
export function guestPermissions(permissions: readonly PermissionName[], { mayDownload, seesAll }: GrantRights): PermissionName[] {
  const left = permissions.filter(
    (name) => GUEST_PERMISSIONS.has(name) && (mayDownload || !DOWNLOADS.has(name)) && (seesAll || !OF_THE_WHOLE.has(name)),
  )
  return WITH_DOCUMENTS.some((name) => left.includes(name)) ? left : left.filter((name) => name !== 'view_account_files_datatable_actions')
}
