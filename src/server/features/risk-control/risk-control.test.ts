import { describe, expect, it } from 'vitest'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { reportStatus } from '#server/testing/factories/reports.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx } = await testTenant()
const URL = '/api/v1/risk_control'
const companyId = tenant.company.id

const newProperty = async (values: Parameters<typeof makeProperty>[2] = {}) => (await makeProperty(app.system, tenant.account, values)).id
const post = (as: As, property_id: string, values: object = {}) =>
  as.post(URL, { property_id, title: 'Annual survey', survey_date: '2026-03-05', ...values })
const made = async (property_id: string, values: object = {}, as = owner) => {
  const { status, body } = await post(as, property_id, values)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data
}
const show = async (id: string, as = owner) => (await as.get(`${URL}/${id}`)).body.data
const errorsOf = async (property_id: string, values: object) => (await post(owner, property_id, values)).body.errors

describe('the number of a report', () => {
  it('is the next one of its account and year', async () => {
    const { id: account } = await makeAccount(app.system, { companyId })
    const { id } = await makeProperty(app.system, account)
    expect((await made(id)).values.report_number).toBe('RC-2026-001')
    expect((await made(id, { survey_date: '2025-01-05' })).values.report_number).toBe('RC-2025-001')
    expect((await made(id)).values.report_number).toBe('RC-2026-002')
  })

  it('is different for reports that are added at the same time', async () => {
    const { id: account } = await makeAccount(app.system, { companyId })
    const { id } = await makeProperty(app.system, account)
    const reports = await Promise.all(Array.from({ length: 8 }, () => made(id)))
    const numbers = reports.map(({ values }): string => values.report_number).sort()
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `RC-2026-00${number}`))
  })

  it('can be chosen, is then skipped by the count, and is unique in its account', async () => {
    const { id: account } = await makeAccount(app.system, { companyId })
    const { id } = await makeProperty(app.system, account)
    await made(id, { report_number: 'rc-2026-001' })
    expect((await made(id)).values.report_number).toBe('RC-2026-002')
    const taken = { report_number: ['Another report of this account has this number, perhaps one in the trash.'] }
    expect(await errorsOf(id, { report_number: 'RC-2026-002' })).toEqual(taken)
  })
})

describe('a report', () => {
  it('is a draft at first, and plans the next survey after 36 months, or later if the survey moves', async () => {
    const report = await made(await newProperty(), { survey_date: '2024-02-29' })
    expect(report).toMatchObject({ status: { name: 'Draft', draft: true }, values: { next_survey_due: '2027-02-28' } })
    const moved = (await owner.put(`${URL}/${report.id}`, { survey_date: '2024-05-31' })).body.data
    expect(moved.values.next_survey_due).toBe('2027-05-31')
    await owner.put(`${URL}/${report.id}`, { next_survey_due: '2026-01-01' })
    expect((await owner.put(`${URL}/${report.id}`, { survey_date: '2024-04-01' })).body.data.values.next_survey_due).toBe('2026-01-01')
  })

  it('rejects dates in the wrong order, amounts and percentages that cannot be, and values of no list', async () => {
    const id = await newProperty()
    expect(await errorsOf(id, { report_date: '2026-03-04' })).toEqual({
      report_date: ['The report date must not be before the survey date.'],
    })
    expect(await errorsOf(id, { next_survey_due: '2026-03-04' })).toEqual({
      next_survey_due: ['The next survey must not be before this one.'],
    })
    expect(await errorsOf(id, { survey_date: '2126-03-04' })).toEqual({ survey_date: ['Please enter a date that is not in the future.'] })
    expect(
      Object.keys(await errorsOf(id, { pml_percent: 140, pml_amount: '$5', mfl_amount: -1, flood_hazard: 'huge', title: '' })).sort(),
    ).toEqual(['flood_hazard', 'mfl_amount', 'pml_amount', 'pml_percent', 'title'])
    expect(await errorsOf(id, { title: 'x'.repeat(10_000) })).toEqual({ title: ['Please use at most 160 characters.'] })
    expect(await errorsOf(id, { site_contact_email: 'nobody' })).toEqual({ site_contact_email: ['Please enter an email address.'] })
  })

  it('stores HTML and formulas as the text that they are', async () => {
    const text = '<img src=x onerror=alert(1)> & =1+1'
    const report = await made(await newProperty(), { title: text, executive_summary: text, recommendations: [{ title: text }] })
    expect([report.values.title, report.values.executive_summary, report.recommendations[0].title]).toEqual([text, text, text])
  })

  it('stays at its property and in its account', async () => {
    const [id, other] = [await newProperty(), await newProperty()]
    const report = await made(id)
    expect((await owner.put(`${URL}/${report.id}`, { property_id: other })).body.errors).toEqual({
      property_id: ['A report stays at its property.'],
    })
    const { id: account_id } = await makeAccount(app.system, { companyId })
    expect(await errorsOf(id, { account_id })).toEqual({ account_id: ['The property does not belong to this account.'] })
  })

  it('has only statuses of the company that owns the account, and such a status cannot be deleted', async () => {
    const foreign = await makeUser(app.system)
    const { id: account } = await makeAccount(app.system, { companyId: foreign.companyId })
    const { id: elsewhere } = await makeProperty(app.system, account)
    const id = await newProperty()
    const status_id = await reportStatus(app.system, elsewhere, 'Issued')
    expect(await errorsOf(id, { status_id })).toEqual({ status_id: ['This status does not belong to the account.'] })
    const complete = await reportStatus(app.system, id, 'Complete')
    await made(id, { status_id: complete })
    const { status, body } = await owner.delete(`/api/v1/statuses/${complete}`)
    expect([status, body.message]).toEqual([
      409,
      '1 risk control report has the status Complete, those in the trash included. Change it first.',
    ])
  })

  it('that another user saved meanwhile is answered with both values and the name of that user', async () => {
    const report = await made(await newProperty())
    const { version } = report
    await owner.put(`${URL}/${report.id}`, { version, surveyor: 'Ann' })
    const { status, body } = await owner.put(`${URL}/${report.id}`, { version, surveyor: 'Bob', recommendations: [{ title: 'New' }] })
    expect([status, body.data]).toMatchObject([
      409,
      { changed_by: tenant.owner.fullName, current: { surveyor: 'Ann', recommendations: [] }, mine: { surveyor: 'Bob' } },
    ])
    expect((await show(report.id)).recommendations).toEqual([])
  })

  it('is deleted by its own address, restored, and hidden while its property is in the trash', async () => {
    const property = await newProperty()
    const { id } = await made(property)
    const listed = async () => (await owner.get(`${URL}?filter__property_id=${property}`)).body.meta.total
    expect((await owner.delete(`${URL}/${id}`)).status).toBe(200)
    expect([await listed(), (await show(id)).deleted_at === null]).toEqual([0, false])
    await owner.post(`${URL}/restore`, { ids: [id] })
    expect(await listed()).toBe(1)
    await owner.delete('/api/v1/account_properties', { ids: [property] })
    expect([await listed(), (await owner.get(`${URL}/${id}`)).status]).toEqual([0, 404])
    await owner.post('/api/v1/account_properties/restore', { ids: [property] })
    expect(await listed()).toBe(1)
  })
})

