import { codesOf } from './code-lists.ts'
import type { RoleMarks } from './default-roles.ts'
import { PROPERTY_SEARCH_SIZE } from './limits.ts'

interface Declaration {
  /** One record and several, in lower case, as texts of the interface and messages name them. */
  one: string
  many: string
  /** Who sees a record: everyone with access to its account, the users of its company, or every user with the permission. */
  visibility: 'account' | 'company' | 'system'
  /** The permission that opens the list and the realtime channel. */
  list: string
  /** The permission to see the records of all companies; `view_all_system_companies` unless given. */
  all?: string
  /** The permission to open one record, where it is not that of the list. */
  show?: string
  /** The group under which init returns the permissions; the name of the model unless given. */
  group?: string
  /** The permissions of the model with the default roles that have them: one letter for each role in DEFAULT_ROLE_NAMES. */
  permissions?: Readonly<Record<string, RoleMarks>>
  /** The model whose permissions control search, filters and columns of the list; itself unless given. */
  controlledBy?: string
  /** Whether the menu and the selection of rows need only the permission of the list. */
  actionsWithList?: true
  /** Whether the checks read its records, so that their findings are out of date after a change. */
  checked?: true
  /** What a change is about on the page of the account; the data of the account unless given. */
  changeScope?: 'files'
  /** Whether an event about one record is sent without its id, since records can be private. */
  hidesIds?: true
  /** How many results a form offers to choose from, where those of the global search are too few. */
  choices?: number
  /** The order of the list in the browser until the user sorts; without it, that of the server. */
  order?: Readonly<{ sort: string; order: 'asc' | 'desc' }>
  /** How the question before deleting names one record, and for how many it says that this is final. */
  deletion?: { noun?: string; finalFor: 'one' | 'any' }
}

/** Every model with a list. The tests of isolation and permissions run for each of them. */
export const MODELS = {
  accounts: {
    one: 'account',
    many: 'accounts',
    visibility: 'account',
    list: 'view_accounts_component',
    order: { sort: 'updated_at', order: 'desc' },
    deletion: { finalFor: 'one' },
    show: 'view_account_details',
    permissions: {
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
      respond_risk_control: 'xxxxx...',
    },
  },
  account_properties: {
    one: 'property',
    many: 'properties',
    visibility: 'account',
    list: 'view_account_properties',
    checked: true,
    choices: PROPERTY_SEARCH_SIZE,
    permissions: {
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
  },
  account_files: {
    one: 'document',
    many: 'documents',
    visibility: 'account',
    list: 'view_account_files',
    order: { sort: 'created_at', order: 'desc' },
    changeScope: 'files',
    hidesIds: true,
    deletion: { noun: 'file', finalFor: 'any' },
    permissions: {
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
  },
  discrepancies: { one: 'discrepancy', many: 'discrepancies', visibility: 'account', list: 'view_account_properties' },
  risk_control: { one: 'risk control report', many: 'risk control reports', visibility: 'account', list: 'view_risk_control' },
  flags: {
    one: 'flag',
    many: 'flags',
    visibility: 'account',
    list: 'manage_flags',
    order: { sort: 'due_on', order: 'asc' },
    controlledBy: 'account_properties',
    actionsWithList: true,
  },
  property_imports: {
    one: 'import',
    many: 'imports',
    visibility: 'account',
    list: 'bulk_upload_account_properties',
    order: { sort: 'created_at', order: 'desc' },
    controlledBy: 'account_properties',
  },
  companies: {
    one: 'company',
    many: 'companies',
    visibility: 'company',
    list: 'view_companies_component',
    order: { sort: 'name', order: 'asc' },
    show: 'view_company_details',
    permissions: {
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
  },
  users: {
    one: 'user',
    many: 'users',
    visibility: 'company',
    list: 'view_users_component',
    order: { sort: 'name', order: 'asc' },
    all: 'view_all_system_users',
    permissions: {
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
  },
  subscriptions: {
    one: 'subscription',
    many: 'subscriptions',
    visibility: 'system',
    list: 'view_subscriptions_component',
    order: { sort: 'name', order: 'asc' },
    all: 'view_subscriptions',
    show: 'view_subscriptions',
    permissions: {
      view_subscriptions: 'x.......',
      create_subscriptions: 'x.......',
      update_subscriptions: 'x.......',
      delete_subscriptions: 'x.......',
      view_subscriptions_datatable_actions: 'x.......',
      view_subscriptions_datatable_search: 'x.......',
      view_subscriptions_datatable_filters: 'x.......',
      view_subscriptions_datatable_column_settings: 'x.......',
    },
  },
  roles: {
    one: 'role',
    many: 'roles',
    visibility: 'company',
    list: 'view_roles_component',
    order: { sort: 'label', order: 'asc' },
    all: 'view_all_roles',
    group: 'role',
    permissions: {
      view_all_roles: 'x.......',
      create_roles: 'x.......',
      update_roles: 'x.......',
      delete_roles: 'x.......',
      view_roles_datatable_actions: 'x.......',
      view_roles_datatable_search: 'x.......',
      view_roles_datatable_filters: 'x.......',
      view_roles_datatable_column_settings: 'x.......',
    },
  },
} as const satisfies Record<string, Declaration>

export type Model = keyof typeof MODELS
export const MODEL_NAMES = codesOf(MODELS)

/** A model under the common type, for code that treats all models alike. */
export const declarationOf = (model: Model): Declaration => MODELS[model]

/** The model whose records contain those of the models with the visibility `account`. */
export const ACCOUNT_MODEL = 'accounts' as const satisfies Model
/** The model of those who sign in. */
export const USER_MODEL = 'users' as const satisfies Model
