import { describe, expect, it, vi } from 'vitest'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { oidcProvider } from '#server/testing/oidc-provider.fixture.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD } from '#server/testing/sign-ins.fixture.ts'
import { redirectUri } from './openid.ts'
import { testSso } from '#server/testing/sso.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, newUser, idp, newCompany, signIn, start } = await testSso()

const login = (email: string, password = PASSWORD) => app.anonymous.post('/api/v1/login', { email, password })
const settingsOf = async ({ id, administrator }: { id: string; administrator: { id: string } }) =>
  (await app.as(administrator.id).get(`/api/v1/companies/${id}/sso`)).body.data
const act = (as: string, action: string, id: string) => app.as(as).post('/api/v1/users/actions', { action, selectedIds: [id] })

describe('the single sign-on of a company', () => {
  it('is stored with a sealed client secret, which is never sent back', async () => {
    const company = await newCompany()
    const answer = await app.as(company.administrator.id).get(`/api/v1/companies/${company.id}/sso`)
    expect(answer.body.data).toEqual({
      redirect_uri: `${app.system.config.appUrl}/api/v1/sso/callback`,
      administrators: [{ id: company.administrator.id, name: company.administrator.fullName, email: company.administrator.email }],
      provider: {
        issuer: idp.issuer,
        client_id: 'plumbline',
        domains: [company.domain],
        enabled: true,
        password_allowed: true,
        emergency_user_id: null,
        version: 1,
        test: { state: 'done', at: expect.any(String) },
        last_sign_in_at: null,
        last_failure: null,
      },
    })
    const rows = await app.system.db.selectFrom('identity_providers').selectAll().execute()
    expect(rows.some(({ client_secret_sealed: sealed }) => sealed.includes(idp.client.client_secret))).toBe(false)
  })

  it('needs the current password, the permission, and a company that the user sees', async () => {
    const company = await newCompany({ without: true })
    for (const current_password of [undefined, '', 'wrong'])
      expect((await company.save({ current_password })).body.errors).toHaveProperty('current_password')
    const client = await newUser({ companyId: company.id, role: 'client' })
    const stranger = await newUser()
    const path = `/api/v1/companies/${company.id}/sso`
    for (const [user, status] of [
      [client, 403],
      [stranger, 404],
    ] as const) {
      const as = app.as(user.id)
      const answers = [await as.get(path), await as.put(path, company.settings), await as.post(`${path}/test`), await as.delete(path, {})]
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status])
    }
    expect((await settingsOf(company)).provider).toBeNull()
    const admin = await newUser({ role: 'admin' })
    expect((await app.as(admin.id).put(path, company.settings)).status).toBe(200)
  })

  it('cannot be changed by a user without a password, and says why', async () => {
    const company = await newCompany({ without: true })
    await app.system.db.updateTable('users').set({ password_hash: null }).where('id', '=', company.administrator.id).execute()
    expect((await company.save()).body.errors).toEqual({
      current_password: ['You have no password to confirm this with. Ask an administrator who has one.'],
    })
  })

  it('cannot be changed by a user with fewer permissions than another one of the company, who could sign in as that one', async () => {
    const company = await newCompany()
    await newUser({ companyId: company.id, role: 'admin' })
    const answer = await company.save({ version: 1 })
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'A user of this company has more permissions than you. Ask them to change the single sign-on.',
    ])
  })

  it('keeps the client secret, but never for another issuer', async () => {
    const company = await newCompany()
    expect((await company.save({ client_secret: '', version: 1 })).status).toBe(200)
    idp.signInAs(`admin of ${company.domain}`, { email: company.administrator.email, email_verified: true })
    expect((await signIn(company.providerId)).answer.status).toBe(200)
    const other = await oidcProvider(redirectUri(app.system))
    try {
      const moved = await company.save({ issuer: other.issuer, client_secret: '', version: 2 })
      expect(moved.body.errors).toEqual({ client_secret: ['Please enter the client secret again for the new address.'] })
      expect((await company.save({ issuer: other.issuer, version: 2 })).status).toBe(200)
    } finally {
      await other.stop()
    }
    const links = await app.system.db
      .selectFrom('user_identities')
      .select('subject')
      .where('user_id', '=', company.administrator.id)
      .execute()
    expect(links).toEqual([])
  })

  it('is rejected if another user has changed it in the meantime', async () => {
    const company = await newCompany()
    expect((await company.save({ version: 1 })).status).toBe(200)
    expect((await company.save({ version: 1 })).status).toBe(409)
    expect((await company.save({ version: null })).status).toBe(409)
  })

  it.each([
    [{ issuer: 'login.example.com' }, 'issuer', 'Please enter an address such as https://login.example.com.'],
    [{ issuer: 'https://user:word@login.example.com' }, 'issuer', 'Please enter an address such as https://login.example.com.'],
    [{ issuer: 'http://login.example.com' }, 'issuer', 'The address must start with https://.'],
    [{ issuer: 'https://10.1.2.3' }, 'issuer', '10.1.2.3 has no public address.'],
    [{ issuer: 'https://169.254.169.254/latest' }, 'issuer', '169.254.169.254 has no public address.'],
    [{ issuer: 'https://localhost:5432' }, 'issuer', 'localhost has no public address.'],
    [{ issuer: 'https://[::ffff:127.0.0.1]' }, 'issuer', '::ffff:7f00:1 has no public address.'],
    [{ client_id: ' ' }, 'client_id', 'Please enter the client ID.'],
    [{ client_secret: '' }, 'client_secret', 'Please enter the client secret.'],
    [{ domains: [] }, 'domains', 'Please enter at least one email domain.'],
    [{ domains: ['no domain'] }, 'domains.0', 'Please enter a domain such as example.com.'],
    [{ domains: ['gmail.com'] }, 'domains', 'gmail.com cannot be used for this company. Ask the provider if it should be.'],
    [{ password_allowed: false }, 'emergency_user_id', 'Please choose the administrator who still signs in with a password.'],
  ])('rejects %j at the field %s', async (changed, field, message) => {
    const company = await newCompany({ without: true })
    const answer = await company.save(changed)
    expect([answer.status, answer.body.errors]).toEqual([400, { [field]: [message] }])
    expect((await settingsOf(company)).provider).toBeNull()
  })

  it('has no domain of another company, nor one in which users of other companies have their email, unless an administrator of all users sets it', async () => {
    const [one, other] = [await newCompany(), await newCompany({ without: true })]
    const elsewhere = await newUser({ email: 'someone@elsewhere.test' })
    const message = (domain: string) => ({ domains: [`${domain} cannot be used for this company. Ask the provider if it should be.`] })
    expect((await other.save({ domains: [other.domain, one.domain] })).body.errors).toEqual(message(one.domain))
    expect((await other.save({ domains: ['elsewhere.test'] })).body.errors).toEqual(message('elsewhere.test'))
    const admin = await newUser({ role: 'admin' })
    const path = `/api/v1/companies/${other.id}/sso`
    expect((await app.as(admin.id).put(path, { ...other.settings, domains: [one.domain] })).status).toBe(400)
    expect((await app.as(admin.id).put(path, { ...other.settings, domains: ['elsewhere.test'] })).status).toBe(200)
    expect(elsewhere.companyId).not.toBe(other.id)
  })

  it('says what a test of the service found, and nothing before the first one', async () => {
    const provider = await oidcProvider(redirectUri(app.system))
    const company = await newCompany({ without: true })
    const saved = await company.save({ issuer: provider.issuer, enabled: false })
    expect(saved.body.data.provider.test).toEqual({ state: 'unknown' })
    const test = async () =>
      (await app.as(company.administrator.id).post(`/api/v1/companies/${company.id}/sso/test`)).body.data.provider.test
    expect(await test()).toEqual({ state: 'done', at: expect.any(String) })
    await provider.stop()
    expect(await test()).toEqual({ state: 'failed', at: expect.any(String), reason: 'The service does not answer.' })
    expect((await company.save({ issuer: provider.issuer, enabled: true, version: 1 })).body.errors).toEqual({
      issuer: ['The service does not answer.'],
    })
    const elsewhere = await company.save({ issuer: `${idp.issuer}/elsewhere`, enabled: true, version: 1 })
    expect(elsewhere.body.errors).toEqual({ issuer: ['The service answered with status 404.'] })
  })

  it('is not switched on, nor changed while it is on, with a client that the service rejects', async () => {
    const company = await newCompany({ without: true })
    const rejected = { client_secret: ['The service does not accept the client ID with this secret.'] }
    expect((await company.save({ client_secret: 'wrong' })).body.errors).toEqual(rejected)
    expect((await company.save({ client_id: 'another' })).body.errors).toEqual(rejected)
    expect((await company.save({ client_secret: 'wrong', enabled: false })).status).toBe(200)
    const tested = await app.as(company.administrator.id).post(`/api/v1/companies/${company.id}/sso/test`)
    expect(tested.body.data.provider.test).toMatchObject({ state: 'failed', reason: rejected.client_secret[0] })
    expect((await company.save({ client_secret: '', version: 1 })).body.errors).toEqual(rejected)
    const repaired = await company.save({ version: 1 })
    expect(repaired.body.data.provider.test.state).toBe('done')
    expect((await company.save({ client_secret: 'wrong', version: 2 })).body.errors).toEqual(rejected)
    expect((await company.save({ client_secret: 'wrong', enabled: false, version: 2 })).body.data.provider.test).toEqual({
      state: 'unknown',
    })
  })

  it('is removed with the confirmed password, and passwords work again', async () => {
    const company = await newCompany()
    const user = await newUser({ companyId: company.id })
    await company.save({ version: 1, password_allowed: false, emergency_user_id: company.administrator.id })
    const path = `/api/v1/companies/${company.id}/sso`
    expect((await app.as(company.administrator.id).delete(path, { current_password: 'wrong' })).status).toBe(400)
    expect((await login(user.email)).status).toBe(403)
    // The switch has ended the other sessions, but not that of the user who made it.
    expect((await app.as(company.administrator.id).delete(path, { current_password: PASSWORD })).status).toBe(200)
    expect((await login(user.email)).status).toBe(200)
    expect((await start(company.providerId, newToken())).headers['location']).toBe('/sso#unknown')
  })
})

