import { describe, expect, it } from 'vitest'
import type { Recommendation } from '#contract/recommendations.ts'
import { CHANGES_CHANNEL, type ChangeNotice } from '#server/engines/transaction/changes.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeReport } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx, carrier } = await testTenant()
const URL = '/api/v1/risk_control'
const client = app.as((await makeUser(app.system, { role: 'client', companyId: tenant.company.id })).id)

const newProperty = async () => (await makeProperty(app.system, tenant.account)).id
const report = (property: string, values: Record<string, unknown> = {}) => makeReport(ownerCtx, property, values)
const recommendationsOf = async (id: string, as: As = owner): Promise<Recommendation[]> =>
  (await as.get(`${URL}/${id}`)).body.data.recommendations
const numbersOf = async (id: string) => (await recommendationsOf(id)).map(({ number }) => number)
const rowOf = async (id: string, as: As = owner) =>
  (await as.get(`${URL}?filter__account_id=${tenant.account}&paginate=9999`)).body.data.find((row: { id: string }) => row.id === id)
const answer = (as: As, id: string, recommendation: string, body: object) =>
  as.post(`${URL}/${id}/recommendations/${recommendation}/responses`, body)
/** A report with one recommendation, and the id of that. */
async function withOne(values: Record<string, unknown> = {}) {
  const property = await newProperty()
  const { id } = await report(property, { recommendations: [{ title: 'Hydrants' }], ...values })
  const [one] = await recommendationsOf(id)
  return { id, property, one: one?.id ?? '' }
}

describe('the number of a recommendation', () => {
  it('counts by property and month of the survey, and is not given again after the recommendation was removed', async () => {
    const property = await newProperty()
    const { id } = await report(property, { recommendations: [{ title: 'One' }, { title: 'Two' }] })
    expect(await numbersOf(id)).toEqual(['26-03-01', '26-03-02'])
    const [first] = await recommendationsOf(id)
    await owner.put(`${URL}/${id}`, { recommendations: [{ id: first?.id, title: 'One' }] })
    await owner.put(`${URL}/${id}`, { recommendations: [{ id: first?.id, title: 'One' }, { title: 'Three' }] })
    expect(await numbersOf(id)).toEqual(['26-03-01', '26-03-03'])
  })

  it('is different in reports that are added at the same time', async () => {
    const property = await newProperty()
    const reports = await Promise.all(Array.from({ length: 5 }, () => report(property, { recommendations: [{ title: 'One' }] })))
    const numbers = (await Promise.all(reports.map(({ id }) => numbersOf(id)))).flat().sort()
    expect(numbers).toEqual([1, 2, 3, 4, 5].map((number) => `26-03-0${number}`))
  })

  it('remains when a later survey repeats it, and the earlier report says so', async () => {
    const { id, property } = await withOne()
    const form = (await owner.get(`/api/v1/forms/risk_control?property_id=${property}`)).body.data
    const fields = form.sections.flatMap((section: { fields: { name: string; value: unknown }[] }) => section.fields)
    const proposed = fields.find(({ name }: { name: string }) => name === 'recommendations').value
    expect(proposed).toMatchObject([{ id: null, number: '26-03-01', title: 'Hydrants' }])
    const later = await report(property, { survey_date: '2026-06-01', recommendations: proposed })
    expect(await recommendationsOf(later.id)).toMatchObject([{ number: '26-03-01', status: 'open', first_report: { id } }])
    expect(await recommendationsOf(id)).toMatchObject([{ number: '26-03-01', status: 'repeated', repeated_in: { id: later.id } }])
    expect([await rowOf(id), await rowOf(later.id)]).toMatchObject([
      { open: 0, recommendations: { text: 'None open' } },
      { open: 1, recommendations: { text: '1 open, 1 overdue' } },
    ])
  })

  it('has the progress of the earlier report when it is repeated, unless it was closed there', async () => {
    const property = await newProperty()
    const { id } = await report(property, { recommendations: [{ title: 'One' }, { title: 'Two' }] })
    const [one, two] = await recommendationsOf(id)
    await answer(client, id, one?.id ?? '', { status: 'completed' })
    await answer(owner, id, two?.id ?? '', { status: 'verified' })
    const completed = (await recommendationsOf(id))[0]?.completed_on
    const repeats = [one, two].map((earlier) => ({ number: earlier?.number, title: 'Again' }))
    const later = await report(property, { survey_date: '2026-06-01', recommendations: repeats })
    expect(await recommendationsOf(later.id)).toMatchObject([
      { status: 'completed', completed_on: completed },
      { status: 'open', completed_on: null },
    ])
  })

  it('cannot be that of another property', async () => {
    await withOne()
    const sent = { property_id: await newProperty(), title: 'Survey', survey_date: '2026-04-01' }
    const { body } = await owner.post(URL, { ...sent, recommendations: [{ number: '26-03-01', title: 'Hydrants' }] })
    expect(body.errors).toEqual({ 'recommendations.0.title': ['No earlier report of this property has recommendation 26-03-01.'] })
  })
})

