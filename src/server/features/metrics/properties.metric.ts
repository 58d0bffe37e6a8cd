import { sql } from 'kysely'
import { COUNTRIES } from '#contract/countries.ts'
import type { Metric, MetricAction } from '#contract/metrics.ts'
import { choiceLabel } from '#contract/property-fields.ts'
import { stateName } from '#contract/regions.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { pie, type Slice } from './chart.ts'
import { currencyOf } from './dashboard.metric.ts'
import { listAction } from './list-action.ts'

/** Opens the list of the account's active properties with further filters; null for viewers without permission to open it. */
export const propertiesAction = (
  ctx: Context,
  accountId: string,
  filters: Readonly<Record<string, string>>,
  order: Pick<MetricAction, 'sort' | 'order'> = {},
): MetricAction | null =>
  can(ctx.viewer, 'view_account_properties')
    ? listAction('account_properties', { filter__account_id: accountId, filter__status: 'active', ...filters }, order)
    : null

/** Opens some of the properties, for viewers who can filter the list. */
export const sliceAction = (ctx: Context, accountId: string, filters: Readonly<Record<string, string>>): MetricAction | null =>
  can(ctx.viewer, 'view_account_properties_datatable_filters') ? propertiesAction(ctx, accountId, filters) : null

/** Active properties of an account by type; the pie and the doughnut show the same. */
export async function propertyTypes(ctx: Context, accountId: string): Promise<Metric> {
  const slices = await readSlices(ctx, accountId, 'property_type', (type) => choiceLabel('property_type', type))
  const chart = pie({
    title: 'Property Types',
    icon: 'category',
    slices,
    notStated: 'unknown',
    others: 'types',
    action: (ids) => sliceAction(ctx, accountId, { filter__property_type: ids.join(',') }),
  })
  return withCurrency(ctx, accountId, chart)
}

const PLACE_NAMES = {
  country: (code: string) => COUNTRIES[code] ?? code,
  state: stateName,
  county: String,
  city: String,
}
type Level = keyof typeof PLACE_NAMES

/** Active properties of an account by place. */
export async function propertyLocations(ctx: Context, accountId: string): Promise<Metric> {
  const level = await levelOf(ctx, accountId)
  const slices = await readSlices(ctx, accountId, level, (code) => (code === '' ? 'Not stated' : PLACE_NAMES[level](code)))
  const chart = pie({
    title: 'Property Locations',
    icon: 'map-pin',
    slices,
    notStated: '',
    others: 'locations',
    action: (ids) => {
      // Only the filter by state has a value for properties without one.
      if (ids.includes('') && level !== 'state') return null
      return sliceAction(ctx, accountId, { [`filter__${level}`]: ids.map((id) => id || 'unknown').join(',') })
    },
  })
  return withCurrency(ctx, accountId, chart)
}

/** Without values if they are in several currencies, since their sums would mean nothing. */
async function withCurrency(ctx: Context, accountId: string, chart: Metric): Promise<Metric> {
  const currency = await currencyOf(ctx, accountId)
  return { ...chart, currency, counts: currency === null ? chart.counts.map(({ tiv: _sum, ...part }) => part) : chart.counts }
}

/** The active properties that the viewer sees. */
export const active = ({ viewer }: Context, accountId: string) => sql`account_properties.account_id = ${accountId}
  AND account_properties.status = 'active' AND account_properties.deleted_at IS NULL AND ${visibleProperties(viewer)}`

async function readSlices(ctx: Context, accountId: string, column: string, label: (id: string) => string): Promise<Slice[]> {
  const { rows } = await sql<Omit<Slice, 'name'>>`SELECT coalesce(${sql.ref(column)}, '') AS id, count(*)::int AS count,
      coalesce(sum(tiv), 0)::bigint AS tiv
    FROM account_properties WHERE ${active(ctx, accountId)} GROUP BY 1`.execute(ctx.db)
  return rows.map((row) => ({ ...row, name: label(row.id) }))
}

/** From this share in one country on, states are more useful than countries. */
const ONE_COUNTRY_SHARE = 0.9

/** By state inside one country, by county or city inside one state, else by country. */
async function levelOf(ctx: Context, accountId: string): Promise<Level> {
  const { rows } = await sql<{
    level: Level
  }>`WITH p AS (SELECT country, state, county FROM account_properties WHERE ${active(ctx, accountId)})
    SELECT CASE
        WHEN (SELECT count(*) FROM p GROUP BY country ORDER BY 1 DESC LIMIT 1) < ${ONE_COUNTRY_SHARE}::float8 * count(*) THEN 'country'
        WHEN count(DISTINCT (country, state)) <> 1 OR bool_or(state IS NULL) THEN 'state'
        WHEN bool_or(county <> '') THEN 'county'
        ELSE 'city'
      END AS level FROM p`.execute(ctx.db)
  return rows[0]?.level ?? 'state'
}
