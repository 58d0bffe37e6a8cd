import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { ALL_SCOPE } from './scope.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { visibleAccounts } from './accounts.ts'
import { can, type SignedIn } from './viewer.ts'

/** Compares the SQL condition, and the table it reads, with the rule in plain code, through many changes. */
let app: TestApp
let companies: string[]
let people: SignedIn[]
const ROLES: readonly DefaultRole[] = ['broker', 'client', 'carrier', 'upload_only', 'share_guest', 'provider', 'admin']

/** A fixed pseudo-random sequence, so that a failure can be reproduced. */
let state = 42
const below = (count: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * count)
}
const oneOf = <T>(values: readonly T[]): T => {
  const value = values[below(values.length)]
  if (value === undefined) throw new Error('There is nothing to choose from')
  return value
}
const maybe = <T>(value: T): T | null => (below(3) === 0 ? value : null)

beforeAll(async () => {
  app = await testApp()
  companies = []
  for (let count = 0; count < 4; count += 1) companies.push((await makeCompany(app.system)).id)
  people = []
  for (const companyId of companies) {
    for (const role of ROLES) people.push(await app.viewer((await makeUser(app.system, { role, companyId })).id))
  }
})
afterAll(() => app.stop())

const values = () => ({
  company_id: oneOf(companies),
  broker_company_id: maybe(oneOf(companies)),
  carrier_company_id: maybe(oneOf(companies)),
  created_by: maybe(oneOf(people).userId),
})

interface Stored {
  id: string
  company_id: string
  broker_company_id: string | null
  carrier_company_id: string | null
  created_by: string | null
  deleted_at: Date | null
  users: string[]
}

async function stored(): Promise<Stored[]> {
  const { db } = app.system
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'company_id', 'broker_company_id', 'carrier_company_id', 'created_by', 'deleted_at'])
    .execute()
  const added = Map.groupBy(await db.selectFrom('account_users').selectAll().execute(), ({ account_id }) => account_id)
  return accounts.map((account) => ({ ...account, users: (added.get(account.id) ?? []).map(({ user_id }) => user_id) }))
}

/** Provider and administrators see all accounts; others those their company owns, brokers or carries, and their own. */
function sees(viewer: SignedIn, account: Stored): boolean {
  if (can(viewer, 'view_all_system_companies')) return true
  const theirs = [account.company_id, account.broker_company_id, account.carrier_company_id]
  const own = account.created_by === viewer.userId || account.users.includes(viewer.userId)
  return own || (can(viewer, 'view_company_accounts') && theirs.includes(viewer.companyId))
}

async function changeSomething(accounts: readonly Stored[]): Promise<void> {
  const { db } = app.system
  const { id, users } = oneOf(accounts)
  const change = below(7)
  if (change === 0)
    await db
      .insertInto('accounts')
      .values({ ...values(), type: 'standard', name: 'New' })
      .execute()
  else if (change === 1) await db.updateTable('accounts').set(values()).where('id', '=', id).execute()
  else if (change === 2) await db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', id).execute()
  else if (change === 3) await db.updateTable('accounts').set({ deleted_at: null }).execute()
  else if (change === 4 && users[0] !== undefined)
    await db.deleteFrom('account_users').where('account_id', '=', id).where('user_id', '=', users[0]).execute()
  else if (change === 5 && accounts.length > 20) await db.deleteFrom('accounts').where('id', '=', id).execute()
  else
    await db
      .insertInto('account_users')
      .values({ account_id: id, user_id: oneOf(people).userId })
      .onConflict((on) => on.doNothing())
      .execute()
}

/** The differences between condition and rule, and between stored total and rule. */
async function disagreements(): Promise<string[]> {
  const accounts = await stored()
  const { db } = app.system
  const found: string[] = []
  for (const viewer of people) {
    const rows = await db.selectFrom('accounts').select('id').where(visibleAccounts(viewer)).execute()
    const seen = new Set(rows.map(({ id }) => id))
    const wrong = accounts.filter((account) => seen.has(account.id) !== sees(viewer, account))
    if (wrong.length > 0) found.push(`${viewer.roles[0]?.name} of company ${companies.indexOf(viewer.companyId)}: ${wrong.length} accounts`)
  }
  const totals = new Map((await db.selectFrom('principal_totals').selectAll().execute()).map((row) => [row.principal_id, row.accounts]))
  for (const company of companies) {
    const live = accounts.filter(
      (account) =>
        account.deleted_at === null && [account.company_id, account.broker_company_id, account.carrier_company_id].includes(company),
    )
    if ((totals.get(company) ?? 0) !== live.length) found.push(`total of company ${companies.indexOf(company)}`)
  }
  if (totals.get(ALL_SCOPE) !== accounts.filter(({ deleted_at }) => deleted_at === null).length) found.push('total of all companies')
  return found
}

describe('visibleAccounts', () => {
  it('agrees with the rule after any sequence of changes', async () => {
    for (let count = 0; count < 25; count += 1) {
      const { id } = await app.system.db
        .insertInto('accounts')
        .values({ ...values(), type: 'standard', name: 'A' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const added = people.filter(() => below(9) === 0).map(({ userId }) => ({ account_id: id, user_id: userId }))
      if (added.length > 0) await app.system.db.insertInto('account_users').values(added).execute()
    }
    expect(await disagreements()).toEqual([])
    for (let round = 0; round < 6; round += 1) {
      for (let step = 0; step < 12; step += 1) await changeSomething(await stored())
      expect(await disagreements()).toEqual([])
    }
  })

  it('is empty for anonymous viewers and everything for the system', async () => {
    const { db } = app.system
    expect(
      await db
        .selectFrom('accounts')
        .select('id')
        .where(visibleAccounts({ kind: 'anonymous' }))
        .execute(),
    ).toEqual([])
    expect(
      await db
        .selectFrom('accounts')
        .select('id')
        .where(visibleAccounts({ kind: 'system' }))
        .execute(),
    ).toHaveLength((await stored()).length)
  })
})
