import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { onlyUploads } from '#contract/default-roles.ts'
import { MAX_UUID, NIL_UUID, isUuid } from '#server/kernel/uuid.ts'
import { MODELS, type Model } from '#contract/models.ts'
import type { ModelInfo, PermissionName } from '#contract/permissions.ts'
import { can, type Viewer } from './viewer.ts'

/** Whether the viewer sees the records of all companies. */
export const seesAllCompanies = (viewer: Viewer): boolean => can(viewer, 'view_all_system_companies')

/** Whether the viewer sees all records of the model, so that its lists, search and events need no narrower scope. */
export function seesAllOf(viewer: Viewer, model: Model): boolean {
  const { all = 'view_all_system_companies' }: ModelInfo = MODELS[model]
  return can(viewer, all)
}

/** The ids that give a viewer access to accounts: the user, and the company with view_company_accounts. */
export function principals(viewer: Viewer): string[] {
  if (viewer.kind !== 'user') return []
  if (viewer.via !== undefined) return [viewer.userId]
  return can(viewer, 'view_company_accounts') ? [viewer.companyId, viewer.userId] : [viewer.userId]
}

/** Upload-only users see no documents of an account except their own uploads. */
export const seesOwnFilesOnly = (viewer: Viewer): boolean => viewer.kind === 'user' && onlyUploads(viewer.roles)

/** The scope of changes that may show in every list (`emit` with `everywhere`). */
export const EVERY_SCOPE = NIL_UUID
/** The scope of viewers who see everything: each change raises its version, and its totals count all records. */
export const ALL_SCOPE = MAX_UUID

export const TRUE: Expression<SqlBool> = sql<SqlBool>`true`
export const FALSE: Expression<SqlBool> = sql<SqlBool>`false`
/** A list of ids, each as its own parameter: the planner sees their number, so the plan of a prepared statement stays good. */
export const oneOf = (ids: readonly string[]): RawBuilder<unknown> => sql`(${sql.join(ids.map((id) => sql`${id}::uuid`))})`
export const uuids = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::uuid[]`

/** Whether the column is the id that a filter was given; a text that is not an id matches nothing. */
export const equalsId = (column: string, value: string): Expression<SqlBool> =>
  isUuid(value) ? sql<SqlBool>`${sql.ref(column)} = ${value}` : FALSE
/** Whether the column is one of the ids that a filter was given. */
export const equalsAnyId = (column: string, values: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = ANY(${uuids(values.filter((value) => isUuid(value)))})`

/** Visibility of models that belong to the system: all records with the permission, none without. */
export const visibleWith =
  (permission: PermissionName) =>
  (viewer: Viewer): Expression<SqlBool> =>
    can(viewer, permission) ? TRUE : FALSE

/** Visibility of models that belong to a company: its own records, or all of them with the permission. */
export const visibleInCompany =
  (table: string, all: PermissionName) =>
  (viewer: Viewer): Expression<SqlBool> => {
    if (can(viewer, all)) return TRUE
    return viewer.kind === 'user' ? sql<SqlBool>`${sql.ref(`${table}.company_id`)} = ${viewer.companyId}` : FALSE
  }

/** The rules of a model that depend on permissions alone. */
export const rulesFrom =
  (permissions: { update: PermissionName; delete: PermissionName }) =>
  (viewer: Viewer, { deleted_at }: { deleted_at: Date | null }) => ({
    update: deleted_at === null && can(viewer, permissions.update),
    delete: can(viewer, permissions.delete),
  })
