import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_ROLE_NAMES } from '#contract/default-roles.ts'
import { defaultPermissions, PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import type { Call, Calls } from '#contract/route.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { routes } from '#server/features/index.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { testApp, type As, type TestAnswer, type TestApp } from './app.ts'
import { makeUser } from './factories/people.ts'

const CONTRACT = join(import.meta.dirname, '../../contract')

interface NamedCall {
  name: string
  call: Call
}

/** Every call that a file of the contract exports, whether or not a route implements it. */
async function contractCalls(): Promise<NamedCall[]> {
  const files = readdirSync(CONTRACT).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((file) => import(join(CONTRACT, file)) as Promise<Record<string, unknown>>))
  const named = modules
    .flatMap((exported) =>
      Object.entries(exported).filter(([name]) => name.endsWith('Calls') && name !== 'listCalls' && name !== 'trashCalls'),
    )
    .flatMap(([group, calls]) => Object.entries(calls as Calls).map(([name, call]) => ({ name: `${group}.${name}`, call })))
  // A group may include another group; a call is then listed once.
  const once = new Map(named.map((entry) => [entry.call, entry]))
  return [...once.values()].sort((left, right) => keyOf(left.call).localeCompare(keyOf(right.call)))
}

const keyOf = ({ method, path }: Call): string => `${path} ${method}`

const PARAMETERS: Readonly<Record<string, string>> = { key: 'dashboard', token: 'unknown-token', upload_id: 'no-such-upload' }

/** The path with valid parameters that refer to no record. */
const pathWithUnknownIds = ({ path }: Call): string =>
  `/api/v1${path.replace(/:(\w+)/g, (_whole, name: string) => PARAMETERS[name] ?? randomUUID())}`

/** Makes the call without a body and without an existing record: enough to see whether the permission check passes. */
function request(as: As, call: Call): Promise<TestAnswer> {
  const path = pathWithUnknownIds(call)
  switch (call.method) {
    case 'GET':
      return as.get(path)
    case 'POST':
      return as.post(path)
    case 'PUT':
      return as.put(path)
    case 'PATCH':
      return as.patch(path)
    case 'DELETE':
      return as.delete(path, call.body === undefined ? undefined : {})
    default:
      return call.method satisfies never
  }
}

let app: TestApp
let calls: NamedCall[]
let guarded: NamedCall[]
/** A user with a single role, whose permissions a test sets. */
let user: { id: string; setPermissions(permissions: readonly string[]): Promise<unknown> }

