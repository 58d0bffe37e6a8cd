import { sql } from 'kysely'
import { seesDecision, shownMessage, shownRegisterValue, visibleDiscrepancies, visibleNames } from '#server/access/discrepancies.ts'
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

/** Those that the viewer sees, without the names of documents that they do not see, and without what is internal of decisions. */
export async function loadDiscrepancies(ctx: Context, ids: readonly string[]): Promise<DiscrepancyRecord[]> {
  const names = visibleNames(ctx.viewer, sql`ARRAY(SELECT account_id FROM discrepancies WHERE id = ANY(${uuids(ids)}))`)
  const records = await selectDiscrepancies(ctx.db)
    .select([shownMessage(names).as('shown_message'), shownRegisterValue(names).as('shown_value')])
    .select(seesDecision(ctx.viewer).as('sees_decision'))
    .where('d.id', '=', sql<string>`ANY(${uuids(ids)})`)
    .where(visibleDiscrepancies(ctx.viewer, 'd'))
    .execute()
  return records.map(({ shown_message: message, shown_value, sees_decision: seen, ...record }) => ({
    ...record,
    ...(seen === true ? {} : { note: null, decided_by: null, decided_by_name: null }),
    message,
    left_value: shown_value as DiscrepancyRecord['left_value'], // the stored one, perhaps without its place
  }))
}

export async function findDiscrepancy(ctx: Context, id: string): Promise<DiscrepancyRecord> {
  const [record] = await loadDiscrepancies(ctx, [id])
  if (record === undefined) throw notFound('Discrepancy')
  return record
}
