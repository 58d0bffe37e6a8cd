import { describe, expect, it, vi } from 'vitest'
import { CHALLENGE_CODES_PER_HOUR, CHALLENGE_LIFE_MS, CHALLENGE_MAILS_PER_HOUR, CHALLENGE_RESEND_MS, MINUTE_MS } from '#contract/limits.ts'
import { countOf, postFrom, queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

let serial = 0
const { app, clock, newUser } = await testSignIns()

const HOME = '192.0.2.44'
const unfamiliar = () => `10.${(serial += 1) >> 8}.${serial & 255}.7`
const signIn = (email: string, address = unfamiliar()) => postFrom(app, address, '/login', { email, password: PASSWORD })
const enter = (token: string, code: string, address = unfamiliar()) => postFrom(app, address, '/two-factor-challenge', { code }, token)
/** A user whose sign-ins ask for a code, and who has signed in from HOME without one before. */
async function userAtHome() {
  const user = await newUser()
  await signIn(user.email, HOME)
  await app.system.db.updateTable('users').set({ enable_2fa: true }).where('id', '=', user.id).execute()
  return user
}
const statusesOf = async (count: number, attempt: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push((await attempt()).status)
  return statuses
}
/** No user guesses this code: codes have six digits. */
const WRONG = 'wrong'

describe('the limits of the second factor', () => {
  it('allow ten codes per account and hour from unfamiliar addresses, over all sign-ins', async () => {
    const { email } = await newUser({ twoFactor: true })
    const tokens = [(await signIn(email)).body.token, (await signIn(email)).body.token, (await signIn(email)).body.token]
    const statuses: number[] = []
    for (let round = 0; round < 20; round += 1) for (const token of tokens) statuses.push((await enter(token, WRONG)).status)
    expect(countOf(statuses, 400)).toBe(10)
    expect(countOf(statuses, 429)).toBe(50)
    const rejected = await enter(tokens[0], WRONG)
    expect(rejected.retryAfter).toBe(3_600)
    expect(rejected.body.message).toBe(
      'Too many codes were entered for this account. Please try again in 60 minutes, or set a new password to sign in now.',
    )
  })

  it('are not cleared by another right password', async () => {
    const { email } = await newUser({ twoFactor: true })
    const statuses: number[] = []
    for (let signIns = 0; signIns < 3; signIns += 1) {
      const { body } = await signIn(email)
      for (let code = 0; code < 5; code += 1) statuses.push((await enter(body.token, WRONG)).status)
    }
    expect(countOf(statuses, 400)).toBe(10)
    expect(statuses.slice(10)).toEqual(Array.from({ length: 5 }, () => 429))
  })

  it('reserve codes for familiar addresses, and allow fifteen in all from any addresses', async () => {
    const { email, id } = await userAtHome()
    const token: string = (await signIn(email)).body.token
    expect(countOf(await statusesOf(40, () => enter(token, WRONG)), 429)).toBe(30)
    const { body } = await signIn(email, HOME)
    const [mail] = (await queuedMails(app, email)).toReversed()
    expect((await enter(body.token, /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'none', HOME)).status).toBe(200)
    const other: string = (await signIn(email, HOME)).body.token
    expect(await statusesOf(6, () => enter(other, WRONG, HOME))).toEqual([400, 400, 400, 400, 429, 429])
    expect((await enter(token, WRONG)).status).toBe(429)
    const { points } = await app.system.db
      .selectFrom('rate_limits')
      .select('points')
      .where('key', '=', `codes ${id}`)
      .executeTakeFirstOrThrow()
    expect(points).toBe(CHALLENGE_CODES_PER_HOUR)
  })

  it('reserve mails for familiar addresses, and allow five in all from any addresses', async () => {
    const { email } = await userAtHome()
    expect(countOf(await statusesOf(20, () => signIn(email)), 200)).toBe(3)
    expect(await statusesOf(4, () => signIn(email, HOME))).toEqual([200, 200, 429, 429])
    expect((await signIn(email)).status).toBe(429)
    expect(await queuedMails(app, email)).toHaveLength(CHALLENGE_MAILS_PER_HOUR)
  })

  it('allow three mails per account and hour from unfamiliar addresses, over all sign-ins', async () => {
    const { email } = await newUser({ twoFactor: true })
    const answers = []
    for (let signIns = 0; signIns < 30; signIns += 1) answers.push(await signIn(email))
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(
      countOf(
        answers.slice(3).map(({ status }) => status),
        429,
      ),
    ).toBe(27)
    expect(answers.at(-1)?.body.message).toBe(
      'Too many codes were mailed to this account. Please try again in 60 minutes, or set a new password to sign in now.',
    )
    expect(answers.at(-1)?.retryAfter).toBe(3_600)
    expect(await queuedMails(app, email)).toHaveLength(3)
  })

  it('do not count mails whose code was entered', async () => {
    const { email } = await newUser({ twoFactor: true })
    for (let signIns = 0; signIns < 8; signIns += 1) {
      const { body, status } = await signIn(email)
      const [mail] = (await queuedMails(app, email)).toReversed()
      const entered = await enter(body.token, /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'none')
      expect([status, entered.status]).toEqual([200, 200])
    }
  })

  it('count mails of concurrent sign-ins, and codes that are sent again', async () => {
    const { email } = await newUser({ twoFactor: true })
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email)))
    expect(
      countOf(
        answers.map(({ status }) => status),
        200,
      ),
    ).toBe(3)
    clock.pass(MINUTE_MS)
    const token: string = answers.find(({ status }) => status === 200)?.body.token
    expect((await postFrom(app, '10.3.0.1', '/reset-two-factor-challenge', {}, token)).status).toBe(429)
    expect(await queuedMails(app, email)).toHaveLength(3)
  })

  it('end after an hour', async () => {
    const { email } = await newUser({ twoFactor: true })
    for (let signIns = 0; signIns < 6; signIns += 1) await signIn(email)
    clock.pass(60 * MINUTE_MS)
    const { status, body } = await signIn(email)
    expect(status).toBe(200)
    const [mail] = (await queuedMails(app, email)).toReversed()
    const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'none'
    expect((await enter(body.token, code)).status).toBe(200)
  })

  it('of one account do not affect another', async () => {
    const [one, other] = [await newUser({ twoFactor: true }), await newUser({ twoFactor: true })]
    for (let signIns = 0; signIns < 7; signIns += 1) await signIn(one.email)
    expect((await signIn(other.email)).status).toBe(200)
  })
})

describe('a code that could not be mailed', () => {
  it('is not mailed after it has expired or a newer one replaced it, and does not wait for other mails', async () => {
    const { email } = await newUser({ twoFactor: true })
    const { body } = await signIn(email)
    clock.pass(CHALLENGE_RESEND_MS)
    await postFrom(app, '10.3.0.1', '/reset-two-factor-challenge', {}, body.token)
    const { rows } = await app.system.pool.query<{ name: string; until: string; topic: string }>(
      `SELECT name, data->>'sendUntil' AS until, data->>'topic' AS topic FROM pgboss.job WHERE data->>'to' = $1 ORDER BY created_on`,
      [email],
    )
    expect(rows.map(({ name }) => name)).toEqual(['send-urgent-mail', 'send-urgent-mail'])
    expect(rows[1]?.until).toBe(new Date(clock.now().getTime() + CHALLENGE_LIFE_MS).toISOString())
    expect(rows[1]?.topic).toBe(rows[0]?.topic)
  })
})
