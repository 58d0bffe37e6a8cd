import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

// Limits for the number of round trips to the database, and for what is planned again in each call.
const { app, broker } = await testBroker()

interface Statement {
  text: string
  name?: string
}

/** The statements that the process sends during the work, other than those of jobs and of listening connections. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const sent = query.mock.calls.map(([statement]: unknown[]) =>
    typeof statement === 'string' ? { text: statement } : (statement as Statement),
  )
  query.mockRestore()
  return sent.filter(({ text }) => !text.includes('pgboss'))
}
const show = (id: string) => app.as(broker.id).get(`/api/v1/accounts/${id}`)
const create = () => app.as(broker.id).post('/api/v1/accounts', { name: 'Cheap', type: 'standard' })

describe('opening an account', () => {
  it('takes one prepared statement once the session is cached and the account was opened', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    await show(id)
    const statements = (await statementsOf(() => show(id))).filter(({ text }) => !text.includes('FROM sessions'))
    expect(statements.map(({ name }) => typeof name)).toEqual(['string'])
  })

  it('is answered with 304 until something that the viewer sees of it changes', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const { headers, body } = await show(id)
    const again = (etag: unknown) => app.as(broker.id).get(`/api/v1/accounts/${id}`, { 'if-none-match': String(etag) })
    expect(await again(headers['etag'])).toMatchObject({ status: 304, body: '' })
    await app.as(broker.id).post('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [id] })
    expect(await again(headers['etag'])).toMatchObject({ status: 200, body: { data: { favorite: true } } })
    await app.system.db.updateTable('statuses').set({ name: 'Renamed' }).where('id', '=', body.data.status.id).execute()
    expect((await again((await show(id)).headers['etag'])).status).toBe(304)
    expect((await again(headers['etag'])).body.data.status.name).toBe('Renamed')
  })
})

describe('creating an account', () => {
  it('takes few statements, of which the last commits and writes all that other transactions wait for', async () => {
    await create()
    const statements = await statementsOf(create)
    expect(statements.length).toBeLessThanOrEqual(8)
    expect(statements.at(-1)?.text).toMatch(/^SELECT publish_changes\(.*; COMMIT; SELECT pg_logical_emit_message/s)
    expect(statements.filter(({ text }) => /list_versions|principal_totals/.test(text))).toEqual([])
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

async function pgClient() {
  const client = new pg.Client({ connectionString: app.system.config.databaseUrl ?? '' })
  await client.connect()
  return client
}
