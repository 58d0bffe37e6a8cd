import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { SSO_CALLS_PER_NETWORK, SSO_STATE_MS, SSO_TICKET_MS } from '#contract/sso.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { oidcProvider } from '#server/testing/oidc-provider.fixture.ts'
import { PASSWORD } from '#server/testing/sign-ins.fixture.ts'
import * as openid from './openid.ts'
import { testSso } from '#server/testing/sso.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock, newUser, idp, newCompany, signIn, start, finish, get, ticketOf } = await testSso()

type Company = Awaited<ReturnType<typeof newCompany>>
/** A user of the company, who is signed in at the service as `subject`. */
async function employee({ id, domain }: Company, name: string) {
  const user = await newUser({ companyId: id, email: `${name}@${domain}` })
  const subject = `${name} of ${domain}`
  idp.signInAs(subject, { email: user.email, email_verified: true })
  return { ...user, subject }
}

const whoIs = async (token: string): Promise<unknown> => (await app.bearing(`Bearer ${token}`).get('/api/v1/init')).body.data.auth_user.id
const notAccepted = (company: string) => [401, `The sign-in at ${company} was not accepted. Please start again.`]
const UNKNOWN = [401, 'The sign-in was not accepted. Please start again.']
const NO_USER = [403, 'No account uses this email. Ask your administrator.']
const outcome = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message]

