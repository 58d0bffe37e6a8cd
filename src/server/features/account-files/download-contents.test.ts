import { beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '#server/engines/context.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'

const desk = deskForEachTest()
const call = () => desk.app.as(desk.userId)
const path = (rest: string) => `/api/v1/accounts/${desk.accountId}/files${rest}`
const action = (body: object) => call().post(path('/action'), body)
const downloads = async () => (await call().get('/api/v1/downloads')).body.data
const again = (id: string) => call().post(`/api/v1/downloads/${id}/again`)
let ctx: Context
beforeEach(async () => {
  ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
})
const add = (name: string, more: Parameters<typeof makeFile>[2] = {}) =>
  makeFile(ctx, desk.accountId, { name, sov: false, private: false, category: 'other', ...more })
const patch = (id: string, values: object) => call().patch(path(`/${id}`), values)
const trash = (id: string) => call().delete('/api/v1/account_files', { ids: [id] })
/** A user of the carrier of the account. */
async function withCarrier() {
  const carrier = await makeUser(desk.app.system, { role: 'carrier' })
  await desk.app.system.db.updateTable('accounts').set({ carrier_company_id: carrier.companyId }).where('id', '=', desk.accountId).execute()
  return carrier
}

describe('an archive whose documents have changed', () => {
  it('is out of date in the list of downloads, and the request for a link says so', async () => {
    const { id: file } = await add('one.pdf')
    await add('two.pdf')
    const { id } = (await action({ action: 'archive' })).body.data
    expect(await downloads()).toMatchObject([{ id, status: 'accessible' }])
    await trash(file)
    expect(await downloads()).toMatchObject([{ id, status: 'outdated' }])
    const { status, body } = await call().get(path(`/${id}`))
    expect([status, body.message]).toEqual([403, 'The documents have changed since. Please start the download again.'])
  })

  it('is out of date for a viewer who does not see a document that was made private', async () => {
    const carrier = await withCarrier()
    const { id: file } = await add('one.pdf')
    await add('two.pdf')
    const as = desk.app.as(carrier.id)
    await as.post(path('/action'), { action: 'archive' })
    await action({ action: 'archive' })
    await patch(file, { private: true })
    expect((await as.get('/api/v1/downloads')).body.data).toMatchObject([{ status: 'outdated' }])
    expect(await downloads()).toMatchObject([{ status: 'accessible' }])
  })

  it('is out of date when a document has another file', async () => {
    const { id: file, name } = await add('one.pdf')
    await action({ action: 'archive' })
    await makeFile(ctx, desk.accountId, { name, replaces: file })
    expect(await downloads()).toMatchObject([{ status: 'outdated' }])
  })

  it('with the former file of a document is open only to users who see former versions', async () => {
    const carrier = await withCarrier()
    const { id: file, name } = await add('one.pdf')
    const as = desk.app.as(carrier.id)
    const theirs = (await as.post(path('/action'), { action: 'archive' })).body.data
    const own = (await action({ action: 'archive' })).body.data
    await makeFile(ctx, desk.accountId, { name, replaces: file })
    const { status, body } = await as.get(path(`/${theirs.id}`))
    expect([status, body.message]).toEqual([403, 'The documents have changed since. Please start the download again.'])
    expect((await desk.app.anonymous.get(theirs.url)).status).toBe(403)
    expect((await call().get(path(`/${own.id}`))).body.data.status).toBe('accessible')
  })

  it('is made again with what is left of a selection, and says what is missing', async () => {
    const [one, two] = [await add('one.pdf'), await add('two.pdf')]
    const { id } = (await action({ action: 'archive', files: [one.id, two.id] })).body.data
    await trash(one.id)
    const { status, body } = await again(id)
    expect([status, body.message]).toEqual([200, 'Your download is ready: 1 of 2 selected documents; 1 was not found.'])
    expect(body.data.content).toEqual({
      requested: 2,
      included: 1,
      selected: true,
      left_out: [{ reason: 'not_found', count: 1, names: [] }],
    })
    expect((await downloads()).map((download: { status: string }) => download.status)).toEqual(['accessible', 'outdated'])
    await trash(two.id)
    expect((await again(id)).body.message).toBe('Files not found.')
  })

  it('is not made again by another user, nor without its account', async () => {
    await add('one.pdf')
    const { id } = (await action({ action: 'archive' })).body.data
    const { id: colleague } = await makeUser(desk.app.system, { companyId: ctx.viewer.kind === 'user' ? ctx.viewer.companyId : '' })
    expect((await desk.app.as(colleague).post(`/api/v1/downloads/${id}/again`)).status).toBe(404)
  })

  it('is a list without documents, too', async () => {
    const { id } = await add('one.pdf')
    await action({ action: 'document_list' })
    expect(await downloads()).toMatchObject([{ status: 'accessible' }])
    await patch(id, { private: true })
    const [list] = await downloads()
    expect(list.status).toBe('outdated')
    expect((await call().get(path(`/${list.id}`))).status).toBe(403)
  })
})

describe('documents that cannot be read', () => {
  const lost = async (name: string) => {
    const file = await add(name)
    await desk.app.system.storage.remove(file.key)
    return file
  }

  it('are counted and named in the answer, in the list of downloads and in the archive', async () => {
    await add('whole.pdf')
    await lost('lost.pdf')
    const { body } = await action({ action: 'archive' })
    const content = { requested: 2, included: 1, selected: false, left_out: [{ reason: 'unreadable', count: 1, names: ['lost.pdf'] }] }
    expect(body.message).toBe('Your download is ready: 1 of 2 documents; 1 could not be read: lost.pdf.')
    expect(body.data).toMatchObject({ content, progress: { files_processed: 1, total_files: 2, percentage_complete: 100 } })
    expect(await downloads()).toMatchObject([{ content, progress: { files_processed: 1, total_files: 2 } }])
  })

  it('are counted in the notification of a job, which names the only one', async () => {
    const ready = async (name: string) => {
      await desk.app.system.db.updateTable('account_files').set({ crc32: null }).where('account_id', '=', desk.accountId).execute()
      const { data } = (await action({ action: 'archive' })).body
      await expect.poll(async () => (await downloads())[0], { timeout: 20_000 }).toMatchObject({ id: data.id, status: 'accessible' })
      const { message } = await desk.app.system.db
        .selectFrom('notifications')
        .select('message')
        .where('user_id', '=', desk.userId)
        .where('type', '=', 'export_ready')
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
      return message.replace(/^.*\.zip/, name)
    }
    await add('whole.pdf')
    await lost('lost.pdf')
    expect(await ready('It')).toBe('It is ready to download: 1 of 2 documents; 1 could not be read: lost.pdf.')
    await lost('gone.pdf')
    expect(await ready('It')).toBe('It is ready to download: 1 of 3 documents; 2 could not be read.')
  })

  it('are not named to a viewer who no longer sees them', async () => {
    const carrier = await withCarrier()
    await add('whole.pdf')
    const { id } = await lost('quetzal.pdf')
    const as = desk.app.as(carrier.id)
    const { url } = (await as.post(path('/action'), { action: 'archive' })).body.data
    await patch(id, { private: true })
    expect(JSON.stringify((await as.get('/api/v1/downloads')).body)).not.toContain('quetzal')
    // The archive names it, too.
    expect((await desk.app.anonymous.get(url)).status).toBe(403)
  })
})

describe('a document list of a selection', () => {
  it('says how many of the selected documents it contains, and why the others are left out', async () => {
    const files = [await add('1.pdf'), await add('2.pdf'), await add('3.pdf')]
    files.push(await add('private.pdf', { private: true }), await add('sov.xlsx', { sov: true }))
    const { body } = await action({ action: 'document_list', files: files.map(({ id }) => id) })
    expect(body.message).toBe('Your download is ready: 3 of 5 selected documents; 2 are not disclosed: private.pdf, sov.xlsx.')
    const content = { requested: 5, included: 3, selected: true, left_out: [{ reason: 'not_disclosed', count: 2 }] }
    expect(body.data).toMatchObject({ content })
    expect(await downloads()).toMatchObject([{ content }])
    expect((await call().get(path(`/${body.data.id}`))).body.data).toMatchObject({ content })
  })

  it('of all documents leaves out none, and that of properties lists none', async () => {
    await makeProperty(ctx, desk.accountId)
    await add('1.pdf')
    await add('private.pdf', { private: true })
    const all = await action({ action: 'document_list' })
    expect([all.body.message, all.body.data.content]).toEqual([
      'Your download is ready.',
      expect.objectContaining({ included: 1, left_out: [] }),
    ])
    const body = { handle: 'json', action: 'export_excel', input: 'all', account_id: desk.accountId }
    await call().post('/api/v1/account_properties/actions', body)
    expect((await downloads())[0]).toMatchObject({ source: 'property-list', content: null })
  })
})

it('a download of an account that was taken away is not found, like the account', async () => {
  const carrier = await makeUser(desk.app.system, { role: 'carrier' })
  const setCarrier = (company: string | null) =>
    desk.app.system.db.updateTable('accounts').set({ carrier_company_id: company }).where('id', '=', desk.accountId).execute()
  await setCarrier(carrier.companyId)
  await add('one.pdf')
  const as = desk.app.as(carrier.id)
  const { id } = (await as.post(path('/action'), { action: 'archive' })).body.data
  expect((await as.get(path(`/${id}`))).status).toBe(200)
  await setCarrier(null)
  const calls = [
    as.get(path(`/${id}`)),
    as.post(`/api/v1/downloads/${id}/again`),
    as.delete(`/api/v1/accounts/${desk.accountId}/archives/${id}`),
    as.delete(`/api/v1/downloads/${id}`),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
})
