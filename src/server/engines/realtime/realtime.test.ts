import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { openSession } from '#server/features/session/session.commands.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { resynced, signatureFor, subscribeWith, watchResync, type ReceivedEvent } from '#server/testing/sockets.fixture.ts'
import { makeOutsider, makeTenant, type Tenant } from '#server/testing/tenants.fixture.ts'
import { notify } from '../notification/notify.ts'
import { emit } from '../transaction/changes.ts'
import { transact } from '../transaction/transact.ts'
import { startRealtime } from './realtime.ts'

const RECHECK_MS = 150
const clock = movingClock()
let app: TestApp
let tenant: Tenant
let http: Server
let realtime: { close(): Promise<void> }
let url: string
const sockets: Socket[] = []

beforeAll(async () => {
  app = await testApp({ clock, env: { LOG_LEVEL: 'silent' } })
  tenant = await makeTenant(app)
  http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  realtime = await startRealtime(http, app.system, { recheckMs: RECHECK_MS })
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(async () => {
  await realtime.close()
  http.close()
  await app.stop()
})

/** A session of the user with a socket and the events it received. */
async function client(userId: string) {
  const { token, id } = await transact(app.system, (tx) => openSession(tx, { userId, kind: 'user', remember: false, address: '' }))
  const socket = await connected(token)
  const received: ReceivedEvent[] = []
  socket.on('model-updated', (event: ReceivedEvent) => received.push(event))
  const as = app.bearing(`Bearer ${token}`)
  const subscribe = async (channel: string) => subscribeWith(socket, channel, await signatureFor(as, socket, channel))
  return {
    socket,
    as,
    session: id,
    received,
    subscribe,
    on: (channel: string) => received.filter((event) => event.channel === channel).map(({ data }) => data),
  }
}

const connect = (token: unknown) => {
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true })
  sockets.push(socket)
  return socket
}
const connected = (token: unknown) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(token)
    socket.once('connect', () => resolve(socket)).once('connect_error', reject)
  })
const change = (accountId = tenant.account) =>
  transact(app.system, async (tx) => emit(tx, { model: 'account_properties', id: tenant.ids.account_properties, inAccount: accountId }))
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })
/** Waits until changes of the account no longer reach the client. */
const untilUnsubscribed = ({ received }: { received: ReceivedEvent[] }, accountId: string) =>
  vi.waitFor(
    async () => {
      received.length = 0
      await change(accountId)
      await new Promise((resolve) => setTimeout(resolve, 5 * RECHECK_MS))
      expect(received).toEqual([])
    },
    { timeout: 15_000 },
  )
const listChannel = 'private-datatable.account_properties'
const accountChannel = () => `private-account.${tenant.account}`

