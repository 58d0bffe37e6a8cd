import pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import { migrate } from './migrate.ts'

/** `url` is for requests and jobs; `ownerUrl` for migrations, if it is another role. */
export type DatabaseUrls = { url: string; ownerUrl: string | undefined }

/**
 * Applies the migrations, creates the tables of the job queue and grants their rows to the runtime role, which cannot change the schema.
 * Without an owner, the runtime role does all of it, if it may; otherwise the database must be prepared.
 */
export async function prepareDatabase(
  { url, ownerUrl }: DatabaseUrls,
  log: Log,
  prepareQueue: (url: string) => Promise<void>,
): Promise<void> {
  const { role, canCreate } = await runtimeRole(url)
  if (ownerUrl === undefined && canCreate) {
    log.warn(
      { role },
      'The role of DATABASE_URL can change the schema of the database. Set DATABASE_OWNER_URL, and let DATABASE_URL name a role without that right.',
    )
  }
  if (ownerUrl === undefined && !canCreate) return
  const owner = ownerUrl ?? url
  await migrate(owner, log)
  await prepareQueue(owner)
  if (ownerUrl !== undefined) await grantRows(ownerUrl, role)
}

async function runtimeRole(url: string): Promise<{ role: string; canCreate: boolean }> {
  const [row] = await query<{ role: string; canCreate: boolean }>(
    url,
    `SELECT current_user AS role, has_schema_privilege('public', 'CREATE') AS "canCreate"`,
  )
  if (row === undefined) throw new Error('The database does not name the role of DATABASE_URL')
  return row
}

const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('plumbline grants', 0))`
const SCHEMAS = 'public, pgboss'
const MIGRATION_TABLES = 'kysely_migration, kysely_migration_lock, migration_checksum'

/** PostgreSQL rejects concurrent grants on one table, so processes that start at the same time wait for each other. */
async function grantRows(ownerUrl: string, runtime: string): Promise<void> {
  const role = pg.escapeIdentifier(runtime)
  const statements = [
    'BEGIN',
    LOCK,
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    `GRANT USAGE ON SCHEMA ${SCHEMAS} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${SCHEMAS} TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${SCHEMAS} TO ${role}`,
    // The queue rebuilds its indexes after many jobs.
    `GRANT MAINTAIN ON ALL TABLES IN SCHEMA pgboss TO ${role}`,
    // Before the first large register is checked, its rows are counted.
    `GRANT MAINTAIN ON account_properties TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${MIGRATION_TABLES} FROM ${role}`,
    'COMMIT',
  ]
  await query(ownerUrl, statements.join('; '))
}

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'plumbline-migrate' })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
