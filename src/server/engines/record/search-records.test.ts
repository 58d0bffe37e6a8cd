import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { SEARCH_GROUP_SIZE } from '#contract/limits.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner } = await testTenant()

interface Found {
  id: string
  name: string
  detail: string
  account_id: string | null
}
const search = (as: As, model: string, query: string) => as.get(`/api/v1/${model}/search?${query}`)
const found = async (as: As, model: string, query: string): Promise<Found[]> => (await search(as, model, query)).body.data ?? []

describe('global search', () => {
  it('shows an account with its company, and a property with its place and account', async () => {
    expect(await found(owner, 'accounts', 'search=zanz')).toEqual([
      { id: tenant.account, name: 'Zanzibar Stores', detail: `${tenant.company.name} · New`, account_id: tenant.account },
    ])
    const [property] = await found(owner, 'account_properties', 'search=hall')
    expect(property).toMatchObject({
      id: tenant.ids.account_properties,
      account_id: tenant.account,
      detail: expect.stringContaining('Los Angeles, CA, Zanzibar Stores'),
    })
  })

  it('shows a property with its number, name, address and city', async () => {
    const values = { location_number: '12A', property_name: 'Quartz Tower', address: '5 Bay St', city: 'Salem', state: 'OR' }
    await makeProperty(app.system, tenant.account, values)
    expect(await found(owner, 'account_properties', 'search=quartz')).toMatchObject([
      { name: '12A · Quartz Tower', detail: '5 Bay St, Salem, OR, Zanzibar Stores' },
    ])
  })

  it('shows a subscription with its companies and price, and a role with its companies', async () => {
    const { db } = app.system
    const admin = await makeUser(app.system, { role: 'admin' })
    const plan = { name: 'Searched plan', price: 1250.5, term_months: 12 }
    const { id } = await db.insertInto('subscriptions').values(plan).returning('id').executeTakeFirstOrThrow()
    const term = { company_id: admin.companyId, subscription_id: id, term_months: 12 }
    await db.insertInto('company_subscriptions').values(term).execute()
    const details = async (model: string, text: string) =>
      (await found(app.as(admin.id), model, `search=${text}`)).map(({ detail }) => detail)
    expect(await details('subscriptions', 'searched')).toEqual(['1 company · $1,250.50'])
    await db.updateTable('subscriptions').set({ price: 1000 }).where('id', '=', id).execute()
    expect(await details('subscriptions', 'searched')).toEqual(['1 company · $1,000'])
    const count = async () => Number((await details('roles', 'broker')).map((detail) => /^(\d+) compan(y|ies)$/.exec(detail)?.[1]))
    const before = await count()
    for (let users = 0; users < 2; users += 1) await makeUser(app.system, { role: 'broker', companyId: admin.companyId })
    await makeUser(app.system, { role: 'broker' })
    expect(await count()).toBe(before + 2)
  })

  it('counts only the companies of a role that the viewer sees', async () => {
    await makeUser(app.system, { role: 'broker' })
    const { body } = await search(owner, 'roles', 'search=broker')
    expect(body.data.map(({ detail }: { detail: string }) => detail)).toEqual(['1 company'])
  })

  it('answers 404 with a message if nothing is found', async () => {
    const answer = await search(owner, 'accounts', 'search=nowhere')
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ response: 'error', message: 'No results found.', kind: 'not_found' })
  })

  it(`shows ${SEARCH_GROUP_SIZE} of each model unless more are requested, the last changed first`, async () => {
    for (let count = 0; count < 7; count += 1) await makeAccount(app.system, { companyId: tenant.company.id, name: `Many ${count}` })
    expect((await found(owner, 'accounts', 'search=many')).map(({ name }) => name)).toEqual([
      'Many 6',
      'Many 5',
      'Many 4',
      'Many 3',
      'Many 2',
    ])
    expect(await found(owner, 'accounts', 'search=many&paginate=100')).toHaveLength(7)
    expect((await search(owner, 'accounts', 'paginate=101')).status).toBe(400)
  })

  it('finds only properties of the account in the filter', async () => {
    const other = await makeAccount(app.system, { companyId: tenant.company.id })
    await makeProperty(app.system, other.id, { property_name: 'Zanzibar Annex' })
    expect(await found(owner, 'account_properties', 'search=zanzibar')).toHaveLength(2)
    expect(await found(owner, 'account_properties', `search=zanzibar&filter__account_id=${other.id}`)).toMatchObject([
      { account_id: other.id },
    ])
  })

  it('rejects the filter by account for every model except properties', async () => {
    for (const model of ['accounts', 'companies', 'users', 'roles']) {
      const { status, body } = await search(owner, model, `search=zanz&filter__account_id=${tenant.account}`)
      expect([status, body.errors], model).toEqual([400, { filter__account_id: ['Unknown field.'] }])
    }
  })

  it('does not find trashed records', async () => {
    const { id } = await makeAccount(app.system, { companyId: tenant.company.id, name: 'Vanishing' })
    await makeProperty(app.system, id, { property_name: 'Vanishing House' })
    expect(await found(owner, 'accounts', 'search=vanishing')).toHaveLength(1)
    await owner.delete('/api/v1/accounts', { ids: [id] })
    for (const model of ['accounts', 'account_properties']) expect((await search(owner, model, 'search=vanishing')).status, model).toBe(404)
  })
})

