import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/limits.ts'
import type { As } from '#server/testing/app.ts'
import { postFrom } from '#server/testing/clients.fixture.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeReadFile } from '#server/testing/factories/texts.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { letter } from '#server/testing/outbox.fixture.ts'
import { testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock } = await testSignIns({ worker: true })
let owner: { id: string }
let asOwner: As
let account: { id: string }

beforeAll(async () => {
  const company = await makeCompany(app.system, 'Harbor Point Brokerage')
  await subscribe(app.system, company.id)
  owner = await makeUser(app.system, { companyId: company.id, firstName: 'Dana', lastName: 'Whitfield' })
  asOwner = app.as(owner.id)
  account = await makeAccount(app.system, { companyId: company.id, name: 'Cascadia Portfolio' })
})

const path = (rest: string) => `/api/v1/accounts/${account.id}${rest}`
const share = (sharing_enabled: boolean) => asOwner.put(path(''), { model: 'accounts', id: account.id, sharing_enabled })
const tokenIn = (link: string) => link.split('/').at(-1) ?? ''
const redeem = (share_token: string, more = {}) => app.anonymous.post(path('/share'), { share_token, ...more })
const visit = async (link: string, more = {}) => app.bearing(`Bearer ${(await redeem(tokenIn(link), more)).body.token}`)
const newLink = async (more = {}) => (await asOwner.post(path('/links'), { label: 'Underwriter', ...more })).body.data

describe('the share link of an account', () => {
  it('is made when sharing is enabled for the first time, and opens the account for anyone', async () => {
    expect((await asOwner.get(path(''))).body.data).toMatchObject({ sharing_enabled: false, share_link: null })
    await share(true)
    const { share_link: link } = (await asOwner.get(path(''))).body.data
    expect(link).toMatch(new RegExp(`/account/${account.id}/share/[\\w-]{43}$`))
    const visitor = await visit(link)
    expect((await visitor.get('/api/v1/init')).body.data.auth_user).toMatchObject({ via_share_link: true, via_invite: false, email: '' })
    const seen = (await visitor.get(path(''))).body.data
    expect(seen).toMatchObject({ share_link: null, created_by: null, account_number: null, active_invite: null })
    expect((await visitor.put(path(''), { sharing_enabled: false })).status).toBe(403)
  })

  it('ends with everything it opened when it is replaced', async () => {
    const old = (await asOwner.get(path(''))).body.data.share_link
    const visitor = await visit(old)
    expect((await visitor.get(path(''))).status).toBe(200)
    const fresh = (await asOwner.post(path('/refresh-share-token'))).body.data.share_link
    expect(fresh).not.toBe(old)
    expect((await visitor.get(path(''))).status).toBe(401)
    const refused = await redeem(tokenIn(old))
    expect([refused.status, refused.body.message]).toEqual([403, 'This link is no longer valid. Ask the person who sent it for a new one.'])
    expect((await redeem(tokenIn(fresh))).status).toBe(200)
  })

  it('ends while sharing is disabled, and works again after', async () => {
    const { share_link: link } = (await asOwner.get(path(''))).body.data
    const visitor = await visit(link)
    await share(false)
    expect((await visitor.get(path(''))).status).toBe(401)
    expect((await redeem(tokenIn(link))).status).toBe(403)
    expect((await asOwner.post(path('/refresh-share-token'))).status).toBe(409)
    await share(true)
    expect((await redeem(tokenIn(link))).status).toBe(200)
  })

  it('does not open another account, and is not shown to a broker named on the account', async () => {
    const { share_link: link } = (await asOwner.get(path(''))).body.data
    const other = await makeAccount(app.system, { companyId: (await app.viewer(owner.id)).companyId, name: 'Other' })
    expect((await app.anonymous.post(`/api/v1/accounts/${other.id}/share`, { share_token: tokenIn(link) })).status).toBe(403)
    const broker = await makeUser(app.system)
    await app.system.db.insertInto('account_users').values({ account_id: account.id, user_id: broker.id }).execute()
    expect((await app.as(broker.id).get(path(''))).body.data.share_link).toBeNull()
    expect((await app.as(broker.id).get(path('/links'))).body.data).toEqual([])
    expect((await app.as(broker.id).post(path('/links'), { label: 'Mine' })).status).toBe(403)
  })
})

