import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { defaultPermissions, type PermissionName } from '#contract/permissions.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { ensureRoles } from './ensure-roles.ts'

let app: TestApp
beforeAll(async () => (app = await testApp()))
afterAll(() => app.stop())

/** Starts a release with all permissions on the same database. */
const start = () => transact(app.system, ensureRoles)
const ofRole = (name: DefaultRole) =>
  app.system.db.selectFrom('roles').select(['permissions', 'version']).where('name', '=', name).executeTakeFirstOrThrow()
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

it('does not give back a permission that an administrator has removed', async () => {
  await setPermissions('broker', 'delete_accounts')
  const before = await ofRole('broker')
  await start()
  expect(await ofRole('broker')).toEqual(before)
})
