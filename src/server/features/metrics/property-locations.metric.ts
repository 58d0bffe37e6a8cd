import { sql } from 'kysely'
import { COUNTRIES } from '#contract/countries.ts'
import type { Metric } from '#contract/metrics.ts'
import { stateName } from '#contract/regions.ts'
import type { Context } from '#server/engines/context.ts'
import { NOT_ENOUGH_DATA, pie, type Slice } from './chart.ts'
import { propertiesAction } from './metric-account.ts'

/** From this share in one country on, states tell more than countries. */
const ONE_COUNTRY_SHARE = 0.9

type Level = 'country' | 'state' | 'county' | 'city'
const NAMES: Readonly<Record<Level, (code: string) => string>> = {
  country: (code) => COUNTRIES[code] ?? code,
  state: stateName,
  county: (name) => name,
  city: (name) => name,
}

/** Active properties of an account by place: by state inside one country, by county or city inside one state, else by country. */
export async function propertyLocations(ctx: Context, accountId: string): Promise<Metric> {
  const level = await levelOf(ctx, accountId)
  const place = sql`coalesce(${sql.ref(level)}, '')`
  const { rows } = await sql<Slice>`SELECT ${place} AS id, ${place} AS name, count(*)::int AS count, coalesce(sum(tiv), 0)::bigint AS tiv
    FROM account_properties WHERE account_id = ${accountId} AND status = 'active' AND deleted_at IS NULL GROUP BY 1`.execute(ctx.db)
  const slices = rows.map((row) => ({ ...row, name: row.id === '' ? 'Not stated' : NAMES[level](row.id) }))
  return pie({
    title: 'Property Locations',
    empty: NOT_ENOUGH_DATA,
    slices: slices.filter(({ id }) => id !== ''),
    notStated: slices.find(({ id }) => id === ''),
    others: 'locations',
    action: (ids) => openPlaces(ctx, accountId, level, ids),
  })
}

/** The list behind a slice; places that are not stated can be listed for states only. */
function openPlaces(ctx: Context, accountId: string, level: Level, ids: readonly string[]) {
  if (ids.includes('') && level !== 'state') return null
  return propertiesAction(ctx, accountId, { [`filter__${level}`]: ids.map((id) => (id === '' ? 'unknown' : id)).join(',') })
}

interface Spread {
  properties: number
  largest_country: number
  states: number
  stateless: number
  counties: number
}

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