describe('a notification', () => {
  it('is an event with its id on the channel of its user only, after the commit', async () => {
    const [owner, added] = [await client(tenant.owner.id), await client(tenant.added.id)]
    for (const { socket, received } of [owner, added]) socket.on('notification', (event: ReceivedEvent) => received.push(event))
    const channel = `private-user.${tenant.owner.id}`
    expect([await owner.subscribe(channel), await added.subscribe(`private-user.${tenant.added.id}`)]).toEqual([true, true])
    const send = (tx: Parameters<typeof notify>[0]) =>
      notify(tx, [tenant.owner.id], { kind: 'managed_ready', accountId: tenant.account, message: 'Zanzibar Stores is ready.' })
    const failing = transact(app.system, async (tx) => {
      await send(tx)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await transact(app.system, send)
    await until(() => expect(owner.received).toHaveLength(1))
    expect(owner.on(channel)).toEqual([{ id: expect.any(String) as string, createdAt: expect.any(String) as string }])
    expect(added.received).toEqual([])
  })
})

describe('a record that a user opens the first time', () => {
  it('is an event on their channel alone, so that their other pages no longer mark it as new', async () => {
    const id = tenant.ids.account_properties
    await app.system.db.updateTable('account_properties').set({ created_by: tenant.owner.id }).where('id', '=', id).execute()
    const [added, owner] = [await client(tenant.added.id), await client(tenant.owner.id)]
    for (const { socket, received } of [added, owner]) socket.on('record-opened', (event: ReceivedEvent) => received.push(event))
    for (const [page, user] of [
      [added, tenant.added.id],
      [owner, tenant.owner.id],
    ] as const) {
      expect(await page.subscribe(`private-user.${user}`)).toBe(true)
      expect(await page.subscribe(listChannel)).toBe(true)
    }
    for (let time = 0; time < 2; time += 1) await added.as.get(`/api/v1/account_properties/${id}`)
    await change(tenant.account)
    await until(() => expect(owner.on(listChannel)).toHaveLength(1))
    expect(added.on(`private-user.${tenant.added.id}`)).toEqual([{ model: 'account_properties' }])
    expect(owner.received).toHaveLength(1)
  })
})

describe('a socket', () => {
  it.each([[undefined], [''], ['made-up-token-of-no-session'], [7]])('is rejected with the token %j', async (token) => {
    await expect(connected(token)).rejects.toThrow('unauthenticated')
  })

  it('is rejected when its session cannot be read, and only then leaves a line in the log', async () => {
    const warn = vi.spyOn(app.system.log, 'warn')
    await expect(connected('made-up-token-of-no-session')).rejects.toThrow('unauthenticated')
    expect(warn).not.toHaveBeenCalled()
    const failure = new Error('no database')
    vi.spyOn(app.system.sessionCache, 'get').mockImplementationOnce(() => {
      throw failure
    })
    await expect(connected('made-up-token-of-no-session')).rejects.toThrow('unauthenticated')
    expect(warn).toHaveBeenCalledWith({ err: failure }, 'The session of a socket could not be checked')
  })

  it('is disconnected when its session cannot be checked again, with one line in the log for all sockets of a round', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => client(tenant.owner.id)))
    const warn = vi.spyOn(app.system.log, 'warn')
    const closed = clients.map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
    const failure = new Error('no database')
    vi.spyOn(app.system.sessionCache, 'get').mockImplementation(() => {
      throw failure
    })
    expect(await Promise.all(closed)).toEqual(clients.map(() => 'io server disconnect'))
    const lines = () => warn.mock.calls.filter(([, text]) => text === 'The sessions of sockets could not be checked')
    const sockets = () => lines().reduce((sum, [values]) => sum + Number(Object(values).sockets), 0)
    await until(() => expect(sockets()).toBe(4))
    // The failure can begin in the middle of a round.
    expect(warn.mock.calls.length).toBeLessThanOrEqual(2)
    expect(lines()[0]?.[0]).toMatchObject({ err: failure })
  })

  it('receives nothing before the second factor was entered', async () => {
    const { token } = await transact(app.system, (tx) =>
      openSession(tx, { userId: tenant.owner.id, kind: 'challenge', remember: false, address: '' }),
    )
    const socket = await connected(token)
    const auth = await signatureFor(app.bearing(`Bearer ${token}`), socket, accountChannel())
    expect([auth, await subscribeWith(socket, accountChannel(), auth)]).toEqual(['rejected', false])
  })

  it('receives changes of other users as ids and times only', async () => {
    const carrier = await client(tenant.carrier.id)
    for (const channel of [accountChannel(), listChannel, 'private-datatable.accounts'])
      expect(await carrier.subscribe(channel), channel).toBe(true)
    const { version } = (await app.as(tenant.owner.id).get(`/api/v1/account_properties/${tenant.ids.account_properties}`)).body.data
    await app
      .as(tenant.owner.id)
      .put(`/api/v1/account_properties/${tenant.ids.account_properties}`, { version, year_built: 1950 + version })
    await until(() => expect(carrier.on('private-datatable.accounts').length).toBeGreaterThan(0))
    expect(carrier.on(accountChannel())[0]).toEqual({ id: tenant.account, updatedAt: expect.any(String), scope: 'data' })
    expect(carrier.on(listChannel)[0]).toEqual({
      model: 'account_properties',
      id: tenant.ids.account_properties,
      account_id: tenant.account,
      updatedAt: expect.any(String),
      scope: 'data',
    })
    expect(carrier.on('private-datatable.accounts')[0]).toMatchObject({ model: 'accounts', id: tenant.account })
  })

  it('receives nothing about another company, not even an id', async () => {
    const stranger = await client((await makeOutsider(app)).id)
    const owner = await client(tenant.owner.id)
    for (const model of ['accounts', 'account_properties', 'account_files', 'discrepancies', 'companies', 'users']) {
      expect(await stranger.subscribe(`private-datatable.${model}`), model).toBe(true)
    }
    await owner.subscribe(listChannel)
    expect(await stranger.subscribe(accountChannel())).toBe(false)
    await change()
    await app.as(tenant.owner.id).put(`/api/v1/companies/${tenant.company.id}`, { name: 'Zanzibar Partners' })
    await until(() => expect(owner.received.length).toBeGreaterThan(0))
    // The name of a company is in lists of other models, which all viewers refetch: two events without any id.
    await until(() => expect(stranger.received).toHaveLength(2))
    for (const { data } of stranger.received) expect(data).toMatchObject({ id: null, account_id: null })
  })

  it('receives changes of all companies for the provider', async () => {
    const provider = await client((await makeUser(app.system, { role: 'provider' })).id)
    await provider.subscribe(listChannel)
    await change()
    await until(() => expect(provider.on(listChannel)).toHaveLength(1))
  })

  it('does not receive the id of a document, which can be private', async () => {
    const carrier = await client(tenant.carrier.id)
    await carrier.subscribe('private-datatable.account_files')
    await transact(app.system, async (tx) =>
      emit(tx, { model: 'account_files', id: tenant.file, inAccount: tenant.account, scope: 'files' }),
    )
    await until(() => expect(carrier.received).toHaveLength(1))
    expect(JSON.stringify(carrier.received)).not.toContain(tenant.file)
  })

  it('cannot subscribe without a signature, or with that of another socket or channel', async () => {
    const [one, two] = [await client(tenant.owner.id), await client(tenant.owner.id)]
    const good = await signatureFor(one.as, one.socket, accountChannel())
    expect(await subscribeWith(two.socket, accountChannel(), good)).toBe(false)
    expect(await subscribeWith(one.socket, listChannel, good)).toBe(false)
    for (const auth of ['', `${good}x`, good.slice(1), 7, null, undefined])
      expect(await subscribeWith(one.socket, accountChannel(), auth)).toBe(false)
    expect(await subscribeWith(one.socket, accountChannel(), good)).toBe(true)
  })

  it.each([[null], ['text'], [{}], [{ channel: 7, auth: 'x' }], [[]]])('gets an error for the message %j', async (message) => {
    const { socket } = await client(tenant.owner.id)
    expect(await socket.timeout(5_000).emitWithAck('subscribe', message)).toEqual({ ok: false })
    socket.emit('subscribe')
    socket.emit('unsubscribe', { a: 1 })
    expect(await socket.timeout(5_000).emitWithAck('subscribe', message)).toEqual({ ok: false })
  })

  it('can unsubscribe from one channel and stay in another', async () => {
    const owner = await client(tenant.owner.id)
    await owner.subscribe(accountChannel())
    await owner.subscribe(listChannel)
    owner.socket.emit('unsubscribe', listChannel)
    await change()
    await until(() => expect(owner.on(accountChannel())).toHaveLength(1))
    expect(owner.on(listChannel)).toEqual([])
  })
})

