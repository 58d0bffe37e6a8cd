import { sql } from 'kysely'
import { COUNTRIES } from '#contract/countries.ts'
import type { Metric } from '#contract/metrics.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { stateName } from '#contract/regions.ts'
import type { Context } from '#server/engines/context.ts'
import { pie, type Slice } from './chart.ts'
import { propertiesAction } from './properties-action.ts'

const UNKNOWN = 'unknown'
const typeLabels: Readonly<Record<string, string>> = PROPERTY_TYPES

/** Active properties of an account by type; the pie and the doughnut show the same. */
export async function propertyTypes(ctx: Context, accountId: string): Promise<Metric> {
  const slices = await readSlices(ctx, accountId, 'property_type', (type) => typeLabels[type] ?? type)
  return pie({
    title: 'Property Types',
    slices: slices.filter(({ id }) => id !== UNKNOWN),
    notStated: slices.find(({ id }) => id === UNKNOWN),
    others: 'types',
    action: (ids) => propertiesAction(ctx, accountId, { filter__property_type: ids.join(',') }),
  })
}

type Level = 'country' | 'state' | 'county' | 'city'
const placeName = (level: Level, code: string) =>
  level === 'country' ? (COUNTRIES[code] ?? code) : level === 'state' ? stateName(code) : code

/** Active properties of an account by place. */
export async function propertyLocations(ctx: Context, accountId: string): Promise<Metric> {
  const level = await levelOf(ctx, accountId)
  const slices = await readSlices(ctx, accountId, level, (code) => (code === '' ? 'Not stated' : placeName(level, code)))
  return pie({
    title: 'Property Locations',
    slices: slices.filter(({ id }) => id !== ''),
    notStated: slices.find(({ id }) => id === ''),
    others: 'locations',
    action: (ids) => {
      // Only the filter by state has a value for properties without one.
      if (ids.includes('') && level !== 'state') return null
      return propertiesAction(ctx, accountId, { [`filter__${level}`]: ids.map((id) => id || 'unknown').join(',') })
    },
  })
}

async function readSlices(ctx: Context, accountId: string, column: string, label: (id: string) => string): Promise<Slice[]> {
  const { rows } = await sql<Omit<Slice, 'name'>>`SELECT coalesce(${sql.ref(column)}, '') AS id, count(*)::int AS count,
      coalesce(sum(tiv), 0)::bigint AS tiv
    FROM account_properties WHERE account_id = ${accountId} AND status = 'active' AND deleted_at IS NULL GROUP BY 1`.execute(ctx.db)
  return rows.map((row) => ({ ...row, name: label(row.id) }))
}

/** From this share in one country on, states are more useful than countries. */
const ONE_COUNTRY_SHARE = 0.9

interface Spread {
  properties: number
  largest_country: number
  states: number
  stateless: number
  counties: number
}

/** By state inside one country, by county or city inside one state, else by country. */
async function levelOf(ctx: Context, accountId: string): Promise<Level> {
  const { rows } = await sql<Spread>`WITH p AS (SELECT country, state, county FROM account_properties
      WHERE account_id = ${accountId} AND status = 'active' AND deleted_at IS NULL)
    SELECT count(*)::int AS properties, coalesce((SELECT count(*) FROM p GROUP BY country ORDER BY 1 DESC LIMIT 1), 0)::int AS largest_country,
      count(DISTINCT (country, state)) FILTER (WHERE state IS NOT NULL)::int AS states, (count(*) FILTER (WHERE state IS NULL))::int AS stateless,
      (count(*) FILTER (WHERE county <> ''))::int AS counties FROM p`.execute(ctx.db)
  const [spread] = rows
  if (spread === undefined || spread.largest_country < ONE_COUNTRY_SHARE * spread.properties) return 'country'
  if (spread.states !== 1 || spread.stateless > 0) return 'state'
  return spread.counties > 0 ? 'county' : 'city'
}