describe('the lookup of an email', () => {
  it('names the company by the domain alone, and is the same for an email that no user has', async () => {
    const company = await newCompany()
    const { body } = await company.lookUp(`nobody@${company.domain.toUpperCase()}`)
    expect(body.data).toEqual({ provider: { id: company.providerId, name: company.name }, password: true })
    expect((await company.lookUp(company.administrator.email)).body).toEqual(body)
    expect((await company.lookUp('a@elsewhere.test')).body.data).toEqual({ provider: null, password: true })
    expect((await company.lookUp(`a@sub.${company.domain}`)).body.data.provider).toBeNull()
  })

  it('is not answered for a service that is switched off', async () => {
    const company = await newCompany()
    expect((await company.save({ enabled: false, version: 1 })).status).toBe(200)
    expect((await company.lookUp(company.administrator.email)).body.data).toEqual({ provider: null, password: true })
    expect((await start(company.providerId, newToken())).headers['location']).toBe('/sso#unknown')
  })

  it('is limited for each network', async () => {
    const company = await newCompany()
    const ask = () => app.api.server.inject({ url: `/api/v1/sso/lookup?email=a@${company.domain}`, remoteAddress: '203.0.113.7' })
    for (let count = 0; count < SSO_CALLS_PER_NETWORK; count += 1) expect((await ask()).statusCode).toBe(200)
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('has pages for the browser when there are too many sign-ins of a network', async () => {
    for (const path of [`${randomUUID()}/start?browser=${newToken()}`, 'callback']) {
      const open = () => app.api.server.inject({ url: `/api/v1/sso/${path}`, remoteAddress: '203.0.113.8' })
      for (let count = 0; count < SSO_CALLS_PER_NETWORK; count += 1) expect((await open()).headers['location']).toBe('/sso#unknown')
      const { statusCode, headers } = await open()
      expect([statusCode, headers['location']]).toEqual([302, '/sso?busy=1'])
    }
  })
})

describe('single sign-on', () => {
  it('signs a user in by the verified email, without a code by mail, and answers the same tokens as a password', async () => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    await app.system.db.updateTable('users').set({ enable_2fa: true }).where('id', '=', user.id).execute()
    const { answer } = await signIn(company.providerId)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ two_factor: false, refresh_token: expect.any(String), data: { return_to: null } })
    expect(await whoIs(answer.body.token)).toBe(user.id)
    const session = await app.system.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow()
    expect(session).toMatchObject({ kind: 'user', remember: false })
  })

  it('sends state, nonce and an S256 challenge, and stores none of them readable', async () => {
    const company = await newCompany()
    const { headers, status } = await start(company.providerId, newToken(), `&login_hint=ada@${company.domain}`)
    const query = new URL(String(headers['location'])).searchParams
    expect(status).toBe(302)
    expect(Object.fromEntries(query)).toMatchObject({
      code_challenge_method: 'S256',
      response_type: 'code',
      login_hint: `ada@${company.domain}`,
    })
    const rows = JSON.stringify(await app.system.db.selectFrom('oidc_states').selectAll().execute())
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(query.get(name)?.length, name).toBeGreaterThan(40)
      expect(rows).not.toContain(query.get(name))
    }
  })

  it('returns to the page where the user began', async () => {
    const company = await newCompany()
    await employee(company, 'ada')
    const browser = newToken()
    const begun = await start(company.providerId, browser, `&return_to=${encodeURIComponent('/accounts?search=mill')}`)
    const returned = await get(await idp.follow(String(begun.headers['location'])))
    expect(returned.status).toBe(302)
    expect((await finish(ticketOf(returned), browser)).body.data).toEqual({ return_to: '/accounts?search=mill' })
  })

  it('finds a user by the subject after the email has changed on both sides', async () => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    await signIn(company.providerId)
    idp.signInAs(user.subject, { email: `lovelace@${company.domain}`, email_verified: false })
    await app.system.db
      .updateTable('users')
      .set({ email: `countess@${company.domain}` })
      .where('id', '=', user.id)
      .execute()
    const { answer } = await signIn(company.providerId)
    expect(await whoIs(answer.body.token)).toBe(user.id)
  })

  it('does not open the account of a user to the next person with the email, until the user is reactivated', async () => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    await signIn(company.providerId)
    idp.signInAs(`a successor at ${company.domain}`, { email: user.email, email_verified: true })
    const message = `The account with this email belongs to another sign-in at ${company.name}. Ask your administrator.`
    expect(outcome((await signIn(company.providerId)).answer)).toEqual([403, message])
    for (const action of ['deactivate', 'reactivate'])
      expect((await app.as(company.administrator.id).post('/api/v1/users/actions', { action, selectedIds: [user.id] })).status).toBe(200)
    expect((await signIn(company.providerId)).answer.status).toBe(200)
  })

  it.each([
    ['an email that no user has', (company: Company) => ({ email: `nobody@${company.domain}`, email_verified: true })],
    ['an email that is not verified', (company: Company) => ({ email: company.administrator.email, email_verified: false })],
  ])('finds no user for %s', async (_what, account) => {
    const company = await newCompany()
    idp.signInAs(`someone at ${company.domain}`, account(company))
    expect(outcome((await signIn(company.providerId)).answer)).toEqual(NO_USER)
  })

  it('finds no user of another company, nor one whose email is in a domain of another company', async () => {
    const [one, other] = [await newCompany(), await newCompany()]
    await employee(other, 'ada')
    expect(outcome((await signIn(one.providerId)).answer)).toEqual(NO_USER)
    const stranger = await newUser({ companyId: one.id, email: `stranger@${other.domain}` })
    idp.signInAs('a stranger', { email: stranger.email, email_verified: true })
    expect(outcome((await signIn(one.providerId)).answer)).toEqual(NO_USER)
    expect(outcome((await signIn(other.providerId)).answer)).toEqual(NO_USER)
  })

  it('does not find a user who moved to another company', async () => {
    const [one, other] = [await newCompany(), await newCompany()]
    const user = await employee(one, 'ada')
    expect((await signIn(one.providerId)).answer.status).toBe(200)
    await app.system.db.updateTable('users').set({ company_id: other.id }).where('id', '=', user.id).execute()
    expect(outcome((await signIn(one.providerId)).answer)).toEqual(NO_USER)
  })

  it('is closed to a deactivated user, also to one who was deactivated after the service had vouched for them', async () => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    const browser = newToken()
    const begun = await start(company.providerId, browser)
    const returned = await get(await idp.follow(String(begun.headers['location'])))
    await app.as(company.administrator.id).post('/api/v1/users/actions', { action: 'deactivate', selectedIds: [user.id] })
    expect(outcome(await finish(ticketOf(returned), browser))).toEqual(notAccepted(company.name))
    expect(outcome((await signIn(company.providerId)).answer)).toEqual([
      403,
      'Your access was deactivated. Please contact an administrator of your company.',
    ])
  })

  it('opens no session at a company that was moved to the trash after the service had vouched for its user', async () => {
    const company = await newCompany()
    await employee(company, 'ada')
    const browser = newToken()
    const begun = await start(company.providerId, browser)
    const returned = await get(await idp.follow(String(begun.headers['location'])))
    const admin = await newUser({ role: 'admin' })
    expect((await app.as(admin.id).delete('/api/v1/companies', { ids: [company.id] })).status).toBe(200)
    expect(outcome(await finish(ticketOf(returned), browser))).toEqual(notAccepted(company.name))
  })
})