describe('a named link', () => {
  it('is for looking only or also for downloads, and can be revoked alone', async () => {
    const file = await makeReadFile({ ...app.system, viewer: await app.viewer(owner.id) }, account.id, {
      name: 'survey.txt',
      bytes: Buffer.from('A survey\n'),
      category: 'appraisal',
    })
    const [view, download] = [await newLink({ rights: 'view' }), await newLink({ label: 'Carrier', rights: 'download' })]
    const [looking, downloading] = [await visit(view.link), await visit(download.link)]
    const list = path(`/files/action`)
    expect((await looking.post(list, { action: 'archive', files: [file.id] })).status).toBe(403)
    expect((await downloading.post(list, { action: 'archive', files: [file.id] })).status).toBe(200)
    await asOwner.delete(path(`/links/${view.id}`))
    expect((await looking.get(path(''))).status).toBe(401)
    expect((await downloading.get(path(''))).status).toBe(200)
    expect((await asOwner.get(path('/links'))).body.data.map(({ label }: { label: string }) => label)).toEqual(['Carrier'])
  })

  it('needs its password, and rejects many wrong ones from one network for a while', async () => {
    const { link } = await newLink({ protection: 'password', password: 'quiet harbor' })
    expect((await redeem(tokenIn(link))).body).toMatchObject({ data: { needs: 'password' }, token: null })
    expect((await redeem(tokenIn(link), { password: 'wrong' })).body.message).toBe('This is not the password of the link.')
    expect((await redeem(tokenIn(link), { password: 'quiet harbor' })).body.token).toEqual(expect.any(String))
    const wrong = await Promise.all(Array.from({ length: 12 }, () => redeem(tokenIn(link), { password: 'wrong' })))
    expect(wrong.some(({ status }) => status === 429)).toBe(true)
    clock.pass(HOUR_MS)
    expect((await redeem(tokenIn(link), { password: 'quiet harbor' })).status).toBe(200)
    expect((await newLink({ protection: 'password' })).password).toEqual(['Please enter a password.'])
  })

  it('ends guessing of its password from many networks, and still opens where it was opened before', async () => {
    const { link } = await newLink({ protection: 'password', password: 'quiet harbor' })
    const from = (address: string, password: string) =>
      postFrom(app, address, `/accounts/${account.id}/share`, { share_token: tokenIn(link), password })
    expect((await from('10.7.0.1', 'quiet harbor')).status).toBe(200)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 60; attempt += 1) statuses.push((await from(`10.8.0.${attempt % 10}`, 'wrong')).status)
    expect(statuses).toEqual([...Array<number>(15).fill(403), ...Array<number>(45).fill(429)])
    expect((await from('10.9.0.1', 'wrong')).status, 'the first attempt of a new address').toBe(403)
    expect((await from('10.9.0.1', 'quiet harbor')).status, 'its second one').toBe(429)
    expect((await from('10.9.0.2', 'quiet harbor')).status, 'the right password at a new address').toBe(200)
    for (let network = 0; network < 80; network += 1) await from(`10.10.0.${network}`, 'wrong')
    const kept = await from('10.9.0.3', 'quiet harbor')
    expect([kept.status, kept.body.message]).toEqual([429, expect.stringContaining('or ask the person who sent the link for another one.')])
    expect((await from('10.7.0.1', 'quiet harbor')).status, 'the right password at a familiar address').toBe(200)
    clock.pass(15 * MINUTE_MS)
    expect((await from('10.9.0.1', 'quiet harbor')).status, 'no user is shut out for longer').toBe(200)
  })

  it('needs a code sent to an email of its domains, which works once', async () => {
    const { link } = await newLink({ protection: 'email_code', email_domains: ['carrier.example'] })
    const token = tokenIn(link)
    expect((await redeem(token)).body.data.needs).toBe('email')
    expect((await redeem(token, { email: 'eve@elsewhere.example' })).body.data.needs).toBe('code')
    expect((await redeem(token, { email: 'una@carrier.example' })).body.data.needs).toBe('code')
    const mail = await letter(app, 'una@carrier.example')
    const code = /\b(\d{6})\b/.exec(mail.text)?.[1] ?? ''
    expect((await redeem(token, { email: 'eve@elsewhere.example', code })).status).toBe(400)
    const opened = await redeem(token, { email: 'una@carrier.example', code })
    const visitor = app.bearing(`Bearer ${opened.body.token}`)
    expect((await visitor.get('/api/v1/init')).body.data.auth_user.email).toBe('una@carrier.example')
    expect((await redeem(token, { email: 'una@carrier.example', code })).body.data).toEqual({
      code: ['The code is not right, or it has expired.'],
    })
  })

  it('lets no stranger use up the codes of a person, or try many', async () => {
    const { link } = await newLink({ protection: 'email_code' })
    const email = 'una@insurer.example'
    const from = (address: string, more: object = {}) =>
      postFrom(app, address, `/accounts/${account.id}/share`, { share_token: tokenIn(link), email, ...more })
    await from('10.5.0.1')
    const code = /\b(\d{6})\b/.exec((await letter(app, email)).text)?.[1] ?? ''
    const requested: number[] = []
    for (let attempt = 0; attempt < 12; attempt += 1) requested.push((await from(`10.4.0.${attempt % 4}`)).status)
    expect(requested).toEqual([...Array<number>(5).fill(200), ...Array<number>(7).fill(429)])
    expect((await from('10.3.0.1')).status, 'the first code of a new address').toBe(200)
    for (let count = 0; count < 5; count += 1) await from('10.6.0.1')
    const guesses: number[] = []
    for (let count = 0; count < 25; count += 1) guesses.push((await from('10.6.0.1', { code: count === 0 ? code : '000000' })).status)
    expect(guesses).toEqual([...Array<number>(20).fill(400), ...Array<number>(5).fill(429)])
    expect((await from('10.5.0.1', { code })).status).toBe(200)
  })

  it('expires, and its visits with it', async () => {
    const { link } = await newLink({ days: 1 })
    const visitor = await visit(link)
    clock.pass(DAY_MS + 1)
    expect((await visitor.get(path(''))).status).toBe(401)
    expect((await redeem(tokenIn(link))).body.message).toBe('This link has expired. Ask the person who sent it for a new one.')
  })
})

