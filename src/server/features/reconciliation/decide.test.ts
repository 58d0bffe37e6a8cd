import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeReport } from '#server/testing/factories/reports.ts'
import { addToAccount, makeAccount, makeProperty, makeSoundProperties, reconcile, stored } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** A reconciled account with one property that breaks rules by these changes, and a user with this role who sees it. */
async function scene(changes: Parameters<typeof makeProperty>[2], role: DefaultRole = 'broker') {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role, companyId: company.id })
  const accountId = await makeAccount(app, company.id)
  await addToAccount(app, accountId, user.id)
  await makeSoundProperties(app, accountId)
  const propertyId = await makeProperty(app, accountId, changes)
  await reconcile(app, accountId)
  const [first] = await stored(app, accountId)
  if (first === undefined) throw new Error('The scene has no discrepancy')
  return { user, accountId, propertyId, id: first.id, call: app.as(user.id) }
}
type Scene = Awaited<ReturnType<typeof scene>>
const WARNING = { year_built: null }
const CRITICAL = { postal_code: '90210' }
const property = (id: string) => app.system.db.selectFrom('account_properties').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const lastActivity = async (accountId: string) =>
  (
    await app.system.db
      .selectFrom('activities')
      .select('message')
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
  )?.message

const LATER = `${new Date().getFullYear() + 2}-12-31`

test('a decision on several discrepancies with values of the wrong kind is rejected with texts for people', async () => {
  const { call, id } = await scene(WARNING)
  const wrong = [
    { decided_at: [1] },
    { decided_at: { 'no id': null } },
    { note: {} },
    { note: 5 },
    { note: null },
    { waived_until: 7 },
    { extra: 1 },
  ]
  for (const input of wrong) {
    const { status, body } = await call.post('/api/v1/discrepancies/actions', { action: 'waived', selectedIds: [id], input })
    expect([status, JSON.stringify(Object.values(body.errors))], JSON.stringify(input)).toEqual([
      400,
      expect.not.stringMatching(/Invalid|expected|record/),
    ])
  }
})