beforeAll(async () => {
  app = await testApp()
  calls = await contractCalls()
  // One test below fails for a call without a route; the others skip it.
  const mounted = new Set(routes.map(({ call }) => keyOf(call)))
  guarded = calls.filter(({ call }) => call.can !== 'public' && mounted.has(keyOf(call)))
  const { id, companyId } = await makeUser(app.system)
  const role = await app.system.db
    .insertInto('roles')
    .values({ company_id: companyId, name: 'custom', label: 'Custom' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', id).execute()
  const setPermissions = (permissions: readonly string[]) =>
    transact(app.system, (tx) =>
      tx.db
        .updateTable('roles')
        .set({ permissions: [...permissions] })
        .where('id', '=', role.id)
        .execute(),
    )
  user = { id, setPermissions }
})
afterAll(() => app.stop())

/** Signing out would end the session of the other calls. */
const isSignOut = ({ path }: Call) => path === '/logout'
const open = (kind: 'user' | 'challenge') =>
  transact(app.system, (tx) => openSession(tx, { userId: user.id, kind, remember: false, address: '127.0.0.1' }))

/** Makes the calls with this Authorization header and returns the ones with an unexpected response. */
async function unexpected(
  header: string | undefined,
  which: readonly NamedCall[],
  expected: (status: number, raw: string) => boolean,
): Promise<string[]> {
  const as = app.bearing(header)
  const found: string[] = []
  for (const { name, call } of which) {
    const { status, raw } = await request(as, call)
    if (!expected(status, raw.toString())) found.push(`${name} ${status} ${raw.toString().slice(0, 120)}`)
  }
  return found
}

describe('the contract', () => {
  it('has calls with distinct methods and paths', () => {
    expect(calls.length).toBeGreaterThan(90)
    expect(new Set(calls.map(({ call }) => keyOf(call))).size).toBe(calls.length)
  })

  it('has a route for each call, and no route has no call', () => {
    const implemented = routes.map(({ call }) => keyOf(call)).sort()
    expect(implemented).toEqual(calls.map(({ call }) => keyOf(call)).sort())
  })

  it('allows each call to the default roles in the reviewed table calls-by-role.txt', async () => {
    const holders = DEFAULT_ROLE_NAMES.map((role) => new Set<string>(defaultPermissions(role)))
    const marks = ({ can }: Call) => holders.map((held) => (can === 'public' || can === 'signed-in' || held.has(can) ? 'x' : '.')).join(' ')
    const lines = calls.map(({ call }) => `${call.method.padEnd(6)} ${call.path.padEnd(50)} ${call.can.padEnd(42)} ${marks(call)}`)
    const head = `Calls and the default roles that have the permission. Columns: ${DEFAULT_ROLE_NAMES.join(', ')}.`
    await expect(`${[head, '', ...lines].join('\n')}\n`).toMatchFileSnapshot('calls-by-role.txt')
  })
})

describe('a caller without a session', () => {
  const UNAUTHENTICATED = JSON.stringify({ response: 'error', message: 'Please sign in to continue.', kind: 'unauthenticated' })
  const isRejected = (status: number, raw: string) => status === 401 && raw === UNAUTHENTICATED

  it('gets the same 401 from every call that is not public, for every kind of invalid credential', async () => {
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
    for (const header of headers) expect(await unexpected(header, guarded, isRejected), String(header)).toEqual([])
  })

  it('gets the same 401 until the second factor is confirmed, except from the calls that confirm it', async () => {
    const { token } = await open('challenge')
    const [during, other] = [true, false].map((allowed) => guarded.filter(({ call }) => (call.duringChallenge === true) === allowed))
    expect(during?.map(({ name }) => name).sort()).toEqual([
      'sessionCalls.challenge',
      'sessionCalls.logout',
      'sessionCalls.logoutPost',
      'sessionCalls.resendChallenge',
    ])
    expect(await unexpected(`Bearer ${token}`, other ?? [], isRejected)).toEqual([])
  })

  it('can make the public calls', async () => {
    const open = calls.filter(({ call }) => call.can === 'public')
    expect(await unexpected(undefined, open, (status) => status !== 401 && status < 500)).toEqual([])
  })
})

describe('a signed-in user', () => {
  const FORBIDDEN = JSON.stringify({ response: 'error', message: 'You do not have permission to do this.', kind: 'forbidden' })
  const isPermission = (can: Call['can']): can is PermissionName => can !== 'public' && can !== 'signed-in'

  it('with every permission except the one of the call gets 403', async () => {
    const as = app.as(user.id)
    const needed = new Set(guarded.flatMap(({ call }) => (isPermission(call.can) ? [call.can] : [])))
    const allowed: string[] = []
    for (const missing of needed) {
      await user.setPermissions(PERMISSION_NAMES.filter((name) => name !== missing))
      for (const { name, call } of guarded.filter(({ call: { can } }) => can === missing)) {
        const { status, raw } = await request(as, call)
        if (status !== 403 || raw.toString() !== FORBIDDEN) allowed.push(`${name} ${status}`)
      }
    }
    expect(allowed).toEqual([])
  })

  it.each(DEFAULT_ROLE_NAMES)('with the role %s passes the permission check of exactly the calls in the table', async (role) => {
    const { id } = await makeUser(app.system, { role })
    const held = new Set<string>(defaultPermissions(role))
    const wrong: string[] = []
    for (const { name, call } of guarded.filter((entry) => !isSignOut(entry.call))) {
      const { status, raw } = await request(app.as(id), call)
      const allowed = call.can === 'signed-in' || held.has(call.can)
      if (allowed ? status === 401 && call.duringChallenge !== true : status !== 403 || raw.toString() !== FORBIDDEN)
        wrong.push(`${name} ${status}`)
      if (status >= 500) wrong.push(`${name} ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('without any permission can make the calls that only need a session', async () => {
    await user.setPermissions([])
    const open = guarded.filter(({ call }) => call.can === 'signed-in' && call.duringChallenge !== true)
    expect(open.length).toBeGreaterThan(4)
    for (const { name, call } of open)
      expect(call.params === undefined ? [200, 400] : [200, 400, 404], name).toContain((await request(app.as(user.id), call)).status)
  })
})
