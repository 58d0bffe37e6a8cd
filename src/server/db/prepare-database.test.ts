import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueueTables } from '#server/engines/jobs/queue.ts'
import { createLog } from '#server/kernel/log.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { copyDatabase } from '#server/testing/database.ts'
import { openPool } from './client.ts'
import { prepareDatabase } from './prepare-database.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ worker: true })
})
afterAll(() => app.stop())

const run = (text: string) => app.system.pool.query<Record<string, unknown>>(text)

describe('the role of requests and jobs', () => {
  test('has no rights beyond reading and writing rows', async () => {
    const { rows } = await run('SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = current_user')
    expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolbypassrls: false }])
  })

  test.each([
    'CREATE TABLE public.mine (a int)',
    'CREATE TABLE pgboss.mine (a int)',
    'CREATE SCHEMA mine',
    'ALTER TABLE accounts ADD COLUMN mine int',
    'DROP TABLE accounts CASCADE',
    'TRUNCATE activities',
    'ALTER TABLE accounts DISABLE TRIGGER ALL',
    'CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'DELETE FROM kysely_migration',
    "COPY accounts TO PROGRAM 'cat'",
    'CREATE ROLE mine',
    'SET session_replication_role = replica',
  ])('cannot run %s', async (statement) => {
    await expect(run(statement)).rejects.toThrow(/permission denied|must be owner|must be superuser/)
  })

  test('does the work of the product', async () => {
    await run("INSERT INTO companies (name) VALUES ('Written by the runtime role')")
    await run('CREATE TEMP TABLE scratch (a int)')
    expect((await app.anonymous.get('/readyz')).status).toBe(200)
  })
})

describe('a database of which only one role is given', () => {
  const prepared = async (role: 'url' | 'runtimeUrl') => {
    let logged = ''
    const log = createLog({ level: 'info', destination: { write: (line) => void (logged += line) } })
    const database = await copyDatabase(inject('testServer'))
    await prepareDatabase({ url: database[role], ownerUrl: undefined }, log, createQueueTables)
    const { pool, close } = openPool(database.url, { max: 1 })
    const { rows } = await pool.query<{ queue: boolean }>("SELECT to_regclass('pgboss.job') IS NOT NULL AS queue")
    await close()
    await database.drop()
    return { logged, queue: rows[0]?.queue }
  }

  test('is prepared by a role that can change the schema, with a warning', async () => {
    const { logged, queue } = await prepared('url')
    expect(queue).toBe(true)
    expect(logged).toContain('Set DATABASE_OWNER_URL')
  })

  test('is left as it is by a role that cannot', async () => {
    expect(await prepared('runtimeUrl')).toEqual({ logged: '', queue: false })
  })
})

test('the runtime role gets a password in a data folder of an earlier version', async () => {
  const { startEmbedded } = await import('./embedded.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-roles-'))
  const log = createLog({ level: 'silent' })
  const first = await startEmbedded({ dataDir, log, disposable: true })
  await first.stop()
  const { runtimePassword: _removed, ...earlier }: Record<string, unknown> = JSON.parse(
    readFileSync(join(dataDir, 'postgres.json'), 'utf8'),
  )
  writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify(earlier))
  const again = await startEmbedded({ dataDir, log, disposable: true })
  const { pool, close } = openPool(again.url, { max: 1 })
  expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: 'plumbline_app' }])
  await close()
  await again.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
