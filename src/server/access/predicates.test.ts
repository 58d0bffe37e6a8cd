import { sql, type Expression, type SqlBool } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { MODEL_NAMES, MODELS } from '#contract/models.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { visibleAccounts } from './accounts.ts'
import { authorizeChannel, rooms } from './channels.ts'
import { nameableCompanies, visibleCompanies } from './companies.ts'
import { requireOwnAccounts } from './require.ts'
import { givableRoles, visibleRoles } from './roles.ts'
import { equalsAnyId, visibleWith } from './scope.ts'
import { visibleUsers } from './users.ts'
import { ANONYMOUS, SYSTEM, loadViewer, timezoneOf, type SignedIn, type Viewer } from './viewer.ts'

/** Two companies with an account each; the viewers belong to the first. */
let app: TestApp
let companies: string[]
let accounts: string[]
let colleague: string
let stranger: string
const viewers = new Map<DefaultRole, SignedIn>()

beforeAll(async () => {
  app = await testApp()
  const [mine, other] = [await makeCompany(app.system), await makeCompany(app.system)]
  companies = [mine.id, other.id]
  accounts = []
  for (const companyId of companies) accounts.push((await makeAccount(app.system, { companyId })).id)
  for (const role of ['admin', 'provider', 'broker', 'client', 'upload_only', 'share_guest'] as const)
    viewers.set(role, await app.viewer((await makeUser(app.system, { role, companyId: mine.id })).id))
  colleague = (await makeUser(app.system, { companyId: mine.id })).id
  stranger = (await makeUser(app.system, { companyId: other.id })).id
})
afterAll(() => app.stop())