test('a discrepancy of a property in the trash is hidden until the property is restored, and cannot be decided', async () => {
  const { call, id, accountId, propertyId } = await scene(WARNING)
  const seen = async () => {
    const list = await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}`)
    const put = await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept', decided_at: null })
    return [(await call.get(`/api/v1/discrepancies/${id}`)).status, list.body.meta.total, put.status]
  }
  expect((await call.delete('/api/v1/account_properties', { selectedIds: [propertyId] })).status).toBe(200)
  expect(await seen()).toEqual([404, 0, 404])
  const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
  expect((await admin.post('/api/v1/account_properties/restore', { selectedIds: [propertyId] })).status).toBe(200)
  expect(await seen()).toEqual([200, 1, 200])
})

describe('deciding a discrepancy', () => {
  it('as kept stores the user, writes an activity line and requests a reconciliation', async () => {
    const { call, id, accountId, user } = await scene(WARNING)
    const { status, body } = await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, status: 'kept', decided_by: user.fullName, decided_at: expect.any(String) })
    expect(await lastActivity(accountId)).toMatch(new RegExp(`^${user.fullName} kept Year built for Location \\d+$`))
    expect(await app.api.services.jobs.boss.findJobs('reconcile', { key: accountId })).toHaveLength(1)
  })

  it('requires a reason for every waiver, and for the decision kept on a critical one', async () => {
    const critical = await scene(CRITICAL)
    expect(await critical.call.put(`/api/v1/discrepancies/${critical.id}`, { status: 'kept' })).toMatchObject({
      status: 400,
      body: { errors: { note: ['Please enter a reason.'] } },
    })
    expect(
      await critical.call.put(`/api/v1/discrepancies/${critical.id}`, { status: 'kept', note: 'The post office says so' }),
    ).toMatchObject({ status: 200 })
    const warning = await scene(WARNING)
    expect(await warning.call.put(`/api/v1/discrepancies/${warning.id}`, { status: 'waived' })).toMatchObject({
      status: 400,
      body: { errors: { note: ['Please enter a reason.'] } },
    })
    expect(
      await warning.call.put(`/api/v1/discrepancies/${warning.id}`, {
        status: 'waived',
        note: 'Archive lost',
        waived_until: LATER,
      }),
    ).toMatchObject({ status: 200, body: { data: { waived_until: LATER } } })
    expect(await lastActivity(warning.accountId)).toMatch(/ waived No year built for Location \d+: Archive lost$/)
  })

  it('rejects a waiver until a past day or for more than three years, and an end date of another decision', async () => {
    const { call, id } = await scene(WARNING)
    for (const waived_until of ['2020-01-01', '0000-01-01', '2999-12-31']) {
      const { status, body } = await call.put(`/api/v1/discrepancies/${id}`, { status: 'waived', note: 'x', waived_until })
      expect([status, Object.keys(body.errors)], waived_until).toEqual([400, ['waived_until']])
    }
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept', waived_until: LATER })).toMatchObject({ status: 400 })
  })

  it('as accepted writes the sent value to the register with its source', async () => {
    const { call, id, propertyId, user, accountId } = await scene(WARNING)
    const before = await property(propertyId)
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted', value: 1987 })).toMatchObject({
      status: 200,
      body: { data: { status: 'accepted' } },
    })
    const after = await property(propertyId)
    expect(after).toMatchObject({
      year_built: 1987,
      version: before.version + 1,
      sources: { year_built: { source: 'reconciliation', by: user.fullName } },
    })
    expect(await lastActivity(accountId)).toMatch(/ accepted Year built 1987 for Location \d+ from their own entry$/)
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([{ status: 'accepted' }])
    await app.system.db.updateTable('account_properties').set({ year_built: null }).where('id', '=', propertyId).execute()
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([{ status: 'open', decided_by: null }])
  })

  it('as accepted writes the sum of the parts as stated total', async () => {
    const { call, id, propertyId } = await scene({ stated_tiv: 1 })
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted' })).toMatchObject({ status: 200 })
    const { tiv, stated_tiv } = await property(propertyId)
    expect(stated_tiv).toBe(tiv)
  })

  it('as accepted rejects a missing value and a value that is not valid for the field', async () => {
    const { call, id } = await scene(WARNING)
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted' })).toMatchObject({
      status: 400,
      body: { errors: { value: ['There is no suggested value. Enter one, or keep or waive the current value.'] } },
    })
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted', value: 'old' })).toMatchObject({
      status: 400,
      body: { errors: { value: ['This is not a valid value for Year built.'] } },
    })
  })

  it('as accepted rejects a value that is blank, not written as people write numbers, or would be rounded', async () => {
    const year = await scene(WARNING)
    const put = ({ call, id }: Scene, value: unknown) => call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted', note: 'x', value })
    for (const value of ['', ' ', '1e3', '0x7d0', '0b11', '0o17', '1987.5', 'Infinity', '1,987', '\u{a0}'])
      expect(await put(year, value), value).toMatchObject({ status: 400, body: { errors: { value: [expect.any(String)] } } })
    expect((await property(year.propertyId)).year_built).toBeNull()
    const total = await scene({ stated_tiv: 1 })
    for (const value of ['', ' ', '1e-3', '0x10', '0b11', '1e3', 12.345678, '12.5', '-1'])
      expect(await put(total, value), String(value)).toMatchObject({ status: 400, body: { errors: { value: [expect.any(String)] } } })
    expect((await property(total.propertyId)).stated_tiv).toBe(1)
    expect(await put(total, ' 6000000.00 ')).toMatchObject({ status: 200 })
    expect((await property(total.propertyId)).stated_tiv).toBe(6_000_000)
  })

  it('is done by one of several users at the same moment', async () => {
    const { call, id, accountId } = await scene(CRITICAL)
    const client = await makeUser(app.system, { role: 'client' })
    await addToAccount(app, accountId, client.id)
    const put = (as: typeof call, status: string) => as.put(`/api/v1/discrepancies/${id}`, { status, note: 'Checked' })
    const answers = await Promise.all([put(call, 'kept'), put(app.as(client.id), 'kept'), put(call, 'waived'), put(call, 'kept')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  })

  it('replaces an earlier decision only if it names it', async () => {
    const { call, id, user } = await scene(WARNING)
    const put = (body: object) => call.put(`/api/v1/discrepancies/${id}`, body)
    const first = await put({ status: 'kept' })
    const unseen = await put({ status: 'waived', note: 'Archive lost' })
    expect([unseen.status, unseen.body.data]).toMatchObject([409, { changed_by: user.fullName, current: { id, status: 'kept' } }])
    const { decided_at } = first.body.data
    expect(await put({ status: 'waived', note: 'Archive lost', decided_at })).toMatchObject({ status: 200 })
    expect(await put({ status: 'kept', decided_at })).toMatchObject({ status: 409 })
  })

  it('rejects a discrepancy that is fixed already', async () => {
    const { call, id, propertyId, accountId } = await scene(WARNING)
    await app.system.db.updateTable('account_properties').set({ year_built: 1990 }).where('id', '=', propertyId).execute()
    await reconcile(app, accountId)
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept' })).toMatchObject({ status: 409 })
  })
})

describe('permissions for discrepancies', () => {
  it.each<[DefaultRole, number]>([
    ['provider', 200],
    ['broker', 200],
    ['client', 403],
    ['carrier', 403],
    ['invite_guest', 403],
    ['share_guest', 403],
  ])('decide whether %s can waive a critical one: %d', async (role, status) => {
    const { call, id } = await scene(CRITICAL, role)
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'waived', note: 'Known' })).toMatchObject({ status })
  })

  it('let a client keep and accept', async () => {
    const { call, id } = await scene(CRITICAL, 'client')
    const kept = await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept', note: 'It is right' })
    expect(kept).toMatchObject({ status: 200 })
    const { decided_at } = kept.body.data
    expect(await call.put(`/api/v1/discrepancies/${id}`, { status: 'accepted', value: '75201', decided_at })).toMatchObject({ status: 200 })
  })

  it('hide them from another company', async () => {
    const { id, accountId } = await scene(WARNING)
    const stranger = app.as((await makeUser(app.system)).id)
    expect(await stranger.get(`/api/v1/discrepancies/${id}`)).toMatchObject({ status: 404 })
    expect(await stranger.put(`/api/v1/discrepancies/${id}`, { status: 'kept' })).toMatchObject({ status: 404 })
    expect((await stranger.get(`/api/v1/discrepancies?filter__account_id=${accountId}`)).body.meta.total).toBe(0)
    expect(await stranger.post('/api/v1/discrepancies/actions', { action: 'kept', selectedIds: [id] })).toMatchObject({ status: 404 })
    expect(await stranger.post(`/api/v1/accounts/${accountId}/reconciliation`)).toMatchObject({ status: 404 })
  })

  it('hide them from users without the reconciliation metric', async () => {
    const { call, id, accountId, propertyId } = await scene(WARNING, 'share_guest')
    expect(await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}`)).toMatchObject({ status: 403 })
    expect(await call.get(`/api/v1/discrepancies/${id}`)).toMatchObject({ status: 404 })
    expect(await call.get(`/api/v1/account_properties/${propertyId}/quality`)).toMatchObject({ status: 403 })
    expect(await call.get(`/api/v1/account_properties/${propertyId}`)).toMatchObject({ status: 200, body: { data: { findings: null } } })
  })
})

