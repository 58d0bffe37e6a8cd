import { sql, type RawBuilder } from 'kysely'
import type { ActivityItem, ActivityQuery } from '#contract/activity.ts'
import { MODELS, type Model } from '#contract/models.ts'
import type { ModelInfo } from '#contract/permissions.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import { can } from '#server/access/viewer.ts'
import { forbidden } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { pageMeta } from '../datatable/index-list.ts'
import type { StoredModel, StoredRecord } from './define-record.ts'
import { findRecord } from './save-record.ts'

type Line = Pick<ActivityItem, 'id' | 'message' | 'class'> & { group_count: number; created_at: Date }

/** Lines about records of an account quote their values, so they need the permission to see such records. */
const hiddenModels = ({ viewer }: Context): string[] =>
  Object.entries<ModelInfo & { visibility: string }>(MODELS).flatMap(([model, { visibility, list }]) =>
    visibility === 'account' && model !== 'accounts' && !(can(viewer, list) && (model !== 'flags' || can(viewer, FLAGGED))) ? [model] : [],
  )
/** Lines about flags quote the address of the flagged property. */
const FLAGGED = 'view_account_properties'

/**
 * A line that names files is visible to viewers who see all of them, including those in the trash. A line about a risk control report
 * is visible to viewers who see the report, one about those of the account to viewers who see all of them.
 */
const visibleLines = (ctx: Context) => sql`activities.model <> ALL(${hiddenModels(ctx)}::text[])
  AND (activities.class <> 'flagged' OR ${can(ctx.viewer, 'manage_flags')})
  AND (activities.model <> 'risk_control'
    OR EXISTS (SELECT 1 FROM risk_control WHERE risk_control.id = activities.model_id AND ${visibleRiskControl(ctx.viewer)})
    OR (activities.model_id = activities.account_id AND NOT EXISTS (SELECT 1 FROM risk_control
      WHERE risk_control.account_id = activities.account_id AND risk_control.deleted_at IS NULL AND NOT ${visibleRiskControl(ctx.viewer)})))
  AND NOT EXISTS (
  SELECT 1 FROM unnest(activities.file_ids) AS named (id)
    LEFT JOIN account_files ON account_files.id = named.id
    WHERE account_files.id IS NULL OR NOT ${visibleFiles(ctx.viewer)})`

/**
 * Lines about the record; for an account, those about everything in it, for a property also those about its flags and reports, and for a
 * document also those about its flags and those that name it with others.
 */
function linesOf(model: Model, id: string): RawBuilder<unknown> {
  if (model === 'accounts') return sql`activities.account_id = ${id}`
  const own = sql`activities.model = ${model} AND activities.model_id = ${id}`
  if (model === 'account_properties')
    return sql`(activities.model, activities.model_id) IN (SELECT ${model}, ${id}::uuid
      UNION ALL SELECT 'flags', f.id FROM flags f WHERE f.property_id = ${id}
      UNION ALL SELECT 'risk_control', r.id FROM risk_control r WHERE r.property_id = ${id})`
  if (model !== 'account_files') return own
  const flags = sql`activities.model = 'flags' AND activities.model_id IN (SELECT f.id FROM flags f WHERE f.file_id = ${id})`
  const named = sql`activities.account_id = (SELECT f.account_id FROM account_files f WHERE f.id = ${id}) AND ${id}::uuid = ANY(activities.file_ids)`
  return sql`((${own}) OR (${flags}) OR (${named}))`
}

async function activityPage(ctx: Context, model: Model, id: string, { page, paginate }: ActivityQuery) {
  const offset = (page - 1) * paginate
  const where = sql`${linesOf(model, id)} AND ${visibleLines(ctx)}`
  const [lines, counted] = await Promise.all([
    sql<Line>`SELECT id, message, group_count, class, created_at FROM activities WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${paginate} OFFSET ${offset}`.execute(ctx.db),
    sql<{ total: number }>`SELECT count(*) AS total FROM activities WHERE ${where}`.execute(ctx.db),
  ])
  const data = lines.rows.map((line) => ({
    ...line,
    message: line.message.replaceAll('{n}', String(line.group_count)).replace(/\b1 documents\b/, '1 document'),
    datetime: line.created_at.toISOString(),
  }))
  return { data, extra: { meta: pageMeta({ page, paginate }, counted.rows[0]?.total ?? 0, data.length, offset) } }
}

/** The handler of `activityCall`: what happened to a record that the viewer can open, newest first. */
export const activityHandler = <R extends StoredRecord, Input extends object>(model: StoredModel<R, Input>) => ({
  activity: async ({ ctx, params, query }: { ctx: Context; params: { id: string }; query: ActivityQuery }) => {
    const { list, show = list }: ModelInfo = MODELS[model.list.model]
    if (!can(ctx.viewer, show)) throw forbidden()
    const { id } = await findRecord(ctx, model, params.id)
    return activityPage(ctx, model.list.model, id, query)
  },
})
