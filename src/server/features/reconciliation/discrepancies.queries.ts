import { sql } from 'kysely'
import { visibleDiscrepancies } from '#server/access/discrepancies.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

/** A discrepancy with the names of its property and of the user who decided it. */
const selectDiscrepancies = (db: Reader) =>
  db
    .selectFrom('discrepancies as d')
    .leftJoin('account_properties as p', 'p.id', 'd.property_id')
    .leftJoin('users as u', 'u.id', 'd.decided_by')
    .selectAll('d')
    .select(['p.location_number', 'p.building_number', 'p.address', 'p.city', 'p.currency', 'u.full_name as decided_by_name'])

export type DiscrepancyRecord = Awaited<ReturnType<ReturnType<typeof selectDiscrepancies>['executeTakeFirstOrThrow']>>

export const loadDiscrepancies = (ctx: Context, ids: readonly string[]): Promise<DiscrepancyRecord[]> =>
  selectDiscrepancies(ctx.db)
    .where('d.id', '=', sql<string>`ANY(${uuids(ids)})`)
    .where(visibleDiscrepancies(ctx.viewer, 'd'))
    .execute()

export async function findDiscrepancy(ctx: Context, id: string): Promise<DiscrepancyRecord> {
  const [record] = await loadDiscrepancies(ctx, [id])
  if (record === undefined) throw notFound('Discrepancy')
  return record
}