describe('what people from outside saw', () => {
  it('is recorded for each link and exported, but not the previews of its sender', async () => {
    const fresh = app.as((await makeUser(app.system, { companyId: (await app.viewer(owner.id)).companyId })).id)
    const link = (await fresh.post(path('/links'), { label: '=Broker' })).body.data
    const of = async () => (await fresh.get(path('/visits'))).body.data.find(({ id }: { id: string }) => id === link.id)
    expect(await of()).toMatchObject({ state: 'not_opened', opened: 0, changed_since: null })
    const preview = await fresh.post(path('/view-as'), { grant_id: link.id })
    const looking = app.bearing(`Bearer ${preview.body.data.token}`)
    expect((await looking.get('/api/v1/init')).body.data.auth_user).toMatchObject({ via_preview: true, via_share_link: true })
    expect((await looking.post('/api/v1/settings/dashboard', { value: {} })).body.message).toContain('Nothing can be changed here.')
    expect(await of()).toMatchObject({ state: 'not_opened', opened: 0 })
    const documents = (await looking.get(`/api/v1/account_files?filter__account_id=${account.id}`)).body.data
    const { url } = (await looking.get(path(`/files/${documents[0].id}`))).body.data
    expect(
      (await app.anonymous.get(new URL(url, app.system.config.appUrl).pathname + new URL(url, app.system.config.appUrl).search)).status,
    ).toBe(200)
    const lines = await app.system.db.selectFrom('activities').select('message').where('actor_name', 'like', '%with the link').execute()
    expect(lines.filter(({ message }) => message.includes('downloaded'))).toEqual([])
    const visitor = await visit(link.link)
    await Promise.all(Array.from({ length: 5 }, () => visitor.get('/api/v1/init')))
    await visitor.get('/api/v1/init')
    expect(await of()).toMatchObject({ state: 'opened', opened: 1, changed_since: 0 })
    const csv = (await fresh.get(path('/visits.csv'))).raw.toString()
    expect(csv).toContain("'=Broker")
    await expect(app.system.db.deleteFrom('grant_visits').execute()).rejects.toThrow('Visits are never changed')
    await fresh.get('/api/v1/logout')
    expect((await looking.get('/api/v1/init')).status).toBe(401)
  })

  it('is in the list of everything that is live, and all of it can be ended at once', async () => {
    const fresh = app.as((await makeUser(app.system, { companyId: (await app.viewer(owner.id)).companyId })).id)
    const invited = { account_id: account.id, role: 'upload_only', email: 'papers@sender.example' }
    expect((await fresh.post('/api/v1/account_invites', invited)).status).toBe(201)
    const live = (await fresh.get('/api/v1/grants')).body.data
    expect(live.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['Share link', '=Broker', 'Carrier']))
    const ownUploads = live.filter((one: { own_uploads: boolean }) => one.own_uploads)
    expect(ownUploads.map(({ name }: { name: string }) => name)).toEqual([invited.email])
    const { share_link: link } = (await fresh.get(path(''))).body.data
    const visitor = await visit(link)
    expect((await fresh.post(path('/revoke-access'))).body.data.links).toBeGreaterThan(2)
    expect((await visitor.get(path(''))).status).toBe(401)
    expect((await fresh.get('/api/v1/grants')).body.data).toEqual([])
    expect((await fresh.get(path(''))).body.data.sharing_enabled).toBe(false)
  })
})
