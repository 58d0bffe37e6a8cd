import { describe, expect, it } from 'vitest'
import { isoDateIn } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeReport, reportStatus } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { notifyRecommendationsDue } from '../notifications/recommendations-due.job.ts'

const { app, tenant, owner, ownerCtx } = await testTenant()
const { db } = app.system
const start = Date.now()
/** The date that many days from now in the time zone of the company. */
const dayIn = (days: number) => isoDateIn(new Date(start + days * DAY_MS), 'America/New_York')

/** Runs the job that many days from now, twice, because a job may run twice. */
async function runIn(days: number): Promise<void> {
  const ctx = { ...app.system, clock: { now: () => new Date(start + days * DAY_MS) } }
  const job = { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal }
  for (let time = 0; time < 2; time += 1) await notifyRecommendationsDue.run(ctx, {}, job)
}

const due = (days: number, more: object = {}) => ({ title: 'Repair the valve', issued_on: dayIn(-100), due_on: dayIn(days), ...more })

async function scene(recommendations: object[], values: object = {}) {
  const { id: account } = await makeAccount(app.system, { companyId: tenant.company.id, name: 'Harbor Stores' })
  const { id: property } = await makeProperty(app.system, account)
  const report = await makeReport(ownerCtx, property, { survey_date: dayIn(-120), recommendations, ...values })
  const [first] = report.recommendations
  return { account, property, report: report.id, recommendation: first?.id ?? '', number: first?.number ?? '' }
}
const flags = (property: string) => db.selectFrom('flags').selectAll().where('property_id', '=', property).orderBy('created_at').execute()
const statuses = async (property: string) => (await flags(property)).map(({ status }) => status)
const answer = (report: string, recommendation: string, body: object) =>
  owner.post(`/api/v1/risk_control/${report}/recommendations/${recommendation}/responses`, body)
const RESOLVED = { status: 'resolved', resolution: 'No recommendation is overdue.', closed_by: null }

