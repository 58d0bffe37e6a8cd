import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import type { Model } from '#contract/models.ts'
import { ACTIVITY_GROUP_MS } from '#contract/limits.ts'
import type { Change, Context } from '#server/engines/context.ts'
import { ALL_SCOPE } from '#server/access/scope.ts'
import { JOB_LIMITS } from '#server/db/client.ts'
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
let received: ChangeNotice[]
let listener: pg.Client

beforeAll(async () => {
  app = await testApp({ clock })
  const owner = await makeUser(app.system, { firstName: 'Ada', lastName: 'King' })
  companyId = owner.companyId
  accountId = (await makeAccount(app.system, { companyId })).id
  ctx = { ...app.system, viewer: await app.viewer(owner.id) }
  listener = new pg.Client({ connectionString: app.system.config.databaseUrl })
  await listener.connect()
  received = []
  listener.on('notification', ({ payload }) => received.push(JSON.parse(payload ?? '') as ChangeNotice)) // what the bus writes
  await listener.query(`LISTEN ${CHANGES_CHANNEL}`)
})
afterAll(async () => {
  await listener.end()
  await app.stop()
})

const email = (key: string) => ({ to: 'a@example.test', subject: key, text: '', html: '', key })
const queuedJobs = async (key: string) =>
  (await sql`SELECT 1 FROM pgboss.job WHERE name = ${sendMail.name} AND data->>'key' = ${key}`.execute(app.system.db)).rows.length
const lines = async (message: string) =>
  app.system.db.selectFrom('activities').select(['message', 'actor_name', 'group_count']).where('message', 'like', `%${message}%`).execute()
const versionOf = async (model: Model, scope: string) => {
  const row = await app.system.db
    .selectFrom('list_versions')
    .select('version')
    .where('model', '=', model)
    .where('scope_id', '=', scope)
    .executeTakeFirst()
  return row?.version ?? 0
}
const versions = () =>
  Promise.all([
    versionOf('account_files', accountId),
    versionOf('account_files', companyId),
    versionOf('accounts', companyId),
    versionOf('companies', companyId),
  ])
const raised = (before: readonly number[], after: readonly number[]) => after.map((version, at) => version > (before[at] ?? 0))
/** All notices committed so far. */
const receivedNotices = async () => {
  await listener.query('SELECT 1')
  return received.splice(0)
}

/** A change with activity line, job and notice. */
const everything = (name: string) =>
  transact(ctx, async (tx) => {
    await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'updated', message: `{user} did ${name}` })
    await enqueue(tx, sendMail, email(name))
    emit(tx, { model: 'account_files', id: accountId, inAccount: accountId, scope: 'files' })
    await receivedNotices()
    expect(received).toEqual([])
    if (name.startsWith('broken')) throw new Error(name)
    return name
  })

