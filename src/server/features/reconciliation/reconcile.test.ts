import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { checkProperty } from './check-register.ts'
import { checkContext, checkedProperties } from './check.ts'
import { readSources } from './read-register.ts'
import { reconcileNightlyJob, requestReconciliation } from './reconciliation.commands.ts'
import { makeAccount, makeProperty, makeSoundProperties, reconcile, stored } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

async function account(...changes: Parameters<typeof makeProperty>[2][]): Promise<{ accountId: string; ids: string[] }> {
  const accountId = await makeAccount(app, (await makeCompany(app.system)).id)
  await makeSoundProperties(app, accountId)
  const ids: string[] = []
  for (const change of changes) ids.push(await makeProperty(app, accountId, change))
  return { accountId, ids }
}
const set = (id: string | undefined, values: Parameters<typeof makeProperty>[2]) =>
  app.system.db
    .updateTable('account_properties')
    .set(values ?? {})
    .where('id', '=', id ?? '')
    .execute()
const summary = async (accountId: string) => (await stored(app, accountId)).map(({ check_id, status }) => `${check_id} ${status}`)
const runs = (accountId: string) =>
  app.system.db.selectFrom('reconciliation_runs').selectAll().where('account_id', '=', accountId).orderBy('started_at').execute()
const activities = async (accountId: string) =>
  (await app.system.db.selectFrom('activities').select('message').where('account_id', '=', accountId).orderBy('created_at').execute()).map(
    ({ message }) => message,
  )