describe('a company that allows only single sign-on', () => {
  async function newStrictCompany() {
    const company = await newCompany()
    const user = await newUser({ companyId: company.id, email: `user@${company.domain}` })
    const { token } = (await login(user.email)).body
    const answer = await company.save({ version: 1, password_allowed: false, emergency_user_id: company.administrator.id })
    expect(answer.status).toBe(200)
    return { ...company, user, token: token as string }
  }

  it('rejects passwords, but only right ones, and says so on the sign-in page', async () => {
    const { user, name, lookUp } = await newStrictCompany()
    expect((await lookUp(user.email)).body.data.password).toBe(false)
    const wrong = await login(user.email, 'wrong')
    expect([wrong.status, wrong.body.message]).toEqual([401, 'The email or the password is not right.'])
    const right = await login(user.email)
    expect([right.status, right.body]).toEqual([
      403,
      {
        response: 'error',
        kind: 'forbidden',
        message: `Users of ${name} sign in with single sign-on.`,
        data: { single_sign_on: true },
      },
    ])
  })

  it('signs its users out, and leaves the password of the emergency administrator', async () => {
    const { token, administrator } = await newStrictCompany()
    expect((await app.bearing(`Bearer ${token}`).get('/api/v1/init')).status).toBe(401)
    expect((await login(administrator.email)).status).toBe(200)
  })

  it('signs the former emergency administrator out when another one is named, and leaves the one who names them signed in', async () => {
    const { id, administrator, domain, save } = await newStrictCompany()
    const second = await newUser({ companyId: id, email: `second@${domain}` })
    const { token } = (await login(administrator.email)).body
    expect((await save({ version: 2, password_allowed: false, emergency_user_id: second.id })).status).toBe(200)
    expect((await app.bearing(`Bearer ${token}`).get('/api/v1/init')).status).toBe(401)
    expect((await app.as(administrator.id).get('/api/v1/init')).status).toBe(200)
    expect((await login(second.email)).status).toBe(200)
    expect((await login(administrator.email)).status).toBe(403)
  })

  it('ends links to set a password, and mails the way to single sign-on instead, but not to the emergency administrator', async () => {
    const company = await newCompany()
    const user = await newUser({ companyId: company.id, email: `user@${company.domain}` })
    const recover = (email: string) => app.anonymous.post('/api/v1/password/create', { email })
    const { administrator } = company
    const newest = async (email: string) => (await queuedMails(app, email)).at(-1)?.text ?? ''
    const linkIn = (text: string) => /reset-password\/(\S+)/.exec(text)?.[1]
    for (const { email } of [user, administrator]) await recover(email)
    const links = [linkIn(await newest(user.email)), linkIn(await newest(administrator.email))]
    expect((await company.save({ version: 1, password_allowed: false, emergency_user_id: administrator.id })).status).toBe(200)
    const states = await Promise.all(links.map(async (link) => (await app.anonymous.get(`/api/v1/password/find/${link}`)).status))
    expect(states).toEqual([409, 200])

    const answers = [await recover(user.email), await recover(administrator.email), await recover(`nobody@${company.domain}`)]
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    const way = `${app.system.config.appUrl}/sso?email=${encodeURIComponent(user.email)}`
    expect(await newest(user.email)).toContain(way)
    expect(linkIn(await newest(user.email))).toBeUndefined()
    expect(linkIn(await newest(administrator.email))).toBeDefined()

    const welcomed = await app.as(administrator.id).post(`/api/v1/users/${user.id}/sendwelcome`)
    expect(welcomed.status).toBe(200)
    expect(await newest(user.email)).toContain(`${administrator.fullName} has created an account for you in Plumbline.`)
    expect(await newest(user.email)).toContain(way)
    expect(linkIn(await newest(user.email))).toBeUndefined()
  })

  it('rejects a code for a password that was right before the switch', async () => {
    const company = await newCompany()
    const user = await newUser({ companyId: company.id, twoFactor: true })
    const { token } = (await login(user.email)).body
    await transact(app.system, (tx) =>
      tx.db
        .updateTable('identity_providers')
        .set({ password_allowed: false, emergency_user_id: company.administrator.id })
        .where('id', '=', company.providerId)
        .execute(),
    )
    const code = /^\d{6}$/m.exec((await queuedMails(app, user.email)).at(-1)?.text ?? '')?.[0]
    const answer = await app.bearing(`Bearer ${token}`).post('/api/v1/two-factor-challenge', { code })
    expect([answer.status, answer.body.message]).toEqual([403, `Users of ${company.name} sign in with single sign-on.`])
  })

  it('keeps its emergency administrator: not deactivated, moved, deleted or without the permission', async () => {
    const { id, name, administrator } = await newStrictCompany()
    const admin = await newUser({ role: 'admin' })
    const other = await makeCompany(app.system)
    const message = `${name} allows only single sign-on, and this user is its emergency administrator. Name another one in its single sign-on first.`
    const { body } = await app.as(admin.id).get('/api/v1/roles/search?search=Client')
    const client: string = body.data.find((role: { name: string }) => role.name === 'Client').id
    const answers = [
      await act(admin.id, 'deactivate', administrator.id),
      await app.as(admin.id).put(`/api/v1/users/${administrator.id}`, { company_id: other.id }),
      await app.as(admin.id).put(`/api/v1/users/${administrator.id}`, { roles: [client] }),
      await app.as(admin.id).delete('/api/v1/users', { ids: [administrator.id] }),
    ]
    for (const answer of answers) expect([answer.status, answer.body.message]).toEqual([409, message])
    const second = await newUser({ companyId: id })
    const path = `/api/v1/companies/${id}/sso`
    const { provider } = (await app.as(admin.id).get(path)).body.data
    const { test: _test, last_sign_in_at: _at, last_failure: _failure, ...settings } = provider
    const saved = await app.as(admin.id).put(path, { ...settings, emergency_user_id: second.id, current_password: PASSWORD })
    expect(saved.status).toBe(200)
    expect((await act(admin.id, 'deactivate', administrator.id)).status).toBe(200)
  })

  it('can be moved to the trash and restored', async () => {
    const { id } = await newStrictCompany()
    const admin = await newUser({ role: 'admin' })
    expect((await app.as(admin.id).delete('/api/v1/companies', { ids: [id] })).status).toBe(200)
    expect((await app.as(admin.id).post('/api/v1/companies/restore', { ids: [id] })).status).toBe(200)
  })
})
