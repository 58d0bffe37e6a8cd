import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { APP_SETUP_LIFE_MS, CHALLENGE_CODES_RESERVED } from '#contract/factor-limits.ts'
import { CHALLENGE_ATTEMPTS, CHALLENGE_CODES_PER_HOUR, SECOND_MS } from '#contract/limits.ts'
import { countOf, postFrom, queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const PERIOD_MS = 30 * SECOND_MS
const { app, clock, newUser } = await testSignIns()

const login = async (email: string) => (await app.anonymous.post('/api/v1/login', { email, password: PASSWORD })).body
const bearing = ({ token }: { token: string }) => app.bearing(`Bearer ${token}`)
const enter = (challenge: { token: string }, code: string, method?: string) =>
  bearing(challenge).post('/api/v1/two-factor-challenge', { code, ...(method === undefined ? {} : { method }) })
const WRONG = { code: ['This code is not right.'] }

/** A user who has started to set up an app; `code` is what the app shows, some periods ahead. */
async function starting(options: Parameters<typeof newUser>[0] = {}) {
  const user = await newUser(options)
  const session = await login(user.email)
  const as = bearing(session)
  const { secret, uri } = (await as.post('/api/v1/users/totp')).body.data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (ahead = 0) => totp.generate({ timestamp: clock.now().getTime() + ahead * PERIOD_MS })
  const confirm = (entered: string, current_password = PASSWORD) =>
    as.post('/api/v1/users/totp/confirm', { code: entered, current_password })
  return { ...user, as, secret, uri, code, confirm }
}

/** A user with an app, whose next code was not used. */
async function withApp(options: Parameters<typeof newUser>[0] = {}) {
  const user = await starting(options)
  const { body } = await user.confirm(user.code())
  clock.pass(PERIOD_MS)
  const recovery: string[] = body.data.recovery_codes
  return { ...user, recovery, factors: async () => (await user.as.get('/api/v1/users/factors')).body.data }
}

describe('setting up an authenticator app', () => {
  it('gives a secret as text and as the address of a QR code, and stores it sealed', async () => {
    const { secret, uri, id, email } = await starting()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/Plumbline:${encodeURIComponent(email)}?issuer=Plumbline&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    const stored = await app.system.db.selectFrom('totp_secrets').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    expect(stored.secret_sealed.toString('latin1')).not.toContain(secret)
  })

  it('needs a right code and the current password', async () => {
    const { confirm, code, as } = await starting()
    expect((await confirm(code(), 'wrong password')).body.errors).toEqual({ current_password: ['This is not your current password.'] })
    expect((await confirm(code(5))).body.errors).toEqual(WRONG)
    expect((await as.get('/api/v1/users/factors')).body.data).toEqual({ app_since: null, recovery_codes: 0, passkeys: [] })
    expect((await confirm(code())).status).toBe(200)
    expect((await as.get('/api/v1/users/factors')).body.data).toMatchObject({ app_since: clock.now().toISOString(), recovery_codes: 10 })
  })

  it('is not used at a sign-in before it is confirmed, and expires after an hour', async () => {
    const { email, confirm, code } = await starting()
    expect(await login(email)).toMatchObject({ two_factor: false })
    clock.pass(APP_SETUP_LIFE_MS)
    expect((await confirm(code())).body.message).toBe('This setup has expired. Please start it again.')
  })

  it('ends the other sign-ins, mails a notice and is in the activity', async () => {
    const user = await starting()
    const other = bearing(await login(user.email))
    await user.confirm(user.code())
    expect((await other.get('/api/v1/init')).status).toBe(401)
    expect((await user.as.get('/api/v1/init')).status).toBe(200)
    const mail = (await queuedMails(app, user.email)).at(-1)
    expect(mail?.subject).toBe('Plumbline: your sign-in was changed')
    expect(mail?.text).toContain('An authenticator app was set up for your account.')
    const admin = await newUser({ role: 'admin' })
    const { body } = await app.as(admin.id).get(`/api/v1/users/${user.id}/activity`)
    expect(JSON.stringify(body.data)).toContain(`${user.fullName} set up an authenticator app`)
  })

  it('cannot replace an app that is confirmed', async () => {
    const { as, confirm, code } = await withApp()
    expect((await as.post('/api/v1/users/totp')).status).toBe(409)
    expect((await confirm(code())).status).toBe(409)
  })
})

describe('a sign-in with an authenticator app', () => {
  it('requests its code, mails nothing and accepts the code', async () => {
    const { email, code } = await withApp({ twoFactor: false })
    const challenge = await login(email)
    expect(challenge).toMatchObject({ two_factor: true, refresh_token: null, method: 'totp', alternatives: ['recovery_code'] })
    expect((await bearing(challenge).get('/api/v1/init')).status).toBe(401)
    expect((await queuedMails(app, email)).map(({ subject }) => subject)).toEqual(['Plumbline: your sign-in was changed'])
    const answer = await enter(challenge, ` ${code().slice(0, 3)} ${code().slice(3)}`)
    expect(answer.body).toMatchObject({ two_factor: false, refresh_token: expect.any(String) })
    expect((await bearing(answer.body).get('/api/v1/init')).status).toBe(200)
  })

  it('replaces the code by email of a user who has both', async () => {
    const { email, id, code } = await withApp()
    await app.system.db.updateTable('users').set({ enable_2fa: true }).where('id', '=', id).execute()
    const challenge = await login(email)
    expect(challenge.method).toBe('totp')
    expect((await enter(challenge, code())).status).toBe(200)
  })

  it('accepts a code once, also in another sign-in and at the same time', async () => {
    const { email, code } = await withApp()
    const [one, two, later] = [await login(email), await login(email), await login(email)]
    const answers = await Promise.all([enter(one, code()), enter(two, code())])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    const replayed = await enter(later, code())
    expect(replayed.body.errors).toEqual({ code: ['This code was used before. Please wait for the next one.'] })
    clock.pass(PERIOD_MS)
    expect((await enter(later, code())).status).toBe(200)
  })

  it('rejects the code that confirmed the app', async () => {
    const { email, confirm, code } = await starting()
    await confirm(code())
    expect((await enter(await login(email), code())).status).toBe(400)
  })

  it.each([
    [-2, 400],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 400],
  ])('answers a code of %i periods from now with %i', async (ahead, status) => {
    const { email, code } = await withApp()
    clock.pass(3 * PERIOD_MS)
    expect((await enter(await login(email), code(ahead))).status).toBe(status)
  })

  it('rejects a code older than the last one that was accepted', async () => {
    const { email, code } = await withApp()
    clock.pass(2 * PERIOD_MS)
    expect((await enter(await login(email), code())).status).toBe(200)
    expect((await enter(await login(email), code(-1))).status).toBe(400)
  })

  it('rejects five wrong codes, then even the right one', async () => {
    const { email, code } = await withApp()
    const challenge = await login(email)
    for (let wrong = 0; wrong < CHALLENGE_ATTEMPTS; wrong += 1) expect((await enter(challenge, 'wrong')).body.errors).toEqual(WRONG)
    const errors = { code: ['Too many wrong codes. Please go back to the login and start again.'] }
    expect((await enter(challenge, code())).body.errors).toEqual(errors)
    expect((await enter(await login(email), code())).status).toBe(200)
  })

  it('has the hourly limit of mailed codes, for codes of the app and recovery codes together', async () => {
    const { email, code } = await withApp()
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const { token } = await login(email)
      for (const method of ['totp', 'recovery_code', 'totp', 'recovery_code'])
        statuses.push((await postFrom(app, `10.8.0.${round}`, '/two-factor-challenge', { code: 'wrong', method }, token)).status)
    }
    // One was counted when the app was confirmed.
    expect(countOf(statuses, 400)).toBe(CHALLENGE_CODES_PER_HOUR - CHALLENGE_CODES_RESERVED - 1)
    const rejected = await postFrom(app, '10.8.0.9', '/two-factor-challenge', { code: code() }, (await login(email)).token)
    expect(rejected.status).toBe(429)
    expect(rejected.retryAfter).toBeGreaterThan(3_000)
  })
})

