import { describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '#contract/limits.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { countOf, postFrom, queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const NEW = 'a brand new password'
const NOTICE = 'Plumbline: your sign-in was changed'
let serial = 0
const { app, clock, newUser } = await testSignIns()

const recover = (email: string, address = '10.4.0.1') => postFrom(app, address, '/password/create', { email })
const find = (token: string) => app.anonymous.get(`/api/v1/password/find/${token}`)
const reset = (email: string, token: string, password = NEW) =>
  app.anonymous.post('/api/v1/password/reset', { email, token, password, password_confirmation: password })
const login = (email: string, password = PASSWORD) => app.anonymous.post('/api/v1/login', { email, password })
const change = (as: string, id: string, body: object) => app.as(as).put(`/api/v1/users/${id}`, body)
const subjects = async (email: string) => (await queuedMails(app, email)).map(({ subject }) => subject)

/** The token of the latest link to this address. */
async function linkOf(email: string): Promise<string> {
  const mails = await queuedMails(app, email)
  return mails.flatMap(({ text }) => /reset-password\/([\w-]+)/.exec(text)?.[1] ?? []).at(-1) ?? 'no link'
}
async function newLink(email: string): Promise<string> {
  await recover(email)
  return linkOf(email)
}

describe('a link to set a password', () => {
  it('ends an older one', async () => {
    const { email } = await newUser()
    const [older, newer] = [await newLink(email), await newLink(email)]
    expect(older).not.toBe(newer)
    expect([(await find(older)).status, (await find(newer)).status]).toEqual([409, 200])
    expect((await reset(email, older)).status).toBe(409)
    expect((await reset(email, newer)).status).toBe(200)
    expect((await find(older)).status).toBe(409)
  })

  it('is the only one after concurrent requests', async () => {
    const { email, id } = await newUser()
    await Promise.all([recover(email), recover(email, '10.4.0.2'), recover(email, '10.4.0.3')])
    expect(await app.system.db.selectFrom('password_resets').select('user_id').where('user_id', '=', id).execute()).toHaveLength(1)
  })

  it('ends when an administrator sets the password or the email', async () => {
    const admin = await newUser({ role: 'admin' })
    for (const body of [{ password: NEW }, { email: `moved${(serial += 1)}@example.test` }]) {
      const { email, id } = await newUser()
      const token = await newLink(email)
      expect((await change(admin.id, id, { ...body, current_password: PASSWORD })).status).toBe(200)
      expect((await find(token)).status).toBe(409)
    }
  })

  it('ends when the user changes the password', async () => {
    const { email, id } = await newUser()
    const token = await newLink(email)
    expect((await change(id, id, { password: NEW, current_password: PASSWORD })).status).toBe(200)
    expect((await find(token)).status).toBe(409)
  })

  it('is mailed to a familiar address after strangers requested three, and at most five times per hour in all', async () => {
    const home = '192.0.2.45'
    const { email } = await newUser()
    await postFrom(app, home, '/login', { email, password: PASSWORD })
    for (let request = 0; request < 9; request += 1) await recover(email, `10.4.3.${request}`)
    for (const mails of [4, 5, 5]) {
      await recover(email, home)
      expect(await queuedMails(app, email)).toHaveLength(mails)
    }
    await recover(email, '10.4.3.99')
    expect(await queuedMails(app, email)).toHaveLength(5)
  })

  it('is mailed at most three times per hour to one recipient from unfamiliar addresses, and the answer does not show it', async () => {
    const { email } = await newUser()
    const answers = []
    for (let request = 0; request < 12; request += 1) answers.push(await recover(email, `10.4.1.${request}`))
    expect(
      countOf(
        answers.map(({ status }) => status),
        200,
      ),
    ).toBe(12)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await queuedMails(app, email)).toHaveLength(3)
    expect((await find(await linkOf(email))).status).toBe(200)
    clock.pass(HOUR_MS)
    await recover(email)
    expect(await queuedMails(app, email)).toHaveLength(4)
  })

  it('is mailed at most three times per hour by administrators who send the welcome email again', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    const welcome = () => app.as(admin.id).post('/api/v1/users/actions', { action: 'send_welcome', selectedIds: [user.id] })
    const answers = [await welcome(), await welcome(), await welcome(), await welcome()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[3]?.body.message).toBe('One of these users was sent 3 welcome emails in the last hour. Please try again in 60 minutes.')
    expect(await queuedMails(app, user.email)).toHaveLength(3)
    expect((await find(await linkOf(user.email))).status).toBe(200)
    clock.pass(HOUR_MS)
    expect((await welcome()).status).toBe(200)
  })

  it('of a welcome email is neither prevented nor ended by strangers who request new passwords', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    const welcome = () => app.as(admin.id).post('/api/v1/users/actions', { action: 'send_welcome', selectedIds: [user.id] })
    for (let request = 0; request < 9; request += 1) await recover(user.email, `10.4.4.${request}`)
    expect((await welcome()).status).toBe(200)
    const token = await linkOf(user.email)
    clock.pass(HOUR_MS)
    await recover(user.email, '10.4.4.99')
    const requested = await linkOf(user.email)
    expect([(await find(token)).status, (await find(requested)).status]).toEqual([200, 200])
    expect((await reset(user.email, token)).status).toBe(200)
    expect((await find(requested)).status).toBe(409)
  })

  it('sets one password when it is used at the same moment as another link of the user', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    const requested = await newLink(user.email)
    await app.as(admin.id).post('/api/v1/users/actions', { action: 'send_welcome', selectedIds: [user.id] })
    const answers = await Promise.all([reset(user.email, requested), reset(user.email, await linkOf(user.email))])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  it('can be requested by an office of one address for thirty users', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => newUser()))
    const answers = await Promise.all(users.map(({ email }) => recover(email, '10.4.2.1')))
    expect(
      countOf(
        answers.map(({ status }) => status),
        200,
      ),
    ).toBe(30)
  })
})

