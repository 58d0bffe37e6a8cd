import { describe, expect, it } from 'vitest'
import { isoDateIn } from '#contract/format.ts'
import { DAY_MS, RECOMMENDATION_REMINDER_DAYS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeReport, reportStatus } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { notifyRecommendationsDue } from './recommendations-due.job.ts'

const { app, tenant, owner } = await testTenant()
const { db } = app.system
const URL = '/api/v1/risk_control'
const colleague = await makeUser(app.system, { companyId: tenant.company.id })
const contextOf = async (userId: string): Promise<Context> => ({ ...app.system, viewer: await app.viewer(userId) })
const colleagueCtx = await contextOf(colleague.id)

const notificationsOf = async (userId: string) => (await app.as(userId).get('/api/v1/notifications')).body.data
const messages = async (userId: string): Promise<string[]> =>
  (await notificationsOf(userId)).map(({ message }: { message: string }) => message)
const dayIn = (days: number) => isoDateIn(new Date(Date.now() + days * DAY_MS), 'America/New_York')
const remind = async (times = 2) => {
  const job = { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal }
  for (let time = 0; time < times; time += 1) await notifyRecommendationsDue.run(app.system, {}, job)
}

/** An account of the owner with a property; `creator` created the account. */
async function makeScene(creator = tenant.owner.id) {
  const account = await makeAccount(app.system, {
    companyId: tenant.company.id,
    name: 'Harbor Stores',
    carrierCompanyId: tenant.carrier.companyId,
  })
  await db.updateTable('accounts').set({ created_by: creator }).where('id', '=', account.id).execute()
  await db.deleteFrom('notifications').execute()
  const { id } = await makeProperty(app.system, account.id, { property_name: 'Main mill' })
  return { account: account.id, property: id }
}

describe('a report', () => {
  it('that another user adds is a notification for the owner, with a link to it, and none for its author', async () => {
    const { account, property } = await makeScene()
    const { id } = await makeReport(colleagueCtx, property)
    const child = { model: 'risk_control', model_id: id, property_id: property }
    expect(await notificationsOf(tenant.owner.id)).toMatchObject([
      {
        type: 'risk_control_added',
        icon: 'shield',
        message: `${colleague.fullName} added risk control report RC-2026-001 to Main mill of Harbor Stores.`,
        link: { model: 'accounts', model_id: account, child },
      },
    ])
    expect(await messages(colleague.id)).toEqual([])
    await makeReport(await contextOf(tenant.owner.id), property)
    expect(await messages(tenant.owner.id)).toHaveLength(1)
  })

  it('is one notification for users who saw its draft, and hidden while it is in the trash', async () => {
    const { property } = await makeScene()
    const { id } = await makeReport(colleagueCtx, property, { status: 'Draft' })
    const draft = [`${colleague.fullName} added a draft of risk control report RC-2026-001 to Main mill of Harbor Stores.`]
    expect(await messages(tenant.owner.id)).toEqual(draft)
    const as = app.as(colleague.id)
    await as.put(`${URL}/${id}`, { status_id: await reportStatus(app.system, property, 'Issued') })
    expect(await messages(tenant.owner.id)).toEqual(draft)
    await as.delete(`${URL}/${id}`)
    expect(await messages(tenant.owner.id)).toEqual([])
  })

  it('is a notification for a carrier when it is issued, not while it is a draft', async () => {
    const { property } = await makeScene(tenant.carrier.id)
    const { id } = await makeReport(colleagueCtx, property, { status: 'Draft' })
    expect(await messages(tenant.carrier.id)).toEqual([])
    await owner.put(`${URL}/${id}`, { title: 'Renamed draft' })
    expect(await messages(tenant.carrier.id)).toEqual([])
    await owner.put(`${URL}/${id}`, { status_id: await reportStatus(app.system, property, 'Complete') })
    expect(await messages(tenant.carrier.id)).toEqual([
      `${tenant.owner.fullName} issued risk control report RC-2026-001 of Main mill of Harbor Stores.`,
    ])
    await owner.put(`${URL}/${id}`, { status_id: await reportStatus(app.system, property, 'Draft') })
    expect(await messages(tenant.carrier.id)).toEqual([])
  })
})

