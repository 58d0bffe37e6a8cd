import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoDateIn } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { NotificationKind } from '#contract/notifications.ts'
import type { Context } from '#server/engines/context.ts'
import { mailDigests, mailNotification } from '#server/engines/notification/mail-notifications.job.ts'
import { notify, type NewNotification } from '#server/engines/notification/notify.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeArchive } from '../account-files/archive.job.ts'
import { notifyNewFiles } from '../account-files/new-files.job.ts'
import { notifySubmissionsDue } from './submissions-due.job.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const RUN = { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal }

async function makeScene() {
  const company = await makeCompany(app.system)
  const person = (role: Parameters<typeof makeUser>[1] = {}) => makeUser(app.system, { companyId: company.id, ...role })
  const [owner, colleague, outsider] = [await person(), await person(), await makeUser(app.system)]
  const account = await makeAccount(app.system, { companyId: company.id, name: 'Harbor Stores' })
  await app.system.db.updateTable('accounts').set({ created_by: owner.id }).where('id', '=', account.id).execute()
  return { company, owner, colleague, outsider, account: account.id }
}
type Scene = Awaited<ReturnType<typeof makeScene>>

const contextOf = async (userId: string): Promise<Context> => ({ ...app.system, viewer: await app.viewer(userId) })
const send = async (from: Context, to: readonly string[], accountId: string, rest: Partial<NewNotification> = {}) =>
  transact(from, (tx) => notify(tx, to, { kind: 'managed_ready', accountId, message: 'Harbor Stores is ready.', ...rest }))
const unread = async (userId: string) => (await app.as(userId).get('/api/v1/notifications?view=unread')).body
const messages = async (userId: string): Promise<string[]> => (await unread(userId)).data.map(({ message }: { message: string }) => message)
const prefer = (userId: string, kind: NotificationKind, delivery: string) =>
  app.as(userId).put('/api/v1/notification-preferences', { preferences: { [kind]: delivery } })
/** In a transaction, whose commit drops cached sessions. */
const takeAccess = (scene: Scene) =>
  transact(app.system, (tx) =>
    tx.db.updateTable('users').set({ company_id: scene.outsider.companyId }).where('id', '=', scene.colleague.id).execute(),
  )

