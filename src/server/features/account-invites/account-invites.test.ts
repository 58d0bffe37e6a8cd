import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { letter } from '#server/testing/outbox.fixture.ts'
import { testSignIns } from '#server/testing/sign-ins.fixture.ts'
import { endSessions } from '../session/session.commands.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, clock } = await testSignIns({ worker: true })
let companyId: string
let broker: { id: string; email: string; fullName: string }
let asBroker: As
let account: { id: string }

beforeAll(async () => {
  const company = await makeCompany(app.system, 'Harbor Point Brokerage')
  companyId = company.id
  await subscribe(app.system, companyId)
  broker = await makeUser(app.system, { companyId, firstName: 'Dana', lastName: 'Whitfield' })
  asBroker = app.as(broker.id)
  account = await makeAccount(app.system, { companyId, name: 'Cascadia Portfolio' })
})

let serial = 0
const invite = async (more: Record<string, unknown> = {}) => {
  serial += 1
  const body = { account_id: account.id, role: 'invite_guest', email: `guest${serial}@buyer.example`, ...more }
  return asBroker.post('/api/v1/account_invites', body)
}
const act = (action: string, id: string) => asBroker.post('/api/v1/account_invites/actions', { action, selectedIds: [id] })
const accept = (invite_id: string, as: As = app.anonymous, more = {}) => as.post('/api/v1/account_invites/accept', { invite_id, ...more })
const enter = async (token: string) => app.bearing(`Bearer ${(await accept(token)).body.token}`)

