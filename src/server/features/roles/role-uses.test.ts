import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WriteContext } from '#server/engines/context.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'

let app: TestApp
let admin: As
let companyId: string
let serial = 0

beforeAll(async () => {
  app = await testApp()
  companyId = (await makeCompany(app.system)).id
  await subscribe(app.system, companyId)
  admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
})
afterAll(() => app.stop())

const ROLES = '/api/v1/roles'
const INVITES = '/api/v1/account_invites'
const remove = async (id: string) => {
  const { status, body } = await admin.delete(ROLES, { ids: [id] })
  return [status, body.message]
}
const revoke = (id: string) => admin.post(`${INVITES}/actions`, { action: 'revoke', selectedIds: [id] })

/** A role and the person invited with it to an account of their own. */
async function invited() {
  serial += 1
  const role = (await admin.post(ROLES, { label: `Inspector ${serial}`, permissions: ['view_account_details'] })).body.data
  const account = await makeAccount(app.system, { companyId })
  const send = () => admin.post(INVITES, { account_id: account.id, role: role.id, email: `inspector${serial}@buyer.example` })
  const invite = (await send()).body.data
  return { role, account, invite, send }
}
const live = (label: string) =>
  `A live invitation has the role ${label}. Revoke it first, or delete the role once the invitation has expired.`
const trashed = (label: string) =>
  `A live invitation to an account in the trash has the role ${label}. Permanently delete the account, or restore it and revoke the invitation.`

describe('a role of invited people', () => {
  it('cannot be deleted while an invitation is live, and can be once it is revoked', async () => {
    const { role, invite } = await invited()
    expect(await remove(role.id)).toEqual([409, live(role.label)])
    expect((await revoke(invite.id)).status).toBe(200)
    expect((await remove(role.id))[0]).toBe(200)
  })

  it('can be deleted once the invitation has expired, which stays in the list with its role', async () => {
    const { role, invite, account } = await invited()
    const ended = { expires_at: new Date(Date.now() - 1_000) }
    await app.system.db.updateTable('account_grants').set(ended).where('id', '=', invite.id).execute()
    expect((await remove(role.id))[0]).toBe(200)
    const listed = (await admin.get(`${INVITES}?filter__account_id=${account.id}`)).body.data
    expect(listed).toMatchObject([{ id: invite.id, status: { text: 'Expired' }, role: { text: role.label } }])
  })

  it('can be deleted once the user of the person is deleted', async () => {
    const { role, invite } = await invited()
    await app.system.db.updateTable('users').set({ deleted_at: new Date() }).where('grant_id', '=', invite.id).execute()
    expect((await remove(role.id))[0]).toBe(200)
  })

  it('leaves what the people saw and did on record, also when it is permanently deleted', async () => {
    const { role, invite, account } = await invited()
    const answer = await app.anonymous.post(`${INVITES}/accept`, { invite_id: invite.invite_id })
    expect(answer.status).toBe(200)
    await revoke(invite.id)
    const onRecord = async () => {
      const visits = (await admin.get(`/api/v1/accounts/${account.id}/visits`)).body.data
      const activity: { message: string }[] = (await admin.get(`/api/v1/accounts/${account.id}/activity?paginate=100`)).body.data
      return { visits, lines: activity.map(({ message }) => message) }
    }
    const before = await onRecord()
    expect(before.visits).toMatchObject([{ name: invite.email, opened: 1 }])
    expect(before.lines).toContainEqual(expect.stringContaining(`revoked the invitation of ${invite.email}`))
    expect((await remove(role.id))[0]).toBe(200)
    expect((await admin.delete(ROLES, { ids: [role.id], force: true })).status).toBe(200)
    expect(await onRecord()).toEqual(before)
  })

  it('cannot be deleted while the account is in the trash, because its restored invitation would have no role', async () => {
    const { role, account } = await invited()
    const other = await invited()
    await revoke(other.invite.id)
    for (const { id } of [account, other.account]) expect((await admin.delete('/api/v1/accounts', { ids: [id] })).status).toBe(200)
    expect(await remove(role.id)).toEqual([409, trashed(role.label)])
    expect((await remove(other.role.id))[0]).toBe(200)
    await admin.post('/api/v1/accounts/restore', { ids: [account.id] })
    expect(await remove(role.id)).toEqual([409, live(role.label)])
  })

  it('cannot be deleted while the company of the account is in the trash', async () => {
    const company = await makeCompany(app.system)
    await subscribe(app.system, company.id)
    const { role, invite, account } = await invited()
    const moved = { company_id: company.id }
    await app.system.db.updateTable('accounts').set(moved).where('id', '=', account.id).execute()
    await app.system.db.updateTable('users').set(moved).where('grant_id', '=', invite.id).execute()
    await admin.delete('/api/v1/companies', { ids: [company.id] })
    expect(await remove(role.id)).toEqual([409, trashed(role.label)])
  })

  it('cannot be given by an invitation when it is deleted at the same moment', async () => {
    const { role, invite, send } = await invited()
    await revoke(invite.id)
    const trash = (tx: WriteContext) => tx.db.updateTable('roles').set({ deleted_at: new Date() }).where('id', '=', role.id).execute()
    const answer = await callDuringChange(app, trash, send)
    expect([answer.status, answer.body.errors]).toEqual([400, { role: ['This role was deleted. Choose another one.'] }])
  })
})
