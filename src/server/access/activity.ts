import { sql, type Expression, type SqlBool } from 'kysely'
import type { ActivityClass } from '#contract/activity.ts'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import type { ModelInfo, PermissionName } from '#contract/permissions.ts'
import { visibleFiles } from './account-files.ts'
import { seesDecision } from './discrepancies.ts'
import { scopeOf } from './link-scope.ts'
import { visibleRiskControl } from './risk-control.ts'
import { FALSE } from './scope.ts'
import { can, type Viewer } from './viewer.ts'

type Condition = Expression<SqlBool>

/** What is special about the activity lines of a model. Conditions name the table `activities`. */
interface ModelLines {
  /** The lines that a record of the model shows; those about the record alone unless given. */
  shown?: (id: string) => Condition
  /** Needed to see lines about its records, in addition to the permission of its list. */
  needs?: PermissionName
  /** Whether the viewer sees the record that a line is about, where access to its account is not enough. */
  visible?: (viewer: Viewer) => Condition
}

const about = (model: Model, id: string) => sql<SqlBool>`activities.model = ${model} AND activities.model_id = ${id}`

const LINES: Readonly<Partial<Record<Model, ModelLines>>> = {
  /** Those about everything in the account. */
  accounts: { shown: (id) => sql<SqlBool>`activities.account_id = ${id}` },
  /** Also those about its flags and reports. */
  account_properties: {
    shown: (id) => sql<SqlBool>`(activities.model, activities.model_id) IN (SELECT ${'account_properties'}, ${id}::uuid
      UNION ALL SELECT 'flags', f.id FROM flags f WHERE f.property_id = ${id}
      UNION ALL SELECT 'risk_control', r.id FROM risk_control r WHERE r.property_id = ${id})`,
  },
  /** Also those about its flags, and those that name it with others, except the account's count of uploads: each document has a line of its own. */
  account_files: {
    shown: (id) => {
      const flags = sql`activities.model = 'flags' AND activities.model_id IN (SELECT f.id FROM flags f WHERE f.file_id = ${id})`
      const named = sql`activities.account_id = (SELECT f.account_id FROM account_files f WHERE f.id = ${id}) AND ${id}::uuid = ANY(activities.file_ids)`
      const counted = sql`activities.class = 'uploaded' AND activities.model_id = activities.account_id`
      return sql<SqlBool>`((${about('account_files', id)}) OR (${flags}) OR (${named} AND NOT (${counted})))`
    },
  },
  /** A line about those of the account, such as an export, needs all of them. */
  risk_control: {
    visible: (viewer) =>
      sql<SqlBool>`(EXISTS (SELECT 1 FROM risk_control WHERE risk_control.id = activities.model_id AND ${visibleRiskControl(viewer)})
        OR (activities.model_id = activities.account_id AND NOT EXISTS (SELECT 1 FROM risk_control
          WHERE risk_control.account_id = activities.account_id AND risk_control.deleted_at IS NULL AND NOT ${visibleRiskControl(viewer)})))`,
  },
  /** They quote the address of the flagged property. */
  flags: { needs: 'view_account_properties' },
}

/** Classes of lines that need a permission for any record, and the lines of the class that everyone sees who sees the record. */
const CLASSES: Readonly<Partial<Record<ActivityClass, { needs: PermissionName; unless?: Condition }>>> = {
  flagged: { needs: 'manage_flags' },
  reconciled: { needs: 'view_account_reconciliation_metric' },
  // All users of a managed account see its status.
  status: {
    needs: 'view_account_status',
    unless: sql<SqlBool>`EXISTS (SELECT 1 FROM accounts a WHERE a.id = activities.account_id AND a.type = 'managed')`,
  },
}

/** The lines that a record shows to viewers who see all of them. */
export const linesOf = (model: Model, id: string): Condition => LINES[model]?.shown?.(id) ?? about(model, id)

/** Lines about records of an account quote their values, so they need the permission to see such records. */
function isHidden(viewer: Viewer, model: Model): boolean {
  const { list, visibility }: ModelInfo & { visibility: string } = MODELS[model]
  const needs = LINES[model]?.needs
  return visibility === 'account' && model !== 'accounts' && !(can(viewer, list) && (needs === undefined || can(viewer, needs)))
}

/**
 * The lines that a viewer sees of a record that they can open. A line that names files is visible to viewers who see all of them,
 * including those in the trash. Lines about decisions quote their reasons. Lines about the account quote everything in it, so no link to a
 * part of it shows any.
 */
export function visibleLines(viewer: Viewer): Condition {
  if (scopeOf(viewer) !== undefined) return FALSE
  const hidden = MODEL_NAMES.filter((model) => isHidden(viewer, model))
  const classes = Object.entries(CLASSES).flatMap(([name, { needs, unless }]) =>
    can(viewer, needs) ? [] : [sql`(activities.class <> ${sql.lit(name)}${unless === undefined ? sql`` : sql` OR ${unless}`})`],
  )
  const records = MODEL_NAMES.flatMap((model) => {
    const visible = LINES[model]?.visible
    return visible === undefined ? [] : [sql`(activities.model <> ${sql.lit(model)} OR ${visible(viewer)})`]
  })
  return sql<SqlBool>`${sql.join([sql`activities.model <> ALL(${hidden}::text[])`, ...classes, ...records], sql` AND `)}
  AND (activities.class <> 'reconciled' OR activities.actor_id IS NULL OR ${seesDecision(viewer, 'activities.account_id', 'activities.actor_id')}) AND NOT EXISTS (
  SELECT 1 FROM unnest(activities.file_ids) AS named (id)
    LEFT JOIN account_files ON account_files.id = named.id
    WHERE account_files.id IS NULL OR NOT ${visibleFiles(viewer)})`
}
