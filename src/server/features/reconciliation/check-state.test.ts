import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty, makeSoundProperties, reconcile, stored } from '#server/testing/factories/register.ts'
import { checkContext } from './check.ts'
import { keepAlive } from './check-state.ts'
import { reconcileJob, requestReconciliation } from './reconciliation.commands.ts'
import { runChecks } from './run-checks.ts'

let app: TestApp
let companyId: string
let broker: As

beforeAll(async () => {
  app = await testApp()
  companyId = (await makeCompany(app.system)).id
  broker = app.as((await makeUser(app.system, { companyId })).id)
})
afterAll(() => app.stop())

const stateOf = async (accountId: string) => (await broker.get(`/api/v1/accounts/${accountId}/reconciliation`)).body.data
const newAccount = async () => {
  const accountId = await makeAccount(app, companyId)
  await makeSoundProperties(app, accountId)
  return accountId
}
const request = (accountId: string) => transact(app.system, (tx) => requestReconciliation(tx, accountId, 'edit'))
/** Runs the job as its last attempt. */
const runLast = (accountId: string, startedBy: 'edit' | 'button' = 'edit') =>
  reconcileJob.run(
    app.system,
    { accountId, startedBy },
    { id: 'test', attempt: 4, lastAttempt: true, signal: new AbortController().signal },
  )

/** Blocks runs of the account at their begin; returns what lets them go on. */
async function holdRun(accountId: string): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = transact(app.system, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('reconcile', 0) # hashtextextended(${accountId}, 0))`.execute(tx.db)
    held()
    await released
  })
  await isHeld
  return async () => {
    release()
    await holding
  }
}

describe('the state of the checks of an account', () => {
  it('is "nothing_to_check" without active properties, before and after a run', async () => {
    const none = { state: 'nothing_to_check', done: null, total: null }
    const empty = await makeAccount(app, companyId)
    expect(await stateOf(empty)).toEqual({ ...none, as_of: null })
    const accountId = await newAccount()
    await request(accountId)
    await runLast(accountId)
    const divested = { status: 'divested', divested_on: '2026-01-01' } as const
    await app.system.db.updateTable('account_properties').set(divested).where('account_id', '=', accountId).execute()
    expect(await stateOf(accountId)).toEqual({ ...none, as_of: expect.any(String) })
  })

  it('is "never" before the first request', async () => {
    const accountId = await newAccount()
    await app.system.db.deleteFrom('check_states').where('account_id', '=', accountId).execute()
    expect(await stateOf(accountId)).toEqual({ state: 'never', as_of: null, done: null, total: null })
  })

  it('is "waiting" from the commit of a change on, "current" only after a run that read the change', async () => {
    const accountId = await newAccount()
    await request(accountId)
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting', as_of: null })
    await runLast(accountId)
    const { state, as_of } = await stateOf(accountId)
    expect({ state, isRecent: Date.now() - Date.parse(as_of) < 60_000 }).toEqual({ state: 'current', isRecent: true })
    await request(accountId)
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting', as_of })
  })

  it('stays "waiting" after a run during which a value changed', async () => {
    const accountId = await newAccount()
    await request(accountId)
    const letGo = await holdRun(accountId)
    const run = runLast(accountId)
    await vi.waitFor(async () => expect(await stateOf(accountId)).toMatchObject({ state: 'running' }), { timeout: 10_000 })
    await request(accountId)
    await letGo()
    await run
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting' })
  })

  it('is "failed" after the last attempt failed, and the findings keep their time', async () => {
    const accountId = await newAccount()
    await request(accountId)
    await runLast(accountId)
    const { as_of } = await stateOf(accountId)
    await request(accountId)
    await app.system.db
      .updateTable('companies')
      .set({ check_settings: JSON.stringify({ checks: 7 }) })
      .where('id', '=', companyId)
      .execute()
    await expect(runLast(accountId)).rejects.toThrow()
    await app.system.db.updateTable('companies').set({ check_settings: '{}' }).where('id', '=', companyId).execute()
    expect(await stateOf(accountId)).toEqual({ state: 'failed', as_of, done: null, total: null })
  })

  it('is "waiting" again when the account returns from the trash', async () => {
    const accountId = await newAccount()
    await request(accountId)
    await broker.delete('/api/v1/accounts', { ids: [accountId] })
    await runLast(accountId)
    await broker.post('/api/v1/accounts/restore', { ids: [accountId] })
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting', as_of: null })
  })

  it('is hidden from users who do not see the account', async () => {
    const stranger = app.as((await makeUser(app.system, { companyId: (await makeCompany(app.system)).id })).id)
    expect((await stranger.get(`/api/v1/accounts/${await newAccount()}/reconciliation`)).status).toBe(404)
  })
})

