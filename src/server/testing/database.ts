import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate, migrationsHash } from '#server/db/migrate.ts'
import type { Log } from '#server/kernel/log.ts'

export interface TestServer {
  /** Connection to the server's administrative database. */
  url: string
  /** The same server as the role of requests and jobs. */
  runtimeUrl: string
  /** Name of the migrated database that tests copy. */
  template: string
}

interface TestDatabase {
  /** As the owner of the tables. */
  url: string
  /** As the role of requests and jobs, which gets its rights when an app starts. */
  runtimeUrl: string
  drop(): Promise<void>
}

const TEMPLATE_PREFIX = 'template_'
const TEST_PREFIX = 'test_'
const TEMPLATES_MAX = 4

/** Creates an empty, migrated database for a test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return copyDatabase(inject('testServer'))
}

export async function copyDatabase({ url, runtimeUrl, template }: TestServer): Promise<TestDatabase> {
  const name = `${TEST_PREFIX}${process.pid}_${randomBytes(6).toString('hex')}`
  await administrate(url, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    url: withDatabase(url, name),
    runtimeUrl: withDatabase(runtimeUrl, name),
    drop: () => administrate(url, (client) => drop(client, name)),
  }
}

/** PostgreSQL waits some seconds for closing connections; connections that remain are then terminated. */
async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name}`).catch(() => client.query(`drop database if exists ${name} with (force)`))
}

/** Creates the template once per version of the migrations and returns its name. Concurrent runs wait for each other. */
export async function prepareTemplate(url: string, log: Log): Promise<string> {
  const template = `${TEMPLATE_PREFIX}${await migrationsHash()}`
  await administrate(url, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('${TEMPLATE_PREFIX}'))`)
    await dropLeftovers(client, template)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount !== 0) return
    const building = `building_${process.pid}`
    await client.query(`drop database if exists ${building} with (force)`)
    await client.query(`create database ${building}`)
    await migrate(withDatabase(url, building), log)
    await client.query(`alter database ${building} rename to ${template}`)
  })
  return template
}

/** Drops databases of runs that were killed, and templates of earlier migrations. */
async function dropLeftovers(client: pg.Client, template: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select datname as name from pg_database order by oid')
  const names = rows.map((row) => row.name)
  const abandoned = names.filter((name) => /^(test|building)_\d+/.test(name) && !isRunning(Number(name.split('_')[1])))
  const outdated = names.filter((name) => name.startsWith(TEMPLATE_PREFIX) && name !== template).slice(0, -TEMPLATES_MAX)
  for (const name of [...abandoned, ...outdated]) await client.query(`drop database if exists ${name} with (force)`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function withDatabase(url: string, name: string): string {
  const target = new URL(url)
  target.pathname = `/${name}`
  return target.href
}

async function administrate(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
