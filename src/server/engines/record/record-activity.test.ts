import { describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeTenant, testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx: ctx } = await testTenant()

interface Line {
  id: string
  message: string
  datetime: string
  class: string
}
const page = async (query = '', as = owner) => (await as.get(`/api/v1/accounts/${tenant.account}/activity${query}`)).body
const messages = async (as = owner): Promise<string[]> => (await page('?paginate=100', as)).data.map(({ message }: Line) => message)

describe('the activity of an account', () => {
  it('lists what users did, newest first', async () => {
    await owner.put(`/api/v1/accounts/${tenant.account}`, { name: 'Zanzibar Retail' })
    const { data } = await page()
    expect(data[0]).toEqual({
      id: expect.any(String),
      message: 'Pat Zanzibar changed the name',
      datetime: expect.stringMatching(/Z$/),
      class: 'updated',
    })
    const times = data.map(({ datetime }: Line) => datetime)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('has no line for a save that changed nothing', async () => {
    const before = await messages()
    await owner.put(`/api/v1/accounts/${tenant.account}`, { name: 'Zanzibar Retail' })
    expect(await messages()).toEqual(before)
  })

  it('counts grouped events, in the singular for one', async () => {
    const upload = (count: number) =>
      transact(ctx, (tx) =>
        recordActivity(tx, {
          model: 'account_files',
          modelId: randomUUID(),
          accountId: tenant.account,
          class: 'uploaded',
          message: '{user} sent {n} documents',
          group: { key: 'sent', count },
        }),
      )
    await upload(1)
    expect((await messages())[0]).toBe('Pat Zanzibar sent 1 document')
    await upload(20)
    expect((await messages())[0]).toBe('Pat Zanzibar sent 21 documents')
  })

  it('is paginated, with each line once', async () => {
    for (let count = 0; count < 12; count += 1) {
      await transact(ctx, (tx) =>
        recordActivity(tx, {
          model: 'accounts',
          modelId: tenant.account,
          accountId: tenant.account,
          class: 'updated',
          message: `line ${count}`,
        }),
      )
    }
    const all = await messages()
    const pages: string[] = []
    for (let at = 1; at <= Math.ceil(all.length / 5); at += 1)
      pages.push(...(await page(`?page=${at}&paginate=5`)).data.map(({ message }: Line) => message))
    expect(pages).toEqual(all)
    expect((await page('?paginate=5')).meta).toMatchObject({ current_page: 1, per_page: 5, total: all.length, from: 1, to: 5 })
  })

  it('has up to 9,999 lines on a page', async () => {
    const write = (count: number) =>
      transact(ctx, (tx) =>
        recordActivity(tx, {
          model: 'accounts',
          modelId: tenant.account,
          accountId: tenant.account,
          class: 'updated',
          message: `event ${count}`,
        }),
      )
    for (let count = 0; count < 101; count += 1) await write(count)
    const { data } = await page('?paginate=9999')
    expect(data.filter(({ message }: Line) => message.startsWith('event ')).length).toBe(101)
    expect((await owner.get(`/api/v1/accounts/${tenant.account}/activity?paginate=10000`)).status).toBe(400)
  })

  it('hides lines about a permanently deleted document', async () => {
    const before = await messages()
    await transact(ctx, (tx) =>
      recordActivity(tx, {
        model: 'account_files',
        modelId: tenant.file,
        accountId: tenant.account,
        class: 'updated',
        message: 'about nothing',
        fileIds: [randomUUID()],
      }),
    )
    expect(await messages()).toEqual(before)
  })

  it('is forbidden to the carrier, and contains no lines of other accounts', async () => {
    expect((await app.as(tenant.carrier.id).get(`/api/v1/accounts/${tenant.account}/activity`)).status).toBe(403)
    const other = await makeTenant(app)
    const theirs = (await app.as(other.owner.id).get(`/api/v1/accounts/${other.account}/activity?paginate=100`)).body.data
    expect(theirs.some(({ message }: Line) => message.startsWith('line '))).toBe(false)
  })
})

describe('the activity of a record', () => {
  const models = ['account_properties', 'account_files', 'companies', 'users'] as const

  it.each(models)('of %s lists what happened to this record only, a page at a time', async (model) => {
    const id = tenant.ids[model]
    for (const modelId of [id, randomUUID()])
      for (const message of ['first', 'second'])
        await transact(ctx, (tx) => recordActivity(tx, { model, modelId, class: 'updated', message: `${message} ${modelId}` }))
    const { status, body } = await owner.get(`/api/v1/${model}/${id}/activity?paginate=2`)
    expect(status).toBe(200)
    expect(body.data.map(({ message }: Line) => message)).toEqual([`second ${id}`, `first ${id}`])
    expect(body.meta).toMatchObject({ from: 1, to: 2 })
    expect(body.meta.total).toBeGreaterThanOrEqual(2)
  })

  it('of a document includes lines that name it with others', async () => {
    const message = 'uploaded several'
    const line = { model: 'account_files', modelId: randomUUID(), accountId: tenant.account, class: 'uploaded', message } as const
    await transact(ctx, (tx) => recordActivity(tx, { ...line, fileIds: [tenant.ids.account_files] }))
    const { data } = (await owner.get(`/api/v1/account_files/${tenant.ids.account_files}/activity?paginate=1`)).body
    expect(data[0].message).toBe(message)
  })

  it('has a line for a save of a role and of a subscription', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    for (const [model, body] of [
      ['roles', { label: 'Harbor', permissions: ['view_account_details'] }],
      ['subscriptions', { name: 'Harbor', price: 10, term_months: 12 }],
    ] as const) {
      const { data } = (await admin.post(`/api/v1/${model}`, body)).body
      const { data: lines, meta } = (await admin.get(`/api/v1/${model}/${data.id}/activity`)).body
      expect([lines.length, lines[0]?.class, meta.to, meta.total], model).toEqual([1, 'created', 1, 1])
    }
  })

  it('is forbidden to users who cannot open the record', async () => {
    const { db } = app.system
    const role = {
      company_id: tenant.company.id,
      name: 'activity-only',
      label: 'Activity only',
      permissions: ['view_account_activity', 'view_account_details'],
    }
    const { id: roleId } = await db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()
    const { id } = await makeUser(app.system, { role: 'client', companyId: tenant.company.id })
    await db.updateTable('user_roles').set({ role_id: roleId }).where('user_id', '=', id).execute()
    const { account_properties: property, account_files: file } = tenant.ids
    for (const path of [
      `account_properties/${property}/activity`,
      `account_properties/${property}/history`,
      `account_files/${file}/activity`,
    ])
      expect((await app.as(id).get(`/api/v1/${path}`)).status, path).toBe(403)
  })
})

describe('the activity as CSV', () => {
  const csv = async (path: string, as = owner) => {
    const { status, raw, headers } = await as.get(path)
    return { status, type: headers['content-type'], lines: raw.toString().replace('\uFEFF', '').trimEnd().split('\r\n') }
  }

  it('has every line of the list in its order, as the viewer sees it, with no formula', async () => {
    const { db } = app.system
    const line = { account_id: tenant.account, model: 'accounts', model_id: tenant.account, class: 'updated', actor_name: 'Pat Zanzibar' }
    const at = Date.now()
    const many = Array.from({ length: 2_100 }, (_, number) => ({ ...line, message: `=line ${number}`, created_at: new Date(at + number) }))
    await db.insertInto('activities').values(many).execute()
    const { status, type, lines } = await csv(`/api/v1/accounts/${tenant.account}/activity.csv`)
    const { meta } = await page()
    expect([status, type, lines.length]).toEqual([200, 'text/csv; charset=utf-8', Number(meta.total) + 1])
    expect(lines[0]).toBe('Time,Activity,Kind')
    expect(lines.slice(1, 2_101).map((text) => /'=line \d+/.exec(text)?.[0])).toEqual(many.map(({ message }) => `'${message}`).toReversed())
    expect(lines.join()).toContain('Pat Zanzibar changed the name')
    expect((await csv(`/api/v1/accounts/${tenant.account}/activity.csv`, app.as(tenant.carrier.id))).status).toBe(403)
  })
})
