import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'
import { copyDatabase, createTestDatabase } from '#server/testing/database.ts'
import { openDatabase } from './client.ts'
import { migrate, pendingMigrations } from './migrate.ts'

const log = createLog({ level: 'silent' })
let folder = ''
let url = ''
let cleanUp: (() => Promise<void> | void)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-migrations-'))
  const empty = await copyDatabase({ ...inject('testServer'), template: 'template0' })
  url = empty.url
  cleanUp = [() => rmSync(folder, { recursive: true }), empty.drop]
})
afterEach(async () => {
  for (const undo of cleanUp.reverse()) await undo()
})

describe('migrations', () => {
  test('runs each migration once, in order', async () => {
    write('002-more.sql', "insert into city values ('Wien'); insert into city values ('Graz');")
    write('001-first.sql', 'create table city (name text);')
    await migrate(url, log, folder)
    await migrate(url, log, folder)
    expect(await names()).toEqual(['Graz', 'Wien'])
  })

  test('changes nothing when a migration fails, and names it', async () => {
    write('001-first.sql', 'create table city (name text);')
    write('002-broken.sql', 'create table town (name text); insert into nowhere values (1);')
    await expect(migrate(url, log, folder)).rejects.toThrow(/Migration 002-broken failed; nothing was changed.*nowhere/)
    await expect(names()).rejects.toThrow('relation "city" does not exist')
  })

  test('accepts a database that applied a file before its comment was reworded, and no other checksum', async () => {
    await migrate(url, log)
    const { pool, close } = openDatabase(url)
    cleanUp.push(close)
    const store = (sha256: string) => pool.query(`update migration_checksum set sha256 = '${sha256}' where name = '003-properties'`)
    await store('2502fdf2109e59010e1c6785546f52ea7df88f45af411c742eceb9c2e5b0eaf6')
    await expect(migrate(url, log)).resolves.toBeUndefined()
    await store('0'.repeat(64))
    await expect(migrate(url, log)).rejects.toThrow('Migration 003-properties has changed since it was applied')
  })

  test('accepts a database that applied 019 and 028 before parts of them moved, and 032 before it was folded into 028', async () => {
    await migrate(url, log)
    const { pool, close } = openDatabase(url)
    cleanUp.push(close)
    await pool.query(`
      update migration_checksum set sha256 = 'ad291eae7ab72f7c9bee1474b13d8acd5989f0db215cf3beec903130da91631b' where name = '019-search-by-columns';
      update migration_checksum set sha256 = '9441f472d19c918cd40baa2cbb03fd0bbcb30a01115ec0abc1f0ce9f59ccf024' where name = '028-changes-at-commit';
      delete from kysely_migration where name >= '033';
      insert into migration_checksum values ('032-versions-of-time', repeat('0', 64));
      insert into kysely_migration values ('032-versions-of-time', now()::text);
      insert into kysely_migration select name, now()::text from migration_checksum where name >= '033';
    `)
    await expect(migrate(url, log)).resolves.toBeUndefined()
    const { rows } = await pool.query<{ name: string }>(`select name from kysely_migration where name like '032%'`)
    expect(rows).toEqual([])
  })

  test('rejects an applied migration that has changed or is missing', async () => {
    write('001-first.sql', 'create table city (name text);')
    await migrate(url, log, folder)
    write('001-first.sql', 'create table city (name text, size int);')
    await expect(migrate(url, log, folder)).rejects.toThrow('Migration 001-first has changed since it was applied')
    rmSync(join(folder, '001-first.sql'))
    await expect(migrate(url, log, folder)).rejects.toThrow('Migration 001-first is missing in this build')
  })

  test('rejects a file whose name has no number', async () => {
    write('first.sql', 'select 1')
    await expect(migrate(url, log, folder)).rejects.toThrow('first.sql')
  })

  test('lets concurrent processes wait for each other', async () => {
    write('001-first.sql', "create table city (name text); select pg_sleep(0.2); insert into city values ('Linz');")
    await Promise.all([migrate(url, log, folder), migrate(url, log, folder), migrate(url, log, folder)])
    expect(await names()).toEqual(['Linz'])
  })

  test('lists the migrations that are not applied', async () => {
    const { url: migrated, drop } = await createTestDatabase()
    const { pool, close } = openDatabase(migrated)
    cleanUp.push(drop, close)
    expect(await pendingMigrations(pool)).toEqual([])
    const { rows } = await pool.query<{ name: string }>(
      'delete from kysely_migration where name = (select max(name) from kysely_migration) returning name',
    )
    expect(await pendingMigrations(pool)).toEqual(rows.map((row) => row.name))
  })
})

const write = (name: string, statements: string) => writeFileSync(join(folder, name), statements)

async function names(): Promise<string[]> {
  const { pool, close } = openDatabase(url, { max: 1 })
  try {
    return (await pool.query<{ name: string }>('select name from city order by name')).rows.map((row) => row.name)
  } finally {
    await close()
  }
}
