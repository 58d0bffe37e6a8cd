import { randomBytes } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inviteCalls } from '#contract/account-invites.ts'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { CHANNELS, realtimeCalls } from '#contract/events.ts'
import { importCalls } from '#contract/import-calls.ts'
import { initCalls } from '#contract/init.ts'
import { SESSION_CACHE_MS } from '#contract/limits.ts'
import { sessionCalls } from '#contract/session.ts'
import { describeNeeding } from '#server/testing/needs.ts'
import { startCluster, type Cluster } from './support/cluster.ts'
import { clientOf, type Client } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { E2E_ADMIN, makeCompany, makePerson, PASSWORD, signedIn, type Person } from './support/people.ts'
import type { Running } from './support/processes.ts'
import { statementOfValues } from './support/sheets.ts'
import { addDocument, fetchFile, sendBytes } from './support/uploads.ts'

const START_MS = 120_000
const ROWS = 40
const EVENT_MS = 10_000
const S3 = process.env['PLUMBLINE_TEST_S3_URL']

describe('two API processes and a worker on one database and one folder', () => journey(''))

describeNeeding('S3 store')('two API processes and a worker on one database and an S3-compatible store', () => journey(S3 ?? ''))

function journey(url: string): void {
  let cluster: Cluster
  let a: Running
  let b: Running
  let person: Person
  let onA: Client
  let onB: Client
  let accountId: string

  beforeAll(async () => {
    cluster = await startCluster(url)
    ;({ a, b } = cluster)
    const admin = await signedIn(a.address, E2E_ADMIN)
    const { id: companyId } = await makeCompany(admin, 'Two Rivers Brokers')
    person = await makePerson(admin, { role: 'broker', companyId, firstName: 'Noa' })
    const { token } = await clientOf(a.address)(sessionCalls.login, { body: { email: person.email, password: PASSWORD } })
    onA = clientOf(a.address, token)
    onB = clientOf(b.address, token)
    accountId = (await onA(accountCalls.create, { body: { name: 'Shared between two', type: 'standard' } })).data.id
  }, START_MS)

  afterAll(() => cluster?.stop(), START_MS)

  test('a session that A opened is valid on B', async () => {
    expect((await onB(initCalls.init)).data.auth_user.email).toBe(person.email)
    expect((await onB(accountCalls.show, { params: { id: accountId } })).data.name.text).toBe('Shared between two')
  })

  test('a document uploaded through A is registered on B and downloaded from both', async () => {
    const bytes = randomBytes(300_000)
    const key = await sendBytes(onA, a.address, { accountId, name: 'survey.dat', bytes, type: 'application/octet-stream' })
    const { data } = await onB(fileCalls.register, {
      body: {
        file: { name: 'survey.dat', size: bytes.length, type: 'application/octet-stream' },
        s3ObjectLocation: key,
        account_id: accountId,
      },
    })
    expect((await fetchFile(onA, a.address, accountId, data.id)).equals(bytes)).toBe(true)
    expect((await fetchFile(onB, b.address, accountId, data.id)).equals(bytes)).toBe(true)
  })

  test('an import started on A is prepared by the worker, committed on B and visible on A', async () => {
    const key = await sendBytes(onB, b.address, { accountId, name: 'schedule.csv', bytes: statementOfValues(ROWS), type: 'text/csv' })
    const { data } = await onA(importCalls.create, { params: { account_id: accountId }, body: { source: { key } } })
    const ready = await eventually(
      async () => (await onB(importCalls.show, { params: { id: data.id } })).data,
      ({ activity }) => activity === null,
    )
    expect(ready).toMatchObject({ state: 'validated', counts: { add: ROWS } })
    await onB(importCalls.commit, { params: { id: data.id }, body: { version: ready.version } })
    expect((await onA(propertyCalls.index, { query: { filter__account_id: accountId } })).meta.total).toBe(ROWS)
  })

  test('an archive requested on A is built by the worker and downloaded from B', async () => {
    await addDocument(onA, a.address, { accountId, name: 'lease.txt', bytes: Buffer.from('A lease.\n') })
    const { data } = await onA(fileCalls.fileAction, { params: { id: accountId }, body: { action: 'archive', files: 'all' } })
    const id = data?.id ?? ''
    await eventually(
      async () => (await onB(fileCalls.show, { params: { id: accountId, file_id: id } })).data.status,
      (status) => status === 'accessible',
    )
    const archive = await fetchFile(onB, b.address, accountId, id)
    expect(archive.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    expect(archive.includes('lease.txt')).toBe(true)
  })

  test('a change on A reaches a socket on B', async () => {
    const socket = await subscribedSocket(b.address, CHANNELS.account(accountId))
    try {
      const event = nextEvent(socket, 'model-updated')
      await onA(accountCalls.update, { params: { id: accountId }, body: { name: 'Renamed on A' } })
      expect(await event).toMatchObject({ channel: CHANNELS.account(accountId), data: { id: accountId } })
      expect((await onB(accountCalls.show, { params: { id: accountId } })).data.name.text).toBe('Renamed on A')
    } finally {
      socket.disconnect()
    }
  })

  test('signing out on B ends the session on A', async () => {
    const { token } = await clientOf(a.address)(sessionCalls.login, { body: { email: person.email, password: PASSWORD } })
    const [here, there] = [clientOf(a.address, token), clientOf(b.address, token)]
    await here(initCalls.init)
    await there(sessionCalls.logoutPost)
    const outcome = () =>
      here(initCalls.init).then(
        () => 200,
        ({ status }: { status?: number }) => status,
      )
    // The database notifies A at the commit; the response of B does not wait until A has received it.
    expect(await eventually(outcome, (status) => status !== 200, { withinMs: SESSION_CACHE_MS, everyMs: 10 })).toBe(401)
  })

  test('an invitation that is revoked on A ends the session of the person on B', async () => {
    const { data: invite } = await onA(inviteCalls.create, {
      body: { account_id: accountId, role: 'invite_guest', email: 'una@carrier.example' },
    })
    const { token } = await clientOf(b.address)(inviteCalls.accept, { body: { invite_id: invite.invite_id } })
    const guest = clientOf(b.address, token ?? '')
    const outcome = () =>
      guest(accountCalls.show, { params: { id: accountId } }).then(
        () => 200,
        ({ status }: { status?: number }) => status,
      )
    expect(await outcome()).toBe(200)
    await onA(inviteCalls.act, { body: { action: 'revoke', selectedIds: [invite.id] } })
    expect(await eventually(outcome, (status) => status === 401, { withinMs: SESSION_CACHE_MS, everyMs: 10 })).toBe(401)
  })

  async function subscribedSocket(address: string, channel: string): Promise<Socket> {
    const { token } = await clientOf(address)(sessionCalls.login, { body: { email: person.email, password: PASSWORD } })
    const socket = io(address, { auth: { token }, transports: ['websocket'], reconnection: false })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve())
      socket.once('connect_error', reject)
    })
    const { data } = await clientOf(address, token)(realtimeCalls.authorize, {
      body: { socket_id: socket.id ?? '', channel_name: channel },
    })
    expect(await socket.timeout(EVENT_MS).emitWithAck('subscribe', { channel, auth: data.auth })).toEqual({ ok: true })
    return socket
  }

  const nextEvent = (socket: Socket, event: string) =>
    new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No ${event} within ${EVENT_MS} ms`)), EVENT_MS)
      socket.once(event, (message: unknown) => {
        clearTimeout(timer)
        resolve(message)
      })
    })
}
