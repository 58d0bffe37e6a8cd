import { describe, expect, it } from 'vitest'
import { MODEL_NAMES } from '#contract/models.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeTenant, testTenant } from '#server/testing/tenants.fixture.ts'

/** What every list answers to input that no page sends: an error that names the field, or the list with a message, never a failure. */
const { app, tenant, owner: broker } = await testTenant()
const foreign = await makeTenant(app)
const admin = app.as((await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })).id)
const LONG = 'x'.repeat(10_000)

describe.each(MODEL_NAMES)('the list of %s', (model) => {
  const list = async (query: string) => (await admin.get(`/api/v1/${model}?${query}`)) as { status: number; body: Answer }
  const act = async (body: object, as = admin) => {
    const { status, body: answer } = await as.post(`/api/v1/${model}/actions`, body)
    return { status, ...(answer as Partial<Answer>) }
  }

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=all', 'page'],
    ['page=1e300', 'page'],
    ['paginate=0', 'paginate'],
    ['paginate=1000000', 'paginate'],
    ['order=sideways', 'order'],
    [`sort=${LONG}`, 'sort'],
    [`search=${LONG}`, 'search'],
    [`filter__status=${LONG}`, 'filter__status'],
  ])('rejects a request with an error at its field: %.30s', async (query, field) => {
    const { status, body } = await list(query)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
    expect(body.errors[field]?.[0]).toMatch(/^[A-Z].*\.$/)
  })

  it('answers a page far behind the end, and ignores an unknown column, filter and parameter with a message', async () => {
    expect((await list('page=1000000000')).body).toMatchObject({ data: [], meta: { from: null, current_page: 1_000_000_000 } })
    const plain = await list('')
    const { status, body } = await list('sort=password&filter__moon=1&moon=full')
    expect([status, body.message]).toEqual([200, 'Ignored, because this list does not have them: sort=password, filter__moon, moon.'])
    expect([body.data, body.meta]).toEqual([plain.body.data, plain.body.meta])
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('has no column, filter or action called %s', async (name) => {
    expect((await list(`sort=${name}`)).body.message).toContain(`sort=${name}`)
    expect((await list(`filter__${name}=1`)).body.message).toContain(`filter__${name}`)
    expect(await act({ action: name, input: 'all' })).toMatchObject({ status: 400, errors: { action: [expect.any(String)] } })
    expect((await act({ action: 'export_csv', input: 'all', columns: [name] })).status).toBe(400)
  })

  it('rejects versions with an action that does not undo another one', async () => {
    expect((await act({ action: 'export_csv', input: 'all', versions: {} })).errors).toHaveProperty('versions')
  })

  it('rejects an action without a record, of an id that is none, and with a filter that it does not have', async () => {
    const first = { action: ((await admin.get(`/api/v1/${model}/actions`)).body.data as { action: string }[])[0]?.action }
    expect((await act({ ...first, selectedIds: [] })).errors).toHaveProperty('selectedIds')
    expect((await act({ ...first, selectedIds: ['1'] })).status).toBe(400)
    expect((await act({ ...first, input: 'all', filters: { filter__moon: '1' } })).errors).toHaveProperty('filters')
    expect((await act({ ...first, input: 'all', filters: { search: LONG } })).status).toBe(400)
    expect((await act({ ...first, model: 'moons', selectedIds: [] })).errors).toHaveProperty('model')
    expect((await act({ action: LONG, input: 'all' })).status).toBe(400)
  })

  it('runs no action on a record of another company together with one of its own, and says why', async () => {
    const [own, other] = [tenant.ids[model], foreign.ids[model]]
    if (own === undefined || other === undefined) return
    const actions: { action: string; handle: string }[] = (await broker.get(`/api/v1/${model}/actions`)).body.data ?? []
    for (const { action, handle } of actions) {
      const { status, message } = await act({ action, handle, selectedIds: [own, other], input: {} }, broker)
      expect([status, message], action).toEqual([404, 'One of the selected records was not found.'])
    }
    const { status } = await broker.delete(`/api/v1/${model}`, { ids: [own, other] })
    expect([404, 403], String(status)).toContain(status)
    expect((await broker.get(`/api/v1/${model}?paginate=9999`)).body.data?.map(({ id }: { id: string }) => id) ?? [own]).toContain(own)
  })
})

it('a path with an unknown model is not found', async () => {
  for (const path of ['moons', 'moons/columns', 'moons/filters', 'moons/actions', '__proto__', 'pg_user'])
    expect((await admin.get(`/api/v1/${path}`)).status, path).toBe(404)
})

interface Answer {
  message: string
  data: unknown[]
  meta: { from: number | null; current_page: number }
  errors: Record<string, string[]>
}