describe('the list of discrepancies', () => {
  it('shows open ones, the most severe first, and filters by account, check, severity, status, property and group', async () => {
    const { call, accountId, propertyId } = await scene({ ...WARNING, ...CRITICAL })
    const list = async (query = '') => (await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}${query}`)).body
    const { data } = await list()
    expect(data.map((row: { check_id: string; severity: { text: string } }) => [row.check_id, row.severity.text])).toEqual([
      ['DQ-02', 'Critical'],
      ['DQ-04', 'Warning'],
    ])
    expect(data[1]).toMatchObject({
      property_id: propertyId,
      field_name: 'year_built',
      field: { text: 'Year built' },
      check: { text: 'No year built' },
      message: { text: expect.stringContaining('Year built is missing') },
    })
    for (const [query, total] of [
      ['&filter__check=DQ-04', 1],
      ['&filter__severity=critical', 1],
      ['&filter__status=open', 2],
      ['&filter__status=kept', 0],
      [`&filter__property_id=${propertyId}`, 2],
      ['&filter__property_id=unknown', 0],
      ['&filter__group=data_quality', 2],
      ['&filter__group=sov', 0],
    ] as const)
      expect((await list(query)).meta.total, query).toBe(total)
  })

  it('decides the selected ones together, all of them or none', async () => {
    const { call, accountId } = await scene({ ...WARNING, ...CRITICAL })
    const ids = (await stored(app, accountId)).map(({ id }) => id)
    expect(await call.post('/api/v1/discrepancies/actions', { action: 'kept', selectedIds: ids, input: {} })).toMatchObject({ status: 400 })
    expect((await stored(app, accountId)).map(({ status }) => status)).toEqual(['open', 'open'])
    expect(
      await call.post('/api/v1/discrepancies/actions', { action: 'kept', selectedIds: ids, input: { note: 'Checked on site' } }),
    ).toMatchObject({ status: 200, body: { message: 'The decision on 2 discrepancies was saved.' } })
    expect((await stored(app, accountId)).map(({ status }) => status)).toEqual(['kept', 'kept'])
    expect(await lastActivity(accountId)).toMatch(/ kept 2 discrepancies: Checked on site$/)
  })
})

describe('a decision on several discrepancies', () => {
  const act = ({ call }: Scene, action: string, selectedIds: string[], decided_at?: unknown) =>
    call.post('/api/v1/discrepancies/actions', { action, selectedIds, input: { note: 'Checked on site', decided_at } })
  const decidedAt = async ({ call, accountId }: Scene): Promise<Record<string, string | null>> => {
    const { data } = (await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}`)).body
    return Object.fromEntries(data.map((row: { id: string; decided_at: { value: string | null } }) => [row.id, row.decided_at.value]))
  }

  it('replaces earlier ones only if it names each of them', async () => {
    const at = await scene({ ...WARNING, ...CRITICAL })
    const { call, accountId, user, id } = at
    const ids = (await stored(app, accountId)).map((row) => row.id)
    await call.put(`/api/v1/discrepancies/${id}`, { status: 'kept', note: 'Archive lost' })
    const unseen = await act(at, 'waived', ids)
    expect([unseen.status, unseen.body.message, unseen.body.data]).toMatchObject([
      409,
      `${user.fullName} has decided 1 of these 2 discrepancies. Please reload the list and decide again.`,
      { changed_by: user.fullName, current: { id, status: 'kept' } },
    ])
    expect(await act(at, 'waived', ids, await decidedAt(at))).toMatchObject({ status: 200 })
    const [decided_at] = Object.values(await decidedAt(at))
    expect(await act(at, 'kept', ids, decided_at)).toMatchObject({ status: 200 })
    expect((await stored(app, accountId)).map(({ status }) => status)).toEqual(['kept', 'kept'])
  })

  it('names all users whose decisions it would overwrite', async () => {
    const at = await scene({ ...WARNING, ...CRITICAL })
    const client = await makeUser(app.system, { role: 'client' })
    await addToAccount(app, at.accountId, client.id)
    const ids = (await stored(app, at.accountId)).map((row) => row.id)
    const shown = await decidedAt(at)
    await act(at, 'kept', ids.slice(0, 1), shown)
    await act({ ...at, call: app.as(client.id) }, 'kept', ids.slice(1), shown)
    const { status, body } = await act(at, 'accepted', ids, shown)
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^.+ and .+ have decided 2 of these 2 discrepancies\. /)])
    for (const { fullName } of [at.user, client]) expect(body.message).toContain(fullName)
  })

  it('says that a check found a discrepancy again whose decision it would replace', async () => {
    const at = await scene(WARNING)
    const { status, body } = await act(at, 'kept', [at.id], { [at.id]: new Date().toISOString() })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^The decision to replace no longer counts/)])
  })
})

