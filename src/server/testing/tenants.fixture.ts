import { afterAll } from 'vitest'
import type { Context } from '#server/engines/context.ts'
import { declarationOf, MODEL_NAMES, type Model } from '#contract/models.ts'
import { PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import type { Form, FormField } from '#contract/form.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeReadFile } from './factories/texts.ts'
import { makeInvite } from './factories/guests.ts'
import { makeReport } from './factories/reports.ts'
import { makeCompany, makeUser, subscribe } from './factories/people.ts'
import { ISOLATED_MODELS, type IsolatedModel } from './model-visibility.ts'

/** Permissions that show records of other companies, and the search for any company. */
const OF_ALL_COMPANIES: ReadonlySet<string> = new Set([
  'view_all_system_companies',
  'create_standard_accounts',
  ...MODEL_NAMES.map(declarationOf).flatMap(({ visibility, all = [] }) => (visibility === 'system' ? [] : all)),
])
const LOCAL: readonly PermissionName[] = PERMISSION_NAMES.filter((name) => !OF_ALL_COMPANIES.has(name))

/** A user of another company with every permission inside it, so that only the isolation of companies restricts them. */
export const makeOutsider = (app: TestApp, permissions: readonly PermissionName[] = LOCAL) => makeLocal(app, permissions)

/** A user of the company with every permission inside it but one. */
export const makeUserWithout = (app: TestApp, permission: PermissionName, companyId: string) =>
  makeLocal(
    app,
    LOCAL.filter((name) => name !== permission),
    companyId,
  )

async function makeLocal(app: TestApp, permissions: readonly PermissionName[], companyId?: string) {
  const { db } = app.system
  const user = await makeUser(app.system, companyId === undefined ? {} : { companyId })
  const role = await db
    .insertInto('roles')
    .values({ company_id: user.companyId, name: 'local', label: 'Local', permissions: [...permissions] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
  return user
}

/** Models of the system have no record of the tenant. */
type Ids = Record<IsolatedModel, string> & Partial<Record<Model, string>>

/** A value for a field of a form; texts begin with the words. */
export function formValue(
  { name, type, search, options = [], max = Infinity, value }: FormField,
  company: string,
  words = 'Zanzibar',
): unknown {
  if (search === 'companies') return company
  if (type === 'select') return options[0]?.value
  if (type === 'multiselect') return options.slice(0, 1).map((option) => option.value)
  if (type === 'email') return `${words.toLowerCase().replaceAll(' ', '')}@example.test`
  if (type === 'text' || type === 'textarea') return `${words} ${name}`.slice(0, max)
  return value === '' ? 1 : value
}

/** Creates a record by the form of its model: its company, and a value for each required field, whose texts begin with the words. */
export async function createByForm(as: As, model: Model, company: string, words?: string): Promise<string> {
  const form: Form = (await as.get(`/api/v1/forms/${model}`)).body.data
  const all = form.sections.flatMap((section) => section.fields)
  const fields = all.filter(({ required, search, multiple }) => required || (search === 'companies' && multiple !== true))
  const { status, body } = await as.post(
    `/api/v1/${model}`,
    Object.fromEntries(fields.map((field) => [field.name, formValue(field, company, words)])),
  )
  if (status !== 201) throw new Error(`${model} cannot be created by its form; add a record to makeTenant. ${JSON.stringify(body)}`)
  return body.data.id
}

let tenants = 0

/** A company with one record of each model, its owner, and users of other companies with access to its account. */
export async function makeTenant(app: TestApp) {
  tenants += 1
  const company = await makeCompany(app.system, `Zanzibar Holdings${tenants === 1 ? '' : ` ${tenants}`}`)
  const owner = await makeUser(app.system, { companyId: company.id, lastName: 'Zanzibar' })
  const carrier = await makeUser(app.system, { role: 'carrier' })
  const added = await makeUser(app.system)
  const uploader = await makeUser(app.system, { role: 'upload_only' })
  const account = await makeAccount(app.system, {
    companyId: company.id,
    name: 'Zanzibar Stores',
    carrierCompanyId: carrier.companyId,
    users: [added.id, uploader.id],
  })
  const property = await makeProperty(app.system, account.id, { property_name: 'Zanzibar Hall' })
  const asOwner: Context = { ...app.system, viewer: await app.viewer(owner.id) }
  const file = await makeReadFile(asOwner, account.id, {
    name: 'zanzibar-report.txt',
    bytes: Buffer.from('The bandicoot clause of document 1\n'),
    category: 'appraisal',
    property_ids: [property.id],
  })
  const discrepancy = await app.system.db
    .insertInto('discrepancies')
    .values({
      account_id: account.id,
      property_id: property.id,
      check_id: 'DQ-02',
      group_name: 'data_quality',
      field: 'year_built',
      severity: 'warning',
      message: 'Zanzibar Hall has no year',
      fingerprint: 'zanzibar',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const report = await makeReport(asOwner, property.id, { title: 'Zanzibar survey', recommendations: [{ title: 'Zanzibar hydrants' }] })
  const { id: propertyImport } = await app.system.db
    .insertInto('imports')
    .values({ account_id: account.id, file_name: 'zanzibar.xlsx', file_id: file.id, created_by: owner.id, created_by_name: 'Zanzibar' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invite = await makeInvite(asOwner, account.id, { email: 'zanzibar@guests.example' })
  const flag = await app.system.db
    .insertInto('flags')
    .values({ account_id: account.id, property_id: property.id, reason: 'needs_review', message: 'Zanzibar Hall has no photo' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db
    .insertInto('flags')
    .values({ account_id: account.id, risk_control_id: report.id, reason: 'needs_review', message: 'Zanzibar survey has no photo' })
    .execute()
  const ids: Partial<Ids> = {
    accounts: account.id,
    account_properties: property.id,
    account_files: file.id,
    discrepancies: discrepancy.id,
    risk_control: report.id,
    flags: flag.id,
    property_imports: propertyImport,
    account_invites: invite.id,
    companies: company.id,
    users: owner.id,
  }
  const admin = app.as((await makeUser(app.system, { role: 'admin', companyId: company.id })).id)
  for (const model of ISOLATED_MODELS) ids[model] ??= await createByForm(admin, model, company.id)
  return {
    company,
    owner,
    carrier,
    added,
    uploader,
    account: account.id,
    file: file.id,
    ids: ids as Ids, // the loop has added every isolated model
  }
}

export type Tenant = Awaited<ReturnType<typeof makeTenant>>

/** A server with a tenant for the tests of one file, stopped after them: `const { app, tenant, owner } = await testTenant()`. */
export async function testTenant() {
  const app = await testApp()
  afterAll(() => app.stop())
  const tenant = await makeTenant(app)
  const { owner, carrier, added } = tenant
  const ownerCtx: Context = { ...app.system, viewer: await app.viewer(owner.id) }
  return { app, tenant, ownerCtx, owner: app.as(owner.id), carrier: app.as(carrier.id), added: app.as(added.id) }
}

/** A server with a broker of a company with a subscription for the tests of one file, stopped after them. */
export async function testBroker() {
  const app = await testApp()
  afterAll(() => app.stop())
  const broker = await makeUser(app.system)
  await subscribe(app.system, broker.companyId)
  const ctx: Context = { ...app.system, viewer: await app.viewer(broker.id) }
  return { app, broker, ctx }
}
