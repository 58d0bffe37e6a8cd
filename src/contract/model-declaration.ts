import type { RoleMarks } from './default-roles.ts'

/** What `models.ts` says about a model. */
export interface ModelDeclaration {
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
