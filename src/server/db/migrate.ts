import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import { openPool } from './client.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const FILE_NAME = /^(\d{3}-[a-z0-9-]+)\.sql$/

interface MigrationFile {
  name: string
  sha256: string
  statements: string
}

interface Bookkeeping {
  kysely_migration: { name: string }
  migration_checksum: { name: string; sha256: string }
}

/**
 * Brings a database to the newest shape: db/migrations/NNN-name.sql in their order, all in one transaction, so that a
 * failure leaves nothing half done. A second process that starts at the same time waits for the first.
 * Throws when a file that was already applied has changed or is gone.
 */
export async function migrate(url: string, log: Log, folder = FOLDER): Promise<void> {
  const files = await readMigrations(folder)
  const { pool, close } = openPool(url, { log, max: 2, applicationName: 'plumbline-migrate' })
  const db = new Kysely<Bookkeeping>({ dialect: new PostgresDialect({ pool }) })
  try {
    await checkUnchanged(db, files)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(files.map(asMigration)) } })
    const { error, results = [] } = await migrator.migrateToLatest()
    const failed = results.find((result) => result.status === 'Error')
    if (error !== undefined) {
      const reason = error instanceof Error ? error.message : 'unknown reason'
      throw new Error(`Migration ${failed?.migrationName ?? ''} failed; nothing was changed: ${reason}`, { cause: error })
    }
    for (const { migrationName } of results) log.info({ migration: migrationName }, 'Migration applied')
  } finally {
    await close()
  }
}

/** Whether every migration of this build is applied; for the readiness probe. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const names = (await readMigrations(FOLDER)).map((file) => file.name)
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration')
  const applied = new Set(rows.map((row) => row.name))
  return names.every((name) => applied.has(name))
}

/** One hash of all migration files, for keeping a ready-made database in tests. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await readMigrations(FOLDER)) hash.update(`${file.name}\n${file.sha256}\n`)
  return hash.digest('hex').slice(0, 16)
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const files: MigrationFile[] = []
  for (const entry of (await readdir(folder)).sort()) {
    const name = FILE_NAME.exec(entry)?.[1]
    if (name === undefined) throw new Error(`${entry} in ${folder} is not named NNN-name.sql.`)
    const statements = await readFile(join(folder, entry), 'utf8')
    files.push({ name, statements, sha256: createHash('sha256').update(statements).digest('hex') })
  }
  return files
}

const asMigration = ({ name, sha256, statements }: MigrationFile): [string, Migration] => [
  name,
  {
    async up(db: Kysely<Bookkeeping>) {
      await sql`create table if not exists migration_checksum (name text primary key, sha256 text not null)`.execute(db)
      await sql.raw(statements).execute(db)
      await db.insertInto('migration_checksum').values({ name, sha256 }).execute()
    },
  },
]

async function checkUnchanged(db: Kysely<Bookkeeping>, files: MigrationFile[]): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('migration_checksum') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return
  const applied = await db.selectFrom('migration_checksum').selectAll().execute()
  for (const { name, sha256 } of applied) {
    const file = files.find((candidate) => candidate.name === name)
    if (file?.sha256 === sha256) continue
    const what = file === undefined ? 'is gone from this build' : 'has changed since it was applied'
    throw new Error(
      `Migration ${name} ${what}. Restore the file and put the change into a new migration; a database made only for trying out may be deleted instead.`,
    )
  }
}
