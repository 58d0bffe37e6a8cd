import { describe, expect, it, vi } from 'vitest'
import { CHALLENGE_LIFE_MS, CHALLENGE_RESEND_MS } from '#contract/limits.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { letter, letters } from '#server/testing/outbox.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock, newUser } = await testSignIns({ worker: true })

/** A user who has entered the password and needs the code next. */
async function challenged(remember = false) {
  const { email, id } = await newUser({ twoFactor: true })
  const { body } = await app.anonymous.post('/api/v1/login', { email, password: PASSWORD, remember })
  const as = app.bearing(`Bearer ${body.token}`)
  const codeOf = async (nth = 1) => /^\d{6}$/m.exec((await letter(app, email, nth)).text)?.[0] ?? 'no code in the message'
  return { email, id, login: body, as, codeOf, answer: (code: string) => as.post('/api/v1/two-factor-challenge', { code }) }
}
const wrongly = (code: string) => (code === '000000' ? '000001' : '000000')

describe('the second factor', () => {
  it('starts with a token that is valid for the challenge only', async () => {
    const { login, as, email } = await challenged()
    expect(login).toMatchObject({ response: 'success', two_factor: true, refresh_token: null })
    expect((await as.get('/api/v1/init')).status).toBe(401)
    expect(await letter(app, email)).toMatchObject({ subject: 'Your Plumbline sign-in code' })
  })

  it('accepts the mailed code once', async () => {
    const { answer, codeOf, as } = await challenged()
    const code = await codeOf()
    const right = await answer(code)
    expect(right.status).toBe(200)
    expect(right.body).toMatchObject({ two_factor: false, token: expect.any(String), refresh_token: expect.any(String) })
    expect((await app.bearing(`Bearer ${right.body.token}`).get('/api/v1/init')).status).toBe(200)
    expect((await answer(code)).status).toBe(401)
    expect((await as.get('/api/v1/init')).status).toBe(401)
  })

  it('applies "remember me" of the sign-in', async () => {
    const { answer, codeOf, id } = await challenged(true)
    await answer(await codeOf())
    const session = await app.system.db
      .selectFrom('sessions')
      .select(['remember', 'expires_at'])
      .where('user_id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow()
    expect(session.remember).toBe(true)
    expect(session.expires_at.getTime() - clock.now().getTime()).toBe(30 * 86_400_000)
  })

  it('records the sign-in only after the code was entered', async () => {
    const { answer, codeOf, id } = await challenged()
    const last = async () =>
      (await app.system.db.selectFrom('users').select('last_login_at').where('id', '=', id).executeTakeFirstOrThrow()).last_login_at
    expect(await last()).toBeNull()
    await answer(await codeOf())
    expect(await last()).toEqual(clock.now())
  })

  it('rejects five wrong codes, then even the right one', async () => {
    const { answer, codeOf } = await challenged()
    const code = await codeOf()
    for (let wrong = 0; wrong < 5; wrong += 1) {
      const rejected = await answer(wrongly(code))
      expect(rejected.status).toBe(400)
      expect(rejected.body).toMatchObject({ response: 'validationError', errors: { code: ['This code is not right.'] } })
    }
    expect((await answer(code)).body.errors).toEqual({ code: ['Too many wrong codes. Please request a new one.'] })
  })

  it('counts concurrent attempts one by one', async () => {
    const { answer, codeOf } = await challenged()
    const code = await codeOf()
    const tries = await Promise.all(Array.from({ length: 9 }, () => answer(wrongly(code))))
    expect(tries.filter(({ body }) => body.errors.code[0] === 'This code is not right.')).toHaveLength(5)
    expect((await answer(code)).status).toBe(400)
  })

  it('rejects a code after ten minutes', async () => {
    const { answer, codeOf } = await challenged()
    const code = await codeOf()
    clock.pass(CHALLENGE_LIFE_MS)
    expect([400, 401]).toContain((await answer(code)).status)
  })

  it('rejects the code of another challenge', async () => {
    const one = await challenged()
    const two = await challenged()
    const [first, second] = [await one.codeOf(), await two.codeOf()]
    // One time in a million the two codes are the same.
    expect((await one.answer(second)).status).toBe(400)
    expect((await one.answer(first)).status).toBe(200)
  })

  it('sends a new code at most every thirty seconds; it replaces the old code and its attempts', async () => {
    const { as, answer, codeOf, email } = await challenged()
    const resend = () => as.post('/api/v1/reset-two-factor-challenge')
    const old = await codeOf()
    const early = await resend()
    expect(early.status).toBe(429)
    expect(Number(early.headers['retry-after'])).toBe(CHALLENGE_RESEND_MS / 1_000)
    for (let wrong = 0; wrong < 5; wrong += 1) await answer(wrongly(old))
    clock.pass(CHALLENGE_RESEND_MS)
    expect(await resend()).toMatchObject({ status: 200, body: { message: 'A new code is on its way.' } })
    const fresh = await codeOf(2)
    expect(await letters(app, email)).toHaveLength(2)
    expect((await answer(old)).status).toBe(400)
    expect((await answer(fresh)).status).toBe(200)
  })

  it.each([[{}], [{ code: '' }], [{ code: 123_456 }], [{ code: '1'.repeat(11) }]])(
    'rejects %j with an error on the code field',
    async (body) => {
      const { as } = await challenged()
      const answer = await as.post('/api/v1/two-factor-challenge', body)
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.body.errors)).toEqual(['code'])
    },
  )

  it('rejects the challenge calls of a signed-in user', async () => {
    const { id } = await makeUser(app.system)
    expect((await app.as(id).post('/api/v1/two-factor-challenge', { code: '000000' })).status).toBe(401)
    expect((await app.as(id).post('/api/v1/reset-two-factor-challenge')).status).toBe(401)
  })
})
