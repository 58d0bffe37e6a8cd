import { describe, expect, it, vi } from 'vitest'
import {
  PASSKEYS_MAX,
  PASSKEY_CHALLENGE_LIFE_MS,
  PASSKEY_FAILURES_PER_HOUR,
  PASSKEY_SIGN_INS_PER_NETWORK,
} from '#contract/factor-limits.ts'
import { LOGIN_FAILURES_PER_NETWORK } from '#contract/limits.ts'
import { postFrom, queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'
import { softwareAuthenticator } from '#server/testing/software-authenticator.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock, newUser } = await testSignIns()
const origin = new URL(app.system.config.appUrl).origin
const here = { origin, rpId: new URL(origin).hostname }
const REJECTED = 'This passkey was not accepted. Please try again, or sign in with your email and password.'
let serial = 0

const login = async (email: string) => (await app.anonymous.post('/api/v1/login', { email, password: PASSWORD })).body
const bearing = ({ token }: { token: string }) => app.bearing(`Bearer ${token}`)

/** A signed-in user with an authenticator that has no passkey yet. */
async function withAuthenticator() {
  const user = await newUser()
  const as = bearing(await login(user.email))
  const key = softwareAuthenticator()
  const start = async () => (await as.post('/api/v1/users/passkeys/options', { current_password: PASSWORD })).body.data
  const add = (response: object, current_password = PASSWORD) =>
    as.post('/api/v1/users/passkeys', { name: 'Laptop', current_password, response })
  return { ...user, as, key, start, add, passkeys: async () => (await as.get('/api/v1/users/factors')).body.data.passkeys }
}

async function withPasskey() {
  const user = await withAuthenticator()
  const { challenge } = await user.start()
  const { body } = await user.add(user.key.create(challenge, here))
  return { ...user, passkeyId: String(body.data.id) }
}

/** Each sign-in comes from another network, unless one is given. */
const newAddress = () => `10.${9 + Math.floor((serial += 1) / 200)}.0.${serial % 200}`
const startSignIn = async (address = newAddress()) => (await postFrom(app, address, '/login/passkey/options', {})).body.data
const send = (response: object, address = newAddress(), remember = false) =>
  postFrom(app, address, '/login/passkey', { response, remember })

describe('adding a passkey', () => {
  it('requests from the browser a key of this site that verifies its user', async () => {
    const { start, email, id, fullName } = await withAuthenticator()
    expect(await start()).toMatchObject({
      rp: { id: here.rpId, name: 'Plumbline' },
      user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: fullName },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
  })

  it('lists it by name, mails a notice and ends the other sign-ins', async () => {
    const user = await withAuthenticator()
    const other = bearing(await login(user.email))
    const { challenge } = await user.start()
    const { status, body } = await user.add(user.key.create(challenge, here))
    expect([status, body.message]).toEqual([200, 'The passkey was added. You are signed out on all other devices.'])
    expect(await user.passkeys()).toEqual([
      { id: expect.any(String), name: 'Laptop', created_at: clock.now().toISOString(), last_used_at: null },
    ])
    expect((await other.get('/api/v1/init')).status).toBe(401)
    expect((await user.as.get('/api/v1/init')).status).toBe(200)
    expect((await queuedMails(app, user.email)).at(-1)?.text).toContain('A passkey was added to your account.')
    expect((await user.start()).excludeCredentials).toEqual([{ id: user.key.id, type: 'public-key', transports: ['internal'] }])
  })

  it('needs the current password at both steps', async () => {
    const { as, start, add, key, passkeys } = await withAuthenticator()
    expect((await as.post('/api/v1/users/passkeys/options', { current_password: 'wrong' })).body.errors).toHaveProperty('current_password')
    const { challenge } = await start()
    expect((await add(key.create(challenge, here), 'wrong')).body.errors).toHaveProperty('current_password')
    expect(await passkeys()).toEqual([])
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without a verified user', { verified: false }],
  ])('rejects a key %s', async (_words, differing) => {
    const { start, add, key, passkeys } = await withAuthenticator()
    const { challenge } = await start()
    const { status, body } = await add(key.create(challenge, { ...here, ...differing }))
    expect([status, body.errors]).toEqual([400, { response: ['This passkey was not accepted. Please try again.'] }])
    expect(await passkeys()).toEqual([])
    // The challenge was used up.
    expect((await add(key.create(challenge, here))).status).toBe(400)
  })

  it('rejects a challenge that was answered, has expired, belongs to another user or to a sign-in, or was never made', async () => {
    const [user, other] = [await withAuthenticator(), await withAuthenticator()]
    const answered = (await user.start()).challenge
    await user.add(user.key.create(answered, here))
    const expired = (await user.start()).challenge
    clock.pass(PASSKEY_CHALLENGE_LIFE_MS)
    const challenges = [answered, expired, (await other.start()).challenge, (await startSignIn()).challenge, 'bm9uZQ']
    for (const challenge of challenges)
      expect((await user.add(softwareAuthenticator().create(challenge, here))).status, challenge).toBe(400)
    expect(await user.passkeys()).toHaveLength(1)
  })

  it('rejects a passkey that was added already', async () => {
    const [user, other] = [await withPasskey(), await withAuthenticator()]
    expect((await other.add(user.key.create((await other.start()).challenge, here))).status).toBe(409)
  })

  it('stops at the limit of passkeys', async () => {
    const { as, id } = await withAuthenticator()
    const row = (n: number) => ({
      user_id: id,
      credential_id: `${id}-${n}`,
      public_key: Buffer.from('key'),
      counter: 0,
      transports: [],
      name: 'Key',
      created_at: clock.now(),
    })
    await app.system.db
      .insertInto('passkeys')
      .values(Array.from({ length: PASSKEYS_MAX }, (_, n) => row(n)))
      .execute()
    expect((await as.post('/api/v1/users/passkeys/options', { current_password: PASSWORD })).status).toBe(409)
  })
})

describe('a sign-in with a passkey', () => {
  it('needs no password and no further code', async () => {
    const { key, id, passkeys } = await withPasskey()
    await app.system.db.updateTable('users').set({ enable_2fa: true }).where('id', '=', id).execute()
    const options = await startSignIn()
    expect(options).toMatchObject({ rpId: here.rpId, userVerification: 'required' })
    const { status, body } = await send(key.get(options.challenge, here, id))
    expect([status, body.two_factor]).toEqual([200, false])
    expect((await bearing(body).get('/api/v1/init')).body.data.auth_user.id).toBe(id)
    expect((await passkeys()).map((one: { last_used_at: string }) => one.last_used_at)).toEqual([clock.now().toISOString()])
  })

  it('can be remembered', async () => {
    const { key, id } = await withPasskey()
    await send(key.get((await startSignIn()).challenge, here, id), undefined, true)
    const newest = app.system.db.selectFrom('sessions').select('remember').where('user_id', '=', id).orderBy('created_at', 'desc')
    expect((await newest.executeTakeFirstOrThrow()).remember).toBe(true)
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without a verified user', { verified: false }],
  ])('rejects an answer %s, and its challenge is used up', async (_words, differing) => {
    const { key, id } = await withPasskey()
    const { challenge } = await startSignIn()
    const { status, body } = await send(key.get(challenge, { ...here, ...differing }, id))
    expect([status, body.message]).toEqual([401, REJECTED])
    expect((await send(key.get(challenge, here, id))).status).toBe(401)
  })

  it('rejects a challenge that was answered, has expired or is for a new passkey', async () => {
    const { key, id, start } = await withPasskey()
    const { challenge: answered } = await startSignIn()
    expect((await send(key.get(answered, here, id))).status).toBe(200)
    const { challenge: expired } = await startSignIn()
    clock.pass(PASSKEY_CHALLENGE_LIFE_MS)
    for (const challenge of [answered, expired, (await start()).challenge])
      expect((await send(key.get(challenge, here, id))).status).toBe(401)
  })

  it('rejects a challenge that is answered twice at the same time once', async () => {
    const { key, id } = await withPasskey()
    const { challenge } = await startSignIn()
    const answers = await Promise.all([send(key.get(challenge, here, id)), send(key.get(challenge, here, id))])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  it('rejects another key, an unknown passkey, another user and a counter that did not grow', async () => {
    const [user, other] = [await withPasskey(), await withPasskey()]
    const challenge = async () => (await startSignIn()).challenge
    const forged = { ...other.key.get(await challenge(), here), id: user.key.id, rawId: user.key.id }
    expect((await send(forged)).status).toBe(401)
    expect((await send(softwareAuthenticator().get(await challenge(), here))).body.message).toBe(REJECTED)
    expect((await send(user.key.get(await challenge(), here, other.id))).status).toBe(401)
    expect((await send(user.key.get(await challenge(), { ...here, counter: 5 }, user.id))).status).toBe(200)
    for (const counter of [5, 4, 0]) expect((await send(user.key.get(await challenge(), { ...here, counter }, user.id))).status).toBe(401)
    expect((await send(user.key.get(await challenge(), { ...here, counter: 6 }, user.id))).status).toBe(200)
  })

  it('shows a deactivated user the reason, and no other user', async () => {
    const { key, id } = await withPasskey()
    await app.system.db.updateTable('users').set({ deactivated_at: clock.now() }).where('id', '=', id).execute()
    const right = await send(key.get((await startSignIn()).challenge, here, id))
    expect([right.status, right.body.message]).toEqual([
      401,
      'Your access was deactivated. Please contact an administrator of your company.',
    ])
    expect((await send(key.get('bm9uZQ', here, id))).body.message).toBe(REJECTED)
  })

  it('is not possible for a user of a company that allows single sign-on only', async () => {
    const { id, key, companyId } = await withPasskey()
    const { db } = app.system
    const emergency = await newUser({ companyId })
    await db
      .insertInto('identity_providers')
      .values({
        company_id: companyId,
        issuer: 'https://id.example',
        client_id: 'plumbline',
        client_secret_sealed: Buffer.from('sealed'),
        enabled: true,
        password_allowed: false,
        emergency_user_id: emergency.id,
      })
      .execute()
    const { challenge } = await startSignIn()
    const { status, body } = await send(key.get(challenge, here, id))
    await db.deleteFrom('identity_providers').where('company_id', '=', companyId).execute()
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^Users of .+ sign in with single sign-on\.$/)])
  })

  it('is not possible for a user or company in the trash', async () => {
    const [user, colleague] = [await withPasskey(), await withPasskey()]
    await app.system.db.updateTable('users').set({ deleted_at: clock.now() }).where('id', '=', user.id).execute()
    await app.system.db.updateTable('companies').set({ deleted_at: clock.now() }).where('id', '=', colleague.companyId).execute()
    for (const { key, id } of [user, colleague]) expect((await send(key.get((await startSignIn()).challenge, here, id))).status).toBe(401)
  })
})

describe('the limits of passkeys', () => {
  it('stop rejected answers for one passkey after fifteen in an hour, from any address', async () => {
    const { key, id } = await withPasskey()
    for (let failure = 0; failure < PASSKEY_FAILURES_PER_HOUR; failure += 1)
      expect((await send(key.get('bm9uZQ', here, id))).status).toBe(401)
    const { status, retryAfter } = await send(key.get((await startSignIn()).challenge, here, id))
    expect([status, retryAfter]).toEqual([429, 3_600])
  })

  it('stop failures of one network, and never a right passkey', async () => {
    const { key, id } = await withPasskey()
    const address = '10.200.0.1'
    const unknown = softwareAuthenticator().get('bm9uZQ', here)
    const statuses: number[] = []
    for (let failure = 0; failure <= LOGIN_FAILURES_PER_NETWORK; failure += 1) statuses.push((await send(unknown, address)).status)
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([401, 429])
    expect((await send(key.get((await startSignIn(address)).challenge, here, id), address)).status).toBe(200)
  })

  it('stop started sign-ins of one network', async () => {
    const statuses: number[] = []
    for (let started = 0; started <= PASSKEY_SIGN_INS_PER_NETWORK; started += 1)
      statuses.push((await postFrom(app, '10.201.0.1', '/login/passkey/options', {})).status)
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([200, 429])
  })
})

describe('removing a passkey', () => {
  it('needs the current password, and ends its sessions and sign-ins', async () => {
    const { as, key, id, passkeyId, email } = await withPasskey()
    const opened = bearing((await send(key.get((await startSignIn()).challenge, here, id))).body)
    const remove = (current_password: string) => as.delete(`/api/v1/users/passkeys/${passkeyId}`, { current_password })
    expect((await remove('wrong password')).body.errors).toHaveProperty('current_password')
    expect((await remove(PASSWORD)).status).toBe(200)
    expect((await opened.get('/api/v1/init')).status).toBe(401)
    expect((await send(key.get((await startSignIn()).challenge, here, id))).status).toBe(401)
    expect((await queuedMails(app, email)).at(-1)?.text).toContain('A passkey was removed from your account.')
  })

  it('does not find that of another user', async () => {
    const [user, other] = [await withPasskey(), await withPasskey()]
    const { status } = await other.as.delete(`/api/v1/users/passkeys/${user.passkeyId}`, { current_password: PASSWORD })
    expect(status).toBe(404)
    expect(await user.passkeys()).toHaveLength(1)
  })
})
