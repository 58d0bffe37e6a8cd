import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'
import { copyDatabase, createTestDatabase } from '#server/testing/database.ts'
import { openDatabase } from './client.ts'
import { isMigrated, migrate } from './migrate.ts'

const log = createLog({ level: 'silent' })
let folder = ''
let url = ''
let cleanUp: (() => Promise<void> | void)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-migrations-'))
  const empty = await copyDatabase(inject('testServer').url, 'template0')
  url = empty.url
  cleanUp = [() => rmSync(folder, { recursive: true }), empty.drop]
})
afterEach(async () => {
  for (const undo of cleanUp.reverse()) await undo()
})

describe('migrations', () => {
  test('run in their order, once', async () => {
    write('002-more.sql', "insert into city values ('Wien'); insert into city values ('Graz');")
    write('001-first.sql', 'create table city (name text);')
    await migrate(url, log, folder)
    await migrate(url, log, folder)
    expect(await names()).toEqual(['Graz', 'Wien'])
  })

  test('leave nothing behind when one of them fails, and name it', async () => {
    write('001-first.sql', 'create table city (name text);')
    write('002-broken.sql', 'create table town (name text); insert into nowhere values (1);')
    await expect(migrate(url, log, folder)).rejects.toThrow(/Migration 002-broken failed; nothing was changed.*nowhere/)
    await expect(names()).rejects.toThrow('relation "city" does not exist')
  })

  test('refuse to go on when an applied file has changed or is gone', async () => {
    write('001-first.sql', 'create table city (name text);')
    await migrate(url, log, folder)
    write('001-first.sql', 'create table city (name text, size int);')
    await expect(migrate(url, log, folder)).rejects.toThrow('Migration 001-first has changed since it was applied')
    rmSync(join(folder, '001-first.sql'))
    await expect(migrate(url, log, folder)).rejects.toThrow('Migration 001-first is gone from this build')
  })

  test('refuse a file whose name has no number', async () => {
    write('first.sql', 'select 1')
    await expect(migrate(url, log, folder)).rejects.toThrow('first.sql')
  })

  test('of two processes that start at the same moment one waits for the other', async () => {
    write('001-first.sql', "create table city (name text); select pg_sleep(0.2); insert into city values ('Linz');")
    await Promise.all([migrate(url, log, folder), migrate(url, log, folder), migrate(url, log, folder)])
    expect(await names()).toEqual(['Linz'])
  })

  test('of the product are all applied in a test database', async () => {
    const { url: migrated, drop } = await createTestDatabase()
    const { pool, close } = openDatabase(migrated)
    cleanUp.push(drop, close)
    expect(await isMigrated(pool)).toBe(true)
    await pool.query('delete from kysely_migration where name = (select max(name) from kysely_migration)')
    expect(await isMigrated(pool)).toBe(false)
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
