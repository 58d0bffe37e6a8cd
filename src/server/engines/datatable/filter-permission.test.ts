import { expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES } from '#contract/default-roles.ts'
import type { Filter } from '#contract/datatable.ts'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import { defaultPermissions, isPermission } from '#contract/permissions.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { addToAccount } from '#server/testing/factories/register.ts'
import { makeOutsider, testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant } = await testTenant()
const deniedBy = (label: string) => [403, `You do not have permission to filter this list by ${label}.`]
/** Screens of users without the permission to filter use these, such as the lists and counts of the dashboard. */
const ON_SCREENS: Partial<Record<Model, readonly string[]>> = {
  accounts: ['favorites', 'invites', 'attention'],
  account_files: ['text'],
  account_properties: ['has_discrepancy', 'discrepancy', 'discrepancy_group', 'severity'],
}
/** Parts of the address of a screen, which no menu shows. */
const SCOPES: Partial<Record<Model, Readonly<Record<string, string>>>> = {
  account_properties: { account_id: tenant.account, status: 'active' },
  account_files: { account_id: tenant.account, sov: '0', property_id: tenant.ids.account_properties },
  discrepancies: { account_id: tenant.account },
}

const permissionOf = (model: Model) => {
  const name = `view_${model}_datatable_filters`
  return isPermission(name) ? name : undefined
}
const LISTED = MODEL_NAMES.filter((model) => permissionOf(model) !== undefined)
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)

const valueOf = ({ type, options }: Filter): string =>
  type === 'boolean' ? '1' : type === 'date_range' ? '2020-01-01..' : (options[0]?.value ?? 'Zanzibar')
const menuOf = async (model: Model): Promise<Filter[]> =>
  (await admin.get(`/api/v1/${model}/filters`)).body.data.filter(({ name }: Filter) => name !== 'trashed')

const CASES = LISTED.flatMap((model) => DEFAULT_ROLE_NAMES.map((role) => [role, model] as const)).filter(([role, model]) => {
  const { list } = MODELS[model]
  return isPermission(list) && defaultPermissions(role).includes(list)
})

it.each(CASES)(
  'the role %s filters the list of %s by its menu only with the permission, and by the scopes of screens',
  async (role, model) => {
    const user = await makeUser(app.system, { role })
    await addToAccount(app, tenant.account, user.id)
    const has = permissionOf(model)
    const isAllowed = has !== undefined && defaultPermissions(role).includes(has)
    const rejected = await denied(user.id, model)
    expect(rejected).toEqual(isAllowed ? [] : await menuOnly(model))
    const { body } = await app.as(user.id).get(`/api/v1/${model}/filters`)
    const offered = body.data?.map(({ name }: Filter) => name) ?? []
    expect(
      offered.filter((name: string) => rejected.includes(name)),
      'offered and rejected',
    ).toEqual([])
  },
)

it.each(LISTED)('a role with all permissions for %s but that to filter does not filter the list', async (model) => {
  const { list, ...rest } = MODELS[model]
  // Filters about documents are in the menus of users who see documents.
  const named = [list, 'view_account_files', ...Object.keys('permissions' in rest ? rest.permissions : {})]
  const permissions = [...new Set(named.filter(isPermission))]
  const user = await makeOutsider(
    app,
    permissions.filter((name) => name !== permissionOf(model)),
  )
  await addToAccount(app, tenant.account, user.id)
  expect(await denied(user.id, model)).toEqual(await menuOnly(model))
})

const menuOnly = async (model: Model) =>
  (await menuOf(model)).map(({ name }) => name).filter((name) => ON_SCREENS[model]?.includes(name) !== true)

/** The names of the filters, of the menu and of screens, with which the user gets no rows but the reason. */
async function denied(userId: string, model: Model): Promise<string[]> {
  const names: string[] = []
  const menu = await menuOf(model)
  const ofMenu = menu.map((filter) => [filter.name, valueOf(filter)] as const)
  for (const [name, value] of [...ofMenu, ...Object.entries(SCOPES[model] ?? {})]) {
    const { status, body } = await app.as(userId).get(`/api/v1/${model}?filter__${name}=${encodeURIComponent(value)}`)
    if (status === 200) continue
    expect([status, body.message]).toEqual(deniedBy(menu.find((filter) => filter.name === name)?.label ?? name))
    names.push(name)
  }
  return names
}

it('the list of an account and the neighbors of a document reject a filter in the same way', async () => {
  const user = await makeUser(app.system, { role: 'upload_only' })
  await addToAccount(app, tenant.account, user.id)
  const { id } = await makeFile({ ...app.system, viewer: await app.viewer(user.id) }, tenant.account)
  for (const path of ['files', `files/${id}/details`]) {
    const { status, body } = await app.as(user.id).get(`/api/v1/accounts/${tenant.account}/${path}?filter__category=other`)
    expect([status, body.message]).toEqual(deniedBy('Category'))
  }
})

it('an action on all records that match a filter is rejected without the permission to filter', async () => {
  const user = await makeOutsider(app, [
    'view_account_properties',
    'view_account_properties_datatable_actions',
    'update_account_properties',
  ])
  await addToAccount(app, tenant.account, user.id)
  const body = { action: 'divest', input: 'all', filters: { filter__construction: 'fire_resistive', filter__account_id: tenant.account } }
  const { status, body: answer } = await app.as(user.id).post('/api/v1/account_properties/actions', body)
  expect([status, answer.message]).toEqual(deniedBy('Construction'))
})