describe('the quality score of a property', () => {
  it('shows how each point was lost', async () => {
    const { call, propertyId } = await scene(WARNING)
    const { body } = await call.get(`/api/v1/account_properties/${propertyId}/quality`)
    expect(body.data).toMatchObject({ score: expect.any(Number), grade: expect.any(String) })
    expect(body.data.parts.filter(({ lost }: { lost: number }) => lost > 0)).toMatchObject([
      { key: 'year_built', lost: 3 },
      { key: 'appraisal', lost: 6 },
      { key: 'documents', lost: 3 },
    ])
    expect((await property(propertyId)).quality_score).toBe(body.data.score)
  })

  it('is unknown before the first check', async () => {
    const { call, propertyId } = await scene(WARNING)
    await app.system.db.updateTable('account_properties').set({ quality_score: null }).where('id', '=', propertyId).execute()
    const { body } = await call.get(`/api/v1/account_properties/${propertyId}/quality`)
    expect(body.data).toEqual({ score: null, grade: null, parts: [] })
  })

  it('is unknown everywhere once the property is divested', async () => {
    const { call, accountId, propertyId } = await scene(WARNING)
    const input = { divested_on: '2026-03-04' }
    expect((await call.post('/api/v1/account_properties/actions', { action: 'divest', selectedIds: [propertyId], input })).status).toBe(200)
    expect((await property(propertyId)).quality_score).toEqual(expect.any(Number))
    const { body: quality } = await call.get(`/api/v1/account_properties/${propertyId}/quality`)
    const { body: record } = await call.get(`/api/v1/account_properties/${propertyId}`)
    const { body: list } = await call.get(`/api/v1/account_properties?filter__account_id=${accountId}&filter__status=divested`)
    expect(quality.data).toEqual({ score: null, grade: null, parts: [] })
    expect([record.data.quality_score, list.data[0].quality_score]).toEqual([null, { value: null, text: '' }])
  })

  it('has the points of linked documents and of those that cover all properties', async () => {
    const { call, user, accountId, propertyId } = await scene(WARNING)
    const ctx = { ...app.system, viewer: await app.viewer(user.id) }
    const appraisal = await makeFile(ctx, accountId, { name: 'a.txt', category: 'appraisal', property_ids: [propertyId] })
    const photo = await makeFile(ctx, accountId, { name: 'p.txt', category: 'photo' })
    const files = app.system.db.updateTable('account_files')
    await files
      .set({ report_author_date: new Date().toISOString().slice(0, 10) })
      .where('id', '=', appraisal.id)
      .execute()
    await files.set({ covers_all_properties: true }).where('id', '=', photo.id).execute()
    const { body } = await call.get(`/api/v1/account_properties/${propertyId}/quality`)
    const lost = ({ data }: { data: { parts: { key: string; lost: number; reason: string }[] } }) =>
      data.parts.filter((part) => part.lost > 0)
    expect(lost(body)).toMatchObject([{ key: 'year_built', lost: 3 }])
    await call.post(`/api/v1/accounts/${accountId}/files/action`, { action: 'set_private', files: [appraisal.id] })
    const after = await call.get(`/api/v1/account_properties/${propertyId}/quality`)
    expect(lost(after.body)).toMatchObject([
      { key: 'year_built' },
      { key: 'appraisal', reason: 'No disclosed appraisal of the last 36 months is linked' },
    ])
  })

  it('has the points of a risk control report of the last 36 months that is no draft', async () => {
    const { user, accountId, propertyId } = await scene({ ...WARNING, building_value: 30_000_000, floor_area: 150_000 })
    const ctx = { ...app.system, viewer: await app.viewer(user.id) }
    const today = new Date().toISOString().slice(0, 10)
    const scored = async () => {
      await reconcile(app, accountId)
      return (await property(propertyId)).quality_score ?? 0
    }
    const score = await scored()
    await makeReport(ctx, propertyId, { status: 'Draft', survey_date: today })
    await makeReport(ctx, propertyId, { survey_date: '2019-05-01' })
    expect(await scored()).toBe(score)
    await makeReport(ctx, propertyId, { survey_date: today })
    expect(await scored()).toBe(score + 6)
  })
})
