import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HELP_REQUESTS_PER_HOUR } from '#contract/limits.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { makeInvite } from '#server/testing/factories/guests.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let client: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  app = await testApp({ env: { SUPPORT_EMAIL: 'support@plumbline.example' } })
  client = await makeUser(app.system, { role: 'client' })
})
afterAll(() => app.stop())

const send = (userId: string, body: object) => app.as(userId).post('/api/v1/help', body)
const REPORT = {
  message: 'The map is empty.\nIt was not yesterday.',
  url: 'https://plumbline.example/accounts/1',
  state: { route: 'account' },
}

describe('a report of a problem', () => {
  it('is stored with the page and mailed to support', async () => {
    const sent = await send(client.id, REPORT)
    expect(sent).toMatchObject({ status: 200, body: { message: "Thanks! We'll get back to you soon." } })
    const stored = await app.system.db.selectFrom('help_requests').selectAll().where('user_id', '=', client.id).execute()
    expect(stored).toMatchObject([{ ...REPORT, company_id: client.companyId }])
    const [mail] = await queuedMails(app, 'support@plumbline.example')
    expect(mail?.text).toContain('The map is empty.')
    expect(mail?.text).toContain(REPORT.url)
  })

  it('is answered to its user, and links to a page of this product only', async () => {
    const user = await makeUser(app.system, { role: 'client' })
    const page = `${app.system.config.appUrl}/accounts?a=1&b=2`
    for (const url of [page, `${app.system.config.appUrl}.elsewhere.example/`]) await send(user.id, { ...REPORT, url })
    const mails = (await queuedMails(app, 'support@plumbline.example')).filter(({ replyTo }) => replyTo === user.email)
    expect(mails.map(({ html }) => /href="([^"]*)"[^>]*>Open the page/.exec(html)?.[1])).toEqual([page.replace('&', '&#38;'), undefined])
    expect(mails[1]?.html).not.toMatch(/href="[^"]*elsewhere/)
  })

  it('is sent by an invited person, as of no company', async () => {
    const account = await makeAccount(app.system, { companyId: client.companyId })
    const { userId } = await makeInvite(app.system, account.id, { email: 'ann@buyer.example' })
    expect((await send(userId, REPORT)).status).toBe(200)
    const stored = await app.system.db.selectFrom('help_requests').selectAll().where('user_id', '=', userId).execute()
    expect(stored).toMatchObject([{ message: REPORT.message, company_id: null }])
    const mails = (await queuedMails(app, 'support@plumbline.example')).filter(({ replyTo }) => replyTo === 'ann@buyer.example')
    expect(mails.map(({ text }) => /\(ann@buyer\.example, invited to an account of .+\) reports a problem/.test(text))).toEqual([true])
  })

  it('needs a message', async () => {
    expect((await send(client.id, { message: '  ' })).body.errors).toEqual({ message: ['Please describe the problem.'] })
  })

  it('has a limit for each user and hour', async () => {
    const { id } = await makeUser(app.system, { role: 'client' })
    const statuses: number[] = []
    for (let index = 0; index <= HELP_REQUESTS_PER_HOUR; index += 1) statuses.push((await send(id, REPORT)).status)
    expect(statuses.lastIndexOf(200)).toBe(HELP_REQUESTS_PER_HOUR - 1)
    expect(statuses.at(-1)).toBe(429)
  })

  it('is mailed to administrators if no address for support is configured', async () => {
    const other = await testApp()
    const admin = await makeUser(other.system, { role: 'admin' })
    const user = await makeUser(other.system, { role: 'client' })
    await other.as(user.id).post('/api/v1/help', { message: 'Hello' })
    expect(await queuedMails(other, admin.email)).toHaveLength(1)
    await other.stop()
  })
})
