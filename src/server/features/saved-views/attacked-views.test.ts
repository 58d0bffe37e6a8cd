import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES, type DefaultRole } from '#contract/default-roles.ts'
import type { SavedView } from '#contract/saved-views.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'

const URL = '/api/v1/saved-views'
const MODEL = 'account_files'

let app: TestApp
let owner: Awaited<ReturnType<typeof makeUser>>
const colleagues: Partial<Record<DefaultRole, string>> = {}
let stranger: string

beforeAll(async () => {
  app = await testApp()
  owner = await makeUser(app.system)
  for (const role of DEFAULT_ROLE_NAMES) colleagues[role] = (await makeUser(app.system, { role, companyId: owner.companyId })).id
  stranger = (await makeUser(app.system, { role: 'admin' })).id
})
afterAll(() => app.stop())

const as = (role: DefaultRole) => app.as(colleagues[role] ?? '')
const save = (user: string, body: object) => app.as(user).post(URL, { model: MODEL, state: {}, ...body })
const GUESTS: readonly DefaultRole[] = ['invite_guest', 'share_guest']
const ADMINISTRATORS: readonly DefaultRole[] = ['admin', 'provider', 'broker']

describe('a view that a broker shares', () => {
  let view: SavedView
  beforeAll(async () => {
    view = (await save(owner.id, { name: 'Mine', shared: true })).body.data
  })
  const namesFor = async (role: DefaultRole) => (await as(role).get(`${URL}?model=${MODEL}`)).body.data.map(({ name }: SavedView) => name)

  it.each(GUESTS)('is not in the list of a guest (%s), who cannot change or delete it', async (role) => {
    expect(await namesFor(role)).toEqual([])
    expect((await as(role).put(`${URL}/${view.id}`, { version: 1, name: 'Theirs' })).status).toBe(404)
    expect((await as(role).delete(`${URL}/${view.id}`)).status).toBe(404)
  })

  it.each(DEFAULT_ROLE_NAMES.filter((role) => ![...GUESTS, ...ADMINISTRATORS].includes(role)))(
    'is in the list of a colleague (%s), who cannot change or delete it',
    async (role) => {
      expect(await namesFor(role)).toEqual(['Mine'])
      expect((await as(role).put(`${URL}/${view.id}`, { version: 1, shared: false })).status).toBe(403)
      expect((await as(role).delete(`${URL}/${view.id}`)).status).toBe(403)
    },
  )

  it('is not found by an administrator of another company, not even with its id', async () => {
    expect((await app.as(stranger).put(`${URL}/${view.id}`, { version: 1, name: 'Theirs' })).status).toBe(404)
    expect((await app.as(stranger).delete(`${URL}/${view.id}`)).status).toBe(404)
  })

  it('is changed by one of two people who save at the same moment', async () => {
    const changes = [as('admin'), app.as(owner.id)].map((who, at) => who.put(`${URL}/${view.id}`, { version: 1, name: `Change ${at}` }))
    expect((await Promise.all(changes)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })
})

describe('a guest', () => {
  it.each(GUESTS)('(%s) has views of their own that colleagues do not see', async (role) => {
    const guest = colleagues[role] ?? ''
    const rejected = await save(guest, { name: 'For all', shared: true })
    expect([rejected.status, rejected.body.message]).toEqual([403, 'Guests cannot share views.'])
    const { id, version }: SavedView = (await save(guest, { name: 'Only mine' })).body.data
    expect((await as(role).put(`${URL}/${id}`, { version, shared: true })).status).toBe(403)
    const others: SavedView[] = (await app.as(owner.id).get(`${URL}?model=${MODEL}`)).body.data
    expect(others.map(({ name }) => name)).not.toContain('Only mine')
  })
})

describe('the name of a view', () => {
  it.each([
    ['ΑΣ', 'ας'],
    ['İzmir', 'i̇zmir'],
    ['Piers', 'PIERS'],
  ])('%s becomes %s by a change of case, and is rejected only if another view has it', async (from, to) => {
    const { id, version }: SavedView = (await save(owner.id, { name: from })).body.data
    const renamed = await app.as(owner.id).put(`${URL}/${id}`, { version, name: to })
    expect([renamed.status, renamed.body.data.name]).toEqual([200, to])
    const other: SavedView = (await save(owner.id, { name: `${from} 2` })).body.data
    const again = await app.as(owner.id).put(`${URL}/${other.id}`, { version: other.version, name: to })
    expect([again.status, again.body.errors]).toEqual([400, { name: ['There is already a view with this name.'] }])
  })
})
