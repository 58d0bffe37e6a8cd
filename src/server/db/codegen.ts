import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate, PostgresDialect as PostgresCodegen } from 'kysely-codegen'
import { createLog, type Log } from '#server/kernel/log.ts'
import { openDatabase } from './client.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

const SCHEMA_FILE = join(import.meta.dirname, 'schema.gen.ts')
const DATA_DIR = join(import.meta.dirname, '../../../.cache/test-postgres')

/** Applies the migrations to a temporary database and generates the types of its tables. */
async function generateTypes(log: Log): Promise<string> {
  const embedded = await startEmbedded({ dataDir: DATA_DIR, log, disposable: true })
  const name = `types_${process.pid}`
  const server = openDatabase(embedded.ownerUrl, { log, max: 1 })
  try {
    await server.pool.query(`create database ${name}`)
    return await describe(embedded.ownerUrl.replace(/[^/]*$/, name), log)
  } finally {
    await server.pool.query(`drop database if exists ${name} with (force)`)
    await server.close()
    await embedded.stop()
  }
}

async function describe(url: string, log: Log): Promise<string> {
  await migrate(url, log)
  const { db, close } = openDatabase(url, { log })
  try {
    return await generate({
      db,
      dialect: new PostgresCodegen({ dateParser: 'string', numericParser: 'number' }),
      excludePattern: '{kysely_*,migration_checksum}',
      typeMapping: { int8: 'number' },
    })
  } finally {
    await close()
  }
}

const types = await generateTypes(createLog({ level: 'warn' }))
if (process.argv.includes('--check')) {
  if (types !== (await readFile(SCHEMA_FILE, 'utf8').catch(() => ''))) {
    process.stderr.write('src/server/db/schema.gen.ts is not up to date with the migrations. Run: npm run db:types\n')
    process.exitCode = 1
  }
} else {
  await writeFile(SCHEMA_FILE, types)
  process.stdout.write(`${SCHEMA_FILE} written\n`)
}
