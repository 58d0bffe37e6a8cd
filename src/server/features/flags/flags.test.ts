import { describe, expect, it } from 'vitest'
import { DAY_MS, FLAGS_PER_HOUR, FLAG_REOPEN_MS } from '#contract/limits.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner, carrier, added } = await testTenant()
const { db } = app.system

const target = async () => (await makeProperty(app.system, tenant.account)).id
const raise = (as: As, flaggable_id: string, body: object = {}) =>
  as.post('/api/v1/flags', { flaggable_type: 'account_property', flaggable_id, message: 'Check the roof.', ...body })
const raised = async (as: As, flaggable_id: string, body: object = {}) => (await raise(as, flaggable_id, body)).body.data
const change = (as: As, id: string, body: object) => as.put(`/api/v1/flags/${id}`, body)
const stored = (id: string) => db.selectFrom('flags').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const messagesOf = async (userId: string) =>
  (await app.as(userId).get('/api/v1/notifications')).body.data.map(({ message }: { message: string }) => message)
const activity = async () =>
  (await db.selectFrom('activities').select('message').where('class', '=', 'flagged').orderBy('created_at', 'desc').execute()).map(
    ({ message }) => message,
  )
const act = (as: As, selectedIds: readonly string[], message = 'Check the roof.') =>
  as.post('/api/v1/account_properties/actions', { action: 'flag', selectedIds, input: { message } })

describe('raising a flag', () => {
  it('needs a message and a known reason', async () => {
    const id = await target()
    expect((await raise(owner, id, { message: '  ' })).body.errors).toEqual({ message: ['Please say what needs attention.'] })
    const kind = ['Please flag a property, a document or a risk control report.']
    expect((await raise(owner, id, { flaggable_type: 'account' })).body.errors).toEqual({ flaggable_type: kind })
    expect((await raise(owner, id, { reason: 'critical_discrepancy' })).body.errors).toEqual({ reason: ['Please choose a reason.'] })
    expect((await raise(owner, id, { message: 'x'.repeat(501) })).body.errors.message[0]).toContain('at most 500 characters')
  })

  it('rejects a due date in the past', async () => {
    const id = await target()
    const error = { due_on: ['Please choose today or a later day.'] }
    expect((await raise(owner, id, { due_on: '2001-01-01' })).body.errors).toEqual(error)
    const flag = await raised(owner, id)
    expect((await change(owner, flag.id, { due_on: '2001-01-01' })).body.errors).toEqual(error)
  })

  it('is in the activity of the property, for users who see flags', async () => {
    const id = await target()
    await raise(owner, id, { message: 'Check the boiler.' })
    const lines = async (as: As) =>
      JSON.stringify((await as.get(`/api/v1/account_properties/${id}/activity`)).body.data ?? []).includes('Check the boiler.')
    expect(await lines(owner)).toBe(true)
    expect(await lines(carrier)).toBe(false)
  })

  it('answers the flag, writes a line and notifies the user who created the account', async () => {
    await db.updateTable('accounts').set({ created_by: tenant.owner.id }).where('id', '=', tenant.account).execute()
    const { status, body } = await raise(carrier, await target(), { reason: 'carrier_question', message: 'Is <b>this</b> right?' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      status: 'open',
      source: 'user',
      reason: 'carrier_question',
      message: 'Is <b>this</b> right?',
      raised_by: { id: tenant.carrier.id },
      accessible_features: { update: true, edit_message: true, acknowledge: false, close: true, reopen: false },
    })
    expect((await activity())[0]).toBe(`${tenant.carrier.fullName} flagged ${body.data.title}: Is <b>this</b> right?`)
    expect((await messagesOf(tenant.owner.id))[0]).toBe(
      `${tenant.carrier.fullName} flagged ${body.data.title} of Zanzibar Stores: Is <b>this</b> right?`,
    )
  })

  it('of a document is not visible to users who do not see the document', async () => {
    const { id } = await makeFile(ownerCtx, tenant.account, { name: 'private.txt', private: true })
    const body = { flaggable_type: 'account_file', flaggable_id: id, message: 'Wrong year.', reason: 'wrong_document' }
    const flag = (await owner.post('/api/v1/flags', body)).body.data
    expect(flag).toMatchObject({ title: 'private.txt', flaggable_type: 'account_file' })
    expect((await carrier.get(`/api/v1/flags/${flag.id}`)).status).toBe(404)
    expect((await carrier.post('/api/v1/flags', body)).status).toBe(404)
    expect((await carrier.get(`/api/v1/flags?filter__file_id=${id}`)).body.meta.total).toBe(0)
    const line = `${tenant.owner.fullName} flagged private.txt: Wrong year.`
    const linesOf = async (as: As) =>
      (await as.get(`/api/v1/accounts/${tenant.account}/activity?paginate=100`)).body.data.map(
        ({ message }: { message: string }) => message,
      )
    expect(await linesOf(owner)).toContain(line)
    expect(await linesOf(added)).not.toContain(line)
    expect((await owner.get(`/api/v1/flags?filter__file_id=${id}`)).body.meta.total).toBe(1)
  })

  it('is not possible without manage_flags, for a divested property or for one in the trash', async () => {
    const id = await target()
    expect((await raise(app.as(tenant.uploader.id), id)).status).toBe(403)
    await db.updateTable('account_properties').set({ status: 'divested', divested_on: '2026-01-01' }).where('id', '=', id).execute()
    expect((await raise(owner, id)).body.message).toBe('A divested property cannot be flagged. Reactivate it first.')
    await db.updateTable('account_properties').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    expect((await raise(owner, id)).status).toBe(404)
  })

  it('is not possible for a property that is divested at the same time', async () => {
    const id = await target()
    const { status } = await callDuringChange(
      app,
      (tx) => tx.db.updateTable('account_properties').set({ status: 'divested', divested_on: '2026-01-01' }).where('id', '=', id).execute(),
      () => raise(owner, id),
    )
    expect(status).toBe(409)
    expect(await db.selectFrom('flags').select('id').where('property_id', '=', id).execute()).toEqual([])
  })

  it('of several properties flags all of them with one line and one notification, or none', async () => {
    const [one, other] = [await target(), await target()]
    const foreign = await makeProperty(app.system, (await makeAccount(app.system)).id)
    expect((await act(carrier, [one, other, foreign.id])).status).toBe(404)
    expect(await db.selectFrom('flags').select('id').where('property_id', '=', one).execute()).toEqual([])
    const before = (await messagesOf(tenant.owner.id)).length
    expect((await act(carrier, [one, other])).body.message).toBe('2 properties were flagged.')
    expect((await activity())[0]).toBe(`${tenant.carrier.fullName} flagged 2 properties: Check the roof.`)
    const messages = await messagesOf(tenant.owner.id)
    expect(messages.length).toBe(before + 1)
    expect((await act(carrier, [one], '')).body.errors).toEqual({ message: ['Please say what needs attention.'] })
  })

  it('shows the number of open flags in the row of the property and in its filter', async () => {
    const [id, quiet] = [await target(), await target()]
    for (let time = 0; time < 2; time += 1) await raise(owner, id)
    await change(owner, (await raised(owner, id)).id, { status: 'dismissed', resolution: 'Raised twice.' })
    const path = `/api/v1/account_properties?filter__account_id=${tenant.account}&paginate=1000`
    const rows: { id: string; flags: number | null }[] = (await owner.get(path)).body.data
    expect(rows.find((row) => row.id === id)?.flags).toBe(2)
    const flagged: { id: string }[] = (await owner.get(`${path}&filter__flagged=1`)).body.data
    expect(flagged.some((row) => row.id === id)).toBe(true)
    expect(flagged.some((row) => row.id === quiet)).toBe(false)
  })
})