describe('a run after a change', () => {
  it('checks only the properties that changed', async () => {
    const accountId = await newAccount()
    await checkedIn(accountId)
    const id = await makeProperty(app, accountId, { year_built: null })
    expect(await checkedIn(accountId)).toBe(1)
    expect((await stored(app, accountId)).map(({ property_id, status }) => [property_id, status])).toEqual([[id, 'open']])
    expect(await checkedIn(accountId)).toBe(0)
    await app.system.db.updateTable('account_properties').set({ year_built: 1990 }).where('id', '=', id).execute()
    expect(await checkedIn(accountId)).toBe(1)
    expect(await stored(app, accountId)).toMatchObject([{ status: 'fixed' }])
  })

  it('checks every property when the settings of the company changed', async () => {
    const accountId = await newAccount()
    await checkedIn(accountId)
    expect(await checkedIn(accountId)).toBe(0)
    expect(await checkedIn(accountId, { numbers: { staleMonths: 12 } })).toBe(8)
  })

  it('opens the findings of a property again that was divested meanwhile', async () => {
    const accountId = await newAccount()
    const id = await makeProperty(app, accountId, { year_built: null })
    const set = (values: Parameters<typeof makeProperty>[2]) =>
      app.system.db
        .updateTable('account_properties')
        .set(values ?? {})
        .where('id', '=', id)
        .execute()
    await runLast(accountId)
    await set({ status: 'divested', divested_on: '2026-01-01', divested_reason: 'sold' })
    await runLast(accountId)
    expect(await stored(app, accountId)).toMatchObject([{ status: 'obsolete' }])
    await set({ status: 'active', divested_on: null, divested_reason: null })
    await runLast(accountId)
    expect(await stored(app, accountId)).toMatchObject([{ status: 'open' }])
  })

  it('is still "running" while the last statements of a run take long', async () => {
    const accountId = await newAccount()
    await request(accountId)
    const setProgress = (at: Date | null) =>
      sql`UPDATE check_states SET progress_at = ${at} WHERE account_id = ${accountId}`.execute(app.system.db)
    await setProgress(new Date(Date.now() - 120_000))
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting' })
    const stop = keepAlive(app.system, accountId, 20)
    await vi.waitFor(async () => expect(await stateOf(accountId)).toMatchObject({ state: 'running' }))
    await setProgress(null)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await stateOf(accountId)).toMatchObject({ state: 'waiting' })
    stop()
  })

  it('leaves a part of the progress for what follows the checks', async () => {
    const { reports } = await runOf(await newAccount())
    const shares = reports.map(({ done, total }) => done / total)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect([Math.max(...shares) > 0, Math.max(...shares) <= 0.75]).toEqual([true, true])
  })

  it('reports whole numbers for an account without properties, too', async () => {
    const { reports } = await runOf(await makeAccount(app, (await makeCompany(app.system)).id))
    expect(reports).toEqual(reports.map(() => ({ done: 0, total: 0 })))
  })

  it('leaves a property without a digest that changes during the run, until the next one', async () => {
    const accountId = await newAccount()
    const changed = await makeProperty(app, accountId)
    const withoutDigest = async () => {
      const rows = app.system.db.selectFrom('account_properties').select('id').where('account_id', '=', accountId)
      return (await rows.where('checked_digest', 'is', null).execute()).map(({ id }) => id)
    }
    let isRead = false
    const edit = async (done: number) => {
      if (done === 0 || isRead) return
      isRead = true
      await broker.put(`/api/v1/account_properties/${changed}`, { version: 1, year_built: 1999 })
    }
    await runOf(accountId, {}, edit)
    expect(await withoutDigest()).toEqual([changed])
    await runOf(accountId)
    expect(await withoutDigest()).toEqual([])
  })

  /** Runs the checks that are needed and returns how many properties they checked. */
  const checkedIn = async (accountId: string, settings = {}): Promise<number> => (await runOf(accountId, settings)).checked

  async function runOf(
    accountId: string,
    settings = {},
    onReport: (done: number) => Promise<void> = async () => {},
  ): Promise<{ checked: number; reports: { done: number; total: number }[] }> {
    const reports: { done: number; total: number }[] = []
    const { checked } = await transact(app.system, (tx) =>
      runChecks(tx.db, {
        accountId,
        context: checkContext(settings, '2026-11-22'),
        rules: JSON.stringify(settings),
        isFull: false,
        signal: new AbortController().signal,
        report: async (done, total) => {
          reports.push({ done, total })
          await onReport(done)
        },
      }),
    )
    return { checked, reports }
  }
})