describe('a recovery code', () => {
  it('signs in once when it is entered in two sign-ins at the same time', async () => {
    const { email, recovery, factors } = await withApp()
    const [one, two] = [await login(email), await login(email)]
    const answers = await Promise.all([one, two].map((challenge) => enter(challenge, recovery[0] ?? '', 'recovery_code')))
    expect(answers.map(({ status }) => status).toSorted((first, second) => first - second)).toEqual([200, 400])
    expect((await factors()).recovery_codes).toBe(9)
  })

  it('signs in once, in any spelling', async () => {
    const { email, recovery, factors } = await withApp()
    expect(new Set(recovery).size).toBe(10)
    const [code = ''] = recovery
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/)
    expect((await enter(await login(email), code.toUpperCase().replace('-', ' '), 'recovery_code')).status).toBe(200)
    expect((await enter(await login(email), code, 'recovery_code')).body.errors).toEqual(WRONG)
    expect((await factors()).recovery_codes).toBe(9)
  })

  it('is not a code of the app, nor of another user', async () => {
    const [one, other] = [await withApp(), await withApp()]
    expect((await enter(await login(one.email), one.recovery[0] ?? '')).status).toBe(400)
    expect((await enter(await login(other.email), one.recovery[0] ?? '', 'recovery_code')).status).toBe(400)
  })

  it('ends when new codes are made, which needs the current password', async () => {
    const { email, as, recovery } = await withApp()
    const renew = (current_password: string) => as.post('/api/v1/users/totp/recovery-codes', { current_password })
    expect((await renew('wrong password')).status).toBe(400)
    const [fresh] = (await renew(PASSWORD)).body.data.recovery_codes
    expect((await enter(await login(email), recovery[0] ?? '', 'recovery_code')).status).toBe(400)
    expect((await enter(await login(email), fresh, 'recovery_code')).status).toBe(200)
  })
})

