import { expect, type BrowserContext, type Page } from '@playwright/test'
import { inviteCalls } from '#contract/account-invites.ts'
import { accountCalls } from '#contract/accounts.ts'
import { fileCalls } from '#contract/account-files.ts'
import { WRONG_LINKS_PER_NETWORK } from '#contract/guest-limits.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { makeProperty } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'
import { addDocument } from '../support/uploads.ts'

let scene: { broker: Person; client: Client; id: string }
test.beforeEach(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, `Harbor Brokers ${Date.now()}`)
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Bea' })
  const client = await signedIn(world.address, broker)
  const { data } = await client(accountCalls.create, { body: { name: 'Pier Nine', type: 'standard' } })
  await addDocument(client, world.address, { accountId: data.id, name: 'survey.txt', bytes: Buffer.from('A survey.\n') })
  scene = { broker, client, id: data.id }
})

/** Calls that a page made and that were answered with an error. */
function rejectedCalls(context: BrowserContext): string[] {
  const rejected: string[] = []
  context.on('response', (response) => {
    if (response.status() >= 400 && response.url().includes('/api/')) rejected.push(`${response.status()} ${response.url()}`)
  })
  return rejected
}

/** A page in a browser of its own, without a session. */
async function otherBrowser(context: BrowserContext): Promise<Page> {
  const page = await (await context.browser()?.newContext())?.newPage()
  if (page === undefined) throw new Error('The browser is closed')
  return page
}

const skipTour = async (page: Page) => page.getByRole('button', { name: 'Skip Tour' }).first().click()
const invite = async (role: string, email: string) =>
  (await scene.client(inviteCalls.create, { body: { account_id: scene.id, role, email } })).data
const hasEnded = (page: Page) => expect(page.getByRole('heading', { name: 'This visit has ended.' })).toBeVisible()
const pathOf = (link: string) => new URL(link).pathname