describe('what a survey observed', () => {
  it('is stored as document facts with the report as source, and only there', async () => {
    const property = await newProperty({ year_built: 1987 })
    const report = await made(property, { observed_year_built: 1992, observed_construction_class: '4' })
    const facts = () =>
      app.system.db
        .selectFrom('document_facts')
        .select(['field', 'value', 'observed_on', 'property_id', 'file_id'])
        .where('risk_control_id', '=', report.id)
        .orderBy('field')
        .execute()
    expect(await facts()).toEqual([
      { field: 'construction_class', value: '4', observed_on: '2026-03-05', property_id: property, file_id: null },
      { field: 'year_built', value: 1992, observed_on: '2026-03-05', property_id: property, file_id: null },
    ])
    await owner.put(`${URL}/${report.id}`, { observed_year_built: null, survey_date: '2026-02-01' })
    expect(await facts()).toMatchObject([{ field: 'construction_class', observed_on: '2026-02-01' }])
  })

  it('is compared with the register as it is now', async () => {
    const property = await newProperty({ year_built: 1987 })
    const { id } = await made(property, { observed_year_built: 1992, observed_stories: 2 })
    const years = async () => (await show(id)).observed.find(({ field }: { field: string }) => field === 'year_built')
    expect(await years()).toEqual({ field: 'year_built', label: 'Year built', report: '1992', register: '1987', differs: true })
    const { version } = (await owner.get(`/api/v1/account_properties/${property}`)).body.data
    await owner.put(`/api/v1/account_properties/${property}`, { version, year_built: 1992 })
    expect(await years()).toMatchObject({ register: '1992', differs: false })
  })

  it('is no difference where the register states nothing', async () => {
    const { id } = await made(await newProperty({ year_built: null }), { observed_year_built: 1992, observed_property_type: 'office' })
    expect((await show(id)).observed.map(({ differs }: { differs: boolean }) => differs)).toEqual([false, false])
  })
})

describe('the documents of a report', () => {
  const document = async (property: string, name: string, extra: object = {}) =>
    (await makeFile(ownerCtx, tenant.account, { name, property_ids: [property], ...extra })).id

  it('are shown to viewers who see them, and those that are hidden from the user who saves stay linked', async () => {
    const property = await newProperty()
    const [open, secret] = [await document(property, 'open.txt'), await document(property, 'secret.txt', { private: true })]
    const { id } = await made(property, { files: [open, secret], status_id: await reportStatus(app.system, property, 'Issued') })
    const names = async (as: As) => (await show(id, as)).files.map(({ name }: { name: string }) => name)
    const carrier = app.as(tenant.carrier.id)
    expect([await names(owner), await names(carrier)]).toEqual([['open.txt', 'secret.txt'], ['open.txt']])
    await carrier.put(`${URL}/${id}`, { files: [] })
    expect([await names(owner), await names(carrier)]).toEqual([['secret.txt'], []])
    expect((await carrier.put(`${URL}/${id}`, { files: [secret] })).body.errors).toEqual({
      files: ['One of the documents was not found in this account.'],
    })
  })

  it('belong to its account', async () => {
    const { id: account } = await makeAccount(app.system, { companyId })
    const elsewhere = await makeFile(ownerCtx, account, { name: 'elsewhere.txt' })
    expect(await errorsOf(await newProperty(), { photos: [elsewhere.id] })).toEqual({
      photos: ['One of the documents was not found in this account.'],
    })
  })
})
