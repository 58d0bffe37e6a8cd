import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { hash, verify } from '@node-rs/argon2'
import type * as Argon from '@node-rs/argon2'
import { HOUR_MS, MINUTE_MS } from '#contract/limits.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { countOf, postFrom } from '#server/testing/clients.fixture.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const PASSWORD = 'correct horse battery'
const OFFICE = '10.9.0.1'
const HASH_MS = 20
const clock = movingClock()
let app: TestApp
let passwordHash: string
let serial = 0
/** Checks of passwords that run at this moment, and the most of them. */
const running = { now: 0, most: 0 }
/** No check of a password ends before this. */
let released = Promise.resolve()
/** Checks of unknown emails from one network: at most three run and fifteen wait. */
const UNKNOWN_CHECKS_MAX = 3 + 15

beforeAll(async () => {
  app = await testApp({ clock })
  const real = await vi.importActual<typeof Argon>('@node-rs/argon2')
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  vi.mocked(hash).mockImplementation((text) => real.hash(text, cheap))
  vi.mocked(verify).mockImplementation(async (stored, text) => {
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await new Promise((resolve) => setTimeout(resolve, HASH_MS))
    await released
    running.now -= 1
    return String(stored).includes('m=8,') && real.verify(stored, text)
  })
  passwordHash = await hashPassword(PASSWORD, app.system.config.secretKey)
})
afterAll(() => app.stop())
beforeEach(() => {
  clock.pass(HOUR_MS)
  vi.mocked(verify).mockClear()
  running.most = 0
})

const newUser = () => makeUser(app.system, { passwordHash })
const login = (email: string, password = PASSWORD, address = OFFICE) => postFrom(app, address, '/login', { email, password })
const unknownEmail = () => `ghost${(serial += 1)}@example.test`
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const statuses = async (answers: Promise<{ status: number }>[]) => (await Promise.all(answers)).map(({ status }) => status)

