import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'

/** Users who change the same records in different order at the same time must not deadlock. */
let app: TestApp
let people: As[]
let accounts: string[]
let properties: string[]

beforeAll(async () => {
  app = await testApp({ env: { LOG_LEVEL: 'silent' } })
  const company = await makeCompany(app.system)
  people = []
  for (let count = 0; count < 4; count += 1) people.push(app.as((await makeUser(app.system, { companyId: company.id })).id))
  accounts = []
  properties = []
  for (let count = 0; count < 5; count += 1) {
    const { id } = await makeAccount(app.system, { companyId: company.id })
    accounts.push(id)
    for (let more = 0; more < 2; more += 1) properties.push((await makeProperty(app.system, id)).id)
  }
})
afterAll(() => app.stop())

const orders = <T>(values: readonly T[]): T[][] => people.map((_person, at) => (at % 2 === 0 ? [...values] : values.toReversed()))
const CROSSED = 'Another user changed this at the same time. Please try again.'

type Answers = Promise<{ status: number; body: { message: string } }>

/** Every user repeats both calls, the second right after the first. Returns the answers. */
async function told(...calls: ((person: As, ids: { accounts: string[]; properties: string[] }) => Answers)[]): Promise<string[]> {
  const said: string[] = []
  const [inAccounts, inProperties] = [orders(accounts), orders(properties)]
  for (let round = 0; round < 3; round += 1) {
    const work = people.map(async (person, at) => {
      for (const call of calls) {
        const { status, body } = await call(person, { accounts: inAccounts[at] ?? [], properties: inProperties[at] ?? [] })
        expect(status).toBeLessThan(500)
        said.push(body.message)
      }
    })
    await Promise.all(work)
  }
  return said
}

describe('concurrent users', () => {
  it('trash and restore the same accounts', async () => {
    const said = await told(
      (person, ids) => person.delete('/api/v1/accounts', { ids: ids.accounts }),
      (person, ids) => person.post('/api/v1/accounts/restore', { ids: ids.accounts }),
    )
    expect(said).toContain('Restored.')
    expect(said.filter((message) => message === CROSSED)).toEqual([])
  })

  it('divest and reactivate properties of the same accounts', async () => {
    await app.system.db.updateTable('accounts').set({ deleted_at: null }).execute()
    const input = { divested_on: '2026-01-01', divested_reason: 'sold' }
    const said = await told(
      (person, ids) => person.post('/api/v1/account_properties/actions', { action: 'divest', selectedIds: ids.properties, input }),
      (person, ids) => person.post('/api/v1/account_properties/actions', { action: 'reactivate', selectedIds: ids.properties }),
    )
    expect(said.filter((message) => message === CROSSED)).toEqual([])
  })

  it('trash and restore properties of the same accounts', async () => {
    await app.system.db.updateTable('account_properties').set({ status: 'active', divested_on: null }).execute()
    const said = await told(
      (person, ids) => person.delete('/api/v1/account_properties', { ids: ids.properties }),
      (person, ids) => person.post('/api/v1/account_properties/restore', { ids: ids.properties }),
    )
    expect(said).toContain('Restored.')
    expect(said.filter((message) => message === CROSSED)).toEqual([])
  })

  it('cause no deadlock', async () => {
    const { rows } = await sql<{ deadlocks: number }>`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(
      app.system.db,
    )
    expect(rows).toEqual([{ deadlocks: 0 }])
  })

  it('leave the stored totals equal to the sums', async () => {
    const { db } = app.system
    await db.updateTable('account_properties').set({ deleted_at: null }).execute()
    const totals = await db.selectFrom('account_totals').select(['active_properties', 'tiv']).execute()
    expect(totals).toEqual(accounts.map(() => ({ active_properties: 2, tiv: 2 * 5_750_000 })))
  })
})
