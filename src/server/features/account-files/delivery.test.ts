import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { ANONYMOUS } from '#server/access/viewer.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeInvite } from '#server/testing/factories/guests.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { openArchive } from './open-archive.commands.ts'

let app: TestApp
let origin: string

beforeAll(async () => {
  app = await testApp()
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

/** More than the system buffers of a connection, which hold up to 36 MiB. */
const LARGE = Buffer.alloc(48 * 1024 ** 2, 'large ')

/** An account of a broker with a carrier that downloads its documents. */
async function desk() {
  const broker = await makeUser(app.system)
  const carrier = await makeUser(app.system, { role: 'carrier' })
  const { id: accountId } = await makeAccount(app.system, { companyId: broker.companyId })
  const changeAccount = (values: { carrier_company_id?: string | null; deleted_at?: Date }) =>
    app.system.db.updateTable('accounts').set(values).where('id', '=', accountId).execute()
  await changeAccount({ carrier_company_id: carrier.companyId })
  const context = { ...app.system, viewer: await app.viewer(broker.id) }
  const files = (path: string) => `/api/v1/accounts/${accountId}/files${path}`
  const [as, reader] = [app.as(broker.id), app.as(carrier.id)]
  return {
    accountId,
    context,
    as,
    reader,
    changeAccount,
    files,
    add: async (name: string, bytes = Buffer.from('deed')) =>
      (await makeFile(context, accountId, { name, bytes, sov: false, private: false, category: 'other' })).id,
    archive: async () => (await reader.post(files('/action'), { action: 'archive' })).body.data as { id: string; url: string },
    url: async (id: string) => (await reader.get(files(`/${id}`))).body.data.url as string,
    /** A person from outside. */
    guest: async () => app.as((await makeInvite(context, accountId)).userId),
    setPrivate: (id: string) => as.patch(files(`/${id}`), { private: true }),
    visits: async () =>
      app.system.db.selectFrom('grant_visits').select(['what', 'item_name']).where('account_id', '=', accountId).execute(),
    /** The activity of the account about downloads. */
    downloads: async (): Promise<string[]> => {
      const lines = app.system.db.selectFrom('activities').select('message').where('account_id', '=', accountId)
      const found = await lines.where('class', '=', 'downloaded').execute()
      return found.map(({ message }) => message.replace(/^.* (downloaded|generated)/, '$1'))
    },
  }
}

const start = (url: string, range?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(new URL(url, origin), { headers: range === undefined ? {} : { range } }, resolve).on('error', reject)
  })

/** The rest of a response, or that it was cut. */
async function finish(response: IncomingMessage): Promise<number | 'cut'> {
  let bytes = 0
  try {
    for await (const chunk of response) bytes += (chunk as Buffer).length
    return bytes
  } catch {
    return 'cut'
  }
}

/** Longer than the period in which a running download asks whether it may continue. */
const A_WHILE_MS = 1_200

type Desk = Awaited<ReturnType<typeof desk>>
describe('a running download of an archive', () => {
  it('is cut when a document that was not sent yet becomes private for its user, and is not recorded', async () => {
    const at = await desk()
    await at.add('1.pdf', LARGE)
    const last = await at.add('2.pdf')
    const { id, url } = await at.archive()
    const response = await start(url)
    await at.setPrivate(last)
    await pause(A_WHILE_MS)
    expect(await finish(response)).toBe('cut')
    expect(await at.downloads()).toEqual([])
    const stored = await app.system.db.selectFrom('packages').select('issued_at').where('id', '=', id).executeTakeFirstOrThrow()
    expect(stored.issued_at).toBeNull()
  })

  /** The delivery of a link, as the server has it while it sends the archive. */
  async function deliveryOf({ id, url }: { id: string; url: string }) {
    const query = fileCalls.downloadArchive.query.parse(Object.fromEntries(new URL(url, origin).searchParams))
    const opened = await openArchive({ ...app.system, viewer: ANONYMOUS }, id, query)
    if (opened.layout === undefined) throw new Error('This is a list.')
    return opened
  }

  it.each<[string, (at: Desk, last: string) => Promise<unknown>]>([
    ['a document that was not sent yet is moved to the trash', ({ as }, last) => as.delete('/api/v1/account_files', { ids: [last] })],
    ['the account is taken away from its user', ({ changeAccount }) => changeAccount({ carrier_company_id: null })],
    ['the account is moved to the trash', ({ changeAccount }) => changeAccount({ deleted_at: new Date() })],
    ['the session of its user ends', ({ reader }) => reader.post('/api/v1/logout')],
  ])('must not continue when %s', async (_why, change) => {
    const at = await desk()
    await at.add('1.pdf')
    const last = await at.add('2.pdf')
    const { delivery } = await deliveryOf(await at.archive())
    await delivery.requireRest(0)
    await change(at, last)
    await expect(delivery.requireRest(0)).rejects.toThrow()
  })

  it('continues when a document that was sent becomes private', async () => {
    const at = await desk()
    const first = await at.add('1.pdf')
    await at.add('2.pdf')
    const { layout, delivery } = await deliveryOf(await at.archive())
    await at.setPrivate(first)
    await delivery.requireRest(layout.members[1]?.offset ?? 0)
    await expect(delivery.requireRest(0)).rejects.toThrow('The documents have changed since.')
  })
})

it('a running download of a document is cut when the document becomes private for its user', async () => {
  const at = await desk()
  const id = await at.add('1.pdf', LARGE)
  const response = await start(await at.url(id))
  await at.setPrivate(id)
  await pause(A_WHILE_MS)
  expect(await finish(response)).toBe('cut')
  expect(await at.downloads()).toEqual([])
})

describe('a download', () => {
  it('by a person from outside is a visit that names what was downloaded', async () => {
    const at = await desk()
    await at.add('1.pdf')
    const guest = await at.guest()
    await finish(await start((await guest.post(at.files('/action'), { action: 'archive' })).body.data.url))
    expect(await at.visits()).toContainEqual({ what: 'downloaded', item_name: 'all documents' })
  })

  it('of an archive is recorded when all of it was sent, not when it is requested or begins', async () => {
    const at = await desk()
    await at.add('1.pdf', LARGE)
    const { url } = await at.archive()
    expect(await at.downloads()).toEqual([])
    const interrupted = await start(url)
    interrupted.destroy()
    await pause(100)
    expect(await at.downloads()).toEqual([])
    await finish(await start(url))
    expect(await at.downloads()).toEqual(['downloaded all documents'])
  })

  it('of a document is recorded when all of it was sent, not when its link is made', async () => {
    const at = await desk()
    const id = await at.add('1.pdf')
    const url = await at.url(id)
    expect(await at.downloads()).toEqual([])
    await finish(await start(url))
    expect(await at.downloads()).toEqual(['downloaded 1.pdf'])
  })

  it('in parts is recorded once, when the last missing part was sent', async () => {
    const at = await desk()
    await at.add('1.pdf', Buffer.alloc(1_000, 'deed '))
    const { id, url } = await at.archive()
    for (const range of ['bytes=500-', 'bytes=0-99', 'bytes=900-']) await finish(await start(url, range))
    expect(await at.downloads()).toEqual([])
    await finish(await start(url, 'bytes=50-499'))
    expect(await at.downloads()).toEqual(['downloaded all documents'])
    expect(await app.system.db.selectFrom('partial_downloads').selectAll().where('item', '=', id).execute()).toEqual([])
  })

  it('that was interrupted is recorded when the rest was sent', async () => {
    const at = await desk()
    await at.add('1.pdf', LARGE)
    const { url } = await at.archive()
    const response = await start(url)
    const length = Number(response.headers['content-length'])
    let received = 0
    for await (const chunk of response) {
      received += (chunk as Buffer).length
      if (received > 1_000_000) break
    }
    await pause(200)
    expect(await at.downloads()).toEqual([])
    expect(await finish(await start(url, `bytes=${received}-`))).toBe(length - received)
    expect(await at.downloads()).toEqual(['downloaded all documents'])
  })

  it('of the document list is recorded when it was sent', async () => {
    const at = await desk()
    await at.add('1.pdf')
    const { url } = (await at.as.post(at.files('/action'), { action: 'document_list' })).body.data
    expect(await at.downloads()).toEqual([])
    await finish(await start(url))
    expect(await at.downloads()).toEqual(['generated the disclosed document list'])
  })
})

describe('the link of a preview', () => {
  const named = (at: Desk, name: string, contentType: string) =>
    makeFile(at.context, at.accountId, { name, contentType, bytes: Buffer.from('deed'), sov: false, private: false, category: 'other' })
  const shown = async (at: Desk, id: string, as = at.reader): Promise<number | 'cut'> =>
    finish(await start((await as.get(at.files(`/${id}/versions/1/preview`))).body.data.url))

  it.each([
    ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['notes.txt', 'application/octet-stream'],
    ['mail.msg', 'application/vnd.ms-outlook'],
    ['mail.eml', 'message/rfc822'],
  ])('does not record a download of %s, which the page shows, and a link to download it does', async (name, type) => {
    const at = await desk()
    const { id } = await named(at, name, type)
    expect([await shown(at, id), await at.downloads()]).toEqual([4, []])
    expect([await finish(await start(await at.url(id))), await at.downloads()]).toEqual([4, [`downloaded ${name}`]])
  })

  it.each([
    ['all.zip', 'application/zip'],
    ['rows.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('records a download of %s, which the page does not show from its bytes', async (name, type) => {
    const at = await desk()
    const { id } = await named(at, name, type)
    expect([await shown(at, id), await at.downloads()]).toEqual([4, [`downloaded ${name}`]])
  })

  it('records a view by a person from outside, and no download', async () => {
    const at = await desk()
    const { id } = await named(at, 'mail.eml', 'message/rfc822')
    expect(await shown(at, id, await at.guest())).toBe(4)
    expect(await at.visits()).toEqual([{ what: 'viewed', item_name: 'mail.eml' }])
  })

  it('cannot be changed into one that records no download', async () => {
    const at = await desk()
    const { id } = await named(at, 'all.zip', 'application/zip')
    expect((await start(`${await at.url(id)}&purpose=preview`)).resume().statusCode).toBe(403)
  })
})
