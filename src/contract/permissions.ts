import { DEFAULT_ROLE_NAMES, type DefaultRole, type RoleMarks } from './default-roles.ts'
import { MODELS, MODEL_NAMES, type Model } from './models.ts'

type Models = typeof MODELS
type ModelWithPermissions = { [M in Model]: Models[M] extends { permissions: object } ? M : never }[Model]
type ModelPermission = { [M in ModelWithPermissions]: keyof Models[M]['permissions'] }[ModelWithPermissions]
/** A permission that opens the page of a model. It is declared with the model, and init returns it with those of the other pages. */
type PagePermission = Extract<ModelPermission, `view_${Model}_component`>

type Permissions = Readonly<Record<string, RoleMarks>>
const PAGE_NAMES: ReadonlySet<string> = new Set(MODEL_NAMES.map((model) => `view_${model}_component`))
const MODEL_GROUPS = Object.entries<ModelInfo>(MODELS).flatMap(([model, { group = model, permissions }]) =>
  permissions === undefined ? [] : [{ group, permissions: Object.entries(permissions) }],
)
const PAGES = Object.fromEntries(MODEL_GROUPS.flatMap(({ permissions }) => permissions.filter(([name]) => PAGE_NAMES.has(name)))) as Record<
  PagePermission,
  RoleMarks
> // the permissions with the names of its type

/** Permissions that belong to no model, by the group under which init returns them, as in MODELS. */
const OTHER_PERMISSIONS = {
  init: {
    view_global_search: 'xxxxx...',
    view_help_request: 'xxxxxxx.',
    view_dashboard_component: 'xxxxx...',
    ...PAGES,
    restore_records: 'xx......',
    manage_maintenance: 'x.......',
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
} as const satisfies Record<string, Record<string, RoleMarks>>

type GroupOf<M extends Model> = Models[M] extends { group: infer G extends string } ? G : M
type OtherGroups = typeof OTHER_PERMISSIONS

export type PermissionGroup = GroupOf<ModelWithPermissions> | keyof OtherGroups
export type PermissionName = ModelPermission | { [G in keyof OtherGroups]: keyof OtherGroups[G] }[keyof OtherGroups]

/** An entry of MODELS with its optional parts; a name in MODELS that is not a permission does not compile in TABLE. */
export interface ModelInfo {
  one: string
  many: string
  list: PermissionName
  all?: PermissionName
  show?: PermissionName
  group?: string
  permissions?: Permissions
}

/** Models whose records are created, changed and deleted with permissions of that name. */
export type RecordModel = { [M in Model]: `create_${M}` | `update_${M}` | `delete_${M}` extends PermissionName ? M : never }[Model]

const { init, ...others } = OTHER_PERMISSIONS
/** Every permission with its default roles, by group: first what opens the pages, then the models. */
const TABLE: readonly (readonly [group: string, permissions: Permissions])[] = [
  ['init', init],
  ...MODEL_GROUPS.map(
    ({ group, permissions }) => [group, Object.fromEntries(permissions.filter(([name]) => !PAGE_NAMES.has(name)))] as const,
  ),
  ...Object.entries(others),
]

export const PERMISSION_NAMES = TABLE.flatMap(([, permissions]) => Object.keys(permissions) as PermissionName[]) // keys of the literal objects
export const isPermission = (name: string): name is PermissionName => PERMISSION_NAMES.some((known) => known === name)

/** Some permissions by group; all groups are present. */
export const groupPermissions = (has: (name: PermissionName) => boolean) =>
  Object.fromEntries(TABLE.map(([group, permissions]) => [group, Object.keys(permissions).filter(isPermission).filter(has)])) as Record<
    PermissionGroup,
    PermissionName[]
  > // TABLE has all groups
export const PERMISSION_GROUPS: Readonly<Record<PermissionGroup, readonly PermissionName[]>> = groupPermissions(() => true)

/** The permissions with which a default role is created. */
export function defaultPermissions(role: DefaultRole): PermissionName[] {
  const column = DEFAULT_ROLE_NAMES.indexOf(role)
  const permissions = TABLE.flatMap(([, group]) => Object.entries(group))
  return permissions.flatMap(([name, roles]) => (roles.charAt(column) === 'x' && isPermission(name) ? [name] : []))
}
