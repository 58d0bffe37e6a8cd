import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { MODELS, type Model } from '#contract/permissions.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { lookAround } from './doors.fixture.ts'
import { makeNeighbour, makeTenant, type Tenant } from './tenants.fixture.ts'

/** Which predicate is torn down: the tests of isolation must then see through the hole, or they would prove nothing. */
const torn = vi.hoisted(() => ({ down: '' }))

type Walls = Record<string, unknown>
const tearable = vi.hoisted(() => async (original: () => Promise<unknown>, name: string) => {
  const real = (await original()) as Walls // a module is its exports by name
  const wall = real[name] as (...args: unknown[]) => unknown // the predicate of that name
  return { ...real, [name]: (...args: unknown[]) => (torn.down === name ? open() : wall(...args)) }
})
const open = () => sql`true`

vi.mock('#server/access/accounts.ts', (original) => tearable(original, 'visibleAccounts'))
vi.mock('#server/access/account-properties.ts', (original) => tearable(original, 'visibleProperties'))
vi.mock('#server/access/account-files.ts', (original) => tearable(original, 'visibleFiles'))
vi.mock('#server/access/discrepancies.ts', (original) => tearable(original, 'visibleDiscrepancies'))
vi.mock('#server/access/companies.ts', (original) => tearable(original, 'visibleCompanies'))
vi.mock('#server/access/users.ts', (original) => tearable(original, 'visibleUsers'))

let app: TestApp
let tenant: Tenant
let stranger: As

beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  stranger = app.as((await makeNeighbour(app)).id)
})
afterAll(() => app.stop())

async function modelsSeen(down: string): Promise<Model[]> {
  torn.down = down
  const looks = MODELS.map(async (model) => ((await lookAround(stranger, model, tenant.ids)).seen.length > 0 ? [model] : []))
  return (await Promise.all(looks)).flat()
}

describe('without one of the walls a stranger is seen to see', () => {
  it('nothing, while all of them stand', async () => {
    expect(await modelsSeen('')).toEqual([])
  })

  it.each([
    ['visibleAccounts', ['accounts', 'account_properties', 'account_files', 'discrepancies']],
    ['visibleProperties', ['account_properties', 'discrepancies']],
    ['visibleFiles', ['account_files']],
    ['visibleDiscrepancies', ['discrepancies']],
    ['visibleCompanies', ['companies']],
    ['visibleUsers', ['users']],
  ] satisfies [string, Model[]][])('%s: %j', async (wall, models) => {
    expect(await modelsSeen(wall)).toEqual(models)
  })

  it.each([
    [
      'accounts',
      'visibleAccounts',
      ['/accounts', '/accounts/:id', '/forms/accounts/:id', '/accounts/:id/activity', '/account_properties/:id/map'],
    ],
    ['account_properties', 'visibleProperties', ['/account_properties', '/account_properties/:id', '/forms/account_properties/:id']],
    ['companies', 'visibleCompanies', ['/companies', '/companies/search', '/companies/:id', '/forms/companies/:id']],
    ['users', 'visibleUsers', ['/users', '/users/:id', '/forms/users/:id']],
  ] satisfies [Model, string, string[]][])('%s in every list and on every page behind %s', async (model, wall, addresses) => {
    torn.down = wall
    const { seen } = await lookAround(stranger, model, tenant.ids)
    const plain = new Set(seen.map((path) => path.replace(/\?.*/, '').replaceAll(tenant.ids[model], ':id')))
    expect([...plain]).toEqual(expect.arrayContaining(addresses))
  })
})
