import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Form } from '#contract/form.ts'
import { MODEL_NAMES, type Model } from '#contract/models.ts'
import { isPermission } from '#contract/permissions.ts'
import { routes } from '#server/features/index.ts'
import type { As } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { createByForm, makeUserWithout, testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant } = await testTenant()
await app.system.db.insertInto('subscriptions').values({ name: 'Yearly' }).execute()
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)

const callFor = (method: string, path: string) => routes.find(({ call }) => call.method === method && call.path === path)?.call
/** Every model with a form, and the input of its create. */
const FORMS = MODEL_NAMES.flatMap((model) => {
  const input = callFor('POST', `/${model}`)?.body
  return callFor('GET', `/forms/${model}/:id`) === undefined || input === undefined ? [] : [[model, input] as const]
})
/** A record of each model with a form. */
const ids: Partial<Record<Model, string>> = {}
for (const [model] of FORMS) ids[model] = tenant.ids[model] ?? (await createByForm(admin, model, tenant.company.id))
const fieldsOf = ({ sections }: Form) => sections.flatMap(({ fields }) => fields)
const load = async (path: string): Promise<Form> => {
  const answer = await admin.get(`/api/v1/forms/${path}`)
  expect(answer.status, path).toBe(200)
  return answer.body.data
}

it('the forms under test include the larger models', () => {
  expect(FORMS.map(([model]) => model)).toEqual(expect.arrayContaining(['accounts', 'account_properties', 'companies', 'users', 'roles']))
})

describe('the form', () => {
  it.each(FORMS)('of %s has only fields that its call accepts', async (model, input) => {
    for (const form of [await load(model), await load(`${model}/${ids[model]}`)]) {
      const fields = fieldsOf(form)
      expect(fields.length).toBeGreaterThan(0)
      expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
      // The browser does not send disabled fields.
      const sent = fields.filter(({ disabled }) => disabled !== true)
      const result = input.safeParse(Object.fromEntries(sent.map(({ name }) => [name, Symbol('no value')])))
      const unknown = result.error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])) ?? []
      expect(unknown, model).toEqual([])
    }
  })

  it.each(FORMS)('of %s has options for every choice, and each value is one of them', async (model) => {
    const fields = fieldsOf(await load(`${model}/${ids[model]}`))
    const choices = fields.filter(({ type }) => type === 'select' || type === 'multiselect')
    expect(choices.filter(({ options = [] }) => options.length === 0).map(({ name }) => name)).toEqual([])
    expect(fields.filter(({ type, search }) => type === 'search' && search === undefined)).toEqual([])
    const unknownValues = choices.filter(
      ({ type, value, options = [] }) =>
        type === 'select' && value !== '' && value !== null && !options.some((option) => option.value === value),
    )
    expect(unknownValues).toEqual([])
  })

  it.each(FORMS)('of %s is offered for a record to users with the permission to change it, and to no others', async (model) => {
    const update = `update_${model}`
    if (!isPermission(update)) throw new Error(`There is no permission ${update}`)
    const without = app.as((await makeUserWithout(app, update, tenant.company.id)).id)
    const isOffered = async (as: As) => (await as.get(`/api/v1/${model}/${ids[model]}`)).body.data.accessible_features.update
    expect([await isOffered(admin), await isOffered(without)]).toEqual([true, false])
  })

  it.each(FORMS)('of %s has the version of the record, and none for a new record', async (model) => {
    expect(await load(model)).toMatchObject({ model, id: null, version: null })
    expect(await load(`${model}/${ids[model]}`)).toMatchObject({ model, id: ids[model], version: expect.any(Number) })
  })
})

describe('the form of a new record with values in its address', () => {
  const value = (form: Form, name: string) => fieldsOf(form).find((field) => field.name === name)?.value

  it.each([
    ['companies', 'name=Harbor+Point&timezone=America/Denver', { name: 'Harbor Point', timezone: 'America/Denver' }],
    ['companies', 'timezone=Mars&subscription_start=soon', { timezone: 'America/New_York', subscription_start: '' }],
    ['subscriptions', 'name=Monthly&price=12.5&term_months=x', { name: 'Monthly', price: 12.5, term_months: 12 }],
    ['roles', 'permissions=view_account_details,no_such_permission', { permissions: ['view_account_details'] }],
    ['users', 'enable_2fa=1&password=secret+secret&current_password=x', { enable_2fa: true, password: '' }],
  ] as const)('of %s?%s has those that are possible', async (model, query, expected) => {
    const form = await load(`${model}?${query}`)
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, value(form, name)]))).toEqual(expected)
  })

  it.each([
    ['users', 'company_id'],
    ['roles', 'company_id'],
    ['subscriptions', 'companies'],
  ] as const)('of %s has the company with its name, and not one that the viewer does not see', async (model, name) => {
    const { id, name: label } = tenant.company
    const named = fieldsOf(await load(`${model}?company_id=${id}`)).find((field) => field.name === name)
    expect([[named?.value].flat(), named?.labels]).toEqual([[id], { [id]: label }])
    for (const other of ['nonsense', '0198c0de-0000-7000-8000-0000000000aa'])
      expect([value(await load(`${model}?company_id=${other}`), name)].flat()).not.toContain(other)
  })
})

describe('a section without fields', () => {
  it('is left out of the form', async () => {
    const titles = async (type: string) => (await load(`accounts?type=${type}`)).sections.map(({ title }) => title)
    expect(await titles('standard')).toEqual(['Account', 'Market and term', 'Details', 'People and documents'])
    expect(await titles('managed')).toEqual(['Account', 'People and documents'])
  })
})

describe('the form of a record that cannot be edited', () => {
  it.each(FORMS)('is a conflict for a trashed record of %s, or not found where trashed records do not open', async (model) => {
    const id = ids[model]
    const move = (deletedAt: Date | null) =>
      sql`UPDATE ${sql.table(model)} SET deleted_at = ${deletedAt} WHERE id = ${id}`.execute(app.system.db)
    await move(new Date())
    const { status, body } = await admin.get(`/api/v1/forms/${model}/${id}`)
    await move(null)
    const opensTrashed = model !== 'account_properties' && model !== 'accounts'
    expect(status).toBe(opensTrashed ? 409 : 404)
    expect(body.message).toContain(opensTrashed ? 'is in the trash' : 'not found')
  })

  it('is denied with the rules of the record', async () => {
    const provider = app.as((await makeUser(app.system, { role: 'provider' })).id)
    const strong = await makeUser(app.system, { role: 'admin' })
    expect((await provider.get(`/api/v1/forms/users/${strong.id}`)).status).toBe(403)
    const { body } = await provider.get('/api/v1/users?paginate=100')
    const row = body.data.find(({ id }: { id: string }) => id === strong.id)
    expect(row.accessible_features).toEqual({ update: false, delete: false })
  })
})
