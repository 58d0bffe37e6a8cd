import { isDeepStrictEqual as isEqual } from 'node:util'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

// Limits for the number of round trips to the database, and for what is planned again in each call.
const { app, broker } = await testBroker()

interface Statement {
  text: string
  name?: string
}

/** The statements of each round trip that the process makes during the work, other than those of jobs and of listening connections. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<Statement[][]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const sent = query.mock.calls.map(([sent]: unknown[]): Statement[] => {
    if (typeof sent === 'string') return [{ text: sent }]
    const { statements, ...single } = sent as Statement & { statements?: Statement[] } // what the product passes
    return statements ?? [single]
  })
  query.mockRestore()
  return sent.filter((statements) => !statements.some(({ text }) => text.includes('pgboss')))
}
const statementsOf = async (work: () => Promise<unknown>) => (await roundTripsOf(work)).flat()
const show = (id: string) => app.as(broker.id).get(`/api/v1/accounts/${id}`)
const showAgain = (id: string, etag: string) => app.as(broker.id).get(`/api/v1/accounts/${id}`, { 'if-none-match': etag })
const create = () => app.as(broker.id).post('/api/v1/accounts', { name: 'Cheap', type: 'standard' })

describe('opening an account', () => {
  it('takes one prepared statement once the session is cached and the account was opened', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    await show(id)
    const statements = (await statementsOf(() => show(id))).filter(({ text }) => !text.includes('FROM sessions'))
    expect(statements.map(({ name }) => typeof name)).toEqual(['string'])
  })

  it('takes one narrow statement when it is not modified', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const etag = String((await show(id)).headers['etag'])
    expect((await showAgain(id, etag)).status).toBe(304)
    const statements = (await statementsOf(() => showAgain(id, etag))).filter(({ text }) => !text.includes('FROM sessions'))
    expect(statements.map(({ text }) => text.includes('xmin'))).toEqual([true])
  })

  it('is answered with 304 until something that the viewer sees of it changes', async () => {
    const { carrier, account, colleague, asBroker } = await sharedAccount()
    const { db } = app.system
    const act = (path: string, body: object) => app.as(broker.id).post(path, body)
    const save = (body: object) => app.as(broker.id).put(`/api/v1/accounts/${account}`, body)
    const changes: Record<string, () => Promise<unknown>> = {
      'its name': () => save({ name: 'Renamed' }),
      'its details': () => save({ meta: [{ label: 'Floor', value: '3' }] }),
      'its broker': () => save({ broker_name: 'Another broker' }),
      'its users': () => save({ users: [colleague.id] }),
      'its status': async () => {
        const { statuses } = (await show(account)).body.data
        return app.as(broker.id).patch('/api/v1/accounts/status', { account_id: account, status_id: statuses.at(-1).id })
      },
      'a favorite': () => act('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [account] }),
      'no favorite': () => act('/api/v1/accounts/actions', { action: 'remove-favorite', selectedIds: [account] }),
      'a property': () => makeProperty(app.system, account),
      'a document': () => makeFile(asBroker, account),
      'the name of a status': () =>
        db.updateTable('statuses').set({ name: 'Another' }).where('company_id', '=', broker.companyId).where('position', '=', 1).execute(),
      'the name of its company': () => db.updateTable('companies').set({ name: 'New name' }).where('id', '=', broker.companyId).execute(),
      'the name of its carrier': () => db.updateTable('companies').set({ name: 'Carrier' }).where('id', '=', carrier.companyId).execute(),
      'the name of its creator': () => db.updateTable('users').set({ first_name: 'Zoe' }).where('id', '=', broker.id).execute(),
      'a user is permanently deleted': () => db.deleteFrom('users').where('id', '=', colleague.id).execute(),
    }
    const unnoticed: string[] = []
    for (const [what, change] of Object.entries(changes)) {
      const before = await show(account)
      const etag = String(before.headers['etag'])
      const unmodified = [(await showAgain(account, etag)).status, (await showAgain(account, etag)).status]
      await change()
      const after = await showAgain(account, etag)
      if (`${unmodified}` !== '304,304' || after.status !== 200 || isEqual(after.body.data, before.body.data)) unnoticed.push(what)
    }
    expect(unnoticed).toEqual([])
  })

  it('is not found, and not unmodified, once the viewer lost access', async () => {
    const { account, carrier } = await sharedAccount()
    const asGuest = (etag?: string) =>
      app.as(carrier.id).get(`/api/v1/accounts/${account}`, etag === undefined ? {} : { 'if-none-match': etag })
    const etag = String((await asGuest()).headers['etag'])
    await asGuest(etag)
    expect((await asGuest(etag)).status).toBe(304)
    await app.as(broker.id).put(`/api/v1/accounts/${account}`, { carrier_company_id: null })
    expect((await asGuest(etag)).status).toBe(404)
  })
})

describe('creating an account', () => {
  it('takes three round trips of prepared statements, of which the last writes all that other transactions wait for', async () => {
    await create()
    const trips = await roundTripsOf(create)
    const words = (text: string) =>
      text
        .trim()
        .split(/\s+|\(/)
        .slice(0, 2)
        .join(' ')
    expect(trips.map((statements) => statements.map(({ text }) => words(text)))).toEqual([
      ['BEGIN', 'SELECT companies.id,'],
      ['INSERT INTO', 'SELECT accounts.*,'],
      ['INSERT INTO', 'SELECT publish_changes', 'SET LOCAL', 'COMMIT', 'SELECT pg_logical_emit_message'],
    ])
    expect(trips.flat().filter(({ name }) => name === undefined)).toEqual([])
    expect(trips.flat().filter(({ text }) => /list_versions|principal_totals/.test(text))).toEqual([])
  })

  it('does not plan the statements of its commit again', async () => {
    const { rows } = await app.system.pool.query(`SELECT proconfig FROM pg_proc WHERE proname = 'publish_changes'`)
    expect(rows).toEqual([{ proconfig: ['plan_cache_mode=force_generic_plan'] }])
  })

  it('gives access to every company and user that it names, once', async () => {
    const other = await makeUser(app.system)
    const body = { name: 'Shared', type: 'standard', broker_company_id: broker.companyId, carrier_company_id: other.companyId }
    const { id } = (await app.as(broker.id).post('/api/v1/accounts', body)).body.data
    const access = app.system.db.selectFrom('account_access').select(['principal_id', 'owner', 'live']).where('account_id', '=', id)
    expect((await access.execute()).toSorted((a, b) => a.principal_id.localeCompare(b.principal_id))).toEqual(
      [
        { principal_id: broker.companyId, owner: true, live: true },
        { principal_id: broker.id, owner: false, live: true },
        { principal_id: other.companyId, owner: false, live: true },
      ].toSorted((a, b) => a.principal_id.localeCompare(b.principal_id)),
    )
  })

  it('does not block another user of the company before it commits', async () => {
    const other = await pgClient()
    await other.query('BEGIN')
    await other.query(`INSERT INTO accounts (company_id, name, type) VALUES ($1, 'Slow', 'standard')`, [broker.companyId])
    await other.query('SET LOCAL lock_timeout = 1000')
    expect((await create()).status).toBe(201)
    await other.query('COMMIT')
    await other.end()
    const { meta } = (await app.as(broker.id).get('/api/v1/accounts?search=slow')).body
    expect(meta.total).toBe(1)
  })
})

/** An account of the broker with a carrier of another company. */
async function sharedAccount() {
  const [carrier, colleague] = [await makeUser(app.system), await makeUser(app.system, { companyId: broker.companyId })]
  const asBroker = { ...app.system, viewer: await app.viewer(broker.id) }
  const { id } = await makeAccount(asBroker, { companyId: broker.companyId, carrierCompanyId: carrier.companyId })
  return { carrier, colleague, asBroker, account: id }
}

async function pgClient() {
  const client = new pg.Client({ connectionString: app.system.config.databaseUrl ?? '' })
  await client.connect()
  return client
}
