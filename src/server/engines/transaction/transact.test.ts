import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import type { Model } from '#contract/permissions.ts'
import { ACTIVITY_GROUP_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { enqueue } from '../jobs/define-job.ts'
import { sendMail } from '../mail/send-mail.job.ts'
import { CHANGES_CHANNEL, emit, type ChangeNotice } from './changes.ts'
import { recordActivity } from './activity.ts'
import { transact } from './transact.ts'

const clock = movingClock()
let app: TestApp
let accountId: string
let companyId: string
let ctx: Context
let heard: ChangeNotice[]
let ear: pg.Client

beforeAll(async () => {
  app = await testApp({ clock })
  const owner = await makeUser(app.system, { firstName: 'Ada', lastName: 'King' })
  companyId = owner.companyId
  accountId = (await makeAccount(app.system, { companyId })).id
  ctx = { ...app.system, viewer: await app.viewer(owner.id) }
  ear = new pg.Client({ connectionString: app.system.config.databaseUrl })
  await ear.connect()
  heard = []
  ear.on('notification', ({ payload }) => heard.push(JSON.parse(payload ?? '') as ChangeNotice)) // what the bus writes
  await ear.query(`LISTEN ${CHANGES_CHANNEL}`)
})
afterAll(async () => {
  await ear.end()
  await app.stop()
})

const letter = (key: string) => ({ to: 'a@example.test', subject: key, text: '', html: '', key })
const waiting = async (key: string) =>
  (await sql`SELECT 1 FROM pgboss.job WHERE name = ${sendMail.name} AND data->>'key' = ${key}`.execute(app.system.db)).rows.length
const lines = async (message: string) =>
  app.system.db.selectFrom('activities').select(['message', 'actor_name', 'group_count']).where('message', 'like', `%${message}%`).execute()
const stampOf = async (model: Model, scope: string) => {
  const row = await app.system.db
    .selectFrom('list_versions')
    .select('version')
    .where('model', '=', model)
    .where('scope_id', '=', scope)
    .executeTakeFirst()
  return row?.version ?? 0
}
const stamps = () =>
  Promise.all([
    stampOf('account_files', accountId),
    stampOf('account_files', companyId),
    stampOf('accounts', companyId),
    stampOf('companies', companyId),
  ])
/** Everything that was committed before this has been heard. */
const listen = async () => {
  await ear.query('SELECT 1')
  return heard.splice(0)
}

/** A change with all that belongs to it. */
const everything = (name: string) =>
  transact(ctx, async (tx) => {
    await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'updated', message: `{user} did ${name}` })
    await enqueue(tx, sendMail, letter(name))
    emit(tx, { model: 'account_files', id: accountId, inAccount: accountId, scope: 'files' })
    await listen()
    expect(heard).toEqual([])
    if (name.startsWith('broken')) throw new Error(name)
    return name
  })