describe('a search field', () => {
  it('finds the own company only, without the permission to see all companies', async () => {
    await makeCompany(app.system, 'Faraway Insurance')
    const client = await makeUser(app.system, { role: 'client', companyId: tenant.company.id })
    for (const as of [owner, app.as(client.id)]) {
      expect((await search(as, 'companies', 'search=faraway')).status).toBe(404)
      expect(await found(as, 'companies', 'search=zanz')).toMatchObject([{ id: tenant.company.id }])
    }
  })

  it('finds only users of the own company', async () => {
    const visible = await found(owner, 'users', 'search=&paginate=100')
    expect(visible.length).toBeGreaterThan(0)
    const own = await app.system.db.selectFrom('users').select('id').where('company_id', '=', tenant.company.id).execute()
    const ids = own.map(({ id }) => id)
    expect(visible.filter(({ id }) => !ids.includes(id))).toEqual([])
  })

  it('finds the roles of the list, and for others those with no more permissions than they have', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const names = async (as: As) => (await found(as, 'roles', 'search=&paginate=100')).map(({ name }) => name).sort()
    const listed = await admin.get('/api/v1/roles?paginate=100')
    expect(await names(admin)).toEqual(listed.body.data.map((row: { label: { text: string } }) => row.label.text).sort())
    const offered = await names(owner)
    expect(offered).toContain('Client')
    expect(offered.filter((name) => ['Administrator', 'Provider staff', 'Invited viewer', 'Share-link visitor'].includes(name))).toEqual([])
  })
})

describe('the search trigger', () => {
  const entries = async () =>
    (
      await sql<{ company_id: string | null; body: string }>`SELECT company_id, body FROM search_entries WHERE model = 'harbors'`.execute(
        app.system.db,
      )
    ).rows
  const write = (statement: string) => app.asOwner(statement)

  it('names only columns that its table has', async () => {
    const { rows } = await sql<{ trigger: string; missing: string }>`SELECT t.tgname AS trigger, a.name AS missing
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid AND p.proname = 'search_by'
      CROSS JOIN unnest(string_to_array(encode(t.tgargs, 'escape'), '\\000')) AS a (name)
      LEFT JOIN pg_attribute c ON c.attrelid = t.tgrelid AND c.attname = a.name AND NOT c.attisdropped
      WHERE a.name <> '' AND c.attname IS NULL`.execute(app.system.db)
    expect(rows).toEqual([])
  })

  it('maintains the entries of any table from the columns in its arguments', async () => {
    const company = tenant.company.id
    await write(
      `CREATE TABLE harbors (id uuid PRIMARY KEY DEFAULT uuidv7(), company_id uuid, name text, code text, deleted_at timestamptz)`,
    )
    await write(`CREATE TRIGGER harbors_search AFTER INSERT OR UPDATE OR DELETE ON harbors
      FOR EACH ROW EXECUTE FUNCTION search_by('company_id', 'name', 'code')`)
    await write(`INSERT INTO harbors (company_id, name, code) VALUES ('${company}', 'Stone Town', NULL)`)
    expect(await entries()).toEqual([{ company_id: company, body: 'stone town' }])
    await write(`UPDATE harbors SET code = 'ZNZ'`)
    expect(await entries()).toEqual([{ company_id: company, body: 'stone town znz' }])
    await write(`UPDATE harbors SET deleted_at = now()`)
    expect(await entries()).toHaveLength(1)
    await write(`DELETE FROM harbors`)
    expect(await entries()).toEqual([])
  })

  it('accepts writes to a table without a company and without searched columns', async () => {
    await write(
      `CREATE OR REPLACE TRIGGER harbors_search AFTER INSERT OR UPDATE OR DELETE ON harbors FOR EACH ROW EXECUTE FUNCTION search_by()`,
    )
    await write(`INSERT INTO harbors (name) VALUES ('Lamu')`)
    expect(await entries()).toEqual([{ company_id: null, body: '' }])
  })
})