describe('a recommendation', () => {
  it('is due 30, 90 or 180 days after it was issued, by its priority', async () => {
    const priorities = ['critical', 'important', 'advisory']
    const { id } = await report(await newProperty(), { recommendations: priorities.map((priority) => ({ title: priority, priority })) })
    expect((await recommendationsOf(id)).map(({ due_on }) => due_on)).toEqual(['2026-04-04', '2026-06-03', '2026-09-01'])
  })

  it('is counted as overdue after its due date, and as due soon in the 14 days before it', async () => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const item = (days: number) => ({ title: 'One', issued_on: '2026-01-01', due_on: day(days) })
    const { id } = await report(await newProperty(), { recommendations: [item(-3), item(10), item(40)] })
    expect(await rowOf(id)).toMatchObject({ open: 3, overdue: 1, due: 1, recommendations: { text: '3 open, 1 overdue, 1 due soon' } })
    expect((await recommendationsOf(id)).map(({ due }) => due)).toEqual(['overdue', 'due', null])
    const found = (await owner.get(`${URL}?filter__overdue=1&filter__account_id=${tenant.account}&paginate=9999`)).body.data
    expect(found.map((row: { id: string }) => row.id)).toContain(id)
  })

  it('with responses is not removed by a save', async () => {
    const { id, one } = await withOne()
    await answer(owner, id, one, { text: 'Ordered' })
    expect((await owner.put(`${URL}/${id}`, { recommendations: [] })).body.errors).toEqual({
      recommendations: ['26-03-01 has responses, so it cannot be removed. Give it the status Not applicable instead.'],
    })
  })

  it('names the item that is wrong', async () => {
    const { id } = await withOne()
    const put = async (items: object[]) => (await owner.put(`${URL}/${id}`, { recommendations: items })).body.errors
    expect(await put([{ title: 'A' }, { title: '' }])).toEqual({ 'recommendations.1.title': ['Enter a title.'] })
    expect(await put([{ title: 'A', issued_on: '2026-03-01', due_on: '2026-02-01' }])).toEqual({
      'recommendations.0.due_on': ['The due date must not be before the date of issue.'],
    })
    expect(await put([{ id: id, title: 'A' }])).toEqual({
      'recommendations.0.title': ['This recommendation is no longer in the report. Remove it here.'],
    })
  })
})

describe('answering a recommendation', () => {
  it('lets a client report progress, and a user who edits reports verify it', async () => {
    const { id, one } = await withOne()
    expect((await answer(client, id, one, { status: 'completed', text: 'Installed' })).body.data).toMatchObject({ status: 'completed' })
    expect((await answer(client, id, one, { status: 'verified' })).body.errors).toEqual({
      status: ['Only users who edit risk control reports can set or change this status.'],
    })
    const verified = (await answer(owner, id, one, { status: 'verified' })).body.data
    expect(verified).toMatchObject({ status: 'verified', verified_by: tenant.owner.fullName, due: null })
    expect(verified.verified_on).toBe(verified.completed_on)
    expect((await answer(client, id, one, { status: 'open' })).status).toBe(400)
    expect(verified.responses).toMatchObject([{ text: 'Installed', status: 'completed' }, { status: 'verified' }])
  })

  it('needs a reason to decline, and a reason and a new date to defer', async () => {
    const { id, one } = await withOne()
    expect((await answer(owner, id, one, { status: 'declined' })).body.errors).toEqual({ text: ['Enter the reason.'] })
    expect((await answer(owner, id, one, { status: 'deferred', text: 'Budget' })).body.errors).toEqual({
      due_on: ['Enter the new due date.'],
    })
    const deferred = await answer(owner, id, one, { status: 'deferred', text: 'Budget', due_on: '2027-01-15' })
    expect(deferred.body.data).toMatchObject({ status: 'deferred', due_on: '2027-01-15' })
    expect((await answer(owner, id, one, {})).body.errors).toEqual({ text: ['Enter a response or choose a status.'] })
  })

  it('is a conflict when another user changed the status first', async () => {
    const { id, one } = await withOne()
    const [first, second] = await Promise.all([
      answer(owner, id, one, { status: 'in_progress', from: 'open' }),
      answer(owner, id, one, { status: 'completed', from: 'open' }),
    ])
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]))
  })

  it('is a line of the account', async () => {
    const { id, one } = await withOne()
    await answer(client, id, one, { status: 'in_progress' })
    const [line] = (await owner.get(`/api/v1/accounts/${tenant.account}/activity`)).body.data
    expect(line).toMatchObject({ message: 'Recommendation 26-03-01 is now in progress', class: 'status' })
  })

  it('is not found in another report, and not for a document of another account', async () => {
    const [here, there] = [await withOne(), await withOne()]
    expect((await answer(owner, here.id, there.one, { text: 'Hello' })).status).toBe(404)
    expect((await answer(owner, here.id, here.one, { files: [here.id] })).body.errors).toEqual({
      files: ['One of the documents was not found in this account.'],
    })
  })
})