test('an invited person opens the account, sees what they may, and is out as soon as the invitation is revoked', async ({
  page,
  context,
}) => {
  const rejected = rejectedCalls(context)
  const { id, link } = await invite('invite_guest', 'una@carrier.example')
  await page.goto(pathOf(link))
  await expect(page.getByRole('heading', { name: 'You are invited to Pier Nine' })).toBeVisible()
  await checkScreen(page, 'guest-invitation', { phone: true })
  await page.getByRole('button', { name: 'Open the account' }).click()
  await expect(page).toHaveURL(new RegExp(`/accounts/${scene.id}/?$`))
  await skipTour(page)
  await expect(page.getByText('Limited Account Access')).toBeVisible()
  await expect(page.getByText('This information is confidential.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Notifications/ })).toHaveCount(0)
  await checkScreen(page, 'guest-invitee', { phone: true })
  await page.getByRole('tab', { name: /Documents/ }).click()
  await expect(page.getByText('survey.txt')).toBeVisible()
  expect(rejected).toEqual([])
  await page.getByRole('tab', { name: /Overview/ }).click()
  await expect(page.getByRole('button', { name: 'Download Everything' })).toBeVisible()
  await scene.client(inviteCalls.act, { body: { action: 'revoke', selectedIds: [id] } })
  await page.getByRole('link', { name: '1 disclosed document' }).click()
  await page.reload()
  await hasEnded(page)
  await checkScreen(page, 'guest-ended', { phone: true })
  // Another page of the product in the same tab, without a session.
  await page.goto(`/accounts/${scene.id}`)
  await hasEnded(page)
  await page.goto(pathOf(link))
  await expect(page.getByRole('heading', { name: 'Invitation Error' })).toBeVisible()
  await expect(page.getByText('This invitation is no longer valid.')).toBeVisible()
})

test('a visitor opens a link with a password, and the broker sees the visit', async ({ page, context }) => {
  const { data: link } = await scene.client(sharingCalls.createLink, {
    params: { id: scene.id },
    body: { label: 'Carrier', protection: 'password', password: 'quiet harbor', rights: 'view' },
  })
  await page.goto(pathOf(link.link))
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
  await page.getByRole('button', { name: 'Open the account' }).click()
  await expect(page.getByText('This is not the password of the link.')).toBeVisible()
  await checkScreen(page, 'guest-password', { phone: true })
  const rejected = rejectedCalls(context)
  await page.getByRole('textbox', { name: 'Password' }).fill('quiet harbor')
  await page.getByRole('button', { name: 'Open the account' }).click()
  await skipTour(page)
  await expect(page.getByText(/^Sent from Bea/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await checkScreen(page, 'guest-visitor', { phone: true })
  expect(rejected).toEqual([])
  const { data: visits } = await scene.client(sharingCalls.visits, { params: { id: scene.id } })
  expect(visits).toMatchObject([{ id: link.id, state: 'opened', opened: 1 }])
})

/** What a first visit may load. Above it, the first page of a guest takes seconds on a slow network. */
const FIRST_VISIT_SCRIPT_MAX_BYTES = 250_000

test('the first visit loads little script, with the tour', async ({ page }) => {
  for (const number of [1, 2, 3]) await makeProperty(scene.client, scene.id, number)
  const { data: link } = await scene.client(sharingCalls.createLink, { params: { id: scene.id }, body: { label: 'Carrier' } })
  const scripts: Promise<{ name: string; bytes: number }>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    const named = (sizes: { responseBodySize: number }) => ({ name: new URL(request.url()).pathname, bytes: sizes.responseBodySize })
    scripts.push(request.sizes().then(named))
  })
  await page.goto(pathOf(link.link))
  await expect(page.getByRole('dialog', { name: 'Welcome to Pier Nine' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const loaded = await Promise.all(scripts)
  expect(loaded.length).toBeGreaterThan(0)
  const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(total, loaded.map(({ name, bytes }) => `${name} ${String(bytes)}`).join('\n')).toBeLessThan(FIRST_VISIT_SCRIPT_MAX_BYTES)
})

const AN_HOUR_MS = 3_600_000
/** Moves the visits that the browser remembers into the past, as if an hour had gone by. */
const waitAnHour = (page: Page) =>
  page.evaluate((hour) => {
    const earlier = (text: string) => new Date(Date.parse(text) - hour).toISOString()
    const stored = window.localStorage.getItem('plumbline.visits') ?? ''
    window.localStorage.setItem('plumbline.visits', stored.replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, earlier))
  }, AN_HOUR_MS)

test('a visitor sees what is insured, opens what is counted, and sees later what is new', async ({ page, world }) => {
  for (const number of [1, 2, 3]) await makeProperty(scene.client, scene.id, number)
  const { data: link } = await scene.client(sharingCalls.createLink, { params: { id: scene.id }, body: { label: 'Carrier' } })
  await page.goto(pathOf(link.link))
  await skipTour(page)
  await expect(page.getByRole('button', { name: 'Download Everything' })).toBeVisible()
  await expect(page.getByText('$3,000,000').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Since your last visit' })).toHaveCount(0)
  await checkScreen(page, 'guest-overview', { phone: true })
  await page.getByRole('link', { name: 'All 3 properties' }).click()
  for (const name of ['Mill 1', 'Mill 2', 'Mill 3']) await expect(page.getByText(name, { exact: true })).toBeVisible()
  await waitAnHour(page)
  await addDocument(scene.client, world.address, { accountId: scene.id, name: 'roof.txt', bytes: Buffer.from('A roof.\n') })
  await page.goto(`/accounts/${scene.id}?tab=overview`)
  const since = page.getByRole('region', { name: 'Since your last visit' })
  await expect(since.getByRole('link', { name: '3 properties added' })).toBeVisible()
  await since.getByRole('link', { name: /2 (disclosed|submission) documents added/ }).click()
  await expect(page.getByText('roof.txt')).toBeVisible()
  await expect(page.getByText('survey.txt')).toBeVisible()
})

test('a person who was invited to upload sees their own documents only', async ({ page }) => {
  const { link } = await invite('upload_only', 'ulf@client.example')
  await page.goto(pathOf(link))
  await page.getByRole('button', { name: 'Open the account' }).click()
  await expect(page.getByRole('tab', { name: /Upload Documents/ })).toBeVisible()
  await expect(page.getByText('survey.txt')).toHaveCount(0)
  await expect(page.getByText('Skip Tour')).toHaveCount(0)
  await checkScreen(page, 'guest-uploader', { phone: true })
})

test('the broker sees the account as a visitor in a tab of its own, and keeps the own session', async ({ page, context }) => {
  await scene.client(sharingCalls.createLink, { params: { id: scene.id }, body: { label: 'Carrier' } })
  await signInAt(page, scene.broker.email, `/accounts/${scene.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const opened = context.waitForEvent('page')
  await page
    .getByRole('button', { name: /^View as/ })
    .first()
    .click()
  const preview = await opened
  await expect(preview.getByText(/You see this account as .* sees it\./)).toBeVisible()
  await expect(preview.getByRole('button', { name: 'View Tour' })).toBeVisible()
  await expect(preview.getByRole('button', { name: 'Skip Tour' })).toHaveCount(0)
  await checkScreen(preview, 'guest-preview', { phone: true })
  await preview.close()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeVisible()
})

test.describe('an invitation', () => {
  test('that is opened by another user, such as a colleague of the sender, asks before it replaces the session', async ({
    page,
    world,
  }) => {
    const colleague = await makePerson(world.admin, { role: 'broker', companyId: scene.broker.companyId, firstName: 'Cy' })
    const { link } = await invite('invite_guest', 'una@carrier.example')
    await signInAt(page, colleague.email)
    await page.goto(pathOf(link))
    await expect(page.getByText(`You are signed in as ${colleague.email}. This invitation is for una@carrier.example.`)).toBeVisible()
    await checkScreen(page, 'guest-invitation-signed-in', { phone: true })
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await page.goto(pathOf(link))
    await page.getByRole('button', { name: 'Open the invitation' }).click()
    await skipTour(page)
    await expect(page.getByText('Limited Account Access')).toBeVisible()
  })

  test('that is opened twice opens the account for both, and for a user with its email among their invited accounts', async ({
    page,
    context,
    world,
  }) => {
    const { id: elsewhere } = await makeCompany(world.admin, `Elsewhere ${Date.now()}`)
    const user = await makePerson(world.admin, { role: 'broker', companyId: elsewhere, firstName: 'Vera' })
    const { link } = await invite('invite_guest', user.email)
    for (const _time of ['first', 'second']) {
      const other = await otherBrowser(context)
      await other.goto(new URL(pathOf(link), world.address).href)
      await other.getByRole('button', { name: 'Open the account' }).click()
      await expect(other.getByText('Limited Account Access')).toBeVisible()
      await other.context().close()
    }
    await signInAt(page, user.email)
    await page.goto(pathOf(link))
    await page.getByRole('button', { name: 'Open the account' }).click()
    await expect(page.getByText('The account is now among your invited accounts, on your dashboard.')).toBeVisible()
    await checkScreen(page, 'guest-invitation-own', { phone: true })
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await expect(page.getByText('Pier Nine').first()).toBeVisible()
  })

  test('for a user of the own company is rejected with the reason', async ({ page, world }) => {
    const colleague = await makePerson(world.admin, { role: 'broker', companyId: scene.broker.companyId, firstName: 'Cy' })
    await signInAt(page, scene.broker.email, `/accounts/${scene.id}/invites/create`)
    await page.getByRole('textbox', { name: 'Email' }).fill(colleague.email)
    await page.getByRole('button', { name: 'Create invitation' }).click()
    await expect(page.getByText(`${colleague.email} has access already, as a user of`)).toBeVisible()
  })

  test('that is revoked during an upload stores nothing, and the page says that the visit has ended', async ({ page }) => {
    const { id, link } = await invite('upload_only', 'ulf@client.example')
    await page.goto(pathOf(link))
    await page.getByRole('button', { name: 'Open the account' }).click()
    await expect(page.getByRole('tab', { name: /Upload Documents/ })).toBeVisible()
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'POST' && (route.request().postDataBuffer()?.includes('A late report.') ?? false))
        await scene.client(inviteCalls.act, { body: { action: 'revoke', selectedIds: [id] } })
      await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await chooser).setFiles({ name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('A late report.\n') })
    await expect(page.getByRole('button', { name: '1 file not uploaded' })).toBeVisible()
    await page.getByRole('button', { name: 'Try late.txt again' }).click()
    await hasEnded(page)
    const { data: files } = await scene.client(fileCalls.index, { query: { filter__account_id: scene.id } })
    expect(files.map(({ name }) => name.text)).toEqual(['survey.txt'])
  })
})

test('a link that a signed-in user opens and confirms is a visit in that tab, and other tabs remain signed in', async ({
  page,
  context,
}) => {
  const { data: link } = await scene.client(sharingCalls.createLink, { params: { id: scene.id }, body: { label: 'Carrier' } })
  await signInAt(page, scene.broker.email)
  const tab = await context.newPage()
  await tab.goto(pathOf(link.link))
  await expect(tab.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await checkScreen(tab, 'share-signed-in', { phone: true })
  await tab.getByRole('button', { name: 'Open the shared account' }).click()
  await skipTour(tab)
  await expect(tab.getByText(/^Sent from Bea/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('after many wrong links one message says when to try again, and a right link opens', async ({ page, world }) => {
  const wrong = () => fetch(`${world.address}/api/v1/accounts/${scene.id}/share`, WRONG)
  for (let count = 0; count < WRONG_LINKS_PER_NETWORK; count += 1) await wrong()
  await page.goto(`/account/${scene.id}/share/${'x'.repeat(43)}`)
  await expect(page.getByRole('heading', { name: 'Invitation Error' })).toBeVisible()
  await expect(page.getByText(/^Too many attempts\. Please try again in \d+ minutes\.$/)).toHaveCount(1)
  await checkScreen(page, 'guest-throttled', { phone: true })
  const { link } = await invite('invite_guest', 'una@carrier.example')
  await page.goto(pathOf(link))
  await expect(page.getByRole('heading', { name: 'You are invited to Pier Nine' })).toBeVisible()
})

const WRONG = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ share_token: 'x'.repeat(43) }),
}
