import { beforeAll, describe, expect, it } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { accountRecord, createAccount, updateAccount } from '#server/features/accounts/accounts.record.ts'
import { companyRecord } from '#server/features/companies/companies.record.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import type { Context, WriteContext } from '../context.ts'
import { transact } from '../transaction/transact.ts'
import { showRecord } from './record-handlers.ts'
import { createRecord } from './save-record.ts'
import { trashRecords } from './trash-records.ts'

const { app, tenant, ownerCtx } = await testTenant()
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)

describe('a save', () => {
  it('of an empty text where no value is stored writes nothing', async () => {
    const { id } = await makeUser(app.system)
    const save = async (cell_phone: string | null) => (await admin.put(`/api/v1/users/${id}`, { cell_phone })).body.data.version
    expect([await save(''), await save(null), await save('555 0100')]).toEqual([1, 1, 2])
  })

  it('accepts exactly one of many new records with the same name', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post('/api/v1/subscriptions', { name: 'Wanted by all' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
  })

  it('prepares at most 50 variants of inserts', async () => {
    const preparedAfter = async (count: number) => {
      const preparedInserts = new Set(Array.from({ length: count }, (_, at) => `INSERT ${at}`))
      const company = { name: `Prepared ${count}`, language: 'en', timezone: 'America/New_York' } as const
      await createRecord({ ...app.system, preparedInserts }, companyRecord, company)
      return preparedInserts.size
    }
    expect([await preparedAfter(0), await preparedAfter(49), await preparedAfter(50)]).toEqual([1, 50, 50])
  })
})

describe('a new account', () => {
  const news = (work: (tx: WriteContext) => Promise<unknown>) =>
    transact(app.system, async (tx) => {
      await work(tx)
      return tx.changes.map(({ model, isNew = false }) => [model, isNew])
    })

  it('is published as new, unlike its properties, changes and deletion', async () => {
    const account = { name: 'Brand New', type: 'standard', company_id: tenant.company.id } as const
    expect(await news((tx) => createAccount(tx, account))).toContainEqual(['accounts', true])
    for (const work of [
      (tx: WriteContext) => makeProperty(tx, tenant.account),
      (tx: WriteContext) => updateAccount(tx, tenant.account, { name: 'Renamed' }),
      (tx: WriteContext) => trashRecords(tx, accountRecord, [tenant.account]),
    ]) {
      const published = (await news(work)).map(([, isNew]) => isNew)
      expect(published).toContain(false)
      expect(published).not.toContain(true)
    }
  })
})

describe('a record that a client has', () => {
  let id: string
  beforeAll(async () => {
    ;({ id } = await createAccount(app.system, { name: 'Seen before', type: 'standard', company_id: tenant.company.id }))
  })

  it('is not read again while its version is the same', async () => {
    let reads = 0
    const load: typeof accountRecord.load = (ctx, where) => {
      reads += 1
      return accountRecord.load(ctx, where)
    }
    const show = async (etag?: string) => {
      const caller = {
        address: '127.0.0.1',
        client: '',
        idleMs: 0,
        isConditional: etag !== undefined,
        has: (other: string) => other === etag,
      }
      const signal = AbortSignal.any([])
      const { ready } = await showRecord(
        ownerCtx,
        { ...accountRecord, load },
        { call: accountCalls.show, id, caller: { ...caller, signal } },
      )
      return ready
    }
    await show() // marks the account as opened, which changes its content
    const { etag } = await show()
    expect([(await show(etag)).json, reads]).toEqual([undefined, 3])
    expect([(await show(etag)).json, reads]).toEqual([undefined, 3])
    expect([(await show('"other"')).json === undefined, reads]).toEqual([false, 4])
    await updateAccount(app.system, id, { name: 'Changed since' })
    reads = 0
    expect((await show(etag)).json).toBeDefined()
    expect(reads).toBe(1)
  })

  it('is read for another viewer, whose answer differs', async () => {
    const client = {
      ...app.system,
      viewer: await app.viewer((await makeUser(app.system, { role: 'client', companyId: tenant.company.id })).id),
    }
    const show = async (ctx: Context, ...etags: string[]) => {
      const caller = {
        address: '127.0.0.1',
        client: '',
        idleMs: 0,
        isConditional: true,
        has: (etag: string) => etags.includes(etag),
        signal: AbortSignal.any([]),
      }
      return (await showRecord(ctx, accountRecord, { call: accountCalls.show, id, caller })).ready
    }
    for (const ctx of [ownerCtx, client]) await show(ctx) // marks the account as opened
    const [own, other] = [await show(ownerCtx), await show(client)]
    expect(other.etag).not.toBe(own.etag)
    await show(ownerCtx)
    expect((await show(client, own.etag)).json).toBeDefined()
    expect((await show(client, other.etag)).json).toBeUndefined()
  })

  it('is answered with 304 also if its model has no cheap version', async () => {
    const path = `/api/v1/companies/${tenant.company.id}`
    const { headers } = await admin.get(path)
    expect((await admin.get(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304)
    expect((await admin.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })
})
