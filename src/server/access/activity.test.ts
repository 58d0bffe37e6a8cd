import { randomUUID } from 'node:crypto'
import { sql, type Expression, type SqlBool } from 'kysely'
import { expect, it } from 'vitest'
import type { ActivityClass } from '#contract/activity.ts'
import { MODEL_NAMES, MODELS, type Model } from '#contract/models.ts'
import { PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { linesOf, visibleLines } from './activity.ts'
import type { SignedIn } from './viewer.ts'

const { app, tenant, ownerCtx } = await testTenant()
const company = await app.viewer(tenant.owner.id)
/** A user of the account's company with these permissions. */
const having = (permissions: readonly PermissionName[]): SignedIn => ({ ...company, permissions: new Set(permissions) })
const without = (name: PermissionName) => having(PERMISSION_NAMES.filter((other) => other !== name))

/** The models whose records are in an account, so that lines about them quote what not every user of the account sees. */
const IN_ACCOUNT = MODEL_NAMES.filter((model) => model !== 'accounts' && MODELS[model].visibility === 'account')

interface Line {
  model: Model
  id?: string | undefined
  name?: ActivityClass
  files?: readonly string[]
}
/** Writes a line, about a record of the tenant unless given, and returns its id. */
async function line({ model, id = tenant.ids[model] ?? randomUUID(), name = 'updated', files = [] }: Line): Promise<string> {
  const account_id = MODELS[model].visibility === 'account' ? tenant.account : null
  const values = { model, model_id: id, account_id, actor_name: 'Dana', class: name, message: 'Dana changed it', file_ids: [...files] }
  return (await app.system.db.insertInto('activities').values(values).returning('id').executeTakeFirstOrThrow()).id
}
/** Which of these lines match. */
async function among<Name>(lines: ReadonlyMap<Name, string>, condition: Expression<SqlBool>): Promise<Name[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM activities WHERE ${condition}`.execute(app.system.db)
  const found = new Set(rows.map(({ id }) => id))
  return [...lines].flatMap(([name, id]) => (found.has(id) ? [name] : []))
}
async function oneOfEach(models: readonly Model[]): Promise<Map<Model, string>> {
  const lines = new Map<Model, string>()
  for (const model of models) lines.set(model, await line({ model }))
  return lines
}

it.each(MODEL_NAMES)('a record of %s shows the lines about it, and none about another record', async (model) => {
  const id = tenant.ids[model] ?? randomUUID()
  const lines = new Map([
    ['own', await line({ model, id })],
    ['of another', await line({ model, id: randomUUID() })],
  ])
  const shown = model === 'accounts' ? ['own', 'of another'] : ['own'] // An account shows all lines in it.
  expect(await among(lines, linesOf(model, id))).toEqual(shown)
  expect(await among(lines, linesOf(model, randomUUID()))).toEqual([])
})

it('lines about records in an account need the permission for the list of their model, those about flags also that for properties', async () => {
  const lines = await oneOfEach(MODEL_NAMES)
  expect(await among(lines, visibleLines(having(PERMISSION_NAMES)))).toEqual(MODEL_NAMES)
  expect(await among(lines, visibleLines(having([])))).toEqual(MODEL_NAMES.filter((model) => !IN_ACCOUNT.includes(model)))
  for (const list of new Set(IN_ACCOUNT.map((model) => MODELS[model].list))) {
    const hidden = (model: Model) => MODELS[model].list === list || (model === 'flags' && list === 'view_account_properties')
    const expected = MODEL_NAMES.filter((model) => !(IN_ACCOUNT.includes(model) && hidden(model)))
    expect(await among(lines, visibleLines(without(list))), list).toEqual(expected)
  }
})

it('lines of some classes need a permission, for records of any model', async () => {
  const names = ['updated', 'flagged', 'reconciled', 'status'] as const
  const lines = new Map<ActivityClass, string>()
  for (const name of names) lines.set(name, await line({ model: 'account_properties', name }))
  const unseen = async (missing: PermissionName) => {
    const seen = await among(lines, visibleLines(without(missing)))
    return names.filter((name) => !seen.includes(name))
  }
  expect(await among(lines, visibleLines(having(PERMISSION_NAMES)))).toEqual(names)
  expect(await unseen('manage_flags')).toEqual(['flagged'])
  expect(await unseen('view_account_reconciliation_metric')).toEqual(['reconciled'])
  expect(await unseen('view_account_status')).toEqual(['status'])
})

it('a line that names documents is visible to viewers who see all of them, none of which is permanently deleted', async () => {
  const secret = await makeFile(ownerCtx, tenant.account, { private: true })
  const lines = new Map<string, string>()
  for (const [name, files] of Object.entries({
    one: [tenant.file],
    private: [tenant.file, secret.id],
    deleted: [tenant.file, randomUUID()],
  }))
    lines.set(name, await line({ model: 'accounts', files }))
  expect(await among(lines, visibleLines(having(PERMISSION_NAMES)))).toEqual(['one', 'private'])
  expect(await among(lines, visibleLines(without('view_all_system_companies')))).toEqual(['one', 'private'])
  expect(await among(lines, visibleLines(without('update_account_files')))).toEqual(['one'])
  expect(await among(lines, visibleLines(without('view_account_files')))).toEqual([])
})
