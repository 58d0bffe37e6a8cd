import { get, type IncomingMessage } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { paragraph, word } from '#server/engines/document-text/document-text.fixture.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeInvite } from '#server/testing/factories/guests.ts'
import { makeUser, subscribe } from '#server/testing/factories/people.ts'
import { makeReadFile } from '#server/testing/factories/texts.ts'
import { testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock } = await testSignIns()
let owner: As
let asOwner: Context
let account: string
let origin: string

const at = (rest: string) => `/api/v1/accounts/${account}${rest}`
const tokenIn = (link: string) => link.split('/').at(-1) ?? ''
const newLink = async (more = {}) => (await owner.post(at('/links'), { label: 'Carrier', ...more })).body.data
const open = async (link: string, as: Pick<As, 'post'> = app.anonymous): Promise<As> =>
  app.bearing(`Bearer ${(await as.post(at('/share'), { share_token: tokenIn(link) })).body.token}`)
const accept = async (token: string): Promise<As> =>
  app.bearing(`Bearer ${(await app.anonymous.post('/api/v1/account_invites/accept', { invite_id: token })).body.token}`)
interface Seen {
  id: string
  name: string
  ended_at: string | null
}
const seen = async (): Promise<Seen[]> => (await owner.get(at('/visits'))).body.data
const seenBy = async (id: string) => (await seen()).find((one) => one.id === id)
const csv = async (): Promise<string> => (await owner.get(at('/visits.csv'))).raw.toString()
const lastUse = async (id: string): Promise<string | null | undefined> =>
  (await owner.get('/api/v1/grants')).body.data.find((one: Seen) => one.id === id)?.last_used_at

beforeAll(async () => {
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  const { id, companyId } = await makeUser(app.system)
  await subscribe(app.system, companyId)
  owner = app.as(id)
  asOwner = { ...app.system, viewer: await app.viewer(id) }
  account = (await makeAccount(asOwner, { companyId })).id
})

describe('who saw what', () => {
  it('keeps what people saw after their link or invitation has ended, with the date', async () => {
    const [named, kept] = [await newLink(), await newLink({ label: 'Kept' })]
    await owner.put(at(''), { sharing_enabled: true })
    const { share_link: shared } = (await owner.get(at(''))).body.data
    const invite = await makeInvite(asOwner, account, { email: 'una@buyer.example' })
    for (const link of [named.link, kept.link, shared]) await open(link)
    await accept(invite.token)
    const before = await seen()
    expect(before.map(({ ended_at }) => ended_at)).toEqual([null, null, null, null])
    await owner.delete(at(`/links/${named.id}`))
    await owner.post(at('/refresh-share-token'))
    await owner.post('/api/v1/account_invites/actions', { action: 'revoke', selectedIds: [invite.id], input: { confirm: true } })
    await owner.put(at(''), { sharing_enabled: false })
    const after = await seen()
    const ended = before.filter(({ id }) => id !== kept.id)
    for (const { id } of ended) expect(after.find((one) => one.id === id)).toMatchObject({ opened: 1, ended_at: expect.any(String) })
    expect(after.find(({ id }) => id === kept.id)?.ended_at).toBeNull()
    for (const { id } of ended) expect((await owner.get(at(`/visits/${id}`))).body.data).toHaveLength(1)
    expect((await csv()).trim().split('\n')).toHaveLength(5)
    await owner.post(at('/revoke-access'))
    expect((await seen()).every(({ ended_at }) => ended_at !== null)).toBe(true)
    expect((await csv()).trim().split('\n')).toHaveLength(5)
  })

  it('lists the visits of an expired invitation next to those of the new one', async () => {
    const invite = await makeInvite(asOwner, account, { email: 'una@buyer.example', expiresAt: new Date(clock.now().getTime() + HOUR_MS) })
    await accept(invite.token)
    clock.pass(2 * HOUR_MS)
    expect(await seenBy(invite.id)).toMatchObject({ opened: 1, changed_since: null, ended_at: expect.any(String) })
    const again = { account_id: account, role: 'invite_guest', email: 'una@buyer.example' }
    expect((await owner.post('/api/v1/account_invites', again)).status).toBe(201)
    expect((await seen()).map(({ name, ended_at }) => [name, ended_at !== null])).toEqual([
      ['una@buyer.example', true],
      ['una@buyer.example', false],
    ])
    expect(await csv()).toContain('una@buyer.example')
  })

  it('counts a visit from its first answer, and the last use with it', async () => {
    const { id, link } = await newLink()
    expect([await lastUse(id), (await seenBy(id))?.ended_at]).toEqual([null, null])
    await open(link)
    const { opened, state, last_at } = { ...(await owner.get(at('/visits'))).body.data[0] }
    expect([opened, state]).toEqual([1, 'opened'])
    expect(await lastUse(id)).toBe(last_at)
  })

  it('does not count people of the own company who open their link', async () => {
    const { id, link } = await newLink()
    const visitor = await open(link, owner)
    expect((await visitor.get('/api/v1/init')).body.data.auth_user.via_share_link).toBe(true)
    expect([await lastUse(id), await seenBy(id)]).toEqual([null, expect.objectContaining({ state: 'not_opened', opened: 0 })])
    const stranger = await makeUser(app.system)
    await open(link, app.as(stranger.id))
    expect(await seenBy(id)).toMatchObject({ state: 'opened', opened: 1 })
  })

  it('counts changes only of what the role of the person shows', async () => {
    const [uploads, views] = [await makeInvite(asOwner, account, { role: 'upload_only' }), await makeInvite(asOwner, account)]
    await accept(uploads.token)
    await accept(views.token)
    clock.pass(HOUR_MS)
    await makeProperty(asOwner, account)
    await makeFile(asOwner, account)
    const changed = { updated_at: clock.now() }
    for (const table of ['account_files', 'account_properties'] as const)
      await app.system.db.updateTable(table).set(changed).where('account_id', '=', account).execute()
    expect([await seenBy(uploads.id), await seenBy(views.id)]).toMatchObject([{ changed_since: 0 }, { changed_since: 2 }])
  })
})

