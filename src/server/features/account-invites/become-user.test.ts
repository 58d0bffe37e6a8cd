import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { As } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { letter } from '#server/testing/outbox.fixture.ts'
import { testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app } = await testSignIns({ worker: true })
let account: { id: string }
let asBroker: As

beforeAll(async () => {
  const company = await makeCompany(app.system, 'Harbor Point Brokerage')
  await subscribe(app.system, company.id)
  asBroker = app.as((await makeUser(app.system, { companyId: company.id })).id)
  account = await makeAccount(app.system, { companyId: company.id, name: 'Cascadia Portfolio' })
})

const PASSWORD = 'a long enough passphrase'

/** Invites a person, who asks for a password. */
async function ask(email: string, more: Record<string, unknown> = {}) {
  const body = { account_id: account.id, role: 'invite_guest', email, ...more }
  const { data } = (await asBroker.post('/api/v1/account_invites', body)).body
  const { token } = (await app.anonymous.post('/api/v1/account_invites/accept', { invite_id: data.invite_id })).body
  return app.bearing(`Bearer ${token}`).post('/api/v1/account_invites/password')
}

/** The person sets a password with the mailed link and signs in. */
async function become(email: string, more: Record<string, unknown> = {}): Promise<{ user: As; company: { id: string; name: string } }> {
  const asked = await ask(email, more)
  expect(asked.body.message).toBe(`A link to set a password is on its way to ${email}.`)
  const token = /reset-password\/([\w-]+)/.exec((await letter(app, email)).text)?.[1] ?? ''
  const reset = { email, token, password: PASSWORD, password_confirmation: PASSWORD }
  const { status, body } = await app.anonymous.post('/api/v1/password/reset', reset)
  expect({ status, message: body.message }).toEqual({ status: 200, message: 'Your password was set. Please sign in with it.' })
  const session = await app.anonymous.post('/api/v1/login', { email, password: PASSWORD })
  const user = app.bearing(`Bearer ${session.body.token}`)
  const { auth_user: person } = (await user.get('/api/v1/init')).body.data
  expect(person.via_invite).toBe(false)
  return { user, company: person.company }
}

describe('an invited person who sets a password', () => {
  it('is a user of a company of their own, with the invited account in a list', async () => {
    const { user, company } = await become('new@buyer.example', { first_name: 'Ann', last_name: 'Lee', company: 'Buyer Inc' })
    expect(company.name).toBe('Ann Lee (Buyer Inc)')
    expect((await user.get('/api/v1/account_invites/mine')).body.data).toMatchObject([{ account_id: account.id }])
    expect((await user.get(`/api/v1/accounts/${account.id}`)).status).toBe(404)
  })

  it('gets a mail about the first password that names no change', async () => {
    await become('first@buyer.example')
    const mail = await letter(app, 'first@buyer.example', 2)
    expect(mail.subject).toContain('your password was set')
    expect(mail.text).toContain('A password was set for your account.')
    expect(mail.text).not.toMatch(/sessions|changed/)
  })

  it('becomes one with the email domain and the name of another', async () => {
    const people = [
      await become('one@mail.example'),
      await become('two@mail.example'),
      await become('sam@mail.example', { first_name: 'Sam', last_name: 'Roe' }),
      await become('sam.roe@mail.example', { first_name: 'Sam', last_name: 'Roe' }),
    ]
    expect(people.map(({ company }) => company.name)).toEqual([
      'one (mail.example)',
      'two (mail.example)',
      'Sam Roe (mail.example)',
      'Sam Roe (mail.example) 2',
    ])
  })

  it('is named in the same way whether the company that the sender entered exists, and never joins it', async () => {
    const existing = await makeCompany(app.system, 'Northgate Insurance')
    const { user, company } = await become('ann@buyer.example', { first_name: 'Ann', company: 'Northgate Insurance' })
    expect(company.name).toBe('Ann (Northgate Insurance)')
    expect(company.id).not.toBe(existing.id)
    expect((await user.get('/api/v1/accounts')).body.data).toEqual([])
    expect((await become('bob@buyer.example', { first_name: 'Bob', company: 'Unknown Ltd' })).company.name).toBe('Bob (Unknown Ltd)')
  })

  it('has a company name that fits the form of a company', async () => {
    const long = { first_name: 'A'.repeat(60), last_name: 'B'.repeat(60), company: 'C'.repeat(100) }
    const names = [await become('long@buyer.example', long), await become('longer@buyer.example', long)].map(({ company }) => company.name)
    expect(new Set(names).size).toBe(2)
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(120)
  })
})
