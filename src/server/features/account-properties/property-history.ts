import { sql } from 'kysely'
import type { z } from 'zod'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import type { PropertyChange } from '#contract/property-history.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { viewerName } from '#server/access/viewer.ts'
import { runWithNext } from '#server/db/kysely-pool.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { pageMeta } from '#server/engines/datatable/index-list.ts'

interface Changed {
  id: string
  fields: readonly PropertyFieldName[]
  before: Readonly<Record<PropertyFieldName, unknown>>
  after: Readonly<Partial<Record<PropertyFieldName, unknown>>>
}

/** Stores the former and new values of a saved property. Imports and their undo store theirs in the statements that write the properties. */
export async function recordChanges(
  tx: WriteContext,
  { id, fields, before, after }: Changed,
  { source, ref }: { source: string; ref: string | null },
): Promise<void> {
  if (fields.length === 0) return
  const changes = JSON.stringify(Object.fromEntries(fields.map((name) => [name, [before[name], after[name] ?? null]])))
  const by = viewerName(tx.viewer, tx.config.product.name)
  await runWithNext(
    tx.db,
    sql`INSERT INTO property_changes (property_id, changed_at, actor_name, source, ref, changes)
      VALUES (${id}, ${tx.clock.now()}, ${by}, ${source}, ${ref}, ${changes}::jsonb)`.compile(tx.db),
  )
}

type Line = {
  id: number
  at: Date
  by: string
  source: string
  ref: string | null
  field: string
  change: [unknown, unknown]
  total: number
}

/** What changed in the values of a property, newest first. */
export async function changesOf(
  ctx: Context,
  property: { id: string; account_id: string },
  { page, paginate, field }: { page: number; paginate: number; field?: string | undefined },
) {
  const offset = (page - 1) * paginate
  const { rows } = await sql<Line>`
    SELECT c.id, c.changed_at AS at, c.actor_name AS by, c.source, c.ref, f.key AS field, f.value AS change, (count(*) OVER ())::int AS total
      FROM property_changes c CROSS JOIN LATERAL jsonb_each(c.changes) AS f
      WHERE c.property_id = ${property.id} ${field === undefined ? sql`` : sql`AND f.key = ${field}`}
      ORDER BY c.id DESC, f.key LIMIT ${paginate} OFFSET ${offset}`.execute(ctx.db)
  const visible = await visibleDocuments(
    ctx,
    property.account_id,
    rows.flatMap(({ ref }) => (ref === null ? [] : [documentIn(ref)])),
  )
  const data = rows.map(({ id, at, ref, change: [from, to], ...line }) => ({
    ...line,
    id: `${id}-${line.field}`,
    at: at.toISOString(),
    ref: ref !== null && visible.has(documentIn(ref)) ? ref : null,
    from,
    to,
  })) as z.input<typeof PropertyChange>[] // values of fields, by the commands that write them
  return { data, extra: { meta: pageMeta({ page, paginate }, rows[0]?.total ?? 0, data.length, offset) } }
}

/** The name of the document before the cell; see `change` in the commit of an import. */
export const documentIn = (ref: string): string => ref.replace(/, cell .*$/, '')

/** Those of the names that documents have which the viewer sees. */
export async function visibleDocuments(ctx: Context, accountId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const files = await ctx.db
    .selectFrom('account_files')
    .select('original_file_name as name')
    .where('account_id', '=', accountId)
    .where('original_file_name', 'in', [...new Set(names)])
    .where(visibleFiles(ctx.viewer))
    .execute()
  return new Set(files.map(({ name }) => name))
}
