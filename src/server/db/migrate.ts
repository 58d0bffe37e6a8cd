import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type pg from 'pg'
import type { Log } from '#server/kernel/log.ts'
import { MIGRATION_LIMITS, openPool } from './client.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const FILE_NAME = /^(\d{3}-[a-z0-9-]+)\.sql$/

/**
 * Former checksums of files that databases may have applied. In 003 only a comment changed. What differs in 019 is repeated by 034, and
 * what was added to 028 was in 032, so these databases have the same functions in the end.
 */
const FORMER_SHA256: Readonly<Record<string, string>> = {
  '003-properties': '2502fdf2109e59010e1c6785546f52ea7df88f45af411c742eceb9c2e5b0eaf6',
  '019-search-by-columns': 'ad291eae7ab72f7c9bee1474b13d8acd5989f0db215cf3beec903130da91631b',
  '028-changes-at-commit': '9441f472d19c918cd40baa2cbb03fd0bbcb30a01115ec0abc1f0ce9f59ccf024',
}
/** A file that was folded into 028. */
const FOLDED = '032-versions-of-time'

type MigrationFile = { name: string; sha256: string; statements: string }

interface MigrationTables {
  kysely_migration: { name: string }
  migration_checksum: { name: string; sha256: string }
}

/**
 * Applies db/migrations/NNN-name.sql in their order, all in one transaction. A second process that starts at the same time waits
 * for the first. Throws when a file that was already applied has changed or is missing.
 */
export async function migrate(url: string, log: Log, folder = FOLDER): Promise<void> {
  const files = await readMigrations(folder)
  const { pool, close } = openPool(url, { log, max: 2, applicationName: 'plumbline-migrate', limits: MIGRATION_LIMITS })
  const db = new Kysely<MigrationTables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const applied = await checkUnchanged(db, files)
    if (files.every(({ name }) => applied.has(name))) return // the usual start
    const { Migrator } = await import('kysely/migration')
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

/** Migrations of this build that are not applied yet. */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from kysely_migration')
  const applied = new Set(rows.map((row) => row.name))
  return (await migrationNames(FOLDER)).filter((name) => !applied.has(name))
}

/** One hash of all migration files; tests reuse a prepared database while it is the same. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await readMigrations(FOLDER)) hash.update(`${file.name}\n${file.sha256}\n`)
  return hash.digest('hex').slice(0, 16)
}

async function migrationNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort().map((entry) => {
    const name = FILE_NAME.exec(entry)?.[1]
    if (name === undefined) throw new Error(`${entry} in ${folder} is not named NNN-name.sql.`)
    return name
  })
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = await migrationNames(folder)
  return Promise.all(
    names.map(async (name) => {
      const statements = await readFile(join(folder, `${name}.sql`), 'utf8')
      return { name, statements, sha256: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

const asMigration = ({ name, sha256, statements }: MigrationFile): [string, Migration] => [
  name,
  {
    async up(db: Kysely<MigrationTables>) {
      await sql`create table if not exists migration_checksum (name text primary key, sha256 text not null)`.execute(db)
      await sql.raw(statements).execute(db)
      await db.insertInto('migration_checksum').values({ name, sha256 }).execute()
    },
  },
]

/** Returns the names of the applied migrations. */
async function checkUnchanged(db: Kysely<MigrationTables>, files: MigrationFile[]): Promise<Set<string>> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('migration_checksum') is not null as there`.execute(db)
  if (rows[0]?.there !== true) return new Set()
  await db.deleteFrom('kysely_migration').where('name', '=', FOLDED).execute()
  await db.deleteFrom('migration_checksum').where('name', '=', FOLDED).execute()
  const applied = await db
    .selectFrom('migration_checksum')
    .leftJoin('kysely_migration', 'kysely_migration.name', 'migration_checksum.name')
    .select(['migration_checksum.name', 'sha256', 'kysely_migration.name as listed'])
    .execute()
  for (const { name, sha256 } of applied) {
    const file = files.find((candidate) => candidate.name === name)
    if (file?.sha256 === sha256 || (file !== undefined && FORMER_SHA256[name] === sha256)) continue
    const what = file === undefined ? 'is missing in this build' : 'has changed since it was applied'
    throw new Error(
      `Migration ${name} ${what}. Restore the file and put the change into a new migration, or delete the database if it holds test data only.`,
    )
  }
  return new Set(applied.flatMap(({ listed }) => listed ?? []))
}