describe('divesting a property', () => {
  it('closes its open recommendations, and reactivating it opens them again as they were', async () => {
    const property = await newProperty()
    const { id } = await report(property, { recommendations: [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }] })
    const [, two, three] = await recommendationsOf(id)
    await answer(owner, id, two?.id ?? '', { status: 'in_progress' })
    await answer(owner, id, three?.id ?? '', { status: 'verified' })
    const act = (action: string, input: object) =>
      owner.post('/api/v1/account_properties/actions', { action, selectedIds: [property], input })
    const statuses = async () => (await recommendationsOf(id)).map(({ status }) => status)
    expect((await act('divest', { divested_on: '2026-05-01', divested_reason: 'sold' })).status).toBe(200)
    expect(await statuses()).toEqual(['not_applicable', 'not_applicable', 'verified'])
    expect((await recommendationsOf(id))[0]?.responses).toMatchObject([{ text: 'The property was divested.', status: 'not_applicable' }])
    expect((await rowOf(id)).open).toBe(0)
    expect((await act('reactivate', {})).status).toBe(200)
    expect(await statuses()).toEqual(['open', 'in_progress', 'verified'])
  })
})

describe('a carrier', () => {
  const issue = async (id: string, name: string) => {
    const form = (await owner.get(`/api/v1/forms/risk_control/${id}`)).body.data
    const fields = form.sections.flatMap((section: { fields: object[] }) => section.fields)
    const { options } = fields.find((field: { name: string }) => field.name === 'status_id')
    const { value } = options.find((option: { label: string }) => option.label === name)
    return (await owner.put(`${URL}/${id}`, { status_id: value })).status
  }
  const seen = async (id: string, text: string) => {
    const lines = (await owner.get(`/api/v1/accounts/${tenant.account}/activity?paginate=100`)).body.data
    const number = (await owner.get(`${URL}/${id}`)).body.data.values.report_number
    expect(JSON.stringify(lines)).toContain(number)
    const admin = app.as((await makeUser(app.system, { role: 'carrier', companyId: tenant.carrier.companyId })).id)
    const list = (await admin.get(`${URL}?filter__account_id=${tenant.account}&paginate=9999`)).body
    return [
      list.data.some((row: { id: string }) => row.id === id),
      (await carrier.get(`${URL}/${id}`)).status,
      (await carrier.get(`${URL}/search?search=${text}`)).status,
      (await carrier.put(`${URL}/${id}`, { title: 'Mine' })).status,
    ]
  }

  it('sees nothing of a draft, and everything of it when it is issued', async () => {
    const { id } = await report(await newProperty(), { status: 'Draft', title: 'Quokka survey' })
    const total = async () => (await carrier.get(`${URL}?filter__account_id=${tenant.account}`)).body.meta.total
    const before = await total()
    expect(await seen(id, 'quokka')).toEqual([false, 404, 404, 404])
    expect(await issue(id, 'Issued')).toBe(200)
    expect(await seen(id, 'quokka')).toEqual([true, 200, 200, 200])
    expect(await total()).toBe(before + 1)
    expect(await issue(id, 'Draft')).toBe(200)
    expect((await carrier.get(`${URL}/${id}`)).status).toBe(404)
  })

  it('does not see a draft because another status becomes the first', async () => {
    const { id } = await report(await newProperty(), { status: 'Draft' })
    const statuses: { id: string; name: string; model_type: string }[] = (await owner.get('/api/v1/statuses')).body.data
    const last = statuses.findLast(({ model_type }) => model_type === 'risk_control')
    const message = /^The first status hides reports from carriers, and .* the status Draft\. Change it first\.$/
    const rejected = { status: 409, body: { message: expect.stringMatching(message) } }
    expect(await owner.put(`/api/v1/statuses/${last?.id}`, { position: 0 })).toMatchObject(rejected)
    const added = { model_type: 'risk_control', name: 'Before all', position: 0 }
    expect(await owner.post('/api/v1/statuses', added)).toMatchObject(rejected)
    expect((await carrier.get(`${URL}/${id}`)).status).toBe(404)
  })

  it('does not learn from an earlier report that a draft repeats its recommendation', async () => {
    const { id, property } = await withOne()
    await report(property, { status: 'Draft', survey_date: '2026-06-01', recommendations: [{ number: '26-03-01', title: 'Hydrants' }] })
    expect(await recommendationsOf(id, carrier)).toMatchObject([{ status: 'open', repeated_in: null }])
    expect(await recommendationsOf(id)).toMatchObject([{ status: 'repeated' }])
    expect([(await rowOf(id, carrier)).open, (await rowOf(id)).open]).toEqual([1, 0])
  })

  it('sees the drafts of its own company, but cannot make a draft of a report of another', async () => {
    const property = await newProperty()
    const own = (await carrier.post(URL, { property_id: property, title: 'Own', survey_date: '2026-03-05' })).body.data
    expect([own.status.draft, (await carrier.get(`${URL}/${own.id}`)).status]).toEqual([true, 200])
    const { id } = await report(property)
    const { body } = await carrier.put(`${URL}/${id}`, { status_id: own.status.id })
    expect(body.errors).toEqual({ status_id: ['You would not see the report with this status.'] })
  })
})

