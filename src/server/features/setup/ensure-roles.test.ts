import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { defaultPermissions, type PermissionName } from '#contract/permissions.ts'
import { openDatabase } from '#server/db/client.ts'
import { migrate } from '#server/db/migrate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { createLog } from '#server/kernel/log.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { copyDatabase } from '#server/testing/database.ts'
import { ensureRoles } from './ensure-roles.ts'

let app: TestApp
beforeAll(async () => (app = await testApp()))
afterEach(() => vi.restoreAllMocks())
afterAll(() => app.stop())

/** Starts a release with all permissions on the same database. */
const start = () => transact(app.system, ensureRoles)
const ofRole = (name: DefaultRole) =>
  app.system.db.selectFrom('roles').select(['id', 'permissions', 'version']).where('name', '=', name).executeTakeFirstOrThrow()
const setPermissions = (name: DefaultRole, without: PermissionName) =>
  app.system.db
    .updateTable('roles')
    .set({ permissions: defaultPermissions(name).filter((permission) => permission !== without) })
    .where('name', '=', name)
    .execute()

it('the default roles of a new database have their permissions', async () => {
  expect((await ofRole('broker')).permissions).toEqual(defaultPermissions('broker'))
})

it('gives a permission that the database does not have yet to the default roles that it is for', async () => {
  await app.system.db.deleteFrom('introduced_permissions').where('name', '=', 'delete_accounts').execute()
  for (const role of ['broker', 'client'] as const) await setPermissions(role, 'delete_accounts')
  const before = await ofRole('broker')
  await start()
  const broker = await ofRole('broker')
  expect(broker.permissions.toSorted()).toEqual(defaultPermissions('broker').toSorted())
  expect(broker.version).toBe(before.version + 1)
  expect((await ofRole('client')).permissions).not.toContain('delete_accounts')
})

it('writes an activity line and a log line for each role that it changes', async () => {
  await app.system.db.deleteFrom('introduced_permissions').where('name', 'in', ['delete_accounts', 'manage_flags']).execute()
  for (const role of ['broker', 'client'] as const) await setPermissions(role, 'delete_accounts')
  const { id } = await ofRole('broker')
  const lines = () =>
    app.system.db.selectFrom('activities').select(['model_id', 'class', 'message']).where('model', '=', 'roles').orderBy('id').execute()
  const before = (await lines()).length
  const info = vi.spyOn(app.system.log, 'info')
  await start()
  const message = 'Plumbline added a permission that is new in this release: Accounts: Delete and restore accounts'
  expect((await lines()).slice(before)).toEqual([{ model_id: id, class: 'updated', message }])
  const logged = info.mock.calls.filter(([, text]) => text === 'A default role received the permissions that are new in this release')
  expect(logged.map(([values]) => values)).toEqual([{ role: 'broker', permissions: ['delete_accounts'] }])
})

it('does not give back a permission that an administrator has removed', async () => {
  await setPermissions('broker', 'delete_accounts')
  const before = await ofRole('broker')
  await start()
  expect(await ofRole('broker')).toEqual(before)
})

it('gives the roles of a database of an earlier release what is new, and nothing that one of them had lost', async () => {
  const log = createLog({ level: 'silent' })
  const database = await copyDatabase({ ...inject('testServer'), template: 'template0' })
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-release-'))
  const all = join(import.meta.dirname, '../../db/migrations')
  for (const file of readdirSync(all).filter((name) => name < '019')) cpSync(join(all, file), join(folder, file))
  await migrate(database.url, log, folder)
  rmSync(folder, { recursive: true })

  const { pool, close } = openDatabase(database.url)
  const without = (role: DefaultRole, ...names: PermissionName[]) => defaultPermissions(role).filter((name) => !names.includes(name))
  const insert = (role: DefaultRole, permissions: readonly string[]) =>
    pool.query('INSERT INTO roles (name, label, permissions) VALUES ($1, $1, $2)', [role, permissions])
  await insert('admin', without('admin', 'manage_flags'))
  await insert('broker', without('broker', 'manage_flags', 'delete_accounts'))
  await migrate(database.url, log)
  const upgraded = await testApp({ reach: () => database.url, env: { DATABASE_OWNER_URL: database.url } })
  const { rows } = await pool.query<{ name: string; permissions: string[] }>('SELECT name, permissions FROM roles')
  const permissions = new Map(rows.map((role) => [role.name, role.permissions.toSorted()]))
  await Promise.all([close(), upgraded.stop()])
  await database.drop()

  expect(permissions.get('admin')).toEqual(defaultPermissions('admin').toSorted())
  expect(permissions.get('broker')).toEqual(without('broker', 'delete_accounts').toSorted())
  expect(permissions.get('client')).toEqual(defaultPermissions('client').toSorted())
})
