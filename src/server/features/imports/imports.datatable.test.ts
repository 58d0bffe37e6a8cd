import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner: broker } = await testTenant()
const companyId = tenant.company.id
const { id: account } = await makeAccount(app.system, { companyId, name: 'With imports' })

interface StoredImport {
  file_name: string
  state?: string
  counts?: object
  sums?: string
  file_id?: string
}
const makeImport = async ({ counts = {}, ...values }: StoredImport) =>
  (
    await app.system.db
      .insertInto('imports')
      .values({
        account_id: account,
        created_by: tenant.owner.id,
        created_by_name: 'Ann Broker',
        counts: JSON.stringify(counts),
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
const tabs = { add: 59, change: 57, remove: 3, errors: 2 }
const sum = (rows: number) => ({ rows, tiv: 0, currency: 'USD' })
const sums = JSON.stringify({ file: sum(118), before: sum(0), after: sum(59), stated: null })
const committed = await makeImport({ file_name: 'Spring.xlsx', state: 'committed', sums, counts: { lastRow: 122, tabs } })
const uploaded = await makeImport({ file_name: 'Summer_50%.xlsx' })

const PATH = `/api/v1/property_imports?filter__account_id=${account}`
interface Row {
  id: string
  [column: string]: unknown
}
const list = async (query = '', as = broker): Promise<Row[]> => (await as.get(PATH + query)).body.data
const ids = async (query: string) => (await list(query)).map(({ id }) => id)

describe('the list of imports', () => {
  it('says what each import did, and nothing about what an import has not done yet', async () => {
    const rows = await list('&sort=file_name&order=asc')
    const texts = rows.map((row) =>
      ['file_name', 'state', 'total', 'created', 'updated', 'divested', 'failed', 'created_by'].map(
        (column) => (row[column] as { text: string }).text,
      ),
    )
    expect(texts).toEqual([
      ['Spring.xlsx', 'Imported', '118', '59', '57', '3', '2', 'Ann Broker'],
      ['Summer_50%.xlsx', 'Waiting to be read', '', '', '', '', '', 'Ann Broker'],
    ])
    expect(rows[0]?.['item']).toMatchObject({ id: committed, state: 'committed', created: 59 })
  })

  it('finds imports by file, user and status', async () => {
    expect(await ids('&search=SPRING')).toEqual([committed])
    expect(await ids('&search=50%25')).toEqual([uploaded])
    expect(await ids('&search=ann&sort=file_name&order=desc')).toEqual([uploaded, committed])
    expect(await ids('&search=nowhere')).toEqual([])
    expect(await ids('&filter__state=committed,undone')).toEqual([committed])
  })

  it('is new after a job has changed an import without an event', async () => {
    const { headers } = await broker.get(PATH)
    const again = () => broker.get(PATH, { 'if-none-match': String(headers['etag']) })
    expect((await again()).status).toBe(304)
    await sql`UPDATE imports SET state = 'failed', updated_at = now() WHERE id = ${uploaded}`.execute(app.system.db)
    const { status, body } = await again()
    expect([status, body.data.map((row: { state: { value: string } }) => row.state.value).sort()]).toEqual([200, ['committed', 'failed']])
    await sql`UPDATE imports SET state = 'uploaded', updated_at = now() WHERE id = ${uploaded}`.execute(app.system.db)
  })

  it('has no imports of documents that the viewer does not see, and needs the permission to import', async () => {
    const { id: file_id } = await makeFile(ownerCtx, account, { name: 'secret.xlsx', private: true })
    const secret = await makeImport({ file_name: 'secret.xlsx', file_id })
    const added = await makeUser(app.system)
    await app.system.db.insertInto('account_users').values({ account_id: account, user_id: added.id }).execute()
    expect(await ids('')).toContain(secret)
    expect((await list('', app.as(added.id))).map(({ id }) => id).sort()).toEqual([committed, uploaded].sort())
    const carrier = app.as((await makeUser(app.system, { role: 'carrier', companyId })).id)
    expect((await carrier.get(PATH)).status).toBe(403)
  })
})