describe('a change of documents', () => {
  it('that moves a score marks the findings as out of date', async () => {
    const accountId = await newAccount()
    const { id } = await app.system.db
      .insertInto('account_files')
      .values({
        account_id: accountId,
        storage_key: `test/${accountId}`,
        original_file_name: 'a.pdf',
        content_type: 'application/pdf',
        size: 1,
        category: 'other',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const change of [
      () => broker.patch(`/api/v1/accounts/${accountId}/files/${id}`, { category: 'appraisal' }),
      () => broker.patch(`/api/v1/accounts/${accountId}/files/${id}`, { report_author_date: '2026-01-01' }),
      () => broker.delete('/api/v1/account_files', { ids: [id] }),
      () => broker.post('/api/v1/account_files/restore', { ids: [id] }),
    ]) {
      await reconcile(app, accountId)
      expect(await stateOf(accountId)).toMatchObject({ state: 'current' })
      expect((await change()).status).toBe(200)
      expect(await stateOf(accountId)).toMatchObject({ state: 'waiting' })
    }
  })
  it('an added, changed, deleted or restored risk control report makes the checks wait', async () => {
    const accountId = await newAccount()
    const property = await app.system.db
      .selectFrom('account_properties')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    const report = { property_id: property.id, title: 'Survey', survey_date: '2026-01-05' }
    let id = ''
    for (const change of [
      () => broker.post('/api/v1/risk_control', report),
      () => broker.put(`/api/v1/risk_control/${id}`, { survey_date: '2026-02-05' }),
      () => broker.delete('/api/v1/risk_control', { selectedIds: [id] }),
      () => broker.post('/api/v1/risk_control/restore', { selectedIds: [id] }),
    ]) {
      await reconcile(app, accountId)
      expect(await stateOf(accountId)).toMatchObject({ state: 'current' })
      const { status, body } = await change()
      expect([200, 201], JSON.stringify(body)).toContain(status)
      id ||= body.data.id
      expect(await stateOf(accountId)).toMatchObject({ state: 'waiting' })
    }
  })
})

describe('a run while all other connections of the process are in use', () => {
  it('finishes without reporting how far it is', async () => {
    const accountId = await newAccount()
    const { pool } = app.system
    const held = await Promise.all(Array.from({ length: pool.options.max - 1 }, () => pool.connect()))
    await runLast(accountId)
    for (const client of held) client.release()
    expect(await stateOf(accountId)).toMatchObject({ state: 'current' })
  })
})
