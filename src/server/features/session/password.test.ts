import { describe, expect, it, vi } from 'vitest'
import { MINUTE_MS, RESET_TOKEN_LIFE_MS } from '#contract/limits.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { letter, letters } from '#server/testing/outbox.fixture.ts'
import { testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const PASSWORD = 'a brand new password'
const { app, clock } = await testSignIns({ worker: true })

const recover = (email: string) => app.anonymous.post('/api/v1/password/create', { email })
const find = (token: string) => app.anonymous.get(`/api/v1/password/find/${token}`)
const reset = (email: string, token: string, password = PASSWORD, password_confirmation = password) =>
  app.anonymous.post('/api/v1/password/reset', { email, token, password, password_confirmation })
const login = (email: string, password = PASSWORD) => app.anonymous.post('/api/v1/login', { email, password })

/** A user who has received the mail with the link. */
async function userWithLink() {
  const { email, id } = await makeUser(app.system)
  await recover(email)
  const { text, subject } = await letter(app, email)
  const link = /http:\/\/localhost:3000\/reset-password\/(\S+)/.exec(text)
  return { email, id, subject, token: link?.[1] ?? 'no link in the letter' }
}
const INVALID_LINK = 'This password reset link is no longer valid. Please request a new one.'

describe('recovering a password', () => {
  it('answers the same for known and unknown addresses, and mails known ones only', async () => {
    const { email } = await makeUser(app.system)
    const [known, unknown] = [await recover(email), await recover('nobody@example.test')]
    expect(known.status).toBe(200)
    expect(unknown.body).toEqual(known.body)
    await letter(app, email)
    expect(await letters(app, 'nobody@example.test')).toEqual([])
  })

  it('mails a link whose token is stored as a hash only', async () => {
    const { token, subject } = await userWithLink()
    expect(subject).toBe('Plumbline: set a new password')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await app.system.db.selectFrom('password_resets').selectAll().execute())).not.toContain(token)
  })

  it('sets the password once and ends all sessions of the user', async () => {
    const { email, id, token } = await userWithLink()
    await app.system.db.updateTable('users').set({ password_hash: 'an earlier one' }).where('id', '=', id).execute()
    const session = app.as(id)
    expect((await session.get('/api/v1/init')).status).toBe(200)
    expect((await find(token)).body.data).toEqual({ email })
    expect((await reset(email, token)).body).toMatchObject({ message: 'Your password was changed. Please sign in with it.' })
    expect((await session.get('/api/v1/init')).status).toBe(401)
    expect((await login(email)).status).toBe(200)
    expect(await reset(email, token)).toMatchObject({ status: 409, body: { message: INVALID_LINK } })
    expect((await find(token)).status).toBe(409)
  })

  it('accepts a link once even when used twice at the same time', async () => {
    const { email, token } = await userWithLink()
    const both = await Promise.all([reset(email, token, 'password number one'), reset(email, token, 'password number two')])
    expect(both.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409])
  })

  it('rejects a link after an hour', async () => {
    const { email, token } = await userWithLink()
    clock.pass(RESET_TOKEN_LIFE_MS - MINUTE_MS)
    expect((await find(token)).status).toBe(200)
    clock.pass(MINUTE_MS)
    expect((await find(token)).status).toBe(409)
    expect((await reset(email, token)).status).toBe(409)
  })

  it('rejects a link for another address and a made-up token', async () => {
    const { token } = await userWithLink()
    const other = await makeUser(app.system)
    expect(await reset(other.email, token)).toMatchObject({ status: 409, body: { message: INVALID_LINK } })
    expect((await reset(other.email, 'made-up')).status).toBe(409)
    expect((await find(token)).status).toBe(200)
  })

  it.each(['x'.repeat(101), '%E0', '\u200b'])(
    'says of the token %j, as of any other that is not known, that the link is not valid',
    async (token) => {
      expect(await find(encodeURIComponent(token))).toMatchObject({ status: 409, body: { message: INVALID_LINK } })
      const { email } = await makeUser(app.system)
      expect(await reset(email, token)).toMatchObject({ status: 409, body: { message: INVALID_LINK } })
    },
  )

  it('rejects the link of a deleted user', async () => {
    const { id, token } = await userWithLink()
    await app.system.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    expect((await find(token)).status).toBe(409)
  })

  it.each([
    ['too short', '1234567', '1234567', { password: ['Please use at least 8 characters.'] }],
    ['too long', 'x'.repeat(129), 'x'.repeat(129), { password: ['Please use at most 128 characters.'] }],
    ['not repeated', 'long enough', 'long enouhg', { password_confirmation: ['The passwords you entered do not match'] }],
  ])('rejects a password that is %s', async (_words, password, again, errors) => {
    const { email, token } = await userWithLink()
    expect((await reset(email, token, password, again)).body).toMatchObject({ response: 'validationError', errors })
    expect((await find(token)).status).toBe(200)
  })

  it('rejects the email address as the password', async () => {
    const { email, token } = await userWithLink()
    expect((await reset(email, token, email.toUpperCase())).body.errors).toEqual({
      password: [
        'Please choose a password that does not consist of your name, your email address, or the name of your company or the product.',
      ],
    })
  })

  it('throttles after twenty requests per hour from one address', async () => {
    clock.pass(60 * MINUTE_MS)
    const statuses: number[] = []
    for (let request = 0; request < 21; request += 1) statuses.push((await recover('nobody@example.test')).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})
