import { sql } from 'kysely'
import type { ActivityItem, ActivityQuery } from '#contract/activity.ts'
import { formatNumber } from '#contract/format.ts'
import { MODELS, type Model } from '#contract/models.ts'
import type { ModelInfo } from '#contract/permissions.ts'
import { isSame } from '#contract/route.ts'
import { linesOf, visibleLines } from '#server/access/activity.ts'
import { can } from '#server/access/viewer.ts'
import { NOT_THIS_ID, forbidden, invalid } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { pageMeta } from '../datatable/index-list.ts'
import type { StoredModel, StoredRecord } from './define-record.ts'
import { findRecord } from './save-record.ts'

type Line = Pick<ActivityItem, 'id' | 'message' | 'class'> & { group_count: number; created_at: Date }

async function activityPage(ctx: Context, model: Model, id: string, { page, paginate }: ActivityQuery) {
  const offset = (page - 1) * paginate
  const where = sql`${linesOf(model, id)} AND ${visibleLines(ctx.viewer)}`
  const [lines, counted] = await Promise.all([
    sql<Line>`SELECT id, message, group_count, class, created_at FROM activities WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${paginate} OFFSET ${offset}`.execute(ctx.db),
    sql<{ total: number }>`SELECT count(*) AS total FROM activities WHERE ${where}`.execute(ctx.db),
  ])
  const data = lines.rows.map((line) => ({
    ...line,
    message: line.message.replaceAll('{n}', formatNumber(line.group_count)).replace(/\b1 documents\b/, '1 document'),
    datetime: line.created_at.toISOString(),
  }))
  return { data, extra: { meta: pageMeta({ page, paginate }, counted.rows[0]?.total ?? 0, data.length, offset) } }
}

/** The handler of `activityCall`: what happened to a record that the viewer can open, newest first. */
export const activityHandler = <R extends StoredRecord, Input extends object>(model: StoredModel<R, Input>) => ({
  activity: async ({
    ctx,
    params,
    query,
  }: {
    ctx: Context
    params: { id: string }
    query: ActivityQuery & { modelId?: string | undefined }
  }) => {
    const { list, show = list }: ModelInfo = MODELS[model.list.model]
    if (!can(ctx.viewer, show)) throw forbidden()
    const { id } = await findRecord(ctx, model, params.id)
    if (!isSame(params.id, query.modelId)) throw invalid({ modelId: [NOT_THIS_ID] })
    return activityPage(ctx, model.list.model, id, query)
  },
})
