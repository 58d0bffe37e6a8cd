import { sql } from 'kysely'
import { activityCalls, type ActivityItem } from '#contract/activity.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { pageMeta } from '#server/engines/datatable/index-list.ts'
import { implement } from '#server/engines/http/answer.ts'

type Line = Pick<ActivityItem, 'id' | 'message' | 'class'> & { group_count: number; created_at: Date }

/** Lines about records of these models quote their values, so they need the permission to see such records. */
const NEEDED = {
  account_properties: 'view_account_properties',
  discrepancies: 'view_account_properties',
  account_files: 'view_account_files',
} as const

const hiddenModels = ({ viewer }: Context) => Object.entries(NEEDED).flatMap(([model, needed]) => (can(viewer, needed) ? [] : [model]))

/** A line that names files is visible to viewers who see all of them, including those in the trash. */
const visibleLines = (ctx: Context) => sql`activities.model <> ALL(${hiddenModels(ctx)}::text[]) AND NOT EXISTS (
  SELECT 1 FROM unnest(activities.file_ids) AS named (id)
    LEFT JOIN account_files ON account_files.id = named.id
    WHERE account_files.id IS NULL OR NOT ${visibleFiles(ctx.viewer)})`

async function activityPage(ctx: Context, accountId: string, { page, paginate }: { page: number; paginate: number }) {
  const offset = (page - 1) * paginate
  const where = sql`activities.account_id = ${accountId} AND ${visibleLines(ctx)}`
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

export const activityRoutes = implement(
  activityCalls,
  {
    ofAccount: async ({ ctx, params, query }) => {
      await requireVisibleAccount(ctx.db, ctx.viewer, params.id)
      return activityPage(ctx, params.id, query)
    },
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