describe('a download of a person from outside is recorded', () => {
  const start = (url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => void get(new URL(url, origin), { headers }, resolve).on('error', reject))
  const LARGE = Buffer.alloc(4 * 1024 ** 2, 'large ')

  it.each<[string, (file: { id: string }, visitor: As) => Promise<unknown>]>([
    ['a range of a document', async ({ id }, visitor) => (await start(await urlOf(visitor, id), { range: 'bytes=1-' })).resume()],
    ['a document that is broken off', async ({ id }, visitor) => (await start(await urlOf(visitor, id))).destroy()],
    [
      'an archive that is broken off',
      async ({ id }, visitor) => {
        const { data } = (await visitor.post(at('/files/action'), { action: 'archive', files: [id] })).body
        ;(await start(data.url)).destroy()
      },
    ],
    ['a list of properties as CSV', (_file, visitor) => exportOf(visitor, 'account_properties', 'export_csv')],
    ['a list of documents in Excel', (_file, visitor) => exportOf(visitor, 'account_files', 'export_excel')],
  ])('once for %s', async (_what, download) => {
    await makeProperty(asOwner, account)
    const file = await makeFile(asOwner, account, { name: 'survey.txt', bytes: LARGE })
    const { id, link } = await newLink()
    const visitor = await open(link)
    await download(file, visitor)
    await vi.waitFor(async () => expect(await seenBy(id)).toMatchObject({ opened: 1, downloaded: 1 }))
  })

  it('as a view if the page shows a table of it', async () => {
    const file = await makeFile(asOwner, account, { name: 'rows.csv', bytes: Buffer.from('Name\nMill\n'), contentType: 'text/csv' })
    const { id, link } = await newLink({ rights: 'view' })
    const visitor = await open(link)
    expect((await visitor.get(at(`/files/${file.id}/versions/1/sheet?sheet=0`))).status).toBe(200)
    expect(await seenBy(id)).toMatchObject({ viewed: 1, downloaded: 0 })
  })

  it('as a view if the page shows the text of it in place of the file', async () => {
    const file = await makeReadFile(asOwner, account, { name: 'terms.docx', bytes: await word(paragraph('The numbat clause')) })
    const { id, link } = await newLink({ rights: 'view' })
    const visitor = await open(link)
    const text = await visitor.get(at(`/files/${file.id}/text`))
    expect([text.status, text.raw.includes('The numbat clause')]).toEqual([200, true])
    expect(await seenBy(id)).toMatchObject({ viewed: 1, downloaded: 0 })
  })

  const urlOf = async (visitor: As, id: string): Promise<string> => (await visitor.get(at(`/files/${id}`))).body.data.url
  const exportOf = (visitor: As, model: string, action: string) =>
    visitor.post(`/api/v1/${model}/actions`, { action, handle: 'blob', input: 'all', account_id: account })
})