describe('a transaction', () => {
  it('keeps the change, its line, its job, its stamps and its notice together', async () => {
    await listen()
    const before = await stamps()
    expect(await everything('well')).toBe('well')
    expect(await lines('did well')).toEqual([{ message: 'Ada King did well', actor_name: 'Ada King', group_count: 1 }])
    expect(await waiting('well')).toBe(1)
    expect(await stamps()).toEqual([...before].map((stamp, at) => stamp + (at < 3 ? 1 : 0)))
    expect(await listen()).toEqual([
      {
        model: 'account_files',
        id: accountId,
        accountId,
        scope: 'files',
        principals: [],
        everywhere: false,
        updatedAt: expect.any(String),
      },
    ])
  })

  it('drops all of them together', async () => {
    const before = await stamps()
    await expect(everything('broken')).rejects.toThrow('broken')
    expect([await lines('did broken'), await waiting('broken'), await stamps(), await listen()]).toEqual([[], 0, before, []])
  })

  it('joins the one around it', async () => {
    const outer = transact(ctx, async (tx) => {
      await transact(tx, async (inner) => {
        expect(inner).toBe(tx)
        await recordActivity(inner, { model: 'accounts', modelId: accountId, class: 'updated', message: 'inner' })
      })
      throw new Error('outer')
    })
    await expect(outer).rejects.toThrow('outer')
    expect(await lines('inner')).toEqual([])
  })

  it('moves the touched account to the front, and its register on when a property changed', async () => {
    const read = () =>
      app.system.db.selectFrom('accounts').select(['updated_at', 'register_version']).where('id', '=', accountId).executeTakeFirstOrThrow()
    const before = await read()
    await transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const touched = await read()
    expect(touched.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime())
    expect(touched.register_version).toBe(before.register_version)
    await transact(ctx, async (tx) => emit(tx, { model: 'account_properties', id: null, inAccount: accountId }))
    expect((await read()).register_version).toBe(before.register_version + 1)
  })

  it('says once what happened to many records of an account', async () => {
    await listen()
    await transact(ctx, async (tx) => {
      for (const id of [accountId, companyId, accountId]) emit(tx, { model: 'account_properties', id, inAccount: accountId })
      emit(tx, { model: 'account_files', id: companyId, inAccount: accountId })
      emit(tx, { model: 'account_files', id: companyId, inAccount: accountId })
    })
    expect((await listen()).map(({ model, id, scope }) => ({ model, id, scope }))).toEqual([
      { model: 'account_properties', id: null, scope: 'data' },
      { model: 'account_files', id: companyId, scope: 'files' },
    ])
  })

  it('stamps the lists of everybody who sees the account', async () => {
    const [carrier, added] = [await makeUser(app.system, { role: 'carrier' }), await makeUser(app.system)]
    await app.system.db.updateTable('accounts').set({ carrier_company_id: carrier.companyId }).where('id', '=', accountId).execute()
    await app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: added.id }).execute()
    const before = await Promise.all([carrier.companyId, added.id, added.companyId].map((scope) => stampOf('account_files', scope)))
    await transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const after = await Promise.all([carrier.companyId, added.id, added.companyId].map((scope) => stampOf('account_files', scope)))
    expect(after.map((stamp, at) => stamp - (before[at] ?? 0))).toEqual([1, 1, 0])
  })

  it('does not lose a stamp to another at the same moment', async () => {
    const before = await stampOf('account_files', accountId)
    await Promise.all(
      Array.from({ length: 20 }, () => transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))),
    )
    expect(await stampOf('account_files', accountId)).toBe(before + 20)
  })

  it('never waits crosswise for another that touches the same accounts in another order', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => makeAccount(app.system, { companyId })))
    const touch = (order: readonly { id: string }[]) =>
      transact(ctx, async (tx) => {
        for (const { id } of order) emit(tx, { model: 'account_properties', id: null, inAccount: id })
      })
    const rounds = Array.from({ length: 40 }, (_, round) => touch(round % 2 === 0 ? accounts : accounts.toReversed()))
    await expect(Promise.all(rounds)).resolves.toHaveLength(40)
  })
})

describe('a line of the history', () => {
  const upload = (count: number) =>
    transact(ctx, (tx) =>
      recordActivity(tx, {
        model: 'account_files',
        modelId: accountId,
        accountId,
        class: 'uploaded',
        message: '{user} sent {n} pages',
        group: { key: 'pages', count },
      }),
    )

  it('joins an earlier one of the same kind by the same person for ten minutes', async () => {
    await upload(1)
    await upload(2)
    expect(await lines('pages')).toEqual([{ message: 'Ada King sent {n} pages', actor_name: 'Ada King', group_count: 3 }])
    clock.pass(ACTIVITY_GROUP_MS + 60_000)
    await upload(4)
    expect((await lines('pages')).map(({ group_count }) => group_count).toSorted((left, right) => left - right)).toEqual([3, 4])
  })

  it('names the product where nobody acts', async () => {
    await transact(app.system, (tx) =>
      recordActivity(tx, { model: 'accounts', modelId: accountId, class: 'reconciled', message: '{user} looked' }),
    )
    expect(await lines('looked')).toMatchObject([{ message: 'Plumbline looked', actor_name: 'Plumbline' }])
  })
})
