import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import type { Model } from '#contract/models.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeReport } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { propertyDatatable } from '#server/features/account-properties/properties.datatable.ts'
import { newPackage } from '../packages/packages.ts'
import { recordedExport } from './export-activity.ts'
import { exportList } from './export-list.ts'

const { app, tenant, ownerCtx, owner } = await testTenant()
const { fullName } = tenant.owner
const companyId = tenant.company.id
const market = await makeUser(app.system)

/** An account of the tenant with this number of properties; a user of another company is added to it. */
async function accountWith(properties: number) {
  const { id } = await makeAccount(app.system, { companyId, carrierCompanyId: market.companyId, name: 'Exported' })
  for (let count = 0; count < properties; count += 1) await makeProperty(app.system, id)
  return id
}
const send = (as: As, model: Model, body: object = {}) =>
  as.post(`/api/v1/${model}/actions`, { model, action: 'export_csv', handle: 'blob', input: 'all', ...body })
const linesOf = async (as: As, model: Model, id: string): Promise<{ message: string; class: string }[]> =>
  (await as.get(`/api/v1/${model}/${id}/activity?paginate=100`)).body.data.filter(({ message }: { message: string }) =>
    message.includes(' exported '),
  )
const messagesOf = async (as: As, model: Model, id: string) => (await linesOf(as, model, id)).map(({ message }) => message)

it('an export of a list of an account is a line of the account, one for the same export within ten minutes', async () => {
  const account = await accountWith(3)
  const [first] = (await owner.get(`/api/v1/account_properties?filter__account_id=${account}`)).body.data
  for (let time = 0; time < 2; time += 1) expect((await send(owner, 'account_properties', { account_id: account })).status).toBe(200)
  await send(owner, 'account_properties', { filters: { filter__account_id: account }, action: 'export_excel' })
  await send(owner, 'account_properties', { account_id: account, input: {}, selectedIds: [first.id] })
  expect(await linesOf(owner, 'accounts', account)).toMatchObject([
    { message: `${fullName} exported 1 property as CSV`, class: 'downloaded' },
    { message: `${fullName} exported 3 properties as Excel`, class: 'downloaded' },
    { message: `${fullName} exported 3 properties as CSV`, class: 'downloaded' },
  ])
})

it('an export of a list over many accounts is a line of the user', async () => {
  const user = await makeUser(app.system, { companyId, role: 'admin' })
  const as = app.as(user.id)
  const { total } = (await as.get('/api/v1/companies')).body.meta
  await send(as, 'companies')
  const account = await accountWith(1)
  await send(as, 'account_properties', { filters: { search: 'zanzibar' } })
  expect(await messagesOf(as, 'users', user.id)).toEqual([
    `${user.fullName} exported 1 property as CSV`,
    `${user.fullName} exported ${String(total)} companies as CSV`,
  ])
  expect(await messagesOf(owner, 'accounts', account)).toEqual([])
})

it('an export without a file is no line', async () => {
  const account = await accountWith(0)
  expect((await send(owner, 'account_properties', { account_id: account })).status).toBe(404)
  expect(await messagesOf(owner, 'accounts', account)).toEqual([])
})

/** The file of an export of all properties of the account. */
const fileOf = async (account: string): Promise<Readable> => {
  const body = { action: 'export_csv' as const, input: 'all' as const, filters: {}, selectedIds: [], account_id: account }
  const { body: file } = await exportList(ownerCtx, propertyDatatable, body)
  return file
}

/** Longer than what a stream reads ahead. */
function* endless() {
  for (;;) yield 'x'.repeat(100_000)
}

it('an export is recorded before its file ends, and not at all if the client stops reading', async () => {
  const account = await accountWith(2)
  const written = { rows: 2, content: undefined }
  const file = { made: newPackage(ownerCtx), series: [] }
  const exported = { table: propertyDatatable, action: 'export_csv', account, ids: '', written, ...file } as const
  const canceled = recordedExport(ownerCtx, Readable.from(endless(), { objectMode: false }), exported)
  await canceled[Symbol.asyncIterator]().next()
  const closed = once(canceled, 'close')
  canceled.destroy()
  await closed
  expect(await messagesOf(owner, 'accounts', account)).toEqual([])
  await buffer(await fileOf(account))
  expect(await messagesOf(owner, 'accounts', account)).toEqual([`${fullName} exported 2 properties as CSV`])
})

it('a file fails whose export cannot be recorded', async () => {
  const account = await accountWith(1)
  const file = await fileOf(account)
  const failing = vi.spyOn(app.system.db, 'transaction').mockImplementation(() => {
    throw new Error('No transaction')
  })
  await expect(buffer(file)).rejects.toThrow('No transaction')
  failing.mockRestore()
  expect(await messagesOf(owner, 'accounts', account)).toEqual([])
})

it('the line hides how many documents and reports there are that a viewer does not see', async () => {
  const account = await accountWith(1)
  const property = (await owner.get(`/api/v1/account_properties?filter__account_id=${account}`)).body.data[0].id
  const exported = (as: As) => messagesOf(as, 'accounts', account)
  await makeFile(ownerCtx, account)
  await makeReport(ownerCtx, property)
  const asMarket = app.as(market.id)
  for (const model of ['account_files', 'risk_control'] as const) await send(owner, model, { account_id: account })
  const both = [`${fullName} exported 1 risk control report as CSV`, `${fullName} exported 1 document as CSV`]
  expect([await exported(owner), await exported(asMarket)]).toEqual([both, both])
  await makeFile(ownerCtx, account, { private: true })
  await makeReport(ownerCtx, property, { status: 'Draft' })
  for (const model of ['account_files', 'risk_control'] as const) await send(owner, model, { account_id: account })
  expect((await exported(owner)).slice(0, 2)).toEqual([
    `${fullName} exported 2 risk control reports as CSV`,
    `${fullName} exported 2 documents as CSV`,
  ])
  expect(await exported(asMarket)).toEqual([`${fullName} exported 1 document as CSV`])
})