describe('the flag of an overdue recommendation', () => {
  it('is raised once, on the day after the due date in the time zone of the company', async () => {
    const { property, number } = await scene([due(1)])
    await runIn(1)
    expect(await flags(property)).toEqual([])
    for (const days of [2, 3]) await runIn(days)
    expect(await flags(property)).toMatchObject([
      {
        source: 'system',
        reason: 'recommendation_overdue',
        status: 'open',
        priority: 'high',
        message: `Recommendation ${number} is overdue.`,
      },
    ])
  })

  it('names all overdue ones of the property, and those that are left after an answer', async () => {
    const { property, report, recommendation } = await scene([due(-2), due(1)])
    await runIn(0)
    await runIn(2)
    const [flag] = await flags(property)
    expect(flag?.message).toMatch(/^2 recommendations are overdue: \S+-01, \S+-02\.$/)
    await db
      .updateTable('risk_recommendations')
      .set({ due_on: dayIn(-1) })
      .where('risk_control_id', '=', report)
      .execute()
    expect((await answer(report, recommendation, { status: 'completed', text: 'Done' })).status).toBe(200)
    expect(await flags(property)).toMatchObject([
      { status: 'open', message: expect.stringMatching(/^Recommendation \S+-02 is overdue\.$/) },
    ])
  })

  it.each([
    ['is reported as completed', { status: 'completed', text: 'Done' }],
    ['is deferred to a later date', { status: 'deferred', text: 'Next year', due_on: dayIn(90) }],
    ['is declined', { status: 'declined', text: 'No' }],
  ])('is closed by the system when it %s', async (_how, body) => {
    const { property, report, recommendation } = await scene([due(-1)])
    await runIn(0)
    expect(await statuses(property)).toEqual(['open'])
    expect((await answer(report, recommendation, body)).status).toBe(200)
    expect(await flags(property)).toMatchObject([RESOLVED])
    await runIn(1)
    expect(await statuses(property)).toEqual(['resolved'])
  })

  it('is closed when the due date moves in the form, and raised again after the new date', async () => {
    const { property, report, recommendation } = await scene([due(-1)])
    await runIn(0)
    const moved = [{ ...due(5), id: recommendation }]
    expect((await owner.put(`/api/v1/risk_control/${report}`, { recommendations: moved })).status).toBe(200)
    expect(await flags(property)).toMatchObject([RESOLVED])
    await runIn(6)
    expect(await statuses(property)).toEqual(['resolved', 'open'])
  })

  it('is raised again if a completed one is open again', async () => {
    const { property, report, recommendation } = await scene([due(-1)])
    await runIn(0)
    for (const status of ['completed', 'open']) await answer(report, recommendation, { status, text: 'Answer' })
    expect(await statuses(property)).toEqual(['resolved'])
    await runIn(1)
    expect(await statuses(property)).toEqual(['resolved', 'open'])
  })

  it('that a user dismissed is raised again only for another recommendation or date', async () => {
    const { property } = await scene([due(-1), due(3)])
    await runIn(0)
    const [flag] = await flags(property)
    const path = `/api/v1/flags/${flag?.id ?? ''}`
    expect((await owner.put(path, { status: 'dismissed', resolution: 'The insured knows.' })).status).toBe(200)
    await runIn(1)
    expect(await statuses(property)).toEqual(['dismissed'])
    expect((await owner.put(path, { status: 'open' })).body.message).toBe(
      'The system flags the property again when another recommendation is overdue.',
    )
    await runIn(4)
    expect(await statuses(property)).toEqual(['dismissed', 'open'])
  })

  it('does not reveal a draft, and is raised when the report is issued', async () => {
    const { property, report } = await scene([due(-1)], { status: 'Draft' })
    await runIn(0)
    expect(await flags(property)).toEqual([])
    await owner.put(`/api/v1/risk_control/${report}`, { status_id: await reportStatus(app.system, property, 'Issued') })
    await runIn(0)
    expect(await statuses(property)).toEqual(['open'])
    await owner.put(`/api/v1/risk_control/${report}`, { status_id: await reportStatus(app.system, property, 'Draft') })
    expect(await flags(property)).toMatchObject([RESOLVED])
  })

  it('is closed with its report in the trash, and dismissed with its property', async () => {
    const trashed = await scene([due(-1)])
    const divested = await scene([due(-1)])
    await runIn(0)
    await owner.delete(`/api/v1/risk_control/${trashed.report}`)
    expect(await flags(trashed.property)).toMatchObject([RESOLVED])
    const input = { divested_on: '2026-01-01' }
    await owner.post('/api/v1/account_properties/actions', { action: 'divest', selectedIds: [divested.property], input })
    await runIn(1)
    expect(await flags(divested.property)).toMatchObject([{ status: 'dismissed', resolution: 'The property was divested.' }])
  })

  it('of a recommendation that a later report repeats is not raised twice', async () => {
    const { property, number, report } = await scene([due(-1)])
    await runIn(0)
    const [flag] = await flags(property)
    await owner.put(`/api/v1/flags/${flag?.id ?? ''}`, { status: 'dismissed', resolution: 'The insured knows.' })
    const later = await makeReport(ownerCtx, property, { survey_date: dayIn(-10), recommendations: [{ ...due(-1), number }] })
    await runIn(1)
    expect(await statuses(property)).toEqual(['dismissed'])
    await answer(later.id, later.recommendations[0]?.id ?? '', { status: 'deferred', text: 'Later', due_on: dayIn(2) })
    expect((await db.selectFrom('risk_recommendations').select('due_on').where('risk_control_id', '=', report).execute()).length).toBe(1)
    await runIn(3)
    expect(await statuses(property)).toEqual(['dismissed', 'open'])
  })

  it('raises the version of the list of properties, which shows it', async () => {
    const { account, property } = await scene([due(-1)])
    const path = `/api/v1/account_properties?filter__account_id=${account}`
    const etag = String((await owner.get(path)).headers['etag'])
    await runIn(0)
    const { status, body } = await owner.get(path, { 'if-none-match': etag })
    expect([status, body.data]).toMatchObject([200, [{ id: property, flags: 1 }]])
  })
})