describe('access that ends', () => {
  it('disconnects the socket with the session', async () => {
    const { socket, as } = await client(tenant.owner.id)
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    await as.post('/api/v1/logout')
    expect(await closed).toBe('io server disconnect')
  })

  it('disconnects an idle session, which the socket does not extend', async () => {
    const { socket, session } = await client(tenant.owner.id)
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    const used = async () =>
      (await app.system.db.selectFrom('sessions').select('last_used_at').where('id', '=', session).executeTakeFirstOrThrow()).last_used_at
    const before = await used()
    clock.pass(40 * 60_000)
    await new Promise((resolve) => setTimeout(resolve, 3 * RECHECK_MS))
    expect(await used()).toEqual(before)
    clock.pass(26 * 60_000)
    expect(await closed).toBe('io server disconnect')
  })

  it('unsubscribes from the channel of the account and makes the page refetch what it shows', async () => {
    const { db } = app.system
    const guest = await client(tenant.added.id)
    const owner = await client(tenant.owner.id)
    for (const each of [guest, owner]) await each.subscribe(accountChannel())
    const [resync, others] = [resynced(guest), watchResync(owner)]
    await db.deleteFrom('account_users').where('user_id', '=', tenant.added.id).execute()
    await resync
    await untilUnsubscribed(guest, tenant.account)
    owner.received.length = 0
    await change()
    await until(() => expect(owner.received.length).toBeGreaterThan(0))
    expect(others).not.toHaveBeenCalled()
    expect(guest.received).toEqual([])
    expect(guest.socket.connected).toBe(true)
  })

  it('makes the page refetch when a permission is taken from the role of its user, and no other page', async () => {
    const { db } = app.system
    const role = await db
      .insertInto('roles')
      .values({ name: 'lister', label: 'Lister', permissions: ['view_accounts'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await makeUser(app.system, { role: 'broker', companyId: tenant.company.id })
    await db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', id).execute()
    const [lister, owner] = [await client(id), await client(tenant.owner.id)]
    const [resync, others] = [resynced(lister), watchResync(owner)]
    await db.updateTable('roles').set({ permissions: [] }).where('id', '=', role.id).execute()
    await resync
    expect(others).not.toHaveBeenCalled()
  })

  it('makes the pages of a company refetch when its subscription is changed or removed, and no other page', async () => {
    const { db } = app.system
    const { id, companyId } = await makeUser(app.system, { role: 'broker' })
    const [page, owner] = [await client(id), await client(tenant.owner.id)]
    const others = watchResync(owner)
    const { id: plan } = await db
      .insertInto('subscriptions')
      .values({ name: `Plan ${companyId}`, price: '1', term_months: 12 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const added = resynced(page)
    await db.insertInto('company_subscriptions').values({ company_id: companyId, subscription_id: plan, term_months: 12 }).execute()
    await added
    const changed = resynced(page)
    await db.updateTable('company_subscriptions').set({ term_months: 24 }).where('company_id', '=', companyId).execute()
    await changed
    const removed = resynced(page)
    await db.deleteFrom('company_subscriptions').where('company_id', '=', companyId).execute()
    await removed
    expect((await app.as(id).get('/api/v1/init')).body.data.auth_user.subscription.id).toBe('0')
    expect(others).not.toHaveBeenCalled()
  })

  it('makes every page of a user refetch when a role is withdrawn, although it has no list', async () => {
    const { db } = app.system
    const { id } = await makeUser(app.system, { role: 'broker', companyId: tenant.company.id })
    const [first, second, owner] = [await client(id), await client(id), await client(tenant.owner.id)]
    for (const page of [first, second]) expect(await page.subscribe(`private-user.${id}`)).toBe(true)
    expect(await owner.subscribe(`private-user.${id}`)).toBe(false)
    const [resyncs, others] = [[first, second].map(resynced), watchResync(owner)]
    await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
    await Promise.all(resyncs)
    expect(others).not.toHaveBeenCalled()
    await db.deleteFrom('sessions').where('id', '=', first.session).execute()
    await until(() => expect(first.socket.connected).toBe(false))
    expect(second.socket.connected).toBe(true)
  })

  it('limits a former provider to the own company', async () => {
    const { db } = app.system
    const { id } = await makeUser(app.system, { role: 'provider', companyId: tenant.company.id })
    const [demoted, owner] = [await client(id), await client(tenant.owner.id)]
    const foreign = await makeTenant(app)
    await demoted.subscribe(listChannel)
    const broker = await db.selectFrom('roles').select('id').where('name', '=', 'broker').executeTakeFirstOrThrow()
    await db.updateTable('user_roles').set({ role_id: broker.id }).where('user_id', '=', id).execute()
    await untilUnsubscribed(demoted, foreign.account)
    await owner.subscribe(listChannel)
    await change(foreign.account)
    await change()
    await until(() => expect(owner.received).toHaveLength(1))
    await until(() => expect(demoted.received).toHaveLength(1))
    expect(demoted.received[0]?.data['account_id']).toBe(tenant.account)
  })
})

describe('the bus', () => {
  it('makes all clients resync after a lost connection and receives changes again', async () => {
    const owner = await client(tenant.owner.id)
    await owner.subscribe(listChannel)
    const resync = resynced(owner)
    const ended = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'plumbline-bus'`
    const { rows } = await ended.execute(app.system.db)
    expect(rows.length).toBeGreaterThan(0)
    await resync
    await change()
    await until(() => expect(owner.on(listChannel)).toHaveLength(1))
  })
})

it('sockets are closed with code 1001 and a reason when the server stops, so that clients reconnect', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const stopping = await startRealtime(server, app.system)
  const { token } = await transact(app.system, (tx) =>
    openSession(tx, { userId: tenant.owner.id, kind: 'user', remember: false, address: '' }),
  )
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
  const joined = new Promise<void>((resolve) =>
    socket.addEventListener('message', ({ data }) => String(data).startsWith('40') && resolve()),
  )
  socket.addEventListener('open', () => socket.send(`40${JSON.stringify({ token })}`))
  await joined
  await stopping.close()
  const { code, reason } = await closed
  expect({ code, reason }).toEqual({ code: 1001, reason: 'The server is stopping' })
  server.close()
})