describe('flags', () => {
  it('can be raised and assigned a limited number of times an hour', async () => {
    const colleague = await makeUser(app.system, { companyId: tenant.company.id })
    const as = app.as(colleague.id)
    const flag = await raised(as, await target())
    await db.updateTable('rate_limits').set({ points: FLAGS_PER_HOUR }).where('key', 'like', `%flags ${colleague.id}%`).execute()
    expect((await raise(as, flag.flaggable_id)).status).toBe(429)
    expect((await change(as, flag.id, { assigned_to: tenant.owner.id })).status).toBe(429)
    expect((await change(as, flag.id, { status: 'resolved', resolution: 'Done.' })).status).toBe(200)
  })
})

describe('an assigned flag', () => {
  it('notifies its assignee, who alone can acknowledge it', async () => {
    const flag = await raised(owner, await target(), { assigned_to: tenant.added.id })
    expect((await messagesOf(tenant.added.id))[0]).toBe(
      `${tenant.owner.fullName} assigned the flag on ${flag.title} of Zanzibar Stores to you: Check the roof.`,
    )
    expect((await change(owner, flag.id, { status: 'acknowledged' })).status).toBe(403)
    expect((await change(added, flag.id, { status: 'acknowledged' })).body.data.status).toBe('acknowledged')
    expect((await change(owner, flag.id, { status: 'open' })).status).toBe(409)
  })

  it('makes its account need the attention of the assignee alone, until it is closed', async () => {
    const flag = await raised(owner, await target(), { assigned_to: tenant.added.id })
    const count = async (as: As) => (await as.get('/api/v1/accounts?filter__attention=flagged')).body.meta.total
    const before = await db.selectFrom('flags').select('id').where('assigned_to', '=', tenant.added.id).execute()
    expect([await count(added), await count(owner)]).toEqual([1, 0])
    for (const { id } of [...before, flag]) await change(added, id, { status: 'dismissed', resolution: 'Done.' })
    expect(await count(added)).toBe(0)
  })
})

