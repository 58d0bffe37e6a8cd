import { sentenceCase } from './format.ts'
import { MODELS, MODEL_NAMES, type Model } from './models.ts'
import { PERMISSION_GROUPS, isPermission, type ModelInfo, type PermissionName } from './permissions.ts'

type OfEveryModel =
  | `view_${Model}_component`
  | `${'create' | 'update' | 'delete'}_${Model}`
  | `view_${Model}_datatable_${'actions' | 'search' | 'filters' | 'column_settings'}`

/** What the permissions that every model has let a user do, by the names of its records. */
const labelsOf = (model: Model, many: string): Record<string, string> => ({
  [`view_${model}_component`]: `Open the list of ${many}`,
  [`create_${model}`]: `Create ${many}`,
  [`update_${model}`]: `Edit ${many}`,
  [`delete_${model}`]: `Delete and restore ${many}`,
  [`view_${model}_datatable_actions`]: `Use the actions of the list of ${many}`,
  [`view_${model}_datatable_search`]: `Search the list of ${many}`,
  [`view_${model}_datatable_filters`]: `Filter the list of ${many}`,
  [`view_${model}_datatable_column_settings`]: `Choose the columns of the list of ${many}`,
})

/** What the other permissions let a user do, and those of models that use other words. */
const LABELS = {
  view_global_search: 'Search everything at once',
  view_help_request: 'Report a problem',
  view_dashboard_component: 'Open the dashboard',
  restore_records: 'Permanently delete accounts and properties of other companies',
  manage_maintenance: 'Switch maintenance on and off, and work meanwhile',

  view_company_accounts: 'See the accounts of the company',
  view_dashboard_account_datatable: 'See lists of accounts on the dashboard',
  view_account_details: 'Open an account',
  view_account_activity: 'See the activity of an account',
  view_account_broker: 'See the broker of an account',
  view_account_carrier: 'See the carrier of an account',
  view_account_status: 'See the status of an account',
  create_simple_accounts: 'Create managed accounts',
  create_standard_accounts: 'Create standard accounts',
  update_account_status: 'Change the status of an account',
  manage_simple_accounts: 'Organize managed accounts for their owners',
  update_account_sharing: 'Turn the share link of an account on and off',
  view_property_types_pie_metric: 'See the chart of property types by number',
  view_property_types_metric: 'See the chart of property types by value',
  view_property_locations_metric: 'See the chart of property locations',
  view_account_reconciliation_metric: 'See discrepancies and the data quality score',
  view_download_document_list_button: 'Download the list of documents',
  view_download_property_list_button: 'Download the list of properties',
  view_download_all_files_button: 'See the button to download all documents',
  view_risk_control: 'See risk control reports',
  create_risk_control: 'Add risk control reports',
  delete_risk_control: 'Delete risk control reports',
  respond_risk_control: 'Add responses to risk control recommendations',

  view_account_properties: 'See properties',
  create_account_properties: 'Add properties',
  update_account_properties: 'Edit, divest and reactivate properties',
  bulk_upload_account_properties: 'Import properties from a file',
  resolve_discrepancies: 'Check properties and decide discrepancies',
  manage_flags: 'Flag properties and documents, and close flags',

  generate_disclosed_document_list: 'Create the list of disclosed documents',
  view_account_files: 'See documents',
  upload_account_files: 'Upload documents',
  preview_files: 'Preview documents',
  download_files: 'Download documents',
  download_all_files: 'Download all documents of an account',

  view_company_details: 'Open a company',
  view_all_system_companies: 'See all companies and their accounts',

  view_company_users: 'See the users of the company',
  view_all_system_users: 'See the users of all companies',

  view_subscriptions: 'Open a subscription',

  view_all_roles: 'See the roles of all companies',

  view_account_invites: 'See invitations',
  create_account_invites: 'Invite users to an account',
  update_account_invites: 'Extend and revoke invitations',
  view_account_invites_datatable_actions: 'Use the actions of the list of invitations',
  view_account_invites_datatable_search: 'Search the list of invitations',
  view_account_invites_datatable_column_settings: 'Choose the columns of the list of invitations',

  view_company_statuses: 'See the statuses of the company',
  create_statuses: 'Add statuses',
  update_statuses: 'Edit statuses',
  delete_statuses: 'Delete statuses',

  view_accounts_summary_metric: 'See the chart of accounts by status',
} as const satisfies Record<Exclude<PermissionName, OfEveryModel>, string> & Partial<Record<PermissionName, string>>

const OTHER_HEADINGS: Readonly<Record<string, string>> = {
  init: 'Pages',
  account_invites: 'Invitations',
  statuses: 'Statuses',
  metrics: 'Dashboard',
}
const HEADINGS = new Map([
  ...Object.entries(OTHER_HEADINGS),
  ...Object.entries<ModelInfo>(MODELS).map(([model, { group = model, many }]) => [group, sentenceCase(many)] as const),
])

const ALL_LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(MODEL_NAMES.flatMap((model) => Object.entries(labelsOf(model, MODELS[model].many)))),
  ...LABELS,
}

/** The heading and the label of a permission: "Accounts" and "Edit accounts". A name that is no longer a permission has no heading. */
export function permissionTexts(name: string): { heading: string | undefined; label: string } {
  if (!isPermission(name)) return { heading: undefined, label: sentenceCase(name.replaceAll('_', ' ')) }
  const [group = ''] = Object.entries(PERMISSION_GROUPS).find(([, names]) => names.includes(name)) ?? []
  const heading = HEADINGS.get(group)
  return { heading, label: ALL_LABELS[name] ?? name }
}

/** "Accounts: Edit accounts". */
export function permissionLabel(name: string): string {
  const { heading, label } = permissionTexts(name)
  return heading === undefined ? label : `${heading}: ${label}`
}
