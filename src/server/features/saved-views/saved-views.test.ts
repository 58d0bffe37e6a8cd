import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SAVED_VIEWS_MAX } from '#contract/limits.ts'
import type { SavedView } from '#contract/saved-views.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'

const URL = '/api/v1/saved-views'
const STATE = {
  search: 'pier',
  sort: 'name',
  order: 'asc',
  filters: { status: 'New' },
  layout: { columns: { status: false }, columnOrder: ['name', 'tiv'], widths: { name: 300 } },
}

let app: TestApp
let owner: Awaited<ReturnType<typeof makeUser>>
let colleague: Awaited<ReturnType<typeof makeUser>>
let administrator: Awaited<ReturnType<typeof makeUser>>
let stranger: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  app = await testApp()
  owner = await makeUser(app.system, { role: 'broker' })
  colleague = await makeUser(app.system, { role: 'client', companyId: owner.companyId })
  administrator = await makeUser(app.system, { role: 'broker', companyId: owner.companyId })
  stranger = await makeUser(app.system, { role: 'admin' })
})
afterAll(() => app.stop())

const save = async (body: object, user = owner) => app.as(user.id).post(URL, { model: 'accounts', state: STATE, ...body })
const saved = async (body: object, user = owner): Promise<SavedView> => (await save(body, user)).body.data
const viewsOf = async ({ id }: { id: string }, model = 'accounts'): Promise<SavedView[]> =>
  (await app.as(id).get(`${URL}?model=${model}`)).body.data
const namesOf = async (user: { id: string }, model?: string) => (await viewsOf(user, model)).map(({ name }) => name)

describe('a saved view', () => {
  it('stores filters, search, order and columns under a name', async () => {
    const made = await save({ name: 'Piers' })
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'Piers', shared: false, mine: true, can_change: true, version: 1 } } })
    expect((await viewsOf(owner)).find(({ name }) => name === 'Piers')?.state).toEqual(STATE)
  })

  it('is only in the list that it was saved for', async () => {
    await saved({ name: 'For users', model: 'users' })
    expect(await namesOf(owner, 'users')).toEqual(['For users'])
    expect(await namesOf(owner)).not.toContain('For users')
  })

  it('is not found by other users while it is private', async () => {
    const { id } = await saved({ name: 'Private' })
    for (const other of [colleague, administrator, stranger]) {
      expect(await namesOf(other)).not.toContain('Private')
      expect((await app.as(other.id).put(`${URL}/${id}`, { version: 1, name: 'Mine' })).status).toBe(404)
      expect((await app.as(other.id).delete(`${URL}/${id}`)).status).toBe(404)
    }
  })

  it('is visible within the company when it is shared, and never in another company', async () => {
    const { id } = await saved({ name: 'Shared', shared: true })
    expect((await viewsOf(colleague)).find((view) => view.id === id)).toMatchObject({ mine: false, can_change: false })
    expect(await namesOf(stranger)).not.toContain('Shared')
    expect((await app.as(stranger.id).put(`${URL}/${id}`, { version: 1, name: 'Mine' })).status).toBe(404)
    expect((await app.as(stranger.id).delete(`${URL}/${id}`)).status).toBe(404)
  })

  it('stays in the company in which it was saved when its owner moves to another one', async () => {
    const mover = await makeUser(app.system, { role: 'broker', companyId: owner.companyId })
    const { id } = await saved({ name: 'Left behind', shared: true }, mover)
    await app.system.db.updateTable('users').set({ company_id: stranger.companyId }).where('id', '=', mover.id).execute()
    await expect.poll(() => namesOf(mover)).not.toContain('Left behind')
    expect((await app.as(mover.id).put(`${URL}/${id}`, { version: 1, name: 'From outside' })).status).toBe(404)
    expect(await namesOf(colleague)).toContain('Left behind')
  })
})