describe('a reconciliation', () => {
  it('stores its findings, scores every property and writes one activity line', async () => {
    const { accountId, ids } = await account({ year_built: null })
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([
      {
        check_id: 'DQ-04',
        group_name: 'data_quality',
        property_id: ids[0],
        field: 'year_built',
        severity: 'warning',
        status: 'open',
        message: 'Year built is missing. Enter the year, or take it from a document.',
      },
    ])
    expect(await runs(accountId)).toMatchObject([
      { started_by: 'button', opened: 1, fixed: 0, obsolete: 0, open_total: 1, account_score: expect.any(Number) },
    ])
    expect(await activities(accountId)).toEqual(['Reconciliation found 1 new discrepancy'])
    const scores = await app.system.db
      .selectFrom('account_properties')
      .select('quality_score')
      .where('account_id', '=', accountId)
      .execute()
    expect(scores.every(({ quality_score }) => quality_score !== null)).toBe(true)
  })

  it('reads the sources of no other fields than those with findings', async () => {
    const source = (ref: string) => ({ source: 'import', by: null, at: '2026-01-02T00:00:00Z', ref })
    const sources = { year_built: source('K14'), stories: source('L14'), address: source('C14') }
    const { accountId, ids } = await account({ year_built: null, sources: JSON.stringify(sources) })
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([{ left_value: { ref: 'K14' } }])
    const [property] = await checkedProperties(app.system.db)
      .where('id', '=', ids[0] ?? '')
      .execute()
    const drafts = property === undefined ? [] : checkProperty(property, checkContext({}, '2026-11-22'))
    expect(await readSources(app.system.db, drafts)).toEqual(new Map([[ids[0], { year_built: source('K14') }]]))
  })

  it('names in its activity line the discrepancies of single properties and those of the whole schedule as the panel counts them', async () => {
    const accountId = await makeAccount(app, (await makeCompany(app.system)).id)
    const undated = { valuation_date: null }
    for (let count = 0; count < 9; count += 1) await makeProperty(app, accountId, undated)
    await makeProperty(app, accountId, { year_built: null })
    await reconcile(app, accountId)
    expect(await activities(accountId)).toEqual(['Reconciliation found 1 new discrepancy and 1 for the whole schedule'])
    await makeProperty(app, accountId, undated)
    await reconcile(app, accountId)
    expect(await activities(accountId)).toHaveLength(1)
  })

  it('changes nothing when it is repeated', async () => {
    const { accountId } = await account({ year_built: null }, { stories: null })
    await reconcile(app, accountId)
    const before = await stored(app, accountId)
    const versions = () => app.system.db.selectFrom('list_versions').selectAll().where('model', '<>', 'discrepancies').execute()
    const versionsBefore = await versions()
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toEqual(before)
    expect(await versions()).toEqual(versionsBefore)
    expect(await activities(accountId)).toEqual(['Reconciliation found 2 new discrepancies'])
  })

  it('reports earlier discrepancies that are open again, as after an undo, not as new ones', async () => {
    const { accountId, ids } = await account({ year_built: null }, { stories: null })
    const trash = (deleted_at: Date | null) =>
      app.system.db.updateTable('account_properties').set({ deleted_at }).where('id', 'in', ids).execute()
    await reconcile(app, accountId)
    await trash(new Date())
    await reconcile(app, accountId)
    await trash(null)
    await makeProperty(app, accountId, { year_built: null })
    await reconcile(app, accountId)
    const found = await activities(accountId)
    expect(found).toContain('Reconciliation found 2 new discrepancies')
    expect(found).toContain('Reconciliation found 1 new discrepancy and 2 earlier discrepancies again')
  })

  it('opens each discrepancy once if two run in parallel', async () => {
    const { accountId } = await account({ year_built: null }, { stories: null })
    await Promise.all([reconcile(app, accountId), reconcile(app, accountId)])
    expect(await summary(accountId)).toEqual(['DQ-04 open', 'DQ-05 open'])
    expect(await activities(accountId)).toEqual(['Reconciliation found 2 new discrepancies'])
  })

  it('changes neither version nor time of a property, nor the version of the register', async () => {
    const { accountId, ids } = await account({ year_built: null })
    const read = () =>
      app.system.db
        .selectFrom('account_properties as p')
        .innerJoin('accounts as a', 'a.id', 'p.account_id')
        .select(['p.version', 'p.updated_at', 'a.register_version'])
        .where('p.id', '=', ids[0] ?? '')
        .executeTakeFirstOrThrow()
    const before = await read()
    await reconcile(app, accountId)
    expect(await read()).toEqual(before)
  })

  it('skips an account in the trash', async () => {
    const { accountId } = await account({ year_built: null })
    await app.system.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', accountId).execute()
    await reconcile(app, accountId)
    expect(await runs(accountId)).toEqual([])
  })

  it('applies the settings of the company that owns the account', async () => {
    const { accountId } = await account({ year_built: null })
    const { company_id } = await app.system.db
      .selectFrom('accounts')
      .select('company_id')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    await app.system.db
      .updateTable('companies')
      .set({ check_settings: JSON.stringify({ checks: { 'DQ-04': { enabled: false } } }) })
      .where('id', '=', company_id)
      .execute()
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual([])
  })
})

