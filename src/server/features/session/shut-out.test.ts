import { describe, expect, it, vi } from 'vitest'
import { CHALLENGE_CODES_PER_HOUR, LOGIN_FAILURES_PER_EMAIL } from '#contract/limits.ts'
import { postFrom, queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, newUser } = await testSignIns()
const NEW_ADDRESS = '203.0.113.9'
const NEW_PASSWORD = 'another horse battery'
let serial = 0

const login = (email: string, address: string, password = PASSWORD) => postFrom(app, address, '/login', { email, password })
/** A few more than the limit allows, from as many addresses. */
async function guess(email: string): Promise<void> {
  for (let count = 0; count < LOGIN_FAILURES_PER_EMAIL + 3; count += 1) {
    serial += 1
    await login(email, `10.${serial >> 8}.${serial & 255}.1`, 'guess')
  }
}

async function setNewPassword(email: string, address: string): Promise<void> {
  await postFrom(app, address, '/password/create', { email })
  const mails = await queuedMails(app, email)
  const token = /\/reset-password\/([\w-]+)/.exec(JSON.stringify(mails))?.[1] ?? 'none'
  expect(
    (await postFrom(app, address, '/password/reset', { email, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD, token })).status,
  ).toBe(200)
}

describe('a person at a new address, while others guess their password', () => {
  it('is advised to set a new password, and signs in with it at once although the guesses go on', async () => {
    const { email } = await newUser()
    await guess(email)
    const rejected = await login(email, NEW_ADDRESS)
    expect([rejected.status, rejected.body.message]).toEqual([
      429,
      'Too many attempts. Please try again in 15 minutes, or set a new password to sign in now.',
    ])
    await setNewPassword(email, NEW_ADDRESS)
    await guess(email)
    expect((await login(email, NEW_ADDRESS, NEW_PASSWORD)).status).toBe(200)
    expect((await login(email, '198.51.100.7', NEW_PASSWORD)).status).toBe(429)
  })
})

describe('a person at a familiar address, while others guess their password', () => {
  it.each([
    ['the same address', '192.0.2.46', '192.0.2.46', 200],
    ['another address of the same IPv6 network', '2001:db8:7:7::a', '2001:db8:7:7:ffff::b', 200],
    ['an address of another IPv6 network', '2001:db8:7:8::a', '2001:db8:7:9::a', 429],
  ])('signs in from %s: %s, then %s', async (_what, before, now, status) => {
    const { email } = await newUser()
    expect((await login(email, before)).status).toBe(200)
    await guess(email)
    expect((await login(email, now)).status).toBe(status)
  })
})

describe('a person whose password another one has used up the codes with', () => {
  it('sets a new password and signs in with a code', async () => {
    const { email } = await newUser({ twoFactor: true })
    for (let count = 0; count <= CHALLENGE_CODES_PER_HOUR; count += 1) {
      const { body } = await login(email, '10.200.0.1')
      if (body.token !== undefined) await postFrom(app, '10.200.0.1', '/two-factor-challenge', { code: 'wrong' }, body.token)
    }
    expect((await login(email, NEW_ADDRESS)).status).toBe(429)
    await setNewPassword(email, NEW_ADDRESS)
    const { status, body } = await login(email, NEW_ADDRESS, NEW_PASSWORD)
    expect(status).toBe(200)
    const codes = (await queuedMails(app, email)).flatMap(({ text }) => /^\d{6}$/m.exec(text ?? '')?.[0] ?? [])
    expect((await postFrom(app, NEW_ADDRESS, '/two-factor-challenge', { code: codes.at(-1) }, body.token)).status).toBe(200)
  })
})