describe('a code by email instead of the app', () => {
  it('is sent only where the company allows it', async () => {
    const { email, companyId } = await withApp()
    const refused = await bearing(await login(email)).post('/api/v1/reset-two-factor-challenge')
    expect(refused.status).toBe(403)
    const admin = await newUser({ role: 'admin' })
    const { version } = (await app.as(admin.id).get(`/api/v1/companies/${companyId}`)).body.data
    const allow = (current_password?: string) =>
      app.as(admin.id).put(`/api/v1/companies/${companyId}`, { version, email_instead_of_app: true, current_password })
    expect((await allow()).body.errors).toEqual({ current_password: ['Please enter your current password.'] })
    expect((await allow('wrong password')).body.errors).toEqual({ current_password: ['This is not your current password.'] })
    expect((await bearing(await login(email)).post('/api/v1/reset-two-factor-challenge')).status).toBe(403)
    expect((await allow(PASSWORD)).body.data).toMatchObject({ email_instead_of_app: true })
    const challenge = await login(email)
    expect(challenge).toMatchObject({ method: 'totp', alternatives: ['recovery_code', 'email'] })
    expect((await bearing(challenge).post('/api/v1/reset-two-factor-challenge')).status).toBe(200)
    const code = /^\d{6}$/m.exec((await queuedMails(app, email)).at(-1)?.text ?? '')?.[0] ?? 'none'
    expect((await enter(challenge, code, 'email')).status).toBe(200)
  })
})

describe('a company that no longer allows codes by email', () => {
  it('rejects one that was mailed before', async () => {
    const { email, companyId, code } = await withApp()
    const allow = (allowed: boolean) =>
      app.system.db.updateTable('companies').set({ email_instead_of_app: allowed }).where('id', '=', companyId).execute()
    await allow(true)
    const challenge = await login(email)
    await bearing(challenge).post('/api/v1/reset-two-factor-challenge')
    await allow(false)
    const mailed = /^\d{6}$/m.exec((await queuedMails(app, email)).at(-1)?.text ?? '')?.[0] ?? 'none'
    const rejected = await enter(challenge, mailed, 'email')
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      'Your company does not allow codes by email. Use your authenticator app or a recovery code.',
    ])
    expect((await enter(challenge, code())).status).toBe(200)
  })
})

describe('removing the authenticator app', () => {
  it('needs the current password, and ends its codes', async () => {
    const { email, as, factors } = await withApp()
    const remove = (current_password: string) => as.delete('/api/v1/users/totp', { current_password })
    expect((await remove('wrong password')).body.errors).toHaveProperty('current_password')
    expect((await login(email)).two_factor).toBe(true)
    expect((await remove(PASSWORD)).status).toBe(200)
    expect(await factors()).toMatchObject({ app_since: null, recovery_codes: 0 })
    expect((await login(email)).two_factor).toBe(false)
    expect((await queuedMails(app, email)).at(-1)?.text).toContain('The authenticator app of your account was removed.')
    expect((await remove(PASSWORD)).status).toBe(409)
  })
})

describe('an administrator who resets the second factor of a user', () => {
  const reset = (by: string, id: string, current_password = PASSWORD) =>
    app.as(by).post(`/api/v1/users/${id}/reset-second-factor`, { current_password })

  it('removes the app, ends the sessions of the user and mails them', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await withApp()]
    expect((await app.as(admin.id).get(`/api/v1/users/${user.id}`)).body.data).toMatchObject({ has_authenticator_app: true, passkeys: 0 })
    expect((await reset(admin.id, user.id, 'wrong password')).body.errors).toHaveProperty('current_password')
    expect((await reset(admin.id, user.id)).status).toBe(200)
    expect((await user.as.get('/api/v1/init')).status).toBe(401)
    expect((await login(user.email)).two_factor).toBe(false)
    expect((await queuedMails(app, user.email)).at(-1)?.text).toContain('An administrator removed the authenticator app and the passkeys')
    expect((await reset(admin.id, user.id)).status).toBe(409)
  })

  it('cannot reset their own, nor that of a user with more permissions', async () => {
    const admin = await newUser({ role: 'admin' })
    const manager = await newUser({ role: 'broker' })
    const { rows } = await app.system.pool.query('SELECT permissions FROM roles WHERE name = $1 AND company_id IS NULL', ['broker'])
    await app.asOwner('UPDATE roles SET permissions = $1 WHERE name = $2 AND company_id IS NULL', [
      [...new Set([...rows[0].permissions, 'update_users', 'view_users_component', 'view_all_system_users'])],
      'broker',
    ])
    expect((await reset(admin.id, admin.id)).status).toBe(403)
    expect((await reset(manager.id, admin.id)).status).toBe(403)
  })
})