describe('an invitation', () => {
  it('lets the person see the account with the permissions of its role and nothing else', async () => {
    const other = await makeAccount(app.system, { companyId, name: 'Other Portfolio' })
    const { status, body } = await invite({ email: 'ann@buyer.example', first_name: 'Ann', last_name: 'Lee' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Ann Lee', role: 'invite_guest', status: 'Active', account_id: account.id })
    expect(body.data.link).toBe(`${app.system.config.appUrl}/invite/${body.data.invite_id}`)
    const answer = await accept(body.data.invite_id)
    expect(answer.body).toMatchObject({ data: { account_id: account.id, own: false } })
    const guest = app.bearing(`Bearer ${answer.body.token}`)
    const init = (await guest.get('/api/v1/init')).body.data
    expect(init.auth_user).toMatchObject({ via_invite: true, via_share_link: false, full_name: 'Ann Lee', email: 'ann@buyer.example' })
    expect(init.config.realtime).toBe(false)
    const seen = (await guest.get(`/api/v1/accounts/${account.id}`)).body.data
    expect(seen.via_invite).toMatchObject({ invited_user: { email: 'ann@buyer.example' }, invited_by: 'Dana Whitfield' })
    expect(seen.invite.created_by_user).toMatchObject({ email: broker.email, company: { name: 'Harbor Point Brokerage' } })
    expect(seen.created_by).toBeNull()
    expect((await guest.get(`/api/v1/accounts/${other.id}`)).status).toBe(404)
    expect((await guest.get('/api/v1/accounts')).body.data.map((row: { id: string }) => row.id)).toEqual([account.id])
    for (const closed of ['/notifications', '/users/profile', '/users', '/companies', '/users/sessions', '/saved-views?model=accounts'])
      expect((await guest.get(`/api/v1${closed}`)).status, closed).toBe(403)
    expect((await guest.post('/api/v1/broadcasting/auth', { socket_id: 'a', channel_name: `private-account.${account.id}` })).status).toBe(
      403,
    )
  })

  it('does not make the person a user: neither list nor count shows them, and the email stays free', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin', companyId })).id)
    const before = (await admin.get('/api/v1/users')).body.meta.total
    const { body } = await invite({ email: 'unlisted@buyer.example' })
    await accept(body.data.invite_id)
    expect((await admin.get('/api/v1/users')).body.meta.total).toBe(before)
    expect((await admin.get('/api/v1/users?search=unlisted')).body.data).toEqual([])
    expect((await admin.get('/api/v1/users/search?search=unlisted')).status).toBe(404)
    await expect(makeUser(app.system, { email: 'unlisted@buyer.example' })).resolves.toBeDefined()
  })

  it('shows what it is for without being used up, and works any number of times', async () => {
    const { data } = (await invite()).body
    const look = await app.anonymous.post('/api/v1/account_invites/look', { invite_id: data.invite_id })
    expect(look.body.data).toMatchObject({ account_name: 'Cascadia Portfolio', invited_by: 'Dana Whitfield', signed_in_as: null })
    expect((await asBroker.get(`/api/v1/account_invites/${data.id}`)).body.data.accepted_at).toBeNull()
    expect((await accept(data.invite_id)).status).toBe(200)
    expect((await accept(data.invite_id)).status).toBe(200)
  })

  it('asks before it replaces the session of another person, and leaves that of the same person', async () => {
    const { data } = (await invite({ email: 'sam@buyer.example' })).body
    const other = app.as((await makeUser(app.system)).id)
    const refused = await accept(data.invite_id, other)
    expect(refused.status).toBe(409)
    expect(refused.body.data).toMatchObject({ email: 'sam@buyer.example' })
    expect((await accept(data.invite_id, other, { replace: true })).body.token).toEqual(expect.any(String))
    const sam = app.as((await makeUser(app.system, { email: 'sam@buyer.example' })).id)
    expect((await sam.get('/api/v1/account_invites/mine')).body.data).toEqual([])
    expect((await accept(data.invite_id, sam)).body).toMatchObject({ data: { own: true, account_id: account.id }, token: null })
    const mine = (await sam.get('/api/v1/account_invites/mine')).body.data
    expect(mine).toMatchObject([{ id: data.id, account_name: 'Cascadia Portfolio', company: 'Harbor Point Brokerage' }])
    expect((await sam.get(`/api/v1/accounts/${account.id}`)).status).toBe(404)
    const entered = await sam.post(`/api/v1/account_invites/${data.id}/enter`)
    expect((await app.bearing(`Bearer ${entered.body.token}`).get(`/api/v1/accounts/${account.id}`)).status).toBe(200)
    expect((await other.post(`/api/v1/account_invites/${data.id}/enter`)).status).toBe(404)
  })

  it('ends, where a user opened it, with the sign-in, and everywhere with all sessions of the user', async () => {
    const { data } = (await invite({ email: 'ona@buyer.example' })).body
    const { id } = await makeUser(app.system, { email: 'ona@buyer.example' })
    const ona = app.as(id)
    await accept(data.invite_id, ona)
    const opened = await ona.post(`/api/v1/account_invites/${data.id}/enter`)
    const [here, byLink] = [app.bearing(`Bearer ${opened.body.token}`), await enter(data.invite_id)]
    const seen = () => Promise.all([here, byLink].map(async (guest) => (await guest.get('/api/v1/init')).status))
    expect(await seen()).toEqual([200, 200])
    await ona.get('/api/v1/logout')
    expect(await seen()).toEqual([401, 200])
    await transact(app.system, (tx) => endSessions(tx, id))
    expect(await seen()).toEqual([401, 401])
  })

  it.each([
    ['deactivated', (id: string) => app.system.db.updateTable('users').set({ deactivated_at: clock.now() }).where('id', '=', id)],
    ['moved to the trash', (id: string) => app.system.db.updateTable('users').set({ deleted_at: clock.now() }).where('id', '=', id)],
  ])('is no longer valid when its person is a user who was %s since', async (_how, end) => {
    const person = await makeUser(app.system)
    const before = (await invite({ email: person.email })).body.data
    expect((await accept(before.invite_id)).status).toBe(200)
    clock.pass(HOUR_MS)
    await end(person.id).execute()
    const refused = await accept(before.invite_id)
    expect([refused.status, refused.body.message]).toEqual([403, 'This invitation is no longer valid.'])
    expect((await app.anonymous.post('/api/v1/account_invites/look', { invite_id: before.invite_id })).status).toBe(403)
    const listed = (await asBroker.get(`/api/v1/account_invites?filter__account_id=${account.id}&per_page=100`)).body.data
    expect(listed.find(({ id }: { id: string }) => id === before.id)).toMatchObject({
      status: { text: 'Deactivated' },
      email: { text: person.email },
    })
    const again = [await act('extend', before.id), await act('issue_permanently', before.id), await invite({ email: person.email })]
    const says = /^This person was deactivated since the invitation\. Revoke it/
    expect(again.map(({ status, body }) => [status, says.test(body.message)])).toEqual(Array(3).fill([409, true]))
    const live = (await asBroker.get(`/api/v1/grants?search=${person.email}`)).body.data
    expect(live).toEqual([])
    expect((await asBroker.post('/api/v1/account_invites/send', { invite_id: before.id })).status).toBe(409)
    expect((await act('revoke', before.id)).status).toBe(200)
    clock.pass(HOUR_MS)
    const after = (await invite({ email: person.email })).body.data
    expect((await accept(after.invite_id)).status).toBe(200)
  })

  it('names the company once its sender has left it', async () => {
    const sender = await makeUser(app.system, { companyId, firstName: 'Gone', lastName: 'Person' })
    const { data } = (
      await app.as(sender.id).post('/api/v1/account_invites', { account_id: account.id, role: 'invite_guest', email: 'left@buyer.example' })
    ).body
    const guest = await enter(data.invite_id)
    await app.system.db.updateTable('users').set({ deleted_at: clock.now() }).where('id', '=', sender.id).execute()
    const look = (await app.anonymous.post('/api/v1/account_invites/look', { invite_id: data.invite_id })).body.data
    const seen = (await guest.get(`/api/v1/accounts/${account.id}`)).body.data
    const inviting = (await guest.get('/api/v1/account_invites/inviting')).body.data
    expect([look.invited_by, seen.via_invite.invited_by, inviting.full_name]).toEqual(Array(3).fill('Harbor Point Brokerage'))
    expect(seen.invite.created_by_user).toBeNull()
  })

  it('ends at once when it is revoked, for calls, and cannot be used again', async () => {
    const { data } = (await invite()).body
    const guest = await enter(data.invite_id)
    expect((await guest.get('/api/v1/init')).status).toBe(200)
    expect((await act('revoke', data.id)).body.message).toBe('The invitation was revoked.')
    expect((await guest.get('/api/v1/init')).status).toBe(401)
    expect((await accept(data.invite_id)).body).toMatchObject({ message: 'This invitation is no longer valid.' })
    expect((await act('extend', data.id)).status).toBe(404)
    expect((await asBroker.get(`/api/v1/account_invites/${data.id}`)).status).toBe(404)
  })

  it('expires after 30 days, can be extended before, made permanent, and invited again after', async () => {
    const { data } = (await invite({ email: 'late@buyer.example' })).body
    expect((await act('extend', data.id)).body.message).toMatch(/^The invitation was extended to \w+ \d+, \d{4}\.$/)
    const guest = await enter(data.invite_id)
    clock.pass(31 * DAY_MS)
    expect((await guest.get('/api/v1/init')).status).toBe(401)
    const refused = await accept(data.invite_id)
    expect(refused.status).toBe(403)
    expect(refused.body.message).toMatch(/^This invitation expired on .* Ask Dana Whitfield for a new one\.$/)
    const fresh = app.as((await makeUser(app.system, { companyId })).id)
    const again = { account_id: account.id, role: 'invite_guest', email: 'late@buyer.example' }
    expect((await fresh.post('/api/v1/account_invites/actions', { action: 'extend', selectedIds: [data.id] })).body.message).toBe(
      'This invitation has expired. Invite late@buyer.example again.',
    )
    const renewed = await fresh.post('/api/v1/account_invites', again)
    expect(renewed.status).toBe(201)
    await fresh.post('/api/v1/account_invites/actions', { action: 'issue_permanently', selectedIds: [renewed.body.data.id] })
    const shown = (await fresh.get(`/api/v1/account_invites/${renewed.body.data.id}`)).body.data
    expect(shown.expires_at).toEqual({ date: null, human: 'Never' })
    asBroker = fresh
  })

  it('cannot be made for the own email, a member of the company, a bad address, no role and a second live one', async () => {
    const errors = async (more: Record<string, unknown>) => (await invite(more)).body
    const me = (await asBroker.get('/api/v1/init')).body.data.auth_user.email
    expect((await errors({ email: me })).data.email).toEqual(['This is your own email.'])
    const colleague = await makeUser(app.system, { companyId })
    expect((await errors({ email: colleague.email })).data.email[0]).toContain('has access already, as a user of Harbor Point Brokerage.')
    expect((await errors({ email: 'nobody' })).data.email).toEqual(['Please enter a valid email address.'])
    expect((await errors({ email: null })).data.email).toEqual(['Email cannot be blank'])
    expect((await errors({ role: null })).data.role).toEqual(['Please choose what this person may do.'])
    expect((await errors({ role: 'admin' })).data.role).toEqual(['You can only give permissions that you have yourself.'])
    await invite({ email: 'twice@buyer.example' })
    expect((await invite({ email: 'twice@buyer.example' })).status).toBe(409)
  })

  it('names its role by the name or the id', async () => {
    const role = await app.system.db
      .selectFrom('roles')
      .select(['id', 'label'])
      .where('name', '=', 'invite_guest')
      .executeTakeFirstOrThrow()
    expect((await invite({ email: 'by-id@buyer.example', role: role.id })).body.data.role_label).toBe(role.label)
  })

  it('has a role with the same name in the form, in the lists and on the dashboard of the person', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin', companyId })).id)
    for (const role of ['invite_guest', 'upload_only']) {
      const email = `${role}@names.example`
      const { data } = (await invite({ role, email })).body
      const offered: { name: string; label: string }[] = (await admin.get('/api/v1/account_invites/roles')).body.data
      const label = offered.find(({ name }) => name === role)?.label
      const grants: { name: string; rights: string }[] = (await admin.get(`/api/v1/grants?search=${email}`)).body.data
      expect([data.role_label, grants.map(({ rights }) => rights)]).toEqual([label, [label]])
    }
  })

  it('is mailed by a call of its own, with the link, and a reply goes to the sender', async () => {
    const { data } = (await invite({ email: 'mail@buyer.example' })).body
    const sent = await asBroker.post('/api/v1/account_invites/send', { invite_id: data.id })
    expect(sent.body.message).toBe('The invitation is on its way to mail@buyer.example.')
    const mail = await letter(app, 'mail@buyer.example')
    expect(mail.subject).toMatch(/ has invited you to Cascadia Portfolio$/)
    expect(mail.text).toContain(`/invite/${data.invite_id}`)
    const shown = async () => (await asBroker.get(`/api/v1/account_invites/${data.id}`)).body.data.sent_at
    await vi.waitFor(async () => expect(await shown()).toEqual(expect.any(String)))
  })

  it.each([
    ['30 days', false],
    ['any time', true],
  ])('says in the mail that it needs no password, for %s', async (_, permanent) => {
    const email = `permanent-${permanent}@buyer.example`
    const { data } = (await invite({ email })).body
    if (permanent) await act('issue_permanently', data.id)
    await asBroker.post('/api/v1/account_invites/send', { invite_id: data.id })
    const { text } = await letter(app, email)
    expect([text.includes('You need no password.'), text.includes('The link works until')]).toEqual([true, !permanent])
  })

  it('is not shown as mailed before the mail server has taken the mail', async () => {
    const { data } = (await invite({ email: 'later@buyer.example' })).body
    const down = vi.spyOn(app.system.mail, 'send').mockRejectedValue(new Error('The mail server is down.'))
    await asBroker.post('/api/v1/account_invites/send', { invite_id: data.id })
    await vi.waitFor(() => expect(down).toHaveBeenCalled())
    expect((await asBroker.get(`/api/v1/account_invites/${data.id}`)).body.data.sent_at).toBeNull()
    down.mockRestore()
  })

  it('is listed by its account, and is never deleted', async () => {
    const elsewhere = await makeAccount(app.system, { companyId, name: 'Elsewhere' })
    const { data } = (await invite({ account_id: elsewhere.id })).body
    const ids = async (query: string) => {
      const { body } = await asBroker.get(`/api/v1/account_invites?${query}`)
      expect(body.message).toBe('')
      return body.data.map((row: { id: string }) => row.id)
    }
    expect(await ids(`account_id=${elsewhere.id}`)).toEqual([data.id])
    expect(await ids(`filter__account_id=${elsewhere.id}`)).toEqual([data.id])
    expect((await asBroker.get(`/api/v1/account_invites?account_id=${elsewhere.id}&filter__account_id=${account.id}`)).status).toBe(400)
    const removed = await asBroker.delete('/api/v1/account_invites', { ids: [data.id] })
    expect([removed.status, removed.body.message]).toEqual([403, 'Invitations cannot be deleted. Revoke them instead.'])
    const without = await makeUser(app.system, { companyId, role: 'carrier' })
    expect((await app.as(without.id).delete('/api/v1/account_invites', { ids: [data.id] })).status).toBe(403)
  })

  it('cannot be sent by a company that does not own the account, or by a person from outside', async () => {
    const carrier = await makeUser(app.system, { role: 'client' })
    const shared = await makeAccount(app.system, { companyId, name: 'Shared', users: [carrier.id] })
    const body = { account_id: shared.id, role: 'invite_guest', email: 'x@buyer.example' }
    expect((await app.as(carrier.id).post('/api/v1/account_invites', body)).status).toBe(403)
    const { data } = (await invite({ role: 'client' })).body
    const guest = await enter(data.invite_id)
    expect((await guest.post('/api/v1/account_invites', { ...body, account_id: account.id })).status).toBe(403)
    expect((await guest.get('/api/v1/account_invites')).status).toBe(403)
  })

  it('rejects many wrong links from one network, but never a right one', async () => {
    clock.pass(HOUR_MS)
    const { data } = (await invite()).body
    const wrong = await Promise.all(Array.from({ length: 32 }, (_, index) => accept(`wrong-link-${index}`.padEnd(43, 'x'))))
    expect(wrong[0]?.body.message).toContain('This invitation link is not right.')
    expect(wrong.map(({ status }) => status).filter((status) => status === 429).length).toBeGreaterThan(0)
    expect((await accept(data.invite_id)).status).toBe(200)
  })
})
