import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { MODEL_NAMES, type Model } from '#contract/models.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { MARKER } from '#server/testing/leak-probes.fixture.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { hasWords } from '../search/matching.ts'

const { app, tenant } = await testTenant()
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
beforeAll(fill)

interface Row {
  id: string
  [column: string]: unknown
}
interface List {
  data: Row[]
  meta: { current_page: number; from: number | null; to: number | null; per_page: number; last_page: number; total: number }
}

const TYPES = ['office', 'warehouse', 'retail', 'unknown']
const STATES = ['TX', 'CA', null]

/** Sixty properties that differ in every sortable column, some of them empty. */
async function fill() {
  await sql`INSERT INTO account_properties (account_id, location_number, property_name, address, city, state, property_type, construction_class, year_built, building_value, quality_score)
    SELECT ${tenant.account}, CASE WHEN n % 7 = 0 THEN NULL ELSE (1000 + n)::text END, 'Hall ' || (n % 9), n || ' Elm St', 'Dallas',
      (ARRAY['TX', 'CA', NULL])[1 + n % 3], (ARRAY['office', 'warehouse', 'retail', 'unknown'])[1 + n % 4], (ARRAY['1', '4', NULL])[1 + n % 3],
      CASE WHEN n % 5 = 0 THEN NULL ELSE 1900 + n END, CASE WHEN n % 4 = 0 THEN NULL ELSE n * 1000 END, n % 100
    FROM generate_series(1, 60) n`.execute(app.system.db)
}

const list = async (path: string, as = admin): Promise<List> => {
  const answer = await as.get(`/api/v1${path}`)
  expect(answer.status, path).toBe(200)
  return answer.body
}
const inAccount = (query = '') => list(`/account_properties?filter__account_id=${tenant.account}&paginate=9999${query}`)

describe('a list', () => {
  it.each(MODEL_NAMES)('of %s sorts by each sortable column, and descending is the reverse of ascending', async (model) => {
    const columns = (await admin.get(`/api/v1/${model}/columns`)).body.data as { src: string; sortable: boolean; sort: string | null }[]
    const sortable = columns.filter((column) => column.sortable)
    // At least three, or all but one of a shorter list.
    expect(sortable.length).toBeGreaterThanOrEqual(Math.max(1, Math.min(3, columns.length - 1)))
    for (const { src, sort } of sortable) {
      expect(sort).toBe(src)
      const [up, down] = await Promise.all(['asc', 'desc'].map((order) => list(`/${model}?sort=${src}&order=${order}&paginate=9999`)))
      expect(up?.data.map(({ id }) => id).sort(), src).toEqual(down?.data.map(({ id }) => id).sort())
      expect(up?.meta.total, src).toBe(up?.data.length)
    }
  })

  it.each(['property_name', 'year_built', 'building_value', 'state'])(
    'sorts by %s as its cells compare, what is missing last',
    async (src) => {
      for (const order of ['asc', 'desc'] as const) {
        const values = (await inAccount(`&sort=${src}&order=${order}`)).data.map(
          (row) => (row[src] as { value: string | number | null }).value,
        )
        const filled = values.filter((value) => value !== null)
        expect(values.slice(filled.length).every((value) => value === null)).toBe(true)
        const pairs = filled.slice(1).map((value, at) => [filled[at] ?? value, value] as const)
        const turned = pairs.filter(([before, after]) => (order === 'asc' ? before > after : before < after))
        expect(turned, order).toEqual([])
      }
    },
  )

  it('ignores an unknown column, an unsortable one and an unknown filter', async () => {
    const plain = await inAccount()
    for (const query of ['&sort=nothing', '&sort=documents', '&filter__nothing=1', '&filter__documents=']) {
      expect(
        (await inAccount(query)).data.map(({ id }) => id),
        query,
      ).toEqual(plain.data.map(({ id }) => id))
    }
  })

  it('has every record on exactly one page', async () => {
    const whole = (await inAccount('&sort=property_name&order=asc')).data.map(({ id }) => id)
    const pages: string[] = []
    for (let page = 1; page <= 9; page += 1) {
      const { data, meta } = await list(
        `/account_properties?filter__account_id=${tenant.account}&sort=property_name&order=asc&paginate=7&page=${page}`,
      )
      expect(meta).toMatchObject({
        current_page: page,
        from: 7 * (page - 1) + 1,
        to: 7 * (page - 1) + data.length,
        per_page: 7,
        last_page: 9,
        total: 61,
      })
      pages.push(...data.map(({ id }) => id))
    }
    expect(pages).toEqual(whole)
  })

  it('has an empty page with the total after the last page', async () => {
    const { data, meta } = await list(`/account_properties?filter__account_id=${tenant.account}&page=99`)
    expect(data).toEqual([])
    expect(meta).toMatchObject({ current_page: 99, from: null, to: null, per_page: 15, last_page: 5, total: 61 })
  })

  it('counts exactly the rows it shows, with any filters', async () => {
    const all = (await inAccount()).data
    const value = (row: Row, column: string) => (row[column] as { value: string | null }).value
    for (let round = 0; round < 40; round += 1) {
      const pick = <T>(values: readonly T[]) => values.filter((_value, at) => (round >> at) % 2 === 1)
      const types = pick(TYPES)
      const states = pick(STATES).map((state) => state ?? 'unknown')
      const query = `&filter__property_type=${types.join(',')}&filter__state=${states.join(',')}${round % 3 === 0 ? '&search=elm' : ''}`
      const { data, meta } = await inAccount(query)
      const expected = all.filter(
        (row) =>
          (types.length === 0 || types.includes(String(value(row, 'property_type')))) &&
          (states.length === 0 || states.includes(String(value(row, 'state') ?? 'unknown'))) &&
          (round % 3 !== 0 || String(value(row, 'address')).includes('Elm')),
      )
      expect(data.map(({ id }) => id).sort(), query).toEqual(expected.map(({ id }) => id).sort())
      expect(meta.total, query).toBe(data.length)
    }
  })

  it.each(MODEL_NAMES)('of %s describes its filters and actions', async (model) => {
    const filters = (await admin.get(`/api/v1/${model}/filters`)).body.data as { name: string }[]
    expect(new Set(filters.map(({ name }) => name)).size).toBe(filters.length)
    expect((await admin.get(`/api/v1/${model}/actions`)).status).toBe(200)
  })
})