describe('a sign-in that the service did not vouch for', () => {
  const now = () => Math.floor(Date.now() / 1_000)
  it.each<[string, RegExp, Parameters<typeof idp.change>[0]]>([
    ['another audience', /audience/, (claims, sign) => sign({ ...claims, aud: 'another client' })],
    ['another issuer', /issuer/, (claims, sign) => sign({ ...claims, iss: 'https://another.example' })],
    ['another nonce', /nonce/, (claims, sign) => sign({ ...claims, nonce: 'another' })],
    ['an expired token', /expir/, (claims, sign) => sign({ ...claims, iat: now() - 7_200, exp: now() - 3_600 })],
    ['the signature of another key', /signature/, (claims, sign) => sign(claims, 'foreign')],
  ])('is rejected: %s', async (_what, reason, change) => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    idp.change(change)
    try {
      expect(outcome((await signIn(company.providerId)).answer)).toEqual(notAccepted(company.name))
    } finally {
      idp.change(undefined)
    }
    const settings = await app.as(company.administrator.id).get(`/api/v1/companies/${company.id}/sso`)
    expect(settings.body.data.provider.last_failure.reason).toMatch(reason)
    const linked = await app.system.db.selectFrom('user_identities').select('subject').where('user_id', '=', user.id).execute()
    expect(linked).toEqual([])
    expect((await signIn(company.providerId)).answer.status).toBe(200)
  })

  it('is rejected when it is replayed, and so is its ticket', async () => {
    const company = await newCompany()
    await employee(company, 'ada')
    const { browser, callback, ticket, answer } = await signIn(company.providerId)
    expect(answer.status).toBe(200)
    expect(outcome(await finish(ticket, browser))).toEqual(UNKNOWN)
    expect(outcome(await finish(ticketOf(await get(callback)), browser))).toEqual(notAccepted(company.name))
  })

  it('is rejected in another browser, which uses nothing up', async () => {
    const company = await newCompany()
    await employee(company, 'ada')
    const browser = newToken()
    const begun = await start(company.providerId, browser)
    const ticket = ticketOf(await get(await idp.follow(String(begun.headers['location']))))
    expect(outcome(await finish(ticket, newToken()))).toEqual(UNKNOWN)
    expect((await finish(ticket, browser)).status).toBe(200)
  })

  it('is rejected after ten minutes at the service, or a minute with the ticket', async () => {
    const company = await newCompany()
    await employee(company, 'ada')
    const browser = newToken()
    const [slow, quick] = [await start(company.providerId, browser), await start(company.providerId, browser)]
    const back = await idp.follow(String(slow.headers['location']))
    const ticket = ticketOf(await get(await idp.follow(String(quick.headers['location']))))
    clock.pass(SSO_TICKET_MS)
    expect(outcome(await finish(ticket, browser))).toEqual(UNKNOWN)
    clock.pass(SSO_STATE_MS)
    expect(outcome(await finish(ticketOf(await get(back)), browser))).toEqual(notAccepted(company.name))
  })

  it('is rejected if its user canceled it, and with a state or ticket that does not exist', async () => {
    const company = await newCompany()
    const browser = newToken()
    const begun = await start(company.providerId, browser)
    const state = new URL(String(begun.headers['location'])).searchParams.get('state')
    const canceled = await get(`/api/v1/sso/callback?error=access_denied&state=${state}`)
    expect(outcome(await finish(ticketOf(canceled), browser))).toEqual(notAccepted(company.name))
    for (const query of [`?code=x&state=${newToken()}`, ''])
      expect(outcome(await finish(ticketOf(await get(`/api/v1/sso/callback${query}`)), browser))).toEqual(UNKNOWN)
    expect(outcome(await finish(newToken(), browser))).toEqual(UNKNOWN)
  })

  it('is recorded with the error code of the service, and never with other words in its place', async () => {
    const company = await newCompany()
    const reasonOf = async (error: string) => {
      const begun = await start(company.providerId, newToken())
      const state = new URL(String(begun.headers['location'])).searchParams.get('state')
      await get(`/api/v1/sso/callback?error=${encodeURIComponent(error)}&state=${state}&iss=${idp.issuer}`)
      const settings = await app.as(company.administrator.id).get(`/api/v1/companies/${company.id}/sso`)
      return settings.body.data.provider.last_failure.reason
    }
    expect(await reasonOf('access_denied')).toBe('The service answered "access_denied".')
    expect(await reasonOf('Call 555 0100 to repair your sign-in')).toBe('The service answered an error.')
  })

  it('is rejected if the company has changed to another service in the meantime', async () => {
    const company = await newCompany()
    const user = await employee(company, 'ada')
    const browser = newToken()
    const [early, late] = [await start(company.providerId, browser), await start(company.providerId, browser)]
    const callback = await idp.follow(String(early.headers['location']))
    const changed = (client_id: string) =>
      app.system.db.updateTable('identity_providers').set({ client_id }).where('id', '=', company.providerId).execute()
    // The token is exchanged before the change, the user looked up after it.
    const { personFrom } = openid
    const spy = vi.spyOn(openid, 'personFrom').mockImplementationOnce(async (...sent) => {
      const person = await personFrom(...sent)
      await changed('another client')
      return person
    })
    const ticket = ticketOf(await get(callback))
    expect(spy).toHaveBeenCalledOnce()
    await changed('plumbline')
    expect(outcome(await finish(ticket, browser))).toEqual(notAccepted(company.name))
    const linked = await app.system.db.selectFrom('user_identities').select('subject').where('user_id', '=', user.id).execute()
    expect(linked).toEqual([])
    const ready = ticketOf(await get(await idp.follow(String((await start(company.providerId, browser)).headers['location']))))
    const other = await oidcProvider(openid.redirectUri(app.system))
    const { status } = await company.save({ version: 1, issuer: other.issuer })
    await other.stop()
    expect(status).toBe(200)
    expect(outcome(await finish(ready, browser))).toEqual(UNKNOWN)
    expect(outcome(await finish(ticketOf(await get(await idp.follow(String(late.headers['location'])))), browser))).toEqual(UNKNOWN)
  })

  it('says so when the service is down, at the start and afterwards', async () => {
    const provider = await oidcProvider(openid.redirectUri(app.system))
    const company = await newCompany({ provider })
    provider.signInAs('ada', { email: company.administrator.email, email_verified: true })
    const browser = newToken()
    const begun = await start(company.providerId, browser)
    const callback = await provider.follow(String(begun.headers['location']))
    await provider.stop()
    const down = [503, `${company.name}'s sign-in service does not answer. Please try again.`]
    expect(outcome(await finish(ticketOf(await get(callback)), browser))).toEqual(down)
    const again = await start(company.providerId, browser)
    const answer = await finish(ticketOf(again), browser)
    expect(outcome(answer)).toEqual(down)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    const login = await app.anonymous.post('/api/v1/login', { email: company.administrator.email, password: PASSWORD })
    expect(login.status).toBe(200)
  })
})
