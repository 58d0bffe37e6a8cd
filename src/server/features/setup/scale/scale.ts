import { sql } from 'kysely'
import { MODEL_NAMES } from '#contract/models.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { addCompany } from '../users.ts'
import { createNameTables, fraction, NAME_COUNTS, whole } from './name-tables.ts'

export interface ScaleOptions {
  companies: number
  usersPerCompany: number
  accounts: number
  properties: number
  /** Rows of the document list, without stored content. */
  files: number
  passwordHash: string
  /** Whether the database is not in use, so that its indexes can be dropped and built again. */
  exclusive: boolean
}

const TABLES = ['account_properties', 'account_files', 'search_entries', 'accounts']

/** Fills the database for measurements. The same options create the same data. */
export async function seedScale(ctx: Context, options: ScaleOptions, report: (line: string) => void): Promise<void> {
  await transact(ctx, async (tx) => {
    await createNameTables(tx)
    await addCompanies(tx, options.companies)
    await addUsers(tx, options)
    report(`${options.companies} companies with ${options.usersPerCompany} users each`)
    const work = async () => {
      await addAccounts(tx, options.accounts)
      report(`${options.accounts} accounts`)
      await addProperties(tx, options.accounts, options.properties, report)
      await addFiles(tx, options.accounts, options.files)
    }
    await (options.exclusive ? withoutIndexes(tx, TABLES, work) : work())
    for (const model of MODEL_NAMES) emit(tx, { model, id: null, everywhere: true })
  })
  report('Indexes built; collecting statistics')
  await sql`VACUUM (ANALYZE) accounts, account_totals, account_access, principal_totals, account_properties, account_files, search_entries, users`.execute(
    ctx.db,
  )
}

/** Uses the ordinary command, which creates the statuses of each company. */
async function addCompanies(tx: WriteContext, count: number): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_companies (n int, id uuid) ON COMMIT DROP`.execute(tx.db)
  const { rows: names } = await sql<{ name: string }>`SELECT 'Brokerage ' || (g + 1) || ', ' || n.name AS name
    FROM generate_series(0, ${count}::int - 1) g JOIN scale_names n ON n.n = (g * 7) % (SELECT count(*) FROM scale_names) ORDER BY g`.execute(
    tx.db,
  )
  for (const [n, { name }] of names.entries()) {
    const id = await addCompany(tx, name, 'Professional')
    await sql`INSERT INTO scale_companies VALUES (${n}, ${id})`.execute(tx.db)
  }
}

/** Every fifth user is a client, the others are brokers. user1@scale.example is the first user of the first company. */
async function addUsers(tx: WriteContext, { usersPerCompany, passwordHash }: ScaleOptions): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_users ON COMMIT DROP AS
    SELECT uuidv7() AS id, c.id AS company_id, c.n AS company, k, (c.n * ${usersPerCompany}::int + k) AS n
      FROM scale_companies c, generate_series(0, ${usersPerCompany}::int - 1) k ORDER BY c.n, k`.execute(tx.db)
  await sql`INSERT INTO users (id, company_id, first_name, last_name, email, password_hash)
    SELECT u.id, u.company_id, p.first, p.last, 'user' || (u.n + 1) || '@scale.example', ${passwordHash}
      FROM scale_users u JOIN scale_people p ON p.n = (u.n * 25) % ${sql.lit(NAME_COUNTS.people)}`.execute(tx.db)
  await sql`INSERT INTO user_roles (user_id, role_id)
    SELECT u.id, r.id FROM scale_users u JOIN roles r ON r.company_id IS NULL AND r.name = CASE WHEN u.k % 5 = 4 THEN 'client' ELSE 'broker' END`.execute(
    tx.db,
  )
}

