import { expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant } = await testTenant()

async function totalsOf(role: DefaultRole) {
  const client = app.as((await makeUser(app.system, { role, companyId: tenant.company.id })).id)
  const { title, statistics } = (await client.get('/api/v1/metrics/init/summary')).body.data
  const counts: Record<string, number> = Object.fromEntries(
    statistics.map(({ key, count }: { key: string; count: number }) => [key, count]),
  )
  return { client, title, counts }
}

it('the totals of a user who sees all companies say so after the name of the own company', async () => {
  expect((await totalsOf('admin')).title).toBe(`${tenant.company.name}: all companies`)
  expect((await totalsOf('broker')).title).toBe(tenant.company.name)
})

it.each(['admin', 'provider', 'broker', 'client', 'carrier'] as const)(
  'the totals of the role %s count users only if there is a list of them, and as many as its rows',
  async (role) => {
    const { client, counts } = await totalsOf(role)
    const users = await client.get('/api/v1/users')
    expect(counts['users']).toBe(users.status === 200 ? users.body.meta.total : undefined)
    const accounts = await client.get('/api/v1/accounts')
    expect(counts['accounts']).toBe(accounts.body.meta.total)
  },
)
