import { beforeAll, describe, expect, it } from 'vitest'
import { MODEL_NAMES, type Model } from '#contract/models.ts'
import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { recordSignIn } from '#server/features/session/session.commands.ts'
import type { As } from '#server/testing/app.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser, subscribe } from '#server/testing/factories/people.ts'
import { makeReport } from '#server/testing/factories/reports.ts'
import { createByForm, testTenant } from '#server/testing/tenants.fixture.ts'

/** Three administrators of one company: one creates records, two see them. */
const { app, tenant } = await testTenant()
const { account } = tenant
const [creator, viewer, other] = await Promise.all(
  [1, 2, 3].map(() => makeUser(app.system, { role: 'admin', companyId: tenant.company.id })),
)
if (creator === undefined || viewer === undefined || other === undefined) throw new Error('There are three users')
const [asCreator, asViewer, asOther] = [app.as(creator.id), app.as(viewer.id), app.as(other.id)]
const signIn = (id: string) => transact(app.system, (tx) => recordSignIn(tx, id))
const property = tenant.ids.account_properties

beforeAll(async () => {
  await subscribe(app.system, tenant.company.id)
  // The second one, so that there is a previous one.
  for (const { id } of [creator, creator, viewer, viewer, other, other]) await signIn(id)
})

let serial = 0
const creatorContext = async (): Promise<Context> => ({ ...app.system, viewer: await app.viewer(creator.id) })
/** Records of these models are in the account, and the form of a new one does not have it. */
const IN_ACCOUNT: Partial<Record<Model, () => Promise<string>>> = {
  account_properties: async () => {
    const address = { address: '12 Elm St', city: 'Salem', state: 'OR', postal_code: '97301' }
    return (await asCreator.post('/api/v1/account_properties', { account_id: account, ...address })).body.data.id
  },
  account_files: async () => (await makeFile(await creatorContext(), account)).id,
  risk_control: async () => (await makeReport(await creatorContext(), property)).id,
  property_imports: async () => {
    const values = { account_id: account, file_name: 'new.xlsx', created_by: creator.id, created_by_name: 'Creator' }
    return (await app.system.db.insertInto('imports').values(values).returning('id').executeTakeFirstOrThrow()).id
  },
}
/** Creates a record with a name that no other has. */
async function created(model: Model): Promise<string> {
  serial += 1
  return (await IN_ACCOUNT[model]?.()) ?? createByForm(asCreator, model, tenant.company.id, `New ${String(serial)}`)
}

/** Addresses that open a record of the model; that of the record unless named here. */
const OPENED_BY: Partial<Record<Model, (id: string) => string[]>> = {
  account_files: (id) => ['/details', '/preview', ''].map((part) => `/api/v1/accounts/${account}/files/${id}${part}`),
  property_imports: (id) => [`/api/v1/properties/import/${id}`],
}
const addressesOf = (model: Model, id: string) => OPENED_BY[model]?.(id) ?? [`/api/v1/${model}/${id}`]

const listOf = (model: Model) => `/api/v1/${model}?paginate=100${IN_ACCOUNT[model] === undefined ? '' : `&filter__account_id=${account}`}`
const rowsOf = async (as: As, model: Model): Promise<{ id: string; is_new: boolean }[]> => (await as.get(listOf(model))).body.data
const isNew = async (as: As, model: Model, id: string) => (await rowsOf(as, model)).find((row) => row.id === id)?.is_new

/** Not opened by themselves: their lists and panels show all of them. */
const NEVER_NEW: readonly Model[] = ['discrepancies', 'flags', 'account_invites']

describe.each(MODEL_NAMES.filter((model) => !NEVER_NEW.includes(model)))('a record of %s', (model) => {
  it('is new to other users until each of them opens it, and never to its creator', async () => {
    const id = await created(model)
    expect([await isNew(asCreator, model, id), await isNew(asViewer, model, id), await isNew(asOther, model, id)]).toEqual([
      false,
      true,
      true,
    ])
    for (const path of addressesOf(model, id).slice(0, 1)) expect((await asViewer.get(path)).status).toBe(200)
    expect([await isNew(asViewer, model, id), await isNew(asOther, model, id)]).toEqual([false, true])
  })

  it('changes the list of the user who opens it the first time, and no other list', async () => {
    const id = await created(model)
    const etags = await Promise.all([asViewer, asOther].map(async (as) => String((await as.get(listOf(model))).headers['etag'])))
    const statuses = () =>
      Promise.all([asViewer, asOther].map(async (as, at) => (await as.get(listOf(model), { 'if-none-match': etags[at] ?? '' })).status))
    expect(await statuses()).toEqual([304, 304])
    const [path = ''] = addressesOf(model, id)
    await asViewer.get(path)
    expect(await statuses()).toEqual([200, 304])
    etags[0] = String((await asViewer.get(listOf(model))).headers['etag'])
    await asViewer.get(path)
    expect(await statuses()).toEqual([304, 304])
  })
})

describe('a new record', () => {
  it('is one that was created after the previous sign-in', async () => {
    const late = await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })
    const asLate = app.as(late.id)
    const before = await created('accounts')
    await signIn(late.id)
    const since = await created('accounts')
    // The first sign-in has none before it, so that nothing is new.
    expect([await isNew(asLate, 'accounts', before), await isNew(asLate, 'accounts', since)]).toEqual([false, false])
    await signIn(late.id)
    expect([await isNew(asLate, 'accounts', before), await isNew(asLate, 'accounts', since)]).toEqual([false, true])
    await signIn(late.id)
    expect(await isNew(asLate, 'accounts', since)).toBe(false)
  })

  it('that was opened before the second sign-in is not new after it', async () => {
    const late = await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })
    await signIn(late.id)
    const id = await created('accounts')
    await app.as(late.id).get(`/api/v1/accounts/${id}`)
    await signIn(late.id)
    expect(await isNew(app.as(late.id), 'accounts', id)).toBe(false)
  })

  it.each([0, 1, 2])('of documents is opened by its details, preview or download (%i)', async (at) => {
    const id = await created('account_files')
    expect((await asViewer.get(addressesOf('account_files', id)[at] ?? '')).status).toBe(200)
    expect(await isNew(asViewer, 'account_files', id)).toBe(false)
  })

  it('with an unknown creator is not marked, because it may be the own one', async () => {
    const id = await created('accounts')
    await app.system.db.updateTable('accounts').set({ created_by: null }).where('id', '=', id).execute()
    expect(await isNew(asViewer, 'accounts', id)).toBe(false)
  })

  it('is stored as opened only by users who see it', async () => {
    const stranger = await makeUser(app.system)
    await signIn(stranger.id)
    await signIn(stranger.id)
    const id = await created('accounts')
    expect((await app.as(stranger.id).get(`/api/v1/accounts/${id}`)).status).toBe(404)
    const views = await app.system.db.selectFrom('record_views').selectAll().where('user_id', '=', stranger.id).execute()
    expect(views).toEqual([])
  })

  it('is stored as opened only if it could be new', async () => {
    const id = await created('accounts')
    await asCreator.get(`/api/v1/accounts/${id}`)
    await asViewer.get(`/api/v1/accounts/${account}`)
    const views = app.system.db.selectFrom('record_views').select('user_id').where('record_id', 'in', [id, account])
    expect(await views.execute()).toEqual([])
  })
})
