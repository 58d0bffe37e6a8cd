import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccountInput } from '#contract/accounts.ts'
import { PropertyInput } from '#contract/account-properties.ts'
import { CompanyInput } from '#contract/companies.ts'
import { UserInput } from '#contract/users.ts'
import type { Form } from '#contract/form.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeTenant, type Tenant } from '#server/testing/tenants.fixture.ts'
import { buildForm, field } from './build-form.ts'

let app: TestApp
let tenant: Tenant
let admin: As
beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  await app.system.db.insertInto('subscriptions').values({ name: 'Yearly' }).execute()
  admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
})
afterAll(() => app.stop())

const FORMS = [
  ['accounts', AccountInput],
  ['account_properties', PropertyInput],
  ['companies', CompanyInput],
  ['users', UserInput],
] as const
const fieldsOf = ({ sections }: Form) => sections.flatMap(({ fields }) => fields)
const load = async (path: string): Promise<Form> => {
  const answer = await admin.get(`/api/v1/forms/${path}`)
  expect(answer.status, path).toBe(200)
  return answer.body.data
}

describe('the form of', () => {
  it.each(FORMS)('%s asks only for what its call takes', async (model, input) => {
    for (const form of [await load(model), await load(`${model}/${tenant.ids[model]}`)]) {
      const fields = fieldsOf(form)
      expect(fields.length).toBeGreaterThan(2)
      expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length)
      const refused = input.safeParse(Object.fromEntries(fields.map(({ name }) => [name, Symbol('no value')])))
      const unknown = refused.error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])) ?? []
      expect(unknown, model).toEqual([])
    }
  })

  it.each(FORMS)('%s has choices wherever it offers a choice, and what it holds is one of them', async (model) => {
    const fields = fieldsOf(await load(`${model}/${tenant.ids[model]}`))
    const choices = fields.filter(({ type }) => type === 'select' || type === 'multiselect')
    expect(choices.filter(({ options = [] }) => options.length === 0).map(({ name }) => name)).toEqual([])
    expect(fields.filter(({ type, search }) => type === 'search' && search === undefined)).toEqual([])
    const foreign = choices.filter(
      ({ type, value, options = [] }) =>
        type === 'select' && value !== '' && value !== null && !options.some((option) => option.value === value),
    )
    expect(foreign).toEqual([])
  })

  it.each(FORMS)('%s carries the version that a save must bring back, a new one none', async (model) => {
    expect(await load(model)).toMatchObject({ model, id: null, version: null })
    expect(await load(`${model}/${tenant.ids[model]}`)).toMatchObject({ model, id: tenant.ids[model], version: expect.any(Number) })
  })
})

describe('a section', () => {
  it('without fields is left out', () => {
    const form = buildForm({
      model: 'm',
      title: 't',
      sections: [
        { title: 'empty', fields: [] },
        { title: 'full', fields: [field('a', 'A', 'text', '')] },
      ],
    })
    expect(form.sections.map(({ title }) => title)).toEqual(['full'])
  })
})
