import { sql } from 'kysely'
import type { Metric } from '#contract/metrics.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import type { Context } from '#server/engines/context.ts'
import { NOT_ENOUGH_DATA, pie, type Slice } from './chart.ts'
import { propertiesAction } from './metric-account.ts'

const UNKNOWN = 'unknown'
const labels: Readonly<Record<string, string>> = PROPERTY_TYPES

/** Active properties of an account by what they are used for; the pie and the doughnut share it. */
export async function propertyTypes(ctx: Context, accountId: string): Promise<Metric> {
  const { rows } =
    await sql<Slice>`SELECT property_type AS id, property_type AS name, count(*)::int AS count, coalesce(sum(tiv), 0)::bigint AS tiv
    FROM account_properties WHERE account_id = ${accountId} AND status = 'active' AND deleted_at IS NULL GROUP BY property_type`.execute(
      ctx.db,
    )
  const slices = rows.map((row) => ({ ...row, name: labels[row.id] ?? row.id }))
  return pie({
    title: 'Property Types',
    empty: NOT_ENOUGH_DATA,
    slices: slices.filter(({ id }) => id !== UNKNOWN),
    notStated: slices.find(({ id }) => id === UNKNOWN),
    others: 'types',
    action: (ids) => propertiesAction(ctx, accountId, { filter__property_type: ids.join(',') }),
  })
}