describe('a search', () => {
  it.each([
    ['%', 'per%cent'],
    ['_', 'under_score'],
    ['\\', 'back\\slash'],
    ["'", "quote's"],
  ])('for %s finds the character, not anything', async (term, name) => {
    const { id } = await app.system.db
      .insertInto('accounts')
      .values({ company_id: tenant.company.id, type: 'standard', name })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const path of ['/accounts', '/accounts/search']) {
      const found = (await admin.get(`/api/v1${path}?search=${encodeURIComponent(term)}`)).body.data as Row[]
      expect(
        found.map((row) => row.id),
        path,
      ).toEqual([id])
    }
    await app.system.db.deleteFrom('accounts').where('id', '=', id).execute()
  })

  it.each(['ZANZIBAR', ' zanzibar ', 'anziba', 'Zanzibar S'])('for %j finds the account by part of its name', async (term) => {
    const { data, meta } = await list(`/accounts?search=${encodeURIComponent(term)}`)
    expect(data.map(({ id }) => id)).toEqual([tenant.account])
    expect(meta.total).toBe(1)
  })

  it('does not find the former name of a record or a deleted record', async () => {
    const { id } = await app.system.db
      .insertInto('accounts')
      .values({ company_id: tenant.company.id, type: 'standard', name: 'Kilimanjaro' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const hits = async (term: string) => (await list(`/accounts?search=${term}&filter__fresh=${Math.random()}`)).meta.total
    expect(await hits('kilimanjaro')).toBe(1)
    await app.system.db.updateTable('accounts').set({ name: 'Meru' }).where('id', '=', id).execute()
    expect([await hits('kilimanjaro'), await hits('meru')]).toEqual([0, 1])
    await app.system.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    expect(await hits('meru')).toBe(0)
  })

  it('is ignored for viewers without the search permission', async () => {
    const { id } = await makeUser(app.system, { role: 'upload_only' })
    await app.system.db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const { body } = await app.as(id).get('/api/v1/account_files?search=nothing-like-it')
    expect([body.meta.total, body.message]).toEqual([0, 'Ignored, because you do not have permission to search this list: search.'])
    for (const query of ['', '?search=', '?search=%20'])
      expect((await app.as(id).get(`/api/v1/account_files${query}`)).body.message).toBe('')
  })

  it('uses its index for the provider and for a broker', async () => {
    const { db } = app.system
    await sql`INSERT INTO search_entries (model, record_id, company_id, account_id, body)
      SELECT (ARRAY['accounts', 'account_properties'])[1 + n % 2], uuidv7(), CASE WHEN n % 4 < 2 THEN ${tenant.company.id}::uuid ELSE uuidv7() END, uuidv7(), md5(n::text) || ' main street ' || n FROM generate_series(1, 20000) n`.execute(
      db,
    )
    await app.asOwner('VACUUM ANALYZE search_entries')
    const broker = tenant.owner.companyId
    const match = (model: Model) => sql`s.model = ${sql.lit(model)} AND ${hasWords(`${MARKER} stores`, sql`s.words`, sql`s.body`)}`
    const plans = await Promise.all(
      [
        sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT s.record_id FROM search_entries s WHERE ${match('accounts')}`,
        sql<{
          'QUERY PLAN': string
        }>`EXPLAIN SELECT s.record_id FROM search_entries s WHERE s.company_id = ${broker} AND ${match('account_properties')}`,
      ].map(async (query) => (await query.execute(db)).rows.map((row) => row['QUERY PLAN']).join('\n')),
    )
    for (const [index, plan] of [
      ['search_entries_others', plans[0]],
      ['search_entries_properties', plans[1]],
    ]) {
      expect(plan).toContain(index)
      expect(plan).not.toContain('Seq Scan')
    }
    expect((await list(`/accounts?search=${MARKER}`)).meta.total).toBe(1)
  })
})