it('a statement of a request ends after 15 seconds, on each pool of the server, and one of a job after 10 minutes', async () => {
  const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`
  const { db, pool, reader } = app.system
  const byKysely = await sql<object>`${sql.raw(limits)}`.execute(db)
  const inTransaction = await transact(ctx, (tx) => sql<object>`${sql.raw(limits)}`.execute(tx.db))
  const found = [byKysely, inTransaction, await pool.query<object>(limits), await reader.query<object>(limits)]
  expect(found.map(({ rows }) => rows)).toEqual(Array.from({ length: 4 }, () => [{ statement: '15s', lock: '5s' }]))
  const ofJob = await transact({ ...ctx, limits: JOB_LIMITS }, (tx) => sql<object>`${sql.raw(limits)}`.execute(tx.db))
  expect(ofJob.rows).toEqual([{ statement: '10min', lock: '30s' }])
})

describe('a transaction', () => {
  it('commits the change with its activity line, job, list versions and notice', async () => {
    await receivedNotices()
    const before = await versions()
    expect(await everything('well')).toBe('well')
    expect(await lines('did well')).toEqual([{ message: 'Ada King did well', actor_name: 'Ada King', group_count: 1 }])
    expect(await queuedJobs('well')).toBe(1)
    expect(raised(before, await versions())).toEqual([true, true, true, false])
    expect(await receivedNotices()).toEqual([
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

  it('rolls all of them back', async () => {
    const before = await versions()
    await expect(everything('broken')).rejects.toThrow('broken')
    expect([await lines('did broken'), await queuedJobs('broken'), await versions(), await receivedNotices()]).toEqual([[], 0, before, []])
  })

  it('joins an outer transaction', async () => {
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

  it('updates the time of the account, and the register version if a property changed', async () => {
    const read = () =>
      app.system.db.selectFrom('accounts').select(['updated_at', 'register_version']).where('id', '=', accountId).executeTakeFirstOrThrow()
    const before = await read()
    await transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const touched = await read()
    expect(touched.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime())
    expect(touched.register_version).toBe(before.register_version)
    await transact(ctx, async (tx) => emit(tx, { model: 'account_properties', id: null, inAccount: accountId }))
    expect((await read()).register_version).toBe(before.register_version + 1)
    await transact(ctx, async (tx) => emit(tx, { model: 'account_properties', id: null, inAccount: accountId, scope: 'files' }))
    expect((await read()).register_version).toBe(before.register_version + 1)
  })

  it.each<[what: string, expected: boolean, changes: Pick<Change, 'model' | 'isNew' | 'isHidden'>[]]>([
    ['a new account', false, [{ model: 'accounts', isNew: true }]],
    ['a changed account', true, [{ model: 'accounts' }]],
    ['a new account with its first properties', true, [{ model: 'accounts', isNew: true }, { model: 'account_properties' }]],
    ['a hidden document', false, [{ model: 'account_files', isHidden: true }]],
    ['a hidden document and a visible one', true, [{ model: 'account_files', isHidden: true }, { model: 'account_files' }]],
  ])('for %s updates the time of the account: %s', async (_what, expected, changes) => {
    const read = () => app.system.db.selectFrom('accounts').select('updated_at').where('id', '=', accountId).executeTakeFirstOrThrow()
    // Two commits can have the same millisecond.
    const longAgo = new Date(0)
    await app.system.db.updateTable('accounts').set({ updated_at: longAgo }).where('id', '=', accountId).execute()
    await transact(ctx, async (tx) => {
      for (const change of changes) emit(tx, { id: accountId, inAccount: accountId, ...change })
    })
    expect((await read()).updated_at > longAgo).toBe(expected)
  })

  it('sends one notice for many records of an account', async () => {
    await receivedNotices()
    await transact(ctx, async (tx) => {
      for (const id of [accountId, companyId, accountId]) emit(tx, { model: 'account_properties', id, inAccount: accountId })
      emit(tx, { model: 'account_files', id: companyId, inAccount: accountId })
      emit(tx, { model: 'account_files', id: companyId, inAccount: accountId })
    })
    expect((await receivedNotices()).map(({ model, id, scope }) => ({ model, id, scope }))).toEqual([
      { model: 'account_properties', id: null, scope: 'data' },
      { model: 'account_files', id: companyId, scope: 'files' },
    ])
  })

  it('sends separate notices for accounts, scopes, models and all companies', async () => {
    const other = (await makeAccount(app.system, { companyId })).id
    await receivedNotices()
    await transact(ctx, async (tx) => {
      emit(tx, { model: 'account_properties', id: null, inAccount: accountId })
      emit(tx, { model: 'account_properties', id: null, inAccount: other })
      emit(tx, { model: 'account_properties', id: null, inAccount: other, scope: 'files' })
      emit(tx, { model: 'companies', id: companyId, for: [companyId] })
      emit(tx, { model: 'companies', id: null, everywhere: true })
    })
    const sent = await receivedNotices()
    expect(
      sent.map(({ model, accountId: account, scope, principals, everywhere }) => [model, account, scope, principals, everywhere]),
    ).toEqual([
      ['account_properties', accountId, 'data', [], false],
      ['account_properties', other, 'data', [], false],
      ['account_properties', other, 'files', [], false],
      ['companies', null, 'data', [companyId], false],
      ['companies', null, 'data', [], true],
    ])
  })

  it('sends a notice for a hundred companies and users at a time', async () => {
    await receivedNotices()
    const principals = Array.from({ length: 250 }, () => randomUUID())
    await transact(ctx, async (tx) => {
      emit(tx, { model: 'companies', id: companyId, for: principals })
      emit(tx, { model: 'companies', id: companyId, for: principals.slice(0, 2) })
    })
    const sent = await receivedNotices()
    expect(sent.map((notice) => notice.principals.length)).toEqual([100, 100, 50])
    expect(sent.flatMap((notice) => notice.principals)).toEqual(principals)
    expect(sent.map(({ id }) => id)).toEqual([companyId, companyId, companyId])
  })

  it('raises the list versions of every principal with access to the account', async () => {
    const [carrier, added] = [await makeUser(app.system, { role: 'carrier' }), await makeUser(app.system)]
    await app.system.db.updateTable('accounts').set({ carrier_company_id: carrier.companyId }).where('id', '=', accountId).execute()
    await app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: added.id }).execute()
    const before = await Promise.all([carrier.companyId, added.id, added.companyId].map((scope) => versionOf('account_files', scope)))
    await transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const after = await Promise.all([carrier.companyId, added.id, added.companyId].map((scope) => versionOf('account_files', scope)))
    expect(raised(before, after)).toEqual([true, true, false])
  })

  it('raises one version of each changed model for viewers who see everything', async () => {
    const read = () => Promise.all((['accounts', 'account_files', 'companies'] as const).map((model) => versionOf(model, ALL_SCOPE)))
    const before = await read()
    await transact(ctx, async (tx) => {
      emit(tx, { model: 'account_files', id: null, inAccount: accountId })
      emit(tx, { model: 'account_files', id: null, inAccount: accountId, scope: 'files' })
      emit(tx, { model: 'accounts', id: null, for: [companyId] })
    })
    await transact(ctx, async (tx) => emit(tx, { model: 'companies', id: null, everywhere: true }))
    expect(raised(before, await read())).toEqual([true, true, true])
  })

  it('loses no version to a concurrent transaction', async () => {
    // Far in the future, so that the clock does not raise it.
    const before = 8_000_000_000_000_000
    await app.system.db.updateTable('list_versions').set({ version: before }).where('scope_id', '=', accountId).execute()
    await Promise.all(
      Array.from({ length: 20 }, () => transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))),
    )
    expect(await versionOf('account_files', accountId)).toBe(before + 20)
  })

  it('uses no version again that a crash discarded before it was on the disk', async () => {
    const change = () => transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const row = app.system.db.updateTable('list_versions').where('model', '=', 'account_files').where('scope_id', '=', accountId)
    await row.set({ version: 1 }).execute()
    await change()
    const discarded = await versionOf('account_files', accountId)
    await row.set({ version: 1 }).execute()
    await change()
    expect(await versionOf('account_files', accountId)).toBeGreaterThan(discarded)
  })

  it('is visible to others before its caller continues, which is when it is on the disk', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await transact(ctx, async (tx) => emit(tx, { model: 'account_files', id: null, inAccount: accountId }))
    const sent = query.mock.calls.map(([batch]: unknown[]) => (batch as { statements?: { text: string }[] }).statements ?? []) // or one statement
    const last = sent.findLast((statements) => statements.some(({ text }) => text === 'COMMIT')) ?? []
    query.mockRestore()
    expect(last.map(({ text }) => text.split('(')[0])).toEqual([
      'BEGIN',
      'SELECT publish_changes',
      'SET LOCAL synchronous_commit = off',
      'COMMIT',
      'SELECT pg_logical_emit_message',
    ])
  })

  it('does not deadlock with one that changes the same accounts in another order', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => makeAccount(app.system, { companyId })))
    const touch = (order: readonly { id: string }[]) =>
      transact(ctx, async (tx) => {
        for (const { id } of order) emit(tx, { model: 'account_properties', id: null, inAccount: id })
      })
    const rounds = Array.from({ length: 40 }, (_, round) => touch(round % 2 === 0 ? accounts : accounts.toReversed()))
    await expect(Promise.all(rounds)).resolves.toHaveLength(40)
  })
})

describe('an activity line', () => {
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

  it('joins an earlier one with the same key by the same user for ten minutes', async () => {
    await upload(1)
    await upload(2)
    expect(await lines('pages')).toEqual([{ message: 'Ada King sent {n} pages', actor_name: 'Ada King', group_count: 3 }])
    clock.pass(ACTIVITY_GROUP_MS + 60_000)
    await upload(4)
    expect((await lines('pages')).map(({ group_count }) => group_count).toSorted((left, right) => left - right)).toEqual([3, 4])
  })

  it('names the product where no user acts', async () => {
    await transact(app.system, (tx) =>
      recordActivity(tx, { model: 'accounts', modelId: accountId, class: 'reconciled', message: '{user} looked' }),
    )
    expect(await lines('looked')).toMatchObject([{ message: 'Plumbline looked', actor_name: 'Plumbline' }])
  })
})
