import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty, makeSoundProperties, reconcile } from '#server/testing/factories/register.ts'
import { criticalProperties, updateSystemFlags } from './system-flags.commands.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** State and ZIP disagree. */
const WRONG = { state: 'NY' }
const RIGHT = { state: 'TX' }

async function scene() {
  const user = await makeUser(app.system)
  const accountId = await makeAccount(app, user.companyId)
  await app.system.db.updateTable('accounts').set({ created_by: user.id, name: 'Harbor Stores' }).where('id', '=', accountId).execute()
  await makeSoundProperties(app, accountId)
  const id = await makeProperty(app, accountId, WRONG)
  return { user, as: app.as(user.id), accountId, id }
}
const set = (id: string, values: object) => app.system.db.updateTable('account_properties').set(values).where('id', '=', id).execute()
const flags = (accountId: string) =>
  app.system.db.selectFrom('flags').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute()
const statuses = async (accountId: string) => (await flags(accountId)).map(({ status }) => status)
const messagesOf = async (userId: string) =>
  (await app.as(userId).get('/api/v1/notifications')).body.data.map(({ message }: { message: string }) => message)

describe('a flag of the system', () => {
  it('is raised once when the first critical discrepancy opens on a property, names the checks and notifies the owner once', async () => {
    const { user, accountId, id } = await scene()
    for (let time = 0; time < 2; time += 1) await reconcile(app, accountId)
    expect(await flags(accountId)).toMatchObject([
      { property_id: id, source: 'system', reason: 'critical_discrepancy', status: 'open', priority: 'high', raised_by: null },
    ])
    expect((await flags(accountId))[0]?.message).toBe('Critical: State and ZIP disagree')
    expect(await messagesOf(user.id)).toEqual(['1 property of Harbor Stores has new critical discrepancies.'])
  })

  it('is closed by the system when none is left, and raised again by a new one', async () => {
    const { accountId, id } = await scene()
    await reconcile(app, accountId)
    await set(id, RIGHT)
    await reconcile(app, accountId)
    expect(await flags(accountId)).toMatchObject([{ status: 'resolved', resolution: 'No critical discrepancy is left.', closed_by: null }])
    await set(id, WRONG)
    await reconcile(app, accountId)
    expect(await statuses(accountId)).toEqual(['resolved', 'open'])
  })

  it('that a user dismissed is not raised again while the discrepancy stays open', async () => {
    const { as, accountId } = await scene()
    await reconcile(app, accountId)
    const [flag] = await flags(accountId)
    const path = `/api/v1/flags/${flag?.id ?? ''}`
    expect((await as.put(path, { message: 'Mine' })).status).toBe(403)
    expect((await as.put(path, { status: 'dismissed', resolution: 'A known error of the ZIP.' })).status).toBe(200)
    await reconcile(app, accountId)
    expect(await statuses(accountId)).toEqual(['dismissed'])
    expect((await as.put(path, { status: 'open' })).body.message).toBe('Flags of the system are raised again when a check finds something.')
  })

  it('raises the version of the list of properties, which shows it', async () => {
    const { as, accountId } = await scene()
    const path = `/api/v1/account_properties?filter__account_id=${accountId}`
    const before = await as.get(path)
    await reconcile(app, accountId)
    const after = await as.get(path, { 'if-none-match': String(before.headers['etag']) })
    expect(after.status).toBe(200)
    expect(after.body.data.map((row: { flags: number }) => row.flags).sort()).toContain(1)
  })

  it('does not take longer for each critical property when there are more, before the database has statistics of them', async () => {
    const { accountId } = await scene()
    const ms = await transact(app.system, async (tx) => {
      await sql`WITH made AS (INSERT INTO account_properties (account_id, location_number, address, city, state)
          SELECT ${accountId}, 'n' || n, n || ' Main St', 'Fresno', 'CA' FROM generate_series(1, 4000) n RETURNING id)
        INSERT INTO discrepancies (account_id, check_id, group_name, property_id, severity, message, fingerprint)
          SELECT ${accountId}, 'DQ-02', 'data_quality', id, 'critical', 'State and ZIP disagree.', id::text FROM made`.execute(tx.db)
      const timed = async (work: Promise<unknown>) => {
        const begun = performance.now()
        await work
        return performance.now() - begun
      }
      return { read: await timed(criticalProperties(tx.db, accountId)), update: await timed(updateSystemFlags(tx, accountId, [])) }
    })
    expect(await flags(accountId)).toHaveLength(4000)
    expect(ms.update / ms.read).toBeLessThan(20)
  })
})