describe('a notification', () => {
  it('has a link, reaches users who see the account, and neither its actor nor others', async () => {
    const { owner, colleague, outsider, account } = await makeScene()
    await send(await contextOf(owner.id), [owner.id, colleague.id, outsider.id], account)
    expect(await unread(colleague.id)).toMatchObject({
      count: 1,
      data: [{ message: 'Harbor Stores is ready.', icon: 'folder', type: 'managed_ready', link: { model: 'accounts', model_id: account } }],
    })
    expect([await messages(owner.id), await messages(outsider.id)]).toEqual([[], []])
  })

  it('reaches its actor for work in the background', async () => {
    const { owner, account } = await makeScene()
    await send(await contextOf(owner.id), [owner.id], account, { withActor: true })
    expect(await messages(owner.id)).toHaveLength(1)
  })

  it('does not reach guests', async () => {
    const { company, owner, account } = await makeScene()
    const guest = await makeUser(app.system, { companyId: company.id, role: 'invite_guest' })
    await app.system.db.insertInto('account_users').values({ account_id: account, user_id: guest.id }).execute()
    await send(await contextOf(owner.id), [guest.id], account)
    expect(await app.system.db.selectFrom('notifications').select('id').where('user_id', '=', guest.id).execute()).toEqual([])
  })

  it('about a record that the user does not see is not stored', async () => {
    const { owner, account, company } = await makeScene()
    const carrier = await makeUser(app.system, { companyId: company.id, role: 'carrier' })
    const ctx = await contextOf(owner.id)
    const { id } = await makeFile(ctx, account, { name: 'secret.txt', private: true })
    await send(ctx, [carrier.id], account, { kind: 'files_added', subject: { model: 'account_files', id }, message: 'secret.txt' })
    expect(await app.system.db.selectFrom('notifications').select('id').where('user_id', '=', carrier.id).execute()).toEqual([])
  })

  it('is hidden while its account or record is in the trash, and from users who lost access', async () => {
    const scene = await makeScene()
    const { owner, colleague, account } = scene
    const property = await makeProperty(app.system, account)
    await send(await contextOf(owner.id), [colleague.id], account)
    await send(await contextOf(owner.id), [colleague.id], account, { subject: { model: 'account_properties', id: property.id } })
    expect((await unread(colleague.id)).count).toBe(2)
    await app.system.db.updateTable('account_properties').set({ deleted_at: new Date() }).where('id', '=', property.id).execute()
    expect((await unread(colleague.id)).count).toBe(1)
    await takeAccess(scene)
    expect(await unread(colleague.id)).toMatchObject({ count: 0, data: [] })
  })

  it('is dismissed alone, or with all others up to a time', async () => {
    const { owner, colleague, account } = await makeScene()
    const ctx = await contextOf(owner.id)
    for (const message of ['one', 'two', 'three']) await send(ctx, [colleague.id], account, { message })
    const { data } = await unread(colleague.id)
    const as = app.as(colleague.id)
    expect((await as.put(`/api/v1/notifications/${data[0].id}`)).body.message).toBe('Dismissed.')
    await as.put('/api/v1/notifications/all', { until: data[1].created_at })
    expect(await messages(colleague.id)).toEqual([])
    await send(ctx, [colleague.id], account, { message: 'four' })
    await as.put('/api/v1/notifications/all', { until: data[1].created_at })
    expect(await messages(colleague.id)).toEqual(['four'])
    await as.put('/api/v1/notifications/all')
    expect(await messages(colleague.id)).toEqual([])
  })

  it('that was dismissed is shown again, alone or with those dismissed at the same time, and only to its user', async () => {
    const { owner, colleague, account } = await makeScene()
    const ctx = await contextOf(owner.id)
    for (const message of ['one', 'two', 'three']) await send(ctx, [colleague.id], account, { message })
    const as = app.as(colleague.id)
    const [{ id }] = (await unread(colleague.id)).data
    const first = (await as.put(`/api/v1/notifications/${id}`)).body
    await new Promise((resolve) => setTimeout(resolve, 5))
    const others = (await as.put('/api/v1/notifications/all')).body
    const restore = async (user: As, { dismissed_at }: { dismissed_at: string }) =>
      (await user.post('/api/v1/notifications/restore', { dismissed_at })).status
    expect(await restore(app.as(owner.id), others)).toBe(200)
    expect(await messages(colleague.id)).toEqual([])
    expect(await restore(as, others)).toBe(200)
    expect((await messages(colleague.id)).toSorted()).toEqual(['one', 'two'])
    expect(await restore(as, first)).toBe(200)
    expect((await messages(colleague.id)).toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('of another user cannot be dismissed and is not found', async () => {
    const { owner, colleague, account } = await makeScene()
    await send(await contextOf(owner.id), [colleague.id], account)
    const { id } = (await unread(colleague.id)).data[0]
    expect((await app.as(owner.id).put(`/api/v1/notifications/${id}`)).status).toBe(404)
    await app.as(owner.id).put('/api/v1/notifications/all')
    expect(await messages(colleague.id)).toHaveLength(1)
  })
})

describe('the way of a kind', () => {
  it('is chosen for kinds that the user can get and that have a source', async () => {
    const { colleague } = await makeScene()
    const { body } = await app.as(colleague.id).get('/api/v1/notification-preferences')
    const kinds = body.data.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toContain('files_added')
    expect(kinds).not.toContain('managed_requested')
    expect(kinds).not.toContain('discrepancy_assigned')
    // No call assigns discrepancies.
    expect((await prefer(colleague.id, 'discrepancy_assigned', 'email')).status).toBe(400)
    const rejected = await prefer(colleague.id, 'managed_requested', 'email')
    expect(rejected.body.errors).toEqual({ 'preferences.managed_requested': ['You do not get notifications of this kind.'] })
    expect((await prefer(colleague.id, 'files_added', 'sometimes')).status).toBe(400)
    const saved = await prefer(colleague.id, 'files_added', 'digest')
    expect(saved.body.data).toContainEqual({ kind: 'files_added', label: 'New documents on an account', delivery: 'digest' })
  })

  it('off stores nothing', async () => {
    const { owner, colleague, account } = await makeScene()
    await prefer(colleague.id, 'managed_ready', 'off')
    await send(await contextOf(owner.id), [colleague.id], account)
    expect(await app.system.db.selectFrom('notifications').select('id').where('user_id', '=', colleague.id).execute()).toEqual([])
  })

  it('email mails it once with a link', async () => {
    const { owner, colleague, account } = await makeScene()
    await prefer(colleague.id, 'managed_ready', 'email')
    await send(await contextOf(owner.id), [colleague.id], account)
    const { id } = (await unread(colleague.id)).data[0]
    for (let time = 0; time < 2; time += 1) await mailNotification.run(app.system, { id }, RUN)
    const mails = await queuedMails(app, colleague.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Harbor Stores is ready.'])
    expect(mails[0]?.text).toMatch(/^A managed account is ready\n\n/)
    expect(mails[0]?.text).toContain(`Open account:\n${app.system.config.appUrl}/accounts/${account}\n`)
    expect(mails[0]?.text).toContain(`Change this on your profile:\n${app.system.config.appUrl}/profile\n`)
  })

  it('email has a short subject in one line, and the whole text below', async () => {
    const { owner, colleague, account } = await makeScene()
    await prefer(colleague.id, 'managed_ready', 'email')
    const message = `First line.\n${'long '.repeat(60)}end`
    await send(await contextOf(owner.id), [colleague.id], account, { message })
    await mailNotification.run(app.system, { id: (await unread(colleague.id)).data[0].id }, RUN)
    const [mail] = await queuedMails(app, colleague.email)
    expect(mail?.subject).toMatch(/^First line\. long long [long ]+…$/)
    expect(mail?.subject.length).toBeLessThanOrEqual(121)
    expect(mail?.text).toContain(message)
  })

  it('email and digest mail nothing that the user can no longer see', async () => {
    const scene = await makeScene()
    const { owner, colleague, account } = scene
    await prefer(colleague.id, 'managed_ready', 'email')
    await send(await contextOf(owner.id), [colleague.id], account)
    const { id } = (await unread(colleague.id)).data[0]
    await prefer(colleague.id, 'managed_ready', 'digest')
    await send(await contextOf(owner.id), [colleague.id], account)
    await takeAccess(scene)
    await mailNotification.run(app.system, { id }, RUN)
    await mailDigests.run(app.system, {}, RUN)
    expect(await queuedMails(app, colleague.email)).toEqual([])
  })

  it('digest mails what was not dismissed, in one mail', async () => {
    const { owner, colleague, account } = await makeScene()
    await prefer(colleague.id, 'managed_ready', 'digest')
    const ctx = await contextOf(owner.id)
    for (const message of ['First.', 'Second.', 'Third.']) await send(ctx, [colleague.id], account, { message })
    const { data } = await unread(colleague.id)
    await app.as(colleague.id).put(`/api/v1/notifications/${data[2].id}`)
    for (let time = 0; time < 2; time += 1) await mailDigests.run(app.system, {}, RUN)
    const mails = await queuedMails(app, colleague.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toMatch(/: 2 notifications on [A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    expect(mails[0]?.text).toMatch(/Second\.\nhttp\S+\n\nThird\./)
    expect(mails[0]?.text).not.toContain('First.')
  })
})

describe('new documents', () => {
  it('are one notification for each user, of the documents of others that they see', async () => {
    const { company, owner, colleague, account } = await makeScene()
    const carrier = await makeUser(app.system, { companyId: company.id, role: 'carrier' })
    const db = app.system.db
    await db.updateTable('accounts').set({ send_new_files_notification: true }).where('id', '=', account).execute()
    const ctx = await contextOf(owner.id)
    await makeFile(ctx, account, { name: 'a.txt' })
    await makeFile(ctx, account, { name: 'b.txt', private: true })
    await makeFile(await contextOf(colleague.id), account, { name: 'c.txt' })
    for (let time = 0; time < 2; time += 1) await notifyNewFiles.run(app.system, { account_id: account }, RUN)
    expect(await messages(owner.id)).toEqual(['1 document was added to Harbor Stores.'])
    expect(await messages(colleague.id)).toEqual(['2 documents were added to Harbor Stores.'])
    expect(await messages(carrier.id)).toEqual(['2 documents were added to Harbor Stores.'])
  })

  it('are no notification on an account that has them turned off', async () => {
    const { owner, colleague, account } = await makeScene()
    await makeFile(await contextOf(owner.id), account, { name: 'a.txt' })
    await notifyNewFiles.run(app.system, { account_id: account }, RUN)
    expect(await messages(colleague.id)).toEqual([])
  })
})

describe('a download that waits for a job', () => {
  async function request() {
    const scene = await makeScene()
    const { id } = await makeFile(await contextOf(scene.owner.id), scene.account, { name: 'a.txt' })
    await app.system.db.updateTable('account_files').set({ crc32: null }).where('id', '=', id).execute()
    const answer = await app.as(scene.owner.id).post(`/api/v1/accounts/${scene.account}/files/action`, { action: 'archive' })
    const input = { archive_id: String(answer.body.data.id), user_id: scene.owner.id }
    return { ...scene, input }
  }

  it('is a notification for its requester when it is ready, once and with its link', async () => {
    const { owner, colleague, account, input } = await request()
    for (let time = 0; time < 2; time += 1) await makeArchive.run(app.system, input, RUN)
    expect((await unread(owner.id)).data).toMatchObject([
      {
        type: 'export_ready',
        message: expect.stringMatching(/^Harbor Stores - Organized Documents - .*\.zip is ready to download\.$/),
        link: { model: 'accounts', model_id: account, child: { model: 'archives', model_id: input.archive_id } },
      },
    ])
    expect(await messages(colleague.id)).toEqual([])
  })

  it('is a notification when its last try has failed', async () => {
    const { owner, input } = await request()
    const stopped = AbortSignal.abort()
    for (const lastAttempt of [false, true])
      await expect(makeArchive.run(app.system, input, { ...RUN, lastAttempt, signal: stopped })).rejects.toThrow('The worker is stopping')
    expect((await unread(owner.id)).data).toMatchObject([{ type: 'export_failed' }])
  })

  it('is no notification after it was canceled', async () => {
    const { owner, account, input } = await request()
    await app.as(owner.id).delete(`/api/v1/accounts/${account}/archives/${input.archive_id}`)
    await makeArchive.run(app.system, input, RUN)
    expect(await messages(owner.id)).toEqual([])
  })
})

describe('a managed account', () => {
  it('that is handed over is a notification for the staff who work on managed accounts, and one for its owner when it is ready', async () => {
    const { company, owner } = await makeScene()
    const staff = await makeUser(app.system, { role: 'provider' })
    const { id } = await makeAccount(app.system, { companyId: company.id, name: 'Pier Nine', type: 'managed' })
    await app.system.db.updateTable('accounts').set({ created_by: owner.id }).where('id', '=', id).execute()
    await makeFile(await contextOf(owner.id), id)
    await app.as(owner.id).put(`/api/v1/accounts/${id}`, { status_state: 'processing' })
    expect(await messages(staff.id)).toEqual([`${owner.fullName} asks for the setup of Pier Nine.`])
    await app.as(staff.id).put(`/api/v1/accounts/${id}`, { status_state: 'active' })
    expect(await messages(owner.id)).toEqual(['Pier Nine is ready.'])
  })
})

describe('a changed status', () => {
  it('is a notification for the owner, with both statuses', async () => {
    const { owner, colleague, account } = await makeScene()
    const { statuses } = (await app.as(owner.id).get(`/api/v1/accounts/${account}`)).body.data
    const [before, status] = statuses
    await app.as(colleague.id).patch('/api/v1/accounts/status', { account_id: account, status_id: status.id })
    expect(await messages(owner.id)).toEqual([
      `${colleague.fullName} changed the status of Harbor Stores from ${before.name} to ${status.name}.`,
    ])
    expect(await messages(colleague.id)).toEqual([])
  })
})

describe('a submission with critical discrepancies', () => {
  async function makeSubmission() {
    const { owner, account } = await makeScene()
    const property = await makeProperty(app.system, account)
    const critical = { account_id: account, property_id: property.id, check_id: 'DQ-02', group_name: 'data_quality', field: 'year_built' }
    await app.system.db
      .insertInto('discrepancies')
      .values({ ...critical, severity: 'critical', message: 'No year', fingerprint: 'year' })
      .execute()
    const takeEffectIn = (days: number) => {
      const date = isoDateIn(new Date(Date.now() + days * DAY_MS), 'America/New_York')
      return app.system.db.updateTable('accounts').set({ effective_date: date }).where('id', '=', account).execute()
    }
    return { owner, takeEffectIn }
  }

  it('reminds once within 30 and once within 7 days before its effective date', async () => {
    const { owner, takeEffectIn } = await makeSubmission()
    const dueIn = async (days: number) => {
      await takeEffectIn(days)
      for (let time = 0; time < 2; time += 1) await notifySubmissionsDue.run(app.system, {}, RUN)
    }
    await dueIn(40)
    expect(await messages(owner.id)).toEqual([])
    await dueIn(20)
    expect(await messages(owner.id)).toEqual(['Harbor Stores takes effect in 20 days and has open critical discrepancies.'])
    await dueIn(0)
    expect(await messages(owner.id)).toHaveLength(2)
  })

  it('is reminded of by the next run after one that was stopped', async () => {
    const { owner, takeEffectIn } = await makeSubmission()
    await takeEffectIn(20)
    await expect(notifySubmissionsDue.run(app.system, {}, { ...RUN, signal: AbortSignal.abort() })).rejects.toThrow(
      'Stopped before all reminders',
    )
    expect(await messages(owner.id)).toEqual([])
    await notifySubmissionsDue.run(app.system, {}, RUN)
    expect(await messages(owner.id)).toHaveLength(1)
  })
})
