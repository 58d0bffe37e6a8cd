import { sql, type RawBuilder } from 'kysely'
import type { Model } from '#contract/models.ts'
import type { Context } from '../context.ts'
import { CHANGES_CHANNEL, type OpenedNotice } from '../transaction/changes.ts'
import type { Datatable } from './define-datatable.ts'

/** The scope of a user in `list_versions` with this name is raised when they open a record that their lists mark as new. */
const OPENED = 'record_views'

/**
 * Those of the ids whose rows are new to the viewer, as an SQL array: created by another user after the viewer's previous sign-in, and not
 * opened yet. A creator who is not known may be the viewer. At the first sign-in nothing is new.
 */
export function newIds({ viewer }: Context, { marksNew, table }: Datatable, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  if (marksNew !== true || viewer.kind !== 'user' || viewer.previousLoginAt === null) return sql`'{}'::uuid[]`
  return sql`ARRAY(SELECT n.id FROM ${sql.table(table)} n WHERE n.id = ANY(${ids}) AND n.created_by <> ${viewer.userId}
    AND n.created_at > ${viewer.previousLoginAt}
    AND NOT EXISTS (SELECT 1 FROM record_views v WHERE v.user_id = ${viewer.userId} AND v.record_id = n.id))`
}

/** Changes when the viewer opens a record, for the version of a list that marks new ones. */
export const openedVersion = (userId: string): RawBuilder<unknown> =>
  sql`coalesce((SELECT version FROM list_versions WHERE model = ${sql.lit(OPENED)} AND scope_id = ${userId}), 0)`

interface Opened {
  id: string
  created_at: Date
  created_by: string | null
}

/**
 * Stores that the viewer opened a record, so that their lists no longer mark it as new. Only a record that may be new needs a statement,
 * and only its first time writes: the view, the version of this user's lists and the notice to their other pages, all in one statement.
 */
export async function markOpened(ctx: Context, { marksNew, model }: Datatable, record: Opened): Promise<void> {
  const { viewer } = ctx
  if (marksNew !== true || viewer.kind !== 'user') return
  if (record.created_by === null || record.created_by === viewer.userId) return
  // After the first sign-in everything may be new at the next one, so what is opened until then is stored.
  if (viewer.previousLoginAt !== null && record.created_at <= viewer.previousLoginAt) return
  await sql`WITH seen AS (
      INSERT INTO record_views (user_id, record_id, viewed_at) VALUES (${viewer.userId}, ${record.id}, ${ctx.clock.now()})
        ON CONFLICT DO NOTHING RETURNING user_id
    ), raised AS (
      INSERT INTO list_versions (model, scope_id) SELECT ${OPENED}, user_id FROM seen
        ON CONFLICT (model, scope_id) DO UPDATE SET version = greatest(list_versions.version + 1, excluded.version), changed_at = now()
    )
    SELECT pg_notify(${CHANGES_CHANNEL}, ${noticeOf(viewer.userId, model)}) FROM seen`.execute(ctx.db)
}

const noticeOf = (openedBy: string, model: Model): string => JSON.stringify({ openedBy, model } satisfies OpenedNotice)
