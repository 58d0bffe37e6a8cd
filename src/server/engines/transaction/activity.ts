import { sql } from 'kysely'
import type { ActivityClass } from '#contract/activity.ts'
import { ACTIVITY_GROUP_MS } from '#contract/limits.ts'
import { viaOf, viewerId, viewerName } from '#server/access/viewer.ts'
import { runWithNext } from '#server/db/kysely-pool.ts'
import type { WriteContext } from '../context.ts'

interface ActivityLine {
  model: string
  modelId: string
  accountId?: string
  class: ActivityClass
  /** `{user}` is replaced by the viewer's full name, `{n}` by the count of a grouped line. */
  message: string
  /** Documents named in the message: viewers who cannot see all of them do not see the line. */
  fileIds?: readonly string[]
  /** Lines with the same key by the same user within ten minutes become one, with the sum of their counts. */
  group?: { key: string; count: number }
}

/** Writes one activity line in the transaction. In a preview nothing happens that was done by the person it shows. */
export async function recordActivity(tx: WriteContext, line: ActivityLine): Promise<void> {
  if (viaOf(tx.viewer)?.preview === true) return
  const actor = viewerId(tx.viewer)
  const name = viewerName(tx.viewer, tx.config.product.name)
  if (line.group !== undefined && (await joinGroup(tx, actor, line.group, line.fileIds ?? []))) return
  await runWithNext(
    tx.db,
    sql`INSERT INTO activities (model, model_id, account_id, actor_id, actor_name, class, message, file_ids, group_key, group_count)
      VALUES (${line.model}, ${line.modelId}, ${line.accountId ?? null}, ${actor}, ${name}, ${line.class},
        ${line.message.replaceAll('{user}', name)}, ${[...(line.fileIds ?? [])]}, ${line.group?.key ?? null}, ${line.group?.count ?? 1})`.compile(
      tx.db,
    ),
  )
}

async function joinGroup(
  tx: WriteContext,
  actor: string | null,
  group: { key: string; count: number },
  fileIds: readonly string[],
): Promise<boolean> {
  const since = new Date(tx.clock.now().getTime() - ACTIVITY_GROUP_MS)
  const { numAffectedRows } =
    await sql`UPDATE activities SET group_count = group_count + ${group.count}, file_ids = file_ids || ${[...fileIds]}::uuid[],
    created_at = now()
    WHERE id = (SELECT id FROM activities WHERE group_key = ${group.key} AND actor_id IS NOT DISTINCT FROM ${actor}::uuid
      AND created_at > ${since} ORDER BY created_at DESC LIMIT 1 FOR UPDATE)`.execute(tx.db)
  return (numAffectedRows ?? 0n) > 0n
}