function viewer(role: DefaultRole): SignedIn {
  const found = viewers.get(role)
  if (found === undefined) throw new Error(`There is no viewer with the role ${role}`)
  return found
}
const without = (from: SignedIn, ...names: PermissionName[]): SignedIn => ({
  ...from,
  permissions: new Set([...from.permissions].filter((name) => !names.includes(name))),
})
/** The ids among those given that the condition holds for. */
async function among(table: string, ids: readonly string[], condition: Expression<SqlBool>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM ${sql.table(table)} WHERE ${condition}`.execute(app.system.db)
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

describe('accounts', () => {
  const seen = (of: Viewer, state: 'any' | 'live' = 'any') => among('accounts', accounts, visibleAccounts(of, 'accounts.id', state))

  it('are all visible to the product and the provider, and none to an anonymous viewer', async () => {
    for (const state of ['any', 'live'] as const) {
      expect(await seen(SYSTEM, state)).toEqual(accounts)
      expect(await seen(viewer('provider'), state)).toEqual(accounts)
      expect(await seen(viewer('broker'), state)).toEqual([accounts[0]])
      expect(await seen(ANONYMOUS, state)).toEqual([])
    }
  })

  it('in the trash are visible where any state is, and not where live ones are', async () => {
    const gone = await makeAccount(app.system, { companyId: companies[0] ?? '' })
    await app.system.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
    for (const role of ['provider', 'broker'] as const) {
      expect(await among('accounts', [gone.id], visibleAccounts(viewer(role)))).toEqual([gone.id])
      expect(await among('accounts', [gone.id], visibleAccounts(viewer(role), 'accounts.id', 'live'))).toEqual([])
    }
  })

  it('can be permanently deleted by their company, by the product and with restore_records', async () => {
    const attempt = (of: Viewer, ids: string[]) =>
      requireOwnAccounts(app.system.db, of, ids).then(
        () => 'allowed',
        () => 'forbidden',
      )
    const [mine = '', other = ''] = accounts
    const admin = viewer('admin')
    expect(await attempt(viewer('broker'), [mine])).toBe('allowed')
    expect(await attempt(viewer('broker'), [mine, other])).toBe('forbidden')
    expect(await attempt(admin, [mine, other])).toBe('allowed')
    expect(await attempt(without(admin, 'restore_records'), [other])).toBe('forbidden')
    expect(await attempt(SYSTEM, [mine, other])).toBe('allowed')
    expect(await attempt(ANONYMOUS, [mine])).toBe('forbidden')
  })
})

describe('companies', () => {
  const seen = (of: Viewer) => among('companies', companies, visibleCompanies(of))

  it('are the own one, or all of them with the permission and for the product', async () => {
    expect(await seen(viewer('broker'))).toEqual([companies[0]])
    expect(await seen(viewer('provider'))).toEqual(companies)
    expect(await seen(SYSTEM)).toEqual(companies)
    expect(await seen(ANONYMOUS)).toEqual([])
  })

  it('of others are named by the beginning of their name, three letters or more, with any case and spaces around it', async () => {
    const { id } = await makeCompany(app.system, 'Juniper Mutual')
    const named = (search: string) => among('companies', [...companies, id], nameableCompanies(viewer('broker'), search))
    for (const search of ['Jun', ' JUNIPER m ']) expect(await named(search), search).toEqual([companies[0], id])
    for (const search of ['', 'Ju', ' Ju ', 'mutual']) expect(await named(search), search).toEqual([companies[0]])
  })
})

describe('users', () => {
  const seen = (of: Viewer) => among('users', [viewer('client').userId, colleague, stranger], visibleUsers(of))

  it('are all of them, those of the own company or only the viewer, depending on permissions', async () => {
    const client = viewer('client')
    const all = [client.userId, colleague, stranger]
    expect(await seen(SYSTEM)).toEqual(all)
    expect(await seen(viewer('admin'))).toEqual(all)
    expect(await seen(without(viewer('admin'), 'view_all_system_users'))).toEqual([client.userId, colleague])
    expect(await seen(without(client, 'view_company_users', 'view_all_system_users'))).toEqual([client.userId])
    expect(await seen(ANONYMOUS)).toEqual([])
  })
})

describe('roles', () => {
  const roleNames = async (condition: Expression<SqlBool>) => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM roles WHERE ${condition} ORDER BY name`.execute(app.system.db)
    return rows.map(({ name }) => name)
  }
  beforeAll(async () => {
    const own = { label: 'Role', permissions: ['view_help_request'] }
    const values = companies.map((company_id, index) => ({ ...own, company_id, name: index === 0 ? 'of_mine' : 'of_other' }))
    await app.system.db.insertInto('roles').values(values).execute()
  })

  it('are visible in the own company, or all with view_all_roles', async () => {
    expect(await roleNames(visibleRoles(without(viewer('broker'), 'view_all_roles')))).toEqual(['of_mine'])
    expect(await roleNames(visibleRoles(viewer('admin')))).toEqual(expect.arrayContaining(['admin', 'of_mine', 'of_other']))
    expect(await roleNames(visibleRoles(SYSTEM))).toEqual(expect.arrayContaining(['admin', 'of_mine', 'of_other']))
    expect(await roleNames(visibleRoles(ANONYMOUS))).toEqual([])
  })

  it('can be given if they are the system’s or the company’s, are not of guests, and have no more permissions than the viewer', async () => {
    const [mine = ''] = companies
    const byBroker = await roleNames(givableRoles(viewer('broker'), mine))
    expect(byBroker).toEqual(expect.arrayContaining(['broker', 'of_mine', 'upload_only']))
    for (const name of ['admin', 'provider', 'of_other', 'invite_guest', 'share_guest']) expect(byBroker).not.toContain(name)
    expect(await roleNames(givableRoles(SYSTEM, mine))).toEqual(expect.arrayContaining(['admin', 'of_mine', 'provider']))
    expect(await roleNames(givableRoles(ANONYMOUS, mine))).toEqual([])
  })
})

describe('a filter of ids', () => {
  it('matches any of them and ignores a text that is no id', async () => {
    expect(await among('companies', companies, equalsAnyId('companies.id', ['x', companies[1] ?? '']))).toEqual([companies[1]])
    expect(await among('companies', companies, equalsAnyId('companies.id', ['x']))).toEqual([])
  })
})

describe('a model of the system', () => {
  it('is visible with the permission only', async () => {
    const visible = visibleWith('view_all_roles')
    expect(await among('companies', companies, visible(viewer('admin')))).toEqual(companies)
    expect(await among('companies', companies, visible(viewer('client')))).toEqual([])
  })
})

