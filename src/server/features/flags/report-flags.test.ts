import { beforeEach, describe, expect, it } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import type { As } from '#server/testing/app.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeReport, reportStatus } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx, carrier } = await testTenant()
const { db } = app.system
const REPORTS = '/api/v1/risk_control'
const MESSAGE = 'Is the valve open?'

let property: string
beforeEach(async () => {
  property = (await makeProperty(app.system, tenant.account)).id
})
const newReport = async (values: object = {}) => (await makeReport(ownerCtx, property, { title: 'Annual survey', ...values })).id
const raise = (as: As, flaggable_id: string, body: object = {}) =>
  as.post('/api/v1/flags', { flaggable_type: 'risk_control', flaggable_id, message: MESSAGE, ...body })
const change = (as: As, id: string, body: object) => as.put(`/api/v1/flags/${id}`, body)
const listed = async (as: As, report: string): Promise<number> =>
  (await as.get(`/api/v1/flags?filter__risk_control_id=${report}`)).body.meta.total
const linesAt = async (as: As, path: string): Promise<string[]> =>
  (await as.get(`${path}/activity?paginate=100`)).body.data.map(({ message }: { message: string }) => message)
const newest = async (userId: string) => (await app.as(userId).get('/api/v1/notifications')).body.data[0]

describe('a flag on a risk control report', () => {
  it('has the name of the report, a line in its activity and a notification that opens it', async () => {
    await db.updateTable('accounts').set({ created_by: tenant.owner.id }).where('id', '=', tenant.account).execute()
    const report = await newReport({ report_number: 'RC-7' })
    const { status, body } = await raise(carrier, report, { reason: 'carrier_question' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ flaggable_type: 'risk_control', flaggable_id: report, title: 'RC-7 · Annual survey', status: 'open' })
    expect(await listed(owner, report)).toBe(1)
    expect(await linesAt(owner, `${REPORTS}/${report}`)).toContain(`${tenant.carrier.fullName} flagged RC-7 · Annual survey: ${MESSAGE}`)
    expect(await newest(tenant.owner.id)).toMatchObject({
      type: 'property_flagged',
      link: { model_id: tenant.account, child: { model: 'risk_control', model_id: report, property_id: property } },
    })
  })

  it('is hidden with a draft: flag, lines, search and assignment', async () => {
    // A user of the carrier who sees the activity of accounts.
    const market = await makeUser(app.system, { companyId: tenant.carrier.companyId })
    const asMarket = app.as(market.id)
    await db.insertInto('account_users').values({ account_id: tenant.account, user_id: market.id }).execute()
    const report = await newReport({ status: 'Draft' })
    expect((await raise(asMarket, report)).status).toBe(404)
    const unseen = { assigned_to: [`${market.fullName} does not see this. Please choose another user.`] }
    expect((await raise(owner, report, { assigned_to: market.id })).body.errors).toEqual(unseen)
    const { id } = (await raise(owner, report, { message: 'Quokka valve' })).body.data
    expect((await change(owner, id, { assigned_to: market.id })).body.errors).toEqual(unseen)
    const seen = async (as: As) => ({
      flag: (await as.get(`/api/v1/flags/${id}`)).status,
      change: (await change(as, id, { priority: 'high' })).status,
      listed: await listed(as, report),
      found: (await as.get('/api/v1/flags?search=quokka')).body.meta.total,
      line: (await linesAt(as, `/api/v1/accounts/${tenant.account}`)).some((line) => line.includes('Quokka valve')),
    })
    expect(await seen(owner)).toEqual({ flag: 200, change: 200, listed: 1, found: 1, line: true })
    expect(await seen(asMarket)).toEqual({ flag: 404, change: 404, listed: 0, found: 0, line: false })
    await owner.put(`${REPORTS}/${report}`, { status_id: await reportStatus(app.system, property, 'Issued') })
    expect(await seen(asMarket)).toEqual({ flag: 200, change: 200, listed: 1, found: 1, line: true })
    expect((await change(owner, id, { assigned_to: market.id })).status).toBe(200)
    expect((await newest(market.id)).message).toContain('Quokka')
  })

  it('has no line for users who cannot manage flags', async () => {
    const report = await newReport()
    await raise(owner, report, { message: 'Wombat valve' })
    const wombat = async (permissions: PermissionName[]) => {
      const colleague = await makeUser(app.system, { companyId: tenant.company.id })
      const { id } = await db
        .insertInto('roles')
        .values({ name: `reader ${colleague.id}`, label: 'Reader', permissions })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.updateTable('user_roles').set({ role_id: id }).where('user_id', '=', colleague.id).execute()
      return (await linesAt(app.as(colleague.id), `${REPORTS}/${report}`)).some((line) => line.includes('Wombat'))
    }
    const reader: PermissionName[] = ['view_company_accounts', 'view_risk_control', 'view_account_activity']
    expect(await wombat([...reader, 'manage_flags'])).toBe(true)
    expect(await wombat(reader)).toBe(false)
  })

  it('is closed when the report is moved to the trash, and can be reopened after it is restored', async () => {
    const report = await newReport()
    const { id } = (await raise(owner, report)).body.data
    await owner.delete(`${REPORTS}/${report}`)
    expect((await owner.get(`/api/v1/flags/${id}`)).status).toBe(404)
    expect((await raise(owner, report)).status).toBe(404)
    await owner.post(`${REPORTS}/restore`, { ids: [report] })
    expect((await owner.get(`/api/v1/flags/${id}`)).body.data).toMatchObject({
      status: 'dismissed',
      resolution: 'Moved to the trash.',
      closed_by: null,
    })
    expect((await change(owner, id, { status: 'open' })).body.data.status).toBe('open')
  })

  it('is deleted with the report', async () => {
    const report = await newReport()
    const { id } = (await raise(owner, report, { message: 'Numbat valve' })).body.data
    await owner.delete(`${REPORTS}/${report}`)
    await db.deleteFrom('risk_control').where('id', '=', report).execute()
    expect(await db.selectFrom('flags').select('id').where('id', '=', id).execute()).toEqual([])
    expect((await linesAt(owner, `/api/v1/accounts/${tenant.account}`)).join()).not.toContain('Numbat')
  })
})
