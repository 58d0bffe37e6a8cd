import { describe, expect, it } from 'vitest'
import { isoDateIn } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner, carrier, added } = await testTenant()
const { db } = app.system

const dayFromToday = (days: number) => isoDateIn(new Date(Date.now() + days * DAY_MS), timezoneOf(ownerCtx.viewer))
const property = async (account = tenant.account) => (await makeProperty(app.system, account)).id
const raised = async (as: As, flaggable_id: string, body: object = {}) =>
  (await as.post('/api/v1/flags', { flaggable_type: 'account_property', flaggable_id, message: 'Check the roof.', ...body })).body.data
const idsOf = async (as: As, query: string): Promise<string[]> =>
  (await as.get(`/api/v1/flags?paginate=100&${query}`)).body.data.map(({ id }: { id: string }) => id)
const act = (as: As, action: string, selectedIds: readonly string[], input: object = {}) =>
  as.post('/api/v1/flags/actions', { action, selectedIds, input })
const statusOf = async (id: string) => (await db.selectFrom('flags').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const newestLines = async (limit: number) =>
  (
    await db.selectFrom('activities').select('message').where('class', '=', 'flagged').orderBy('created_at', 'desc').limit(limit).execute()
  ).map(({ message }) => message)
const notificationsOf = async (as: As): Promise<string[]> =>
  (await as.get('/api/v1/notifications')).body.data.map(({ message }: { message: string }) => message)

describe('the list of flags', () => {
  it('finds flags by their due date: overdue only while they are open, and within 7 and 30 days', async () => {
    const flags = await Promise.all([0, 7, 8, 30, 31].map(async (days) => raised(owner, await property(), { due_on: dayFromToday(days) })))
    const [today, week, later, month, never] = flags.map(({ id }) => id)
    const past = await raised(owner, await property())
    const pastAndClosed = await raised(owner, await property())
    const undated = await raised(owner, await property())
    await db
      .updateTable('flags')
      .set({ due_on: dayFromToday(-1) })
      .where('id', 'in', [past.id, pastAndClosed.id])
      .execute()
    await act(owner, 'resolve', [pastAndClosed.id], { resolution: 'Done.' })
    const all = [today, week, later, month, never, past.id, pastAndClosed.id, undated.id]
    const found = async (due: string) => new Set((await idsOf(owner, `filter__due=${due}`)).filter((id) => all.includes(id)))
    expect(await found('overdue')).toEqual(new Set([past.id]))
    expect(await found('week')).toEqual(new Set([today, week]))
    expect(await found('month')).toEqual(new Set([today, week, later, month]))
    expect(await found('none')).toEqual(new Set([undated.id]))
    expect(await found('overdue,none')).toEqual(new Set([past.id, undated.id]))
    const sorted = (await idsOf(owner, 'sort=due_on&order=asc&filter__status=open,acknowledged')).filter((id) => all.includes(id))
    expect(sorted).toEqual([past.id, today, week, later, month, never, undated.id])
    const { body } = await owner.get('/api/v1/flags?paginate=100')
    const overdue = body.data.filter(({ due_on }: { due_on: { class?: string } }) => due_on.class === 'overdue')
    expect(overdue.map(({ id }: { id: string }) => id)).toEqual([past.id])
  })

  it('offers the accounts in which the viewer sees flags, and names account and property of a flag', async () => {
    const foreign = await makeAccount(app.system, { name: 'Foreign Flags' })
    await makeAccount(app.system, { companyId: tenant.company.id, name: 'No Flags' })
    const id = await property(foreign.id)
    await db.insertInto('flags').values({ account_id: foreign.id, property_id: id, reason: 'other', message: 'Foreign' }).execute()
    const { body } = await owner.get('/api/v1/flags/filters')
    const filter = body.data.find(({ name }: { name: string }) => name === 'account')
    expect(filter.options).toEqual([{ value: tenant.account, label: 'Zanzibar Stores' }])
    expect((await owner.get(`/api/v1/flags?filter__account=${foreign.id}`)).body.meta.total).toBe(0)
    const flag = await raised(owner, await property())
    expect(await idsOf(owner, `filter__account=${foreign.id},${tenant.account}`)).toContain(flag.id)
    expect(flag).toMatchObject({ account_name: 'Zanzibar Stores', property_id: flag.flaggable_id })
  })

  it('finds the flags of the viewer', async () => {
    const mine = await raised(owner, await property(), { assigned_to: tenant.added.id })
    const found = await idsOf(added, 'filter__mine=1')
    expect(found).toContain(mine.id)
    expect(await idsOf(owner, 'filter__mine=1')).not.toContain(mine.id)
  })

  it('is exported with the columns of the list', async () => {
    const flag = await raised(owner, await property(), { message: 'Only in the export', due_on: dayFromToday(3) })
    const body = { action: 'export_csv', selectedIds: [flag.id], columns: ['message', 'account', 'due_on'] }
    const { body: text } = await owner.post('/api/v1/flags/actions', body)
    expect(text).toContain('Message,Account,Due')
    expect(text).toContain(`Only in the export,Zanzibar Stores,${dayFromToday(3)}`)
  })
})

describe('an action on several flags', () => {
  it('resolves those that are open, with one line of activity for each kind of record and one notification', async () => {
    const [one, other, closed] = [
      await raised(added, await property()),
      await raised(added, await property()),
      await raised(added, await property()),
    ]
    const file = await makeFile(ownerCtx, tenant.account)
    const ofFile = await raised(owner, file.id, { flaggable_type: 'account_file', message: 'Wrong year.' })
    await act(owner, 'dismiss', [closed.id], { resolution: 'Not needed.' })
    const before = (await notificationsOf(added)).length
    const ids = [one.id, other.id, closed.id, ofFile.id]
    expect((await act(owner, 'resolve', ids, { resolution: ' ' })).body.errors).toEqual({
      resolution: ['Please say how this was resolved.'],
    })
    expect((await act(owner, 'resolve', ids, { resolution: 'Asked the owner.' })).body.message).toBe('3 flags resolved.')
    expect(await Promise.all(ids.map(statusOf))).toEqual(['resolved', 'resolved', 'dismissed', 'resolved'])
    expect((await newestLines(2)).toSorted()).toEqual([
      expect.stringMatching(/resolved the flag on .*: Asked the owner\.$/),
      `${tenant.owner.fullName} resolved the flags on 2 properties: Asked the owner.`,
    ])
    const messages = await notificationsOf(added)
    expect(messages.length).toBe(before + 1)
    expect(messages[0]).toBe(`${tenant.owner.fullName} resolved your flags on 2 properties of Zanzibar Stores: Asked the owner.`)
    expect((await act(owner, 'dismiss', [one.id, other.id], { resolution: 'No.' })).body.message).toBe('These flags are closed already.')
    expect((await act(owner, 'reopen', [one.id, other.id])).body.message).toBe('2 flags reopened.')
    expect(await db.selectFrom('flags').select('resolution').where('id', '=', one.id).executeTakeFirstOrThrow()).toEqual({
      resolution: null,
    })
  })

  it('acknowledges only those that are assigned to the viewer', async () => {
    const mine = await raised(owner, await property(), { assigned_to: tenant.added.id })
    const unassigned = await raised(owner, await property())
    expect((await act(added, 'acknowledge', [mine.id, unassigned.id])).body.message).toBe('1 flag acknowledged.')
    expect([await statusOf(mine.id), await statusOf(unassigned.id)]).toEqual(['acknowledged', 'open'])
    expect((await act(added, 'acknowledge', [unassigned.id])).status).toBe(403)
  })

  it('changes nothing if one of them is not visible, and needs no more than manage_flags', async () => {
    const shown = await raised(owner, await property())
    const file = await makeFile(ownerCtx, tenant.account, { name: 'private.txt', private: true })
    const hidden = await raised(owner, file.id, { flaggable_type: 'account_file' })
    expect((await act(carrier, 'dismiss', [shown.id, hidden.id], { resolution: 'Mine.' })).status).toBe(404)
    expect([await statusOf(shown.id), await statusOf(hidden.id)]).toEqual(['open', 'open'])
    expect((await act(carrier, 'dismiss', [shown.id], { resolution: 'Mine.' })).body.message).toBe('1 flag dismissed.')
    expect((await act(app.as(tenant.uploader.id), 'dismiss', [shown.id], { resolution: 'Mine.' })).status).toBe(403)
  })
})