describe('a channel', () => {
  const rights = (of: Viewer, channel: string) => authorizeChannel(app.system.db, of, channel)

  it('of a user is open to that user only', async () => {
    const broker = viewer('broker')
    expect(await rights(broker, `private-user.${broker.userId}`)).toEqual([rooms.user(broker.userId)])
    expect(await rights(broker, `private-user.${colleague}`)).toBeUndefined()
  })

  it('of an account is open to viewers who see it and can open accounts', async () => {
    const [mine = '', other = ''] = accounts
    expect(await rights(viewer('broker'), `private-account.${mine}`)).toEqual([rooms.account(mine)])
    expect(await rights(viewer('broker'), `private-account.${other}`)).toBeUndefined()
    expect(await rights(without(viewer('broker'), 'view_account_details'), `private-account.${mine}`)).toBeUndefined()
    expect(await rights(viewer('broker'), 'private-account.none')).toBeUndefined()
    expect(await rights(viewer('broker'), 'private-account')).toBeUndefined()
  })

  it('has exactly one name', async () => {
    const broker = viewer('broker')
    for (const channel of [`private-account.${accounts[0]}`, `private-user.${broker.userId}`, 'private-datatable.accounts']) {
      expect(await rights(broker, channel), channel).toBeDefined()
      for (const other of [
        `${channel}.x`,
        `${channel}.`,
        `${channel}\n`,
        `x${channel}`,
        channel.replace('private-', ''),
        `private-${channel}`,
      ])
        expect(await rights(broker, other), other).toBeUndefined()
    }
    expect(await rights(broker, `private-datatable.accounts.${accounts[1]}`)).toBeUndefined()
  })

  it('of a list leads to the rooms of the viewer’s own principals, or to that of everything', async () => {
    const broker = viewer('broker')
    expect(await rights(broker, 'private-datatable.accounts')).toEqual([
      rooms.everyone('accounts'),
      rooms.list('accounts', broker.companyId),
      rooms.list('accounts', broker.userId),
    ])
    expect(await rights(viewer('provider'), 'private-datatable.accounts')).toEqual([
      rooms.everyone('accounts'),
      rooms.everything('accounts'),
    ])
  })

  it.each(MODEL_NAMES)('of the list of %s needs the permission for its rows and no other', async (model) => {
    const name: PermissionName = model === 'accounts' ? 'view_account_details' : MODELS[model].list
    const channel = `private-datatable.${model}`
    expect(await rights(without(viewer('admin'), name), channel)).toBeUndefined()
    expect(await rights({ ...viewer('broker'), permissions: new Set([name]) }, channel)).toBeDefined()
  })

  it.each([
    'datatable.accounts',
    'private-datatable.nothing',
    'private-datatable',
    'private-other.accounts',
    'x-private-datatable.accounts',
    '',
  ])('named "%s" does not exist', async (channel) => {
    expect(await rights(viewer('broker'), channel)).toBeUndefined()
  })

  it('is closed without the permission for the rows, before the second factor, and to viewers who are not users', async () => {
    const broker = viewer('broker')
    expect(await rights(without(broker, 'view_account_details'), 'private-datatable.accounts')).toBeUndefined()
    for (const closed of [{ ...broker, challenged: true }, SYSTEM, ANONYMOUS])
      for (const channel of ['private-datatable.accounts', `private-user.${broker.userId}`])
        expect(await rights(closed, channel)).toBeUndefined()
  })
})

describe('a job’s viewer', () => {
  it('is the user with their roles, time zone and no session; none once the user or the company is deleted', async () => {
    const user = await makeUser(app.system, { role: 'client' })
    const loaded = await loadViewer(app.system.db, user.id)
    expect(loaded).toMatchObject({ userId: user.id, challenged: false, roles: [{ name: 'client' }], timezone: 'America/New_York' })
    expect(loaded).not.toHaveProperty('sessionId')
    await app.system.db.updateTable('companies').set({ timezone: 'America/Denver' }).where('id', '=', user.companyId).execute()
    expect(timezoneOf((await loadViewer(app.system.db, user.id)) ?? SYSTEM)).toBe('America/Denver')
    expect(timezoneOf(SYSTEM)).toBe('America/New_York')
    await app.system.db.updateTable('companies').set({ deleted_at: new Date() }).where('id', '=', user.companyId).execute()
    expect(await loadViewer(app.system.db, user.id)).toBeUndefined()
  })
})