describe('closing a flag', () => {
  it('needs a text, is written to the log and notifies the user who raised it', async () => {
    const flag = await raised(added, await target())
    expect((await change(owner, flag.id, { status: 'resolved' })).body.errors).toEqual({
      resolution: ['Please say how this was resolved.'],
    })
    expect((await change(owner, flag.id, { status: 'dismissed', resolution: ' ' })).body.errors).toEqual({
      resolution: ['Please say why the flag is dismissed.'],
    })
    const { body } = await change(owner, flag.id, { status: 'resolved', resolution: 'Asked the owner.' })
    expect(body.data).toMatchObject({ status: 'resolved', resolution: 'Asked the owner.', closed_by: { id: tenant.owner.id } })
    expect((await activity())[0]).toBe(`${tenant.owner.fullName} resolved the flag on ${flag.title}: Asked the owner.`)
    expect((await messagesOf(tenant.added.id))[0]).toBe(
      `${tenant.owner.fullName} resolved your flag on ${flag.title} of Zanzibar Stores: Asked the owner.`,
    )
  })

  it('happens once: a second user gets the name of the user who has closed it', async () => {
    const flag = await raised(owner, await target())
    const first = { status: 'resolved', resolution: 'One.', closed_at: new Date(), closed_by: tenant.added.id }
    const { status, body } = await callDuringChange(
      app,
      (tx) => tx.db.updateTable('flags').set(first).where('id', '=', flag.id).execute(),
      () => change(owner, flag.id, { status: 'dismissed', resolution: 'Two.' }),
    )
    expect(status).toBe(409)
    expect(body.message).toBe(`${tenant.added.fullName} has closed this flag. Reopen it to change it.`)
    expect((await stored(flag.id)).resolution).toBe('One.')
  })

  it('rejects a change of an older version and a message by another user', async () => {
    const flag = await raised(owner, await target())
    expect((await change(added, flag.id, { message: 'Mine.' })).status).toBe(403)
    expect((await change(owner, flag.id, { message: 'Better.', version: flag.version })).body.data.message).toBe('Better.')
    expect((await change(added, flag.id, { priority: 'high', version: flag.version })).status).toBe(409)
    expect((await change(owner, flag.id, { resolution: 'Not closed.' })).body.errors).toEqual({
      resolution: ['Only a flag that is resolved or dismissed has this text.'],
    })
  })

  it('can be reversed within 30 days', async () => {
    const flag = await raised(owner, await target())
    await change(owner, flag.id, { status: 'dismissed', resolution: 'No.' })
    expect((await change(owner, flag.id, { status: 'open' })).body.data).toMatchObject({
      status: 'open',
      resolution: null,
      closed_at: null,
    })
    await change(owner, flag.id, { status: 'dismissed', resolution: 'No.' })
    const long = new Date(Date.now() - FLAG_REOPEN_MS - DAY_MS)
    await db.updateTable('flags').set({ closed_at: long }).where('id', '=', flag.id).execute()
    expect((await change(owner, flag.id, { status: 'open' })).body.message).toContain('within 30 days')
  })

  it('is done for flags of a property that is divested or trashed, and of a trashed document', async () => {
    const [divested, trashed] = [await raised(owner, await target()), await raised(owner, await target())]
    const file = await makeFile(ownerCtx, tenant.account)
    const ofFile = await raised(owner, file.id, { flaggable_type: 'account_file' })
    const body = { action: 'divest', selectedIds: [divested.flaggable_id], input: { divested_on: '2026-01-01' } }
    await owner.post('/api/v1/account_properties/actions', body)
    await owner.delete('/api/v1/account_properties', { ids: [trashed.flaggable_id] })
    await owner.delete('/api/v1/account_files', { ids: [file.id] })
    expect(await stored(divested.id)).toMatchObject({ status: 'dismissed', resolution: 'The property was divested.', closed_by: null })
    expect(await stored(trashed.id)).toMatchObject({ status: 'dismissed', resolution: 'Moved to the trash.' })
    expect((await stored(ofFile.id)).status).toBe('dismissed')
    expect((await change(owner, divested.id, { status: 'open' })).body.message).toBe('The property is divested. Reactivate it first.')
    expect((await owner.get(`/api/v1/flags/${trashed.id}`)).status).toBe(404)
  })
})