describe('a user of a carrier who was added to an account', () => {
  it('sees no drafts, either', async () => {
    const underwriter = await makeUser(app.system, { role: 'carrier' })
    const { id: account } = await makeAccount(app.system, { companyId: tenant.company.id, users: [underwriter.id] })
    const { id: property } = await makeProperty(app.system, account)
    const [draft, issued] = [await report(property, { status: 'Draft' }), await report(property)]
    const statusOf = async ({ id }: { id: string }) => (await app.as(underwriter.id).get(`${URL}/${id}`)).status
    expect([await statusOf(draft), await statusOf(issued)]).toEqual([404, 200])
  })
})

describe('an event about a report', () => {
  it('has no id, because not every user of the account sees the report', async () => {
    const listener = await app.system.pool.connect()
    const received: ChangeNotice[] = []
    listener.on('notification', ({ payload }) => received.push(JSON.parse(payload ?? '') as ChangeNotice)) // what the bus writes
    await listener.query(`LISTEN ${CHANGES_CHANNEL}`)
    const { id } = await owner
      .post(URL, { property_id: await newProperty(), title: 'Draft', survey_date: '2026-03-05' })
      .then(({ body }) => body.data)
    await owner.put(`${URL}/${id}`, { title: 'Changed' })
    await expect.poll(() => received.filter(({ model }) => model === 'risk_control').length).toBe(2)
    listener.release(true)
    expect(received.filter(({ model }) => model === 'risk_control').map((notice) => notice.id)).toEqual([null, null])
  })
})

describe('the activity of an account', () => {
  it('has lines of a report only for viewers who see it', async () => {
    const { id } = await report(await newProperty(), { status: 'Draft', report_number: 'Numbat-1' })
    const lines = async (as: As) => JSON.stringify((await as.get(`/api/v1/accounts/${tenant.account}/activity?paginate=100`)).body)
    expect(await lines(owner)).toContain('added risk control report Numbat-1 to')
    const broker = await makeUser(app.system, { role: 'broker', companyId: tenant.carrier.companyId })
    expect(await lines(app.as(broker.id))).not.toContain('Numbat-1')
    expect((await app.as(broker.id).get(`${URL}/${id}`)).status).toBe(404)
  })
})
