import { describe, expect, it, vi } from 'vitest'
import { hash, verify } from '@node-rs/argon2'
import { LOGIN_FAILURES_PER_MINUTE, MINUTE_MS } from '#contract/limits.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock, newUser } = await testSignIns()

const login = (body: Record<string, unknown>) => app.anonymous.post('/api/v1/login', body)

describe('signing in', () => {
  it('answers both tokens at the top level, and the access token is valid', async () => {
    const { email, id } = await newUser()
    const answer = await login({ email: email.toUpperCase(), password: PASSWORD, remember: false, ip: '10.0.0.1' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      response: 'success',
      token: expect.any(String),
      refresh_token: expect.any(String),
      two_factor: false,
    })
    const init = await app.bearing(`Bearer ${answer.body.token}`).get('/api/v1/init')
    expect(init.body.data.auth_user).toMatchObject({ id, email })
  })

  it('stores hashes of the tokens only', async () => {
    const { email } = await newUser()
    const { token, refresh_token } = (await login({ email, password: PASSWORD })).body
    const dump = JSON.stringify(await app.system.db.selectFrom('sessions').selectAll().execute())
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(refresh_token)
  })

  it('records the time of this sign-in and the previous one', async () => {
    const { email, id } = await newUser()
    const times = () =>
      app.system.db.selectFrom('users').select(['last_login_at', 'previous_login_at']).where('id', '=', id).executeTakeFirstOrThrow()
    await login({ email, password: PASSWORD })
    const first = (await times()).last_login_at
    clock.pass(MINUTE_MS)
    await login({ email, password: PASSWORD })
    expect(await times()).toEqual({ last_login_at: clock.now(), previous_login_at: first })
  })

  it.each([
    [{}, { email: ['Email cannot be blank'], password: ['Password cannot be blank'] }],
    [
      { email: '  ', password: '' },
      { email: ['Email cannot be blank'], password: ['Password cannot be blank'] },
    ],
    [{ email: 'a@example.test' }, { password: ['Password cannot be blank'] }],
    [{ email: 'a@example.test', password: 'x', admin: true }, { admin: ['Unknown field.'] }],
    [
      { email: ['a@example.test'], password: { $ne: '' } },
      { email: ['Email cannot be blank'], password: ['Password cannot be blank'] },
    ],
  ])('rejects %j with errors by field', async (body, errors) => {
    const answer = await login(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ response: 'validationError', errors, data: errors })
  })

  it('answers the same for a wrong password, an unknown address and a user without a password', async () => {
    const known = await newUser()
    const without = await makeUser(app.system)
    const deleted = await newUser()
    await app.system.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', deleted.id).execute()
    const answers = await Promise.all([
      login({ email: known.email, password: 'wrong' }),
      login({ email: 'nobody@example.test', password: PASSWORD }),
      login({ email: without.email, password: PASSWORD }),
      login({ email: deleted.email, password: PASSWORD }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({ response: 'error', message: 'The email or the password is not right.', kind: 'unauthenticated' })
    }
  })

  it('hashes as expensively for an unknown address as for a known one', async () => {
    const verified = vi.mocked(verify)
    verified.mockClear()
    await hashPassword(PASSWORD, '')
    await login({ email: 'nobody@example.test', password: 'wrong' })
    await login({ email: (await makeUser(app.system)).email, password: 'wrong' })
    const [, cost] = vi.mocked(hash).mock.calls.at(-1) ?? []
    const work = `m=${cost?.memoryCost},t=${cost?.timeCost},p=${cost?.parallelism}`
    expect(verified.mock.calls.map(([stored]) => String(stored).split('$')[3])).toEqual([work, work])
  })
})

describe('password guessing', () => {
  it('is throttled after five failures per minute and address, with the time to wait', async () => {
    const { email } = await newUser()
    for (let failure = 0; failure < LOGIN_FAILURES_PER_MINUTE; failure += 1)
      expect((await login({ email, password: 'wrong' })).status).toBe(401)
    const throttled = await login({ email: email.toUpperCase(), password: PASSWORD })
    expect(throttled.status).toBe(429)
    expect(throttled.body).toEqual({
      response: 'error',
      message: 'Too many attempts. Please try again in a minute.',
      kind: 'throttled',
    })
    expect(Number(throttled.headers['retry-after'])).toBe(60)
    const other = await newUser()
    expect((await login({ email: other.email, password: PASSWORD })).status).toBe(200)
    clock.pass(MINUTE_MS)
    expect((await login({ email, password: PASSWORD })).status).toBe(200)
  })

  it('is counted from zero after a success', async () => {
    const { email } = await newUser()
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 1; failure < LOGIN_FAILURES_PER_MINUTE; failure += 1) await login({ email, password: 'wrong' })
      expect((await login({ email, password: PASSWORD })).status).toBe(200)
    }
  })

  it('is throttled for unknown addresses too', async () => {
    const statuses: number[] = []
    for (let failure = 0; failure <= LOGIN_FAILURES_PER_MINUTE; failure += 1)
      statuses.push((await login({ email: 'ghost@example.test', password: 'x' })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('gets no additional attempts from concurrent requests', async () => {
    const { email } = await newUser()
    const answers = await Promise.all(Array.from({ length: 9 }, () => login({ email, password: 'wrong' })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(LOGIN_FAILURES_PER_MINUTE)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
  })
})