describe('changing a shared view', () => {
  it('is forbidden for colleagues without the permission to change the company', async () => {
    const { id } = await saved({ name: 'Hands off', shared: true })
    expect((await app.as(colleague.id).put(`${URL}/${id}`, { version: 1, name: 'Taken over' })).status).toBe(403)
    expect((await app.as(colleague.id).delete(`${URL}/${id}`)).status).toBe(403)
    expect(await namesOf(owner)).toContain('Hands off')
  })

  it('is allowed for its owner and for users who can change the company', async () => {
    const { id } = await saved({ name: 'Renewals', shared: true })
    const renamed = await app.as(administrator.id).put(`${URL}/${id}`, { version: 1, name: 'Renewals 2027' })
    expect(renamed.body.data).toMatchObject({ name: 'Renewals 2027', version: 2, mine: false, can_change: true })
    expect((await app.as(owner.id).put(`${URL}/${id}`, { version: 2, shared: false })).status).toBe(200)
    expect(await namesOf(administrator)).not.toContain('Renewals 2027')
    expect((await app.as(owner.id).delete(`${URL}/${id}`)).status).toBe(200)
    expect(await namesOf(owner)).not.toContain('Renewals 2027')
  })

  it('rejects the second of two changes of the same version, and leaves the first', async () => {
    const { id } = await saved({ name: 'Contested', shared: true })
    const change = (user: { id: string }, name: string) => app.as(user.id).put(`${URL}/${id}`, { version: 1, name })
    const answers = await Promise.all([change(owner, 'By the owner'), change(administrator, 'By the administrator')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const winner = answers.find(({ status }) => status === 200)
    expect(await namesOf(owner)).toContain(winner?.body.data.name)
  })

  it('rejects a name that a private view of its owner has', async () => {
    await saved({ name: 'Secret' })
    const { id } = await saved({ name: 'Public', shared: true })
    const renamed = await app.as(administrator.id).put(`${URL}/${id}`, { version: 1, name: 'secret' })
    expect(renamed.body.errors).toEqual({ name: ['There is already a view with this name.'] })
  })
})

describe('saving a view', () => {
  it('rejects an empty name, a repeated name, an unknown list and columns that are too many or too wide', async () => {
    await saved({ name: 'Once' })
    const errorsOf = async (body: object) => (await save(body)).body.errors
    expect(await errorsOf({ name: ' ' })).toEqual({ name: ['Please enter a name.'] })
    expect(await errorsOf({ name: 'ONCE' })).toEqual({ name: ['There is already a view with this name.'] })
    expect(await errorsOf({ name: 'Nowhere', model: 'planets' })).toEqual({ model: ['There is no such list.'] })
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`column_${index}`, true]))
    expect((await save({ name: 'Many', state: { layout: { columns: many } } })).status).toBe(400)
    expect((await save({ name: 'Wide', state: { layout: { widths: { name: 100_000 } } } })).status).toBe(400)
    expect((await save({ name: 'x'.repeat(10_000) })).status).toBe(400)
  })

  it('rejects a state of more than 16 KiB', async () => {
    const filters = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}`, 'x'.repeat(2_000)]))
    expect((await save({ name: 'Large', state: { filters } })).status).toBe(400)
  })

  it('is forbidden for lists that the user cannot open', async () => {
    expect((await save({ name: 'Roles', model: 'roles' })).status).toBe(403)
    expect((await app.as(owner.id).get(`${URL}?model=roles`)).status).toBe(403)
  })

  it('stores HTML as plain text', async () => {
    expect((await saved({ name: '<b>Bold</b>' })).name).toBe('<b>Bold</b>')
  })

  it('stops at the limit, also when two are saved at the same moment', async () => {
    const busy = await makeUser(app.system, { role: 'broker' })
    for (let index = 1; index < SAVED_VIEWS_MAX; index += 1) await save({ name: `View ${index}` }, busy)
    const answers = await Promise.all([save({ name: 'One more' }, busy), save({ name: 'Another one' }, busy)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })
})