/** Distributes the accounts evenly over the companies; every third has another company as its carrier. */
async function addAccounts(tx: WriteContext, count: number): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_accounts ON COMMIT DROP AS
    SELECT g AS n, uuidv7() AS id, g % (SELECT count(*) FROM scale_companies)::int AS company FROM generate_series(0::bigint, ${count}::bigint - 1) g`.execute(
    tx.db,
  )
  await sql`INSERT INTO accounts (id, company_id, type, name, account_number, status_id, carrier_company_id, effective_date, expiration_date, created_by, created_at, updated_at)
    SELECT a.id, c.id, 'standard', w.name || ' ' || (a.n / ${sql.lit(NAME_COUNTS.names)} + 1), 'SC-' || lpad((a.n + 1)::text, 6, '0'), s.id,
        CASE WHEN a.n % 3 = 0 THEN k.id END, d.day, d.day + 365, u.id, now() - (a.n % 400) * interval '1 day' - interval '2 days', now() - (a.n % 47) * interval '1 hour'
      FROM scale_accounts a
      JOIN scale_companies c ON c.n = a.company
      JOIN scale_companies k ON k.n = (a.company + 1) % (SELECT count(*) FROM scale_companies)
      JOIN scale_names w ON w.n = a.n % ${sql.lit(NAME_COUNTS.names)}
      JOIN statuses s ON s.company_id = c.id AND s.model_type = 'account' AND s.position = ${whole('a.n', 11, 8)}
      JOIN scale_users u ON u.company = a.company AND u.k = 0
      CROSS JOIN LATERAL (SELECT date '2026-01-01' + ${whole('a.n', 12, 365)} AS day) d
      ORDER BY a.n`.execute(tx.db)
}

const CATEGORIES = ['sov', 'appraisal', 'risk_control', 'loss_run', 'photo', 'roof', 'fire_protection', 'other'] as const

/** Rows of the document list. They have no stored content: opening one reports a missing file. */
async function addFiles(tx: WriteContext, accounts: number, count: number): Promise<void> {
  if (count === 0) return
  await sql`INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size, category, sov, private, created_by, created_at, updated_at)
    SELECT a.id, 'scale/' || f.n, initcap(replace(f.category, '_', ' ')) || ' ' || (f.n + 1) || '.pdf', 'application/pdf', 20000 + ${whole('f.n', 31, 900_000)},
        f.category, f.category = 'sov', ${fraction('f.n', 32)} < 0.03, u.id, f.made, f.made
      FROM (SELECT g AS n, (string_to_array(${sql.lit(CATEGORIES.join(','))}, ','))[g % ${sql.lit(CATEGORIES.length)} + 1] AS category,
              now() - (g % 300) * interval '1 day' AS made
            FROM generate_series(0::bigint, ${count}::bigint - 1) g) f
      JOIN scale_accounts a ON a.n = f.n % ${accounts}::bigint
      JOIN scale_users u ON u.company = a.company AND u.k = 0`.execute(tx.db)
  await sql`UPDATE document_texts SET state = 'failed', failure = 'missing' WHERE state = 'waiting'`.execute(tx.db)
}

const BATCH = 100_000
const TYPES = 'office,retail,multifamily,industrial,warehouse,hospitality,healthcare,education,restaurant,parking'
/** A larger value concentrates the properties in fewer accounts. */
const SKEW = 1.4
/** One in 40 properties is divested. */
const DIVESTED = 40

/** Properties with consistent places, sizes and values. Some accounts have many properties, most a few. */
async function addProperties(tx: WriteContext, accounts: number, count: number, report: (line: string) => void): Promise<void> {
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

/**
 * Drops the indexes of the tables except those of constraints, does the work and builds them again: one sort per index is
 * faster than an insertion per row. The tables are locked until the transaction ends.
 */
async function withoutIndexes(tx: WriteContext, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = ANY(${tables}::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`.execute(
    tx.db,
  )
  await sql`SET LOCAL maintenance_work_mem = '512MB'`.execute(tx.db)
  for (const { name } of rows) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx.db)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(tx.db)
}
