import { describe, expect, it, vi } from 'vitest'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const NEW = 'a brand new password'
const { app, newUser } = await testSignIns()
const URL = '/api/v1/users/profile'

async function signIn(email: string, password = PASSWORD, client = 'Firefox on Linux'): Promise<string> {
  const headers = { 'user-agent': client }
  const answer = await app.api.server.inject({ method: 'POST', url: '/api/v1/login', headers, payload: { email, password } })
  return answer.json().token
}
const withToken = (token: string) => app.bearing(`Bearer ${token}`)

describe('the profile', () => {
  it('is the own one, also for users without permissions for users', async () => {
    const { id, email } = await newUser({ role: 'client' })
    const { body } = await app.as(id).get(URL)
    expect(body.data).toMatchObject({ id, email: { text: email }, enable_2fa: false, name: { first_name: expect.any(String) } })
    expect(body.data).not.toHaveProperty('roles')
  })

  it('changes the name at once, and the email and second factor with the current password', async () => {
    const { id, email } = await newUser({ role: 'client' })
    expect((await app.as(id).put(URL, { first_name: 'Ada', last_name: 'Byron' })).body.data.full_name).toBe('Ada Byron')
    const rejected = await app.as(id).put(URL, { email: `new.${email}`, enable_2fa: true })
    expect(rejected.body.errors).toEqual({ current_password: ['Please enter your current password.'] })
    const saved = await app.as(id).put(URL, { email: `new.${email}`, enable_2fa: true, current_password: PASSWORD })
    expect(saved.body.data).toMatchObject({ email: { text: `new.${email}` }, enable_2fa: true })
    expect((await queuedMails(app, email)).at(-1)?.subject).toBe('Plumbline: your sign-in was changed')
  })

  it('accepts neither roles nor a company', async () => {
    const { id } = await newUser({ role: 'client' })
    expect((await app.as(id).put(URL, { roles: [] })).status).toBe(400)
    expect((await app.as(id).put(URL, { company_id: id })).status).toBe(400)
  })
})

describe('changing the own password', () => {
  const change = (token: string, body: object) =>
    withToken(token).put('/api/v1/users/password', { current_password: PASSWORD, password: NEW, password_confirmation: NEW, ...body })

  it('needs the current password, a good new one and the same twice', async () => {
    const token = await signIn((await newUser({ role: 'client' })).email)
    expect((await change(token, { current_password: 'wrong' })).body.errors).toEqual({
      current_password: ['This is not your current password.'],
    })
    expect((await change(token, { password: 'password', password_confirmation: 'password' })).body.errors).toHaveProperty('password')
    expect((await change(token, { password_confirmation: 'other' })).body.errors).toEqual({
      password_confirmation: ['The passwords you entered do not match'],
    })
  })

  it('ends the other sign-ins of the user, and not the one that made the change', async () => {
    const { email } = await newUser({ role: 'client' })
    const [here, there] = [await signIn(email), await signIn(email)]
    expect((await change(here, {})).status).toBe(200)
    expect((await withToken(here).get(URL)).status).toBe(200)
    expect((await withToken(there).get(URL)).status).toBe(401)
    expect(await signIn(email, NEW)).toEqual(expect.any(String))
  })
})

describe('the sign-ins of a user', () => {
  it('are listed with their browser, the current one first', async () => {
    const { email } = await newUser({ role: 'client' })
    await signIn(email, PASSWORD, 'Safari on a phone')
    const here = await signIn(email)
    const { body } = await withToken(here).get('/api/v1/users/sessions')
    expect(body.data).toMatchObject([
      { current: true, client: 'Firefox on Linux' },
      { current: false, client: 'Safari on a phone' },
    ])
  })

  it('end one by one or all except the current one', async () => {
    const { email } = await newUser({ role: 'client' })
    const [here, phone, tablet] = [await signIn(email), await signIn(email), await signIn(email)]
    const { body } = await withToken(phone).get('/api/v1/users/sessions')
    const own = body.data.find(({ current }: { current: boolean }) => current).id
    expect((await withToken(here).delete(`/api/v1/users/sessions/${own}`)).status).toBe(200)
    expect((await withToken(phone).get(URL)).status).toBe(401)
    expect((await withToken(tablet).get(URL)).status).toBe(200)
    const ended = await withToken(here).delete('/api/v1/users/sessions')
    expect(ended.body.message).toBe('You are signed out on 1 other device.')
    expect((await withToken(tablet).get(URL)).status).toBe(401)
    expect((await withToken(here).get(URL)).status).toBe(200)
  })

  it('of another user are not found', async () => {
    const [mine, theirs] = [await signIn((await newUser()).email), await signIn((await newUser()).email)]
    const { body } = await withToken(theirs).get('/api/v1/users/sessions')
    expect((await withToken(mine).delete(`/api/v1/users/sessions/${body.data[0].id}`)).status).toBe(404)
    expect((await withToken(theirs).get(URL)).status).toBe(200)
  })
})