describe('correct passwords', () => {
  it('are all accepted when one user signs in sixteen times at the same moment', async () => {
    const { email } = await newUser()
    expect(countOf(await statuses(Array.from({ length: 16 }, () => login(email))), 200)).toBe(16)
  })

  it('are all accepted after four failures', async () => {
    const { email } = await newUser()
    for (let failure = 0; failure < 4; failure += 1) await login(email, 'wrong')
    expect(countOf(await statuses(Array.from({ length: 8 }, () => login(email))), 200)).toBe(8)
  })

  it('are accepted while the same network guesses unknown emails', async () => {
    const { email } = await newUser()
    const burst = Array.from({ length: 300 }, () => login(unknownEmail(), 'wrong'))
    await wait(50)
    const startedAt = performance.now()
    expect((await login(email)).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await Promise.all(burst)
    expect((await login(email)).status).toBe(200)
  })

  it('are accepted from a familiar address while many addresses guess the email', async () => {
    const { email } = await newUser()
    expect((await login(email)).status).toBe(200)
    const guesses = Array.from({ length: 60 }, (_, index) => login(email, 'wrong', `10.8.0.${index}`))
    const results = await statuses(guesses)
    expect([countOf(results, 401), countOf(results, 429)]).toEqual([15, 45])
    expect((await login(email)).status).toBe(200)
    expect((await login(email, PASSWORD, '10.8.1.1')).status).toBe(429)
    clock.pass(15 * MINUTE_MS)
    expect((await login(email, PASSWORD, '10.8.1.1')).status, 'no user is shut out for longer').toBe(200)
  })
})

describe('an office behind one address', () => {
  it('signs in fifty users at the same moment', async () => {
    const users = await Promise.all(Array.from({ length: 50 }, newUser))
    expect(countOf(await statuses(users.map(({ email }) => login(email))), 200)).toBe(50)
  })
})

describe('guesses', () => {
  it('of three hundred unknown emails from one network hash few passwords and are throttled with the time to wait', async () => {
    const checks = Promise.withResolvers<void>()
    released = checks.promise
    let answered = 0
    const guesses = Array.from({ length: 300 }, () => login(unknownEmail(), 'wrong').finally(() => (answered += 1)))
    // All others are answered while no check ends, so the number of checks does not depend on the speed of the machine.
    await vi.waitFor(() => expect(answered).toBeGreaterThanOrEqual(300 - UNKNOWN_CHECKS_MAX), { timeout: 20_000 }).finally(checks.resolve)
    const answers = await Promise.all(guesses)
    const results = answers.map(({ status }) => status)
    expect([countOf(results, 401), countOf(results, 429)]).toEqual([100, 200])
    expect(vi.mocked(verify).mock.calls.length).toBeLessThanOrEqual(UNKNOWN_CHECKS_MAX)
    expect(answers.find(({ status }) => status === 429)?.retryAfter).toBe(600)
  })

  it('get the same answer for a known and an unknown email after too many failures of the network', async () => {
    const { email } = await newUser()
    await Promise.all(Array.from({ length: 110 }, () => login(unknownEmail(), 'wrong')))
    const [known, unknown] = [await login(email, 'wrong'), await login(unknownEmail(), 'wrong')]
    expect(known).toEqual(unknown)
    expect(known.status).toBe(429)
  })

  it('from addresses of one IPv6 network count together', async () => {
    const answers = Array.from({ length: 120 }, (_, index) => login(unknownEmail(), 'wrong', `2001:db8:1:2::${index.toString(16)}`))
    expect(countOf(await statuses(answers), 429)).toBe(20)
  })
})

describe('the queue of passwords', () => {
  it('uses more than one core, and not all threads of the process', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, newUser))
    await Promise.all(users.map(({ email }, index) => login(email, PASSWORD, `10.7.0.${index}`)))
    expect(running.most).toBeGreaterThanOrEqual(2)
    expect(running.most).toBeLessThanOrEqual(3)
  })

  it('is bounded: more sign-ins are answered with 503 and the time to wait', async () => {
    const checks = Promise.withResolvers<void>()
    released = checks.promise
    let rejections = 0
    const burst = Array.from({ length: 350 }, async (_, index) => {
      const answer = await login(unknownEmail(), 'wrong', `10.6.${index % 2}.${index >> 1}`)
      if (answer.status === 503) rejections += 1
      return answer
    })
    // No check ends before the queue has rejected what it cannot hold, so the number does not depend on the speed of the machine.
    await vi.waitFor(() => expect(rejections).toBeGreaterThan(100), { timeout: 20_000 }).finally(checks.resolve)
    const rejected = (await Promise.all(burst)).find(({ status }) => status === 503)
    expect(rejected?.retryAfter).toBe(5)
    expect(rejected?.body.message).toBe('Too many people are signing in at this moment. Please try again in a few seconds.')
  })

  it('does not count an attempt that it rejected', async () => {
    const { email } = await newUser()
    const [queueIsFull, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    released = end.promise
    const burst = Array.from({ length: 350 }, async (_, index) => {
      const { status } = await login(unknownEmail(), 'wrong', `10.5.${index % 2}.${index >> 1}`)
      if (status === 503) queueIsFull.resolve()
    })
    await queueIsFull.promise
    expect(countOf(await statuses(Array.from({ length: 7 }, () => login(email))), 503)).toBe(7)
    end.resolve()
    await Promise.all(burst)
    expect((await login(email)).status).toBe(200)
  })

  it('drops the work of closed connections', async () => {
    const origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
    const users = await Promise.all(Array.from({ length: 20 }, newUser))
    const closing = new AbortController()
    const requests = users.map(({ email }) =>
      fetch(`${origin}/api/v1/login`, {
        method: 'POST',
        signal: closing.signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'wrong' }),
      }).catch(() => undefined),
    )
    await vi.waitFor(() => expect(vi.mocked(verify)).toHaveBeenCalled(), { timeout: 10_000 })
    closing.abort()
    await Promise.all(requests)
    await wait(40 * HASH_MS)
    expect(vi.mocked(verify).mock.calls.length).toBeLessThan(15)
    expect((await login(users[19]?.email ?? '')).status).toBe(200)
  })
})

describe('the body of a sign-in', () => {
  it.each(['nobody', 'a@b', 'a b@example.test', '@example.test', 'a@example.test, b@example.test'])(
    'is rejected with an error on the email field for "%s"',
    async (email) => {
      const errors = { email: ['Please enter a valid email address.'] }
      expect(await login(email)).toMatchObject({ status: 400, body: { response: 'validationError', errors } })
      expect(await postFrom(app, OFFICE, '/password/create', { email })).toMatchObject({ status: 400, body: { errors } })
    },
  )

  it('may contain null for ip and remember', async () => {
    const { email } = await newUser()
    expect((await postFrom(app, OFFICE, '/login', { email, password: PASSWORD, ip: null, remember: null })).status).toBe(200)
  })
})
