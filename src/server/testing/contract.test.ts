import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { DEFAULT_ROLE_NAMES, defaultPermissions } from '#contract/default-roles.ts'
import { PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import type { Call } from '#contract/route.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { routes } from '#server/features/index.ts'
import { openSession } from '#server/features/session/open-session.ts'
import { testApp, type TestApp } from './app.ts'
import { addressOf, contractCalls, knock, type NamedCall } from './every-call.fixture.ts'
import { makeUser } from './factories/people.ts'

let app: TestApp
let calls: NamedCall[]
let guarded: NamedCall[]
/** A person whose only role is this one, so that a test may give it what it likes. */
let person: { id: string; give(permissions: readonly string[]): Promise<unknown> }

beforeAll(async () => {
  app = await testApp()
  calls = await contractCalls()
  // A call without a route is the affair of one test below.
  const mounted = new Set(routes.map(({ call }) => addressOf(call)))
  guarded = calls.filter(({ call }) => call.can !== 'public' && mounted.has(addressOf(call)))
  const { id, companyId } = await makeUser(app.system)
  const role = await app.system.db
    .insertInto('roles')
    .values({ company_id: companyId, name: 'custom', label: 'Custom' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', id).execute()
  const give = (permissions: readonly string[]) =>
    transact(app.system, (tx) =>
      tx.db
        .updateTable('roles')
        .set({ permissions: [...permissions] })
        .where('id', '=', role.id)
        .execute(),
    )
  person = { id, give }
})
afterAll(() => app.stop())

/** Signing out would end the session that the other knocks use. */
const isSignOut = ({ path }: Call) => path === '/logout'
const open = (kind: 'user' | 'challenge') =>
  transact(app.system, (tx) => openSession(tx, { userId: person.id, kind, remember: false, address: '127.0.0.1' }))

/** Makes every call with this Authorization header and tells what does not match. */
async function exceptions(
  header: string | undefined,
  which: readonly NamedCall[],
  right: (status: number, raw: string) => boolean,
): Promise<string[]> {
  const carrying = app.bearing(header)
  const found: string[] = []
  for (const { name, call } of which) {
    const { status, raw } = await knock(carrying, call)
    if (!right(status, raw.toString())) found.push(`${name} ${status} ${raw.toString().slice(0, 120)}`)
  }
  return found
}

describe('the contract', () => {
  it('finds its calls', () => {
    expect(calls.length).toBeGreaterThan(90)
    expect(new Set(calls.map(({ call }) => addressOf(call))).size).toBe(calls.length)
  })

  it('is implemented to the last call, and nothing else is', () => {
    const implemented = routes.map(({ call }) => addressOf(call)).sort()
    expect(implemented).toEqual(calls.map(({ call }) => addressOf(call)).sort())
  })

  it('says who may make each call: a table that a person has read', async () => {
    const holders = DEFAULT_ROLE_NAMES.map((role) => new Set<string>(defaultPermissions(role)))
    const marks = ({ can }: Call) => holders.map((held) => (can === 'public' || can === 'signed-in' || held.has(can) ? 'x' : '.')).join(' ')
    const lines = calls.map(({ call }) => `${call.method.padEnd(6)} ${call.path.padEnd(50)} ${call.can.padEnd(42)} ${marks(call)}`)
    const head = `Who may make which call. Columns: ${DEFAULT_ROLE_NAMES.join(', ')}.`
    await expect(`${[head, '', ...lines].join('\n')}\n`).toMatchFileSnapshot('who-may-call.txt')
  })
})

describe('the anonymous', () => {
  const UNAUTHENTICATED = JSON.stringify({ response: 'error', message: 'Please sign in to continue.', kind: 'unauthenticated' })
  const refused = (status: number, raw: string) => status === 401 && raw === UNAUTHENTICATED

  it('is refused every call that is not public, with the same body whatever the credential lacks', async () => {
    const expired = await open('user')
    await app.system.db
      .updateTable('sessions')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expired.id)
      .execute()
    const revoked = await open('user')
    await app.system.db.updateTable('sessions').set({ revoked_at: new Date() }).where('id', '=', revoked.id).execute()
    const headers = [
      undefined,
      'Bearer',
      'Bearer short',
      `Basic ${expired.token}`,
      `Bearer ${randomUUID()}`,
      `Bearer ${expired.token}`,
      `Bearer ${revoked.token}`,
    ]
    expect(guarded.length).toBeGreaterThan(80)
    for (const header of headers) expect(await exceptions(header, guarded, refused), String(header)).toEqual([])
  })

  it('is refused alike until the second factor is answered, but for what answers it', async () => {
    const { token } = await open('challenge')
    const [during, other] = [true, false].map((allowed) => guarded.filter(({ call }) => (call.duringChallenge === true) === allowed))
    expect(during?.map(({ name }) => name).sort()).toEqual([
      'sessionCalls.challenge',
      'sessionCalls.logout',
      'sessionCalls.logoutPost',
      'sessionCalls.resendChallenge',
    ])
    expect(await exceptions(`Bearer ${token}`, other ?? [], refused)).toEqual([])
  })

  it('may make the public calls', async () => {
    const open = calls.filter(({ call }) => call.can === 'public')
    expect(await exceptions(undefined, open, (status) => status !== 401 && status < 500)).toEqual([])
  })
})

describe('a viewer', () => {
  const FORBIDDEN = JSON.stringify({ response: 'error', message: 'You do not have permission to do this.', kind: 'forbidden' })
  const isPermission = (can: Call['can']): can is PermissionName => can !== 'public' && can !== 'signed-in'

  it('with every permission but the one of the call is refused', async () => {
    const as = app.as(person.id)
    const needed = new Set(guarded.flatMap(({ call }) => (isPermission(call.can) ? [call.can] : [])))
    const letIn: string[] = []
    for (const missing of needed) {
      await person.give(PERMISSION_NAMES.filter((name) => name !== missing))
      for (const { name, call } of guarded.filter(({ call: { can } }) => can === missing)) {
        const { status, raw } = await knock(as, call)
        if (status !== 403 || raw.toString() !== FORBIDDEN) letIn.push(`${name} ${status}`)
      }
    }
    expect(letIn).toEqual([])
  })

  it.each(DEFAULT_ROLE_NAMES)('%s passes the gate of exactly the calls of the table', async (role) => {
    const { id } = await makeUser(app.system, { role })
    const held = new Set<string>(defaultPermissions(role))
    const wrong: string[] = []
    for (const { name, call } of guarded.filter((entry) => !isSignOut(entry.call))) {
      const { status, raw } = await knock(app.as(id), call)
      const allowed = call.can === 'signed-in' || held.has(call.can)
      if (allowed ? status === 401 && call.duringChallenge !== true : status !== 403 || raw.toString() !== FORBIDDEN)
        wrong.push(`${name} ${status}`)
      if (status >= 500) wrong.push(`${name} ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('without any permission may still make the signed-in calls', async () => {
    await person.give([])
    const open = guarded.filter(({ call }) => call.can === 'signed-in' && call.duringChallenge !== true)
    expect(open.length).toBeGreaterThan(4)
    for (const { name, call } of open) expect([200, 400], name).toContain((await knock(app.as(person.id), call)).status)
  })
})