describe('a changed password', () => {
  it('is announced to the user after a reset, and after a change by an administrator', async () => {
    const [admin, one, other] = [await newUser({ role: 'admin' }), await newUser(), await newUser()]
    await reset(one.email, await newLink(one.email))
    await change(admin.id, other.id, { password: NEW, current_password: PASSWORD })
    for (const { email } of [one, other]) expect((await subjects(email)).at(-1)).toBe(NOTICE)
    expect((await queuedMails(app, one.email)).at(-1)?.text).toContain('The password of your account was changed.')
  })
})

describe('users who change a sign-in', () => {
  const OWN = 'the password of the admin'
  const PARTS = [
    ['email', () => ({ email: `new${(serial += 1)}@example.test` })],
    ['password', () => ({ password: NEW })],
    ['second factor', () => ({ enable_2fa: true })],
  ] as const

  it.each(PARTS.flatMap(([what, values]) => [['their own', what, values] as const, ["another user's", what, values] as const]))(
    'confirm %s new %s with their own current password',
    async (whose, _what, values) => {
      const body = values()
      const passwordHash = await hashPassword(OWN, app.system.config.secretKey)
      const admin = await newUser({ role: 'admin', passwordHash })
      const { id, email } = whose === 'their own' ? admin : await newUser()
      const without = await change(admin.id, id, body)
      expect([without.status, without.body.errors]).toEqual([400, { current_password: ['Please enter your current password.'] }])
      for (const wrong of ['wrong', PASSWORD]) {
        const answer = await change(admin.id, id, { ...body, current_password: wrong })
        expect([answer.status, answer.body.errors]).toEqual([400, { current_password: ['This is not your current password.'] }])
      }
      expect(await subjects(email)).toEqual([])
      expect((await change(admin.id, id, { ...body, current_password: OWN })).status).toBe(200)
      expect(await subjects(email)).toEqual([NOTICE])
      const text = (await queuedMails(app, email))[0]?.text
      expect(text?.includes('before the change')).toBe('email' in body)
    },
  )

  it('have a field for it in the form of a user, but not in that of a new one', async () => {
    const { id } = await newUser()
    const other = await newUser({ companyId: (await app.viewer(id)).companyId })
    const fieldIn = async (form: string) =>
      (await app.as(id).get(`/api/v1/forms/users${form}`)).body.data.sections
        .flatMap(({ fields }: { fields: { name: string }[] }) => fields)
        .find(({ name }: { name: string }) => name === 'current_password')
    for (const record of [id, other.id])
      expect(await fieldIn(`/${record}`)).toMatchObject({ label: 'Your current password', required: false })
    expect(await fieldIn('')).toBeUndefined()
  })

  it('need no password for other fields, or for values that do not change', async () => {
    const { id, email } = await newUser()
    expect((await change(id, id, { last_name: 'Other', email: email.toUpperCase(), enable_2fa: false })).status).toBe(200)
    expect(await subjects(email)).toEqual([])
  })

  it('cannot guess their current password by changing several users', async () => {
    const { id } = await newUser({ role: 'admin' })
    const statuses: number[] = []
    for (let guess = 0; guess < 8; guess += 1) {
      const other = guess % 2 === 0 ? id : (await newUser()).id
      statuses.push((await change(id, other, { enable_2fa: true, current_password: `guess ${guess}` })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
  })
})

describe('administrators who change the sign-in of another user', () => {
  it('cause a notice to the old address only', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    const moved = `moved${(serial += 1)}@example.test`
    expect((await change(admin.id, user.id, { email: moved, enable_2fa: true, current_password: PASSWORD })).status).toBe(200)
    const [mail] = await queuedMails(app, user.email)
    expect(mail?.subject).toBe(NOTICE)
    expect(mail?.text).toContain('The email address of your account was changed.')
    expect(mail?.text).toContain('code by email at sign-in')
    expect(mail?.text).toContain('sent to the address that your account had before the change')
    expect(mail?.text).not.toContain(moved)
    expect(await queuedMails(app, moved)).toEqual([])
  })

  it('cannot send a current password for a new user', async () => {
    const { id, companyId } = await newUser({ role: 'admin' })
    const { roles } = await app.viewer(id)
    const body = {
      first_name: 'Nora',
      last_name: 'New',
      email: 'nora.new@example.test',
      company_id: companyId,
      roles: roles.map((role) => role.id),
    }
    expect((await app.as(id).post('/api/v1/users', { ...body, current_password: PASSWORD })).body.errors).toHaveProperty('current_password')
    expect((await app.as(id).post('/api/v1/users', body)).status).toBe(201)
  })
})

describe('a new password', () => {
  /** Passwords of the other tests, the demo and the examples. */
  const PHRASES = ['true to the line 7', 'plumb and level 24', 'level and plumb 31', 'purple-Harbor-93-crane', PASSWORD, NEW]
  const GUESSABLE = [
    'password',
    'PASSWORD',
    '12345678',
    'Password2026!',
    'P@ssw0rd',
    'qwertyuiop',
    'abcdefgh',
    '        ',
    'a          b',
    'aaaaaaaaaaaa',
    'plumbline',
    'Plumbline2026',
    'Whitfield26!',
    'dana whitfield',
    'dana.whit',
    'dana.whit+2026',
    'abcdefgh1',
    '1234567890123',
    'qwertyuiop12',
    'Plumb line 2026',
    'plumb-line-2026',
    'P l u m b l i n e 83059217',
    'W-h-i-t-f-i-e-l-d 2026',
    'Plumbl1ne 2026!',
    'p a s s w o r d',
    'pass.word.83059217',
    'qwerty qwerty',
    '1q2w3e4r5t6y',
    'abcabcabcabc',
    'hgfedcba 87654321',
    'D.Whitfield2026',
    'Wh1tf1eld',
    'wh!tf!eld26',
    'Plumb-Line-26',
    'plumbl1ne-2026',
    'x2026Whitfield26x',
  ]

  it.each(GUESSABLE)('is rejected with a field error when it is "%s"', async (password) => {
    const user = await newUser({ firstName: 'Dana', lastName: 'Whitfield', email: `dana.whit@d${(serial += 1)}.test` })
    const answer = await reset(user.email, await newLink(user.email), password)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['password']])
    const admin = await newUser({ role: 'admin' })
    const changed = await change(admin.id, user.id, { password, current_password: PASSWORD })
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([400, ['password']])
    expect((await login(user.email)).status).toBe(200)
  })

  it.each([...PHRASES, 'danas plumbline hangs by the door', 'x9$Kq2!vTz', 'k7w-bq4z', 'v!m$x?g&', '83059217 46', 'дом у синей реки'])(
    'is accepted when it is "%s"',
    async (password) => {
      const user = await newUser({ firstName: 'Dana', lastName: 'Whitfield', email: `dana.whit@d${(serial += 1)}.test` })
      expect((await reset(user.email, await newLink(user.email), password)).status).toBe(200)
      expect((await login(user.email, password)).status).toBe(200)
    },
  )

  it('is checked with the names of a new user, too', async () => {
    const { id, companyId } = await newUser({ role: 'admin' })
    const { roles } = await app.viewer(id)
    const body = {
      first_name: 'Ottoline',
      last_name: 'Brackett',
      email: 'ob@example.test',
      company_id: companyId,
      roles: roles.map((role) => role.id),
    }
    await app.system.db.updateTable('companies').set({ name: 'Harbor & Vine' }).where('id', '=', companyId).execute()
    for (const password of ['Ottoline99', 'harborvine', 'HarborVine2026']) {
      const answer = await app.as(id).post('/api/v1/users', { ...body, password })
      expect([answer.status, Object.keys(answer.body.errors)], password).toEqual([400, ['password']])
    }
  })
})

describe('changes of the sign-in of another user', () => {
  it('are limited, because each mails a notice', async () => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    const { enable_2fa: isOn } = (await app.as(admin.id).get(`/api/v1/users/${user.id}`)).body.data
    const turn = (enable_2fa: boolean) => change(admin.id, user.id, { enable_2fa, current_password: PASSWORD })
    for (let times = 0; times < 10; times += 1) expect((await turn(times % 2 === 0 ? !isOn : isOn)).status).toBe(200)
    expect((await turn(!isOn)).status).toBe(429)
    expect((await change(admin.id, user.id, { last_name: 'Other' })).status).toBe(200)
    clock.pass(HOUR_MS)
    expect((await turn(!isOn)).status).toBe(200)
  })
})