describe('a recommendation', () => {
  const due = (days: number, title = 'Repair the valve') => ({ title, issued_on: '2026-03-05', due_on: dayIn(days) })
  /** A report by the owner, who gets no notification of it, with these recommendations. */
  async function withRecommendations(recommendations: object[], values: object = {}) {
    const scene = await makeScene()
    const { id } = await makeReport(await contextOf(tenant.owner.id), scene.property, { recommendations, ...values })
    return { ...scene, id }
  }
  const set = (id: string, values: object) => db.updateTable('risk_recommendations').set(values).where('risk_control_id', '=', id).execute()

  it('is a reminder once within 14 days before its due date and once after it', async () => {
    const { account, property, id } = await withRecommendations([due(15)])
    await remind()
    expect(await messages(tenant.owner.id)).toEqual([])
    await set(id, { due_on: dayIn(14) })
    await remind()
    const text = 'Recommendation 26-03-01 (Repair the valve) of Main mill, Harbor Stores, is'
    expect(await notificationsOf(tenant.owner.id)).toMatchObject([
      {
        type: 'recommendation_due',
        message: `${text} due in 14 days.`,
        link: { model_id: account, child: { model: 'risk_control', model_id: id, property_id: property } },
      },
    ])
    // The date does not move in the tests: yesterday is the due date, and was reminded of.
    await set(id, { due_on: dayIn(-1), reminded_due: dayIn(-1) })
    await remind()
    const [overdue, ...earlier] = await notificationsOf(tenant.owner.id)
    expect(overdue).toMatchObject({ type: 'recommendation_overdue', message: expect.stringContaining(`${text} overdue since `) })
    expect(earlier).toHaveLength(1)
  })

  it('is reminded of again when its due date moves, and not when another field changes', async () => {
    const { id } = await withRecommendations([due(10)])
    await remind()
    await set(id, { priority: 'advisory' })
    await remind()
    expect(await messages(tenant.owner.id)).toHaveLength(1)
    await set(id, { due_on: dayIn(12) })
    await remind()
    expect((await messages(tenant.owner.id))[0]).toContain('is due in 12 days.')
    expect(await messages(tenant.owner.id)).toHaveLength(2)
  })

  it('is one reminder with the others of its report that have the same date', async () => {
    await withRecommendations([due(0, 'One'), due(0, 'Two'), due(0, 'Three')])
    await remind()
    expect(await messages(tenant.owner.id)).toEqual(['3 recommendations of Main mill, Harbor Stores, are due today.'])
  })

  it('is no reminder when it is closed, of a divested property, in the trash or long overdue', async () => {
    const closed = await withRecommendations([due(5)])
    await set(closed.id, { status: 'declined' })
    const divested = await withRecommendations([due(5)])
    await owner.post('/api/v1/account_properties/actions', {
      action: 'divest',
      selectedIds: [divested.property],
      input: { divested_on: '2026-01-01' },
    })
    const trashed = await withRecommendations([due(5)])
    await owner.delete(`${URL}/${trashed.id}`)
    await withRecommendations([due(-RECOMMENDATION_REMINDER_DAYS - 2)])
    await remind()
    expect(await messages(tenant.owner.id)).toEqual([])
  })

  it('that a later report repeats is not reminded of again', async () => {
    const { id, property } = await withRecommendations([due(5)])
    await remind()
    const repeat = { ...due(5), number: '26-03-01' }
    const later = await makeReport(await contextOf(tenant.owner.id), property, { survey_date: '2026-06-01', recommendations: [repeat] })
    await remind()
    expect(await messages(tenant.owner.id)).toHaveLength(1)
    await set(later.id, { due_on: dayIn(3) })
    await set(id, { due_on: dayIn(3) })
    await remind()
    const [first, ...others] = await notificationsOf(tenant.owner.id)
    expect(first.link.child.model_id).toBe(later.id)
    expect(others).toHaveLength(1)
  })

  it('of a draft is not a reminder for a carrier', async () => {
    const { account, property } = await makeScene(tenant.carrier.id)
    await makeReport(colleagueCtx, property, { status: 'Draft', recommendations: [due(5)] })
    await remind()
    expect(await messages(tenant.carrier.id)).toEqual([])
    expect(await db.selectFrom('notifications').select('id').where('account_id', '=', account).execute()).toEqual([])
    await makeReport(colleagueCtx, property, { recommendations: [due(6)] })
    await remind()
    expect((await messages(tenant.carrier.id))[0]).toContain('is due in 6 days.')
  })
})
