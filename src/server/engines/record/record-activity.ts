import { sql, type RawBuilder } from 'kysely'
import type { ActivityItem, ActivityQuery } from '#contract/activity.ts'
import { formatDateTime, formatNumber, sentenceCase } from '#contract/format.ts'
import { MODELS, type Model } from '#contract/models.ts'
import type { ModelInfo } from '#contract/permissions.ts'
import { isSame } from '#contract/route.ts'
import { linesOf, visibleLines } from '#server/access/activity.ts'
import { can, timezoneOf } from '#server/access/viewer.ts'
import { idsAsText, readBatches } from '#server/db/read-batches.ts'
import { NOT_THIS_ID, forbidden, invalid } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { pageMeta } from '../datatable/index-list.ts'
import { attachment } from '../datatable/list-routes.ts'
import { writeCsv } from '../spreadsheet/write/write-csv.ts'
import type { StoredModel, StoredRecord } from './define-record.ts'
import { findRecord } from './save-record.ts'

type Line = Pick<ActivityItem, 'id' | 'message' | 'class'> & { group_count: number; created_at: Date }

const LINE = sql.raw('id, message, group_count, class, created_at')
const messageOf = ({ message, group_count: count }: Line): string =>
  message.replaceAll('{n}', formatNumber(count)).replace(/\b1 documents\b/, '1 document')

const seenLines = (ctx: Context, model: Model, id: string) => sql`${linesOf(model, id)} AND ${visibleLines(ctx.viewer)}`

async function activityPage(ctx: Context, model: Model, id: string, { page, paginate }: ActivityQuery) {
  const offset = (page - 1) * paginate
  const where = seenLines(ctx, model, id)
  const [lines, counted] = await Promise.all([
    sql<Line>`SELECT ${LINE} FROM activities WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${paginate} OFFSET ${offset}`.execute(
      ctx.db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM activities WHERE ${where}`.execute(ctx.db),
  ])
  const data = lines.rows.map((line) => ({ ...line, message: messageOf(line), datetime: line.created_at.toISOString() }))
  return { data, extra: { meta: pageMeta({ page, paginate }, counted.rows[0]?.total ?? 0, data.length, offset) } }
}

const EXPORTED_AT_ONCE = 2_000
const COLUMNS = [
  { header: 'Time', kind: 'text', width: 24 },
  { header: 'Activity', kind: 'text', width: 80 },
  { header: 'Kind', kind: 'text', width: 14 },
] as const

/** The lines as CSV, newest first, read as fast as the client reads the file. */
async function activityFile(ctx: Context, model: Model, id: string) {
  const where = seenLines(ctx, model, id)
  const { rows } = await sql<{ ids: string }>`SELECT ${idsAsText(sql`SELECT activities.id FROM activities WHERE ${where}
    ORDER BY created_at DESC, activities.id DESC`)} AS ids`.execute(ctx.db)
  const read = async (batch: RawBuilder<unknown>) =>
    (
      await sql<Line>`SELECT ${LINE} FROM activities WHERE activities.id = ANY(${batch}) AND ${where} ORDER BY created_at DESC, id DESC`.execute(
        ctx.db,
      )
    ).rows
  async function* lines() {
    const zone = timezoneOf(ctx.viewer)
    for await (const batch of readBatches(rows[0]?.ids ?? '', { size: EXPORTED_AT_ONCE }, read))
      yield batch.map((line) => [formatDateTime(line.created_at.toISOString(), zone), messageOf(line), sentenceCase(line.class)])
  }
  return attachment({ contentType: 'text/csv; charset=utf-8', body: writeCsv({ columns: COLUMNS, rows: lines() }) }, 'activity.csv')
}

export interface Asked {
  ctx: Context
  params: { id: string }
}

/** The handlers of `activityCalls`: what happened to a record that the viewer can open, newest first. */
export function activityHandler<R extends StoredRecord, Input extends object>(model: StoredModel<R, Input>) {
  const find = async ({ ctx, params }: Asked): Promise<string> => {
    const { list, show = list }: ModelInfo = MODELS[model.list.model]
    if (!can(ctx.viewer, show)) throw forbidden()
    return (await findRecord(ctx, model, params.id)).id
  }
  return {
    activity: async (asked: Asked & { query: ActivityQuery & { modelId?: string | undefined } }) => {
      const id = await find(asked)
      if (!isSame(asked.params.id, asked.query.modelId)) throw invalid({ modelId: [NOT_THIS_ID] })
      return activityPage(asked.ctx, model.list.model, id, asked.query)
    },
    exportActivity: async (asked: Asked) => activityFile(asked.ctx, model.list.model, await find(asked)),
  }
}
