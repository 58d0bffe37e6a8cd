import type { Insertable } from 'kysely'
import type { AccountProperties } from '#server/db/schema.gen.ts'
import type { TestApp } from '#server/testing/app.ts'
import { reconcileJob } from '#server/features/reconciliation/reconciliation.commands.ts'

let made = 0

export async function makeAccount(app: TestApp, companyId: string, values: { carrier_company_id?: string } = {}): Promise<string> {
  const { id } = await app.system.db
    .insertInto('accounts')
    .values({ company_id: companyId, type: 'standard', name: `Account ${(made += 1)}`, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Lets a user see the account, independently of what their company sees. */
export const addToAccount = (app: TestApp, accountId: string, userId: string) =>
  app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: userId }).execute()

/** A stored property that passes every check; the test overrides single values. */
export async function makeProperty(app: TestApp, accountId: string, changes: Partial<Insertable<AccountProperties>> = {}): Promise<string> {
  made += 1
  const { id } = await app.system.db
    .insertInto('account_properties')
    .values({
      account_id: accountId,
      location_number: String(made),
      property_name: `Building ${made}`,
      interest: 'owned',
      address: `${made} Main St`,
      city: 'Dallas',
      state: 'TX',
      postal_code: '75201',
      latitude: 32.7 + (made % 500) * 0.001,
      longitude: -96.8,
      geocode_level: '2',
      construction_class: '4',
      year_built: 1960 + (made % 60),
      stories: 2 + (made % 9),
      floor_area: 50_000 + made,
      property_type: 'office',
      sprinklered: 'full',
      building_value: 15_000_000 + made,
      contents_value: 500_000,
      bi_value: 250_000,
      valuation_basis: 'rcv',
      valuation_date: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
      address_key: `${made}|MAIN ST||75201`,
      weak_address_key: `${made}|MAIN ST|DALLAS|TX`,
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Eight properties without findings: enough that none of them has a quarter of the total value. */
export async function makeSoundProperties(app: TestApp, accountId: string): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < 8; count += 1) ids.push(await makeProperty(app, accountId))
  return ids
}

/** Runs the job directly, without the queue. */
export const reconcile = (app: TestApp, accountId: string) =>
  reconcileJob.run(
    app.system,
    { accountId, startedBy: 'button' },
    { id: 'test', attempt: 1, lastAttempt: false, signal: new AbortController().signal },
  )

export const stored = (app: TestApp, accountId: string) =>
  app.system.db
    .selectFrom('discrepancies')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('check_id')
    .orderBy('created_at')
    .execute()

/** An account with these properties, reconciled. */
export async function reconciledAccount(
  app: TestApp,
  companyId: string,
  properties: readonly Partial<Insertable<AccountProperties>>[],
): Promise<string> {
  const accountId = await makeAccount(app, companyId)
  for (const changes of properties) await makeProperty(app, accountId, changes)
  await reconcile(app, accountId)
  return accountId
}
