import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { fraction, NAME_COUNTS, whole } from './name-tables.ts'

const BATCH = 100_000
const TYPES = 'office,retail,multifamily,industrial,warehouse,hospitality,healthcare,education,restaurant,parking'
/** A larger value concentrates the properties in fewer accounts. */
const SKEW = 1.4
/** One in 40 properties is divested. */
const DIVESTED = 40

/** Properties with consistent places, sizes and values. Some accounts have many properties, most a few. */
export async function addProperties(tx: WriteContext, accounts: number, count: number, report: (line: string) => void): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_properties ON COMMIT DROP AS
    SELECT n, account, row_number() OVER (PARTITION BY account ORDER BY n) AS location
      FROM (SELECT g AS n, floor(${accounts}::float8 * power(${fraction('g', 1)} + 0.0000001 * (g % 9), ${sql.lit(SKEW)}))::bigint % ${accounts}::bigint AS account
            FROM generate_series(0::bigint, ${count}::bigint - 1) g) p`.execute(tx.db)
  await sql`CREATE INDEX ON scale_properties (n)`.execute(tx.db)
  await sql`ANALYZE scale_properties, scale_accounts`.execute(tx.db)
  for (let from = 0; from < count; from += BATCH) {
    await addBatch(tx, from, Math.min(from + BATCH, count))
    report(`${Math.min(from + BATCH, count)} properties`)
  }
}

const type = sql`(string_to_array(${sql.lit(TYPES)}, ','))[${whole('p.n', 2, TYPES.split(',').length)} + 1]`

async function addBatch(tx: WriteContext, from: number, to: number): Promise<void> {
  await sql`INSERT INTO account_properties (account_id, status, divested_on, divested_reason, location_number, property_name, interest, address, city, county, state,
      postal_code, latitude, longitude, geocode_level, construction_class, year_built, stories, floor_area, property_type, sprinklered, building_value, contents_value,
      bi_value, valuation_basis, valuation_date, address_key, weak_address_key, created_at, updated_at)
    SELECT a.id, CASE WHEN p.n % ${sql.lit(DIVESTED)} = 7 THEN 'divested' ELSE 'active' END, CASE WHEN p.n % ${sql.lit(DIVESTED)} = 7 THEN date '2026-06-30' END,
        CASE WHEN p.n % ${sql.lit(DIVESTED)} = 7 THEN 'sold' END, p.location::text, c.city || ' ' || initcap(v.type) || ' ' || p.location, 'owned',
        v.number || ' ' || s.street, c.city, c.county, c.state, c.postal_code, c.latitude + (${fraction('p.n', 3)} - 0.5) * 0.2, c.longitude + (${fraction('p.n', 4)} - 0.5) * 0.2, '2',
        (${whole('p.n', 5, 6)} + 1)::text, 1940 + ${whole('p.n', 6, 84)}, v.stories, v.area, v.type, (ARRAY['full', 'full', 'partial', 'none', 'unknown'])[${whole('p.n', 7, 5)} + 1],
        v.building, (v.building * 0.15)::bigint, (v.building * 0.08)::bigint, 'rcv', date '2026-06-30' - ${whole('p.n', 8, 1_200)},
        v.number || '|' || s.key || '||' || c.postal_code, v.number || '|' || s.key || '|' || c.key || '|' || c.state, v.made, v.made
      FROM scale_properties p
      JOIN scale_accounts a ON a.n = p.account
      JOIN scale_cities c ON c.n = ${whole('p.n', 9, NAME_COUNTS.cities)}
      JOIN scale_streets s ON s.n = ${whole('p.n', 10, NAME_COUNTS.streets)}
      CROSS JOIN LATERAL (SELECT ${type} AS type, 1 + ${whole('p.n', 13, 6)} AS stories, 4000 + ${whole('p.n', 14, 90)} * 1000 AS area, 100 + ${whole('p.n', 15, 9_800)} AS number,
        now() - (p.n % 360) * interval '1 day' AS made) q
      CROSS JOIN LATERAL (SELECT q.*, ((q.area * (90 + ${whole('p.n', 16, 400)}))::bigint / 1000) * 1000 AS building) v
      WHERE p.n >= ${from}::bigint AND p.n < ${to}::bigint`.execute(tx.db)
}