describe('a discrepancy', () => {
  it('is fixed when it is no longer found and opens again when it is', async () => {
    const { accountId, ids } = await account({ year_built: null })
    await reconcile(app, accountId)
    await set(ids[0], { year_built: 1990 })
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-04 fixed'])
    await set(ids[0], { year_built: null })
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-04 open'])
    expect(await runs(accountId)).toMatchObject([{ opened: 1 }, { fixed: 1, open_total: 0 }, { opened: 1 }])
  })

  it('keeps its decision while the value stays the same; a changed value opens a new one', async () => {
    const { accountId, ids } = await account({ address: 'Elm Street' })
    await reconcile(app, accountId)
    await app.system.db
      .updateTable('discrepancies')
      .set({ status: 'kept', note: 'It has no number' })
      .where('account_id', '=', accountId)
      .execute()
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-01 kept'])
    await set(ids[0], { address: 'Oak Street' })
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-01 kept', 'DQ-01 open'])
  })

  it('keeps its decision when the reason why a construction class is missing becomes known', async () => {
    const { accountId, ids } = await account({ construction_class: null })
    await reconcile(app, accountId)
    await app.system.db.updateTable('discrepancies').set({ status: 'waived', note: 'Old' }).where('account_id', '=', accountId).execute()
    await set(ids[0], { construction_original: '555451' })
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([
      { check_id: 'DQ-03', status: 'waived', note: 'Old', message: expect.stringContaining('Construction "555451" was not understood') },
    ])
  })

  it('is obsolete when its check no longer exists, unless it was decided', async () => {
    const { accountId, ids } = await account({ construction_class: null })
    await app.system.db
      .insertInto('discrepancies')
      .values(
        (['open', 'kept'] as const).map((status) => ({
          account_id: accountId,
          property_id: ids[0] ?? '',
          check_id: 'DQ-12',
          group_name: 'data_quality',
          severity: 'warning',
          message: 'Construction "X" was not understood',
          fingerprint: `old ${status}`,
          status,
        })),
      )
      .execute()
    await reconcile(app, accountId)
    expect((await summary(accountId)).toSorted()).toEqual(['DQ-03 open', 'DQ-12 kept', 'DQ-12 obsolete'])
  })

  it('opens again after the last day of a waiver', async () => {
    const { accountId } = await account({ year_built: null })
    await reconcile(app, accountId)
    const waive = (until: string) =>
      app.system.db
        .updateTable('discrepancies')
        .set({ status: 'waived', note: 'Later', waived_until: until })
        .where('account_id', '=', accountId)
        .execute()
    await waive('2999-01-01')
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-04 waived'])
    await waive('2020-01-01')
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-04 open'])
  })

  it.each([
    ['divested', { status: 'divested', divested_on: '2026-01-01' }],
    ['in the trash', { deleted_at: new Date() }],
  ])('is obsolete when its property is %s', async (_state, change) => {
    const { accountId, ids } = await account({ year_built: null })
    await reconcile(app, accountId)
    await set(ids[0], change)
    await reconcile(app, accountId)
    expect(await summary(accountId)).toEqual(['DQ-04 obsolete'])
  })

  it('changes its severity with the insured value and stays the same record', async () => {
    const { accountId, ids } = await account({ sprinklered: 'unknown', building_value: 1_000_000, floor_area: 4_000, stories: 2 })
    await reconcile(app, accountId)
    const [before] = await stored(app, accountId)
    expect(before).toMatchObject({ check_id: 'DQ-07', severity: 'info' })
    await set(ids[0], { building_value: 8_000_000, floor_area: 40_000 })
    await reconcile(app, accountId)
    expect(await stored(app, accountId)).toMatchObject([{ id: before?.id, severity: 'warning', status: 'open' }])
  })
})

describe('requests for a reconciliation', () => {
  const waiting = (accountId: string) => app.api.services.jobs.boss.findJobs('reconcile', { key: accountId })

  it('within five seconds become one run, and are rolled back with their transaction', async () => {
    const { accountId } = await account()
    await expect(
      transact(app.system, async (tx) => {
        await requestReconciliation(tx, accountId, 'edit')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await waiting(accountId)).toHaveLength(0)
    for (const startedBy of ['edit', 'import', 'document'] as const)
      await transact(app.system, (tx) => requestReconciliation(tx, accountId, startedBy))
    const jobs = await waiting(accountId)
    expect(jobs).toHaveLength(1)
    expect(jobs[0]?.startAfter.getTime()).toBeGreaterThan(Date.now())
  })

  it('are made every night for every account with active properties', async () => {
    const { accountId } = await account()
    const empty = await makeAccount(app, (await makeCompany(app.system)).id)
    await reconcileNightlyJob.run(app.system, {}, { id: 'test', attempt: 1, lastAttempt: false, signal: new AbortController().signal })
    expect(await waiting(accountId)).toHaveLength(1)
    expect(await waiting(empty)).toHaveLength(0)
  })
})
