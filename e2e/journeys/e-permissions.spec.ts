import { expect, type Page } from '@playwright/test'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { makeAccount } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { signInAt, checkScreen, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'
import { addDocument } from '../support/uploads.ts'

let brokerClient: Client
let accountId: string
let foreignId: string
let client: Person
let carrier: Person
let uploader: Person

test.beforeAll(async ({ world }) => {
  const { admin, address } = world
  const owner = await makeCompany(admin, 'Cedar Point Properties')
  const market = await makeCompany(admin, 'Granary Mutual')
  const broker = await makePerson(admin, { role: 'broker', companyId: owner.id, firstName: 'Bea' })
  client = await makePerson(admin, { role: 'client', companyId: owner.id, firstName: 'Cal' })
  carrier = await makePerson(admin, { role: 'carrier', companyId: market.id, firstName: 'Una' })
  uploader = await makePerson(admin, { role: 'upload_only', companyId: owner.id, firstName: 'Uri' })
  brokerClient = await signedIn(address, broker)
  accountId = await makeAccount(brokerClient, 'Cedar Point 2026', 2)
  await brokerClient(accountCalls.update, { params: { id: accountId }, body: { carrier_company_id: market.id, users: [uploader.id] } })
  await addDocument(brokerClient, address, { accountId, name: 'Appraisal.txt', bytes: Buffer.from('Appraised.\n') })
  const secret = await addDocument(brokerClient, address, { accountId, name: 'Commission.txt', bytes: Buffer.from('For us alone.\n') })
  await brokerClient(fileCalls.patch, { params: { id: accountId, file_id: secret }, body: { private: true } })

  const stranger = await makeCompany(admin, 'Other Harbor Brokers')
  const other = await makePerson(admin, { role: 'broker', companyId: stranger.id, firstName: 'Otto' })
  foreignId = await makeAccount(await signedIn(address, other), 'Confidential Wharf', 1)
  await admin(companyCalls.show, { params: { id: stranger.id } })
})

const mainLinks = async (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()

test('a client edits properties and the account but cannot delete the account', async ({ page }) => {
  await signInAt(page, client.email)
  await expect.poll(() => mainLinks(page)).toEqual(['Dashboard', 'Accounts', 'Flags', 'Links and invitations'])
  await page.goto(`/accounts/${accountId}?tab=properties`)
  await expect(page.getByRole('link', { name: 'Add property' })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('link', { name: 'Edit Account' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete Account' })).toBeHidden()
  await checkScreen(page, 'account-client')
})

test('a carrier sees the account and its public documents and cannot change anything', async ({ page }) => {
  await signInAt(page, carrier.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add property' })).toBeHidden()
  await expect(page.getByRole('button', { name: /\. Edit$/ })).toHaveCount(0)
  await page.getByRole('tab', { name: /^Documents/ }).click()
  await expect(page.getByRole('button', { name: /^Disclosed Documents\s*1 document/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Appraisal/ })).toBeVisible()
  await expect(page.getByText('Commission')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Upload documents' })).toBeHidden()
  await checkScreen(page, 'account-carrier')
})

test('an upload-only user opens their only account and sees nothing but the upload', async ({ page }) => {
  await signInAt(page, uploader.email)
  await expect(page).toHaveURL(new RegExp(`/accounts/${accountId}$`))
  await expect(page.getByRole('heading', { name: 'Cedar Point 2026' })).toBeVisible()
  await expect.poll(() => mainLinks(page)).toEqual(['Your accounts'])
  await expect(page.getByRole('region', { name: 'Upload Files' }).getByText('Drop files or folders here')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Documents 0' })).toBeVisible()
  await expect(page.getByText('No disclosed documents yet.')).toBeVisible()
  await expect(page.getByText(/Appraisal\.txt|Commission\.txt/)).toHaveCount(0)
  await expect(page.getByRole('tab')).toHaveCount(1)
  await checkScreen(page, 'account-upload-only', { phone: true })
  const { status } = await page.request
    .get(`/api/v1/account_properties?filter__account_id=${accountId}`, { headers: await bearer(page) })
    .then((answer) => ({ status: answer.status() }))
  expect(status).toBe(403)
})

test('an upload-only user sees a message without accounts and a choice between several', async ({ page, world }) => {
  const secondId = await makeAccount(brokerClient, 'Cedar Point Harbor', 0)
  const idle = await makePerson(world.admin, { role: 'upload_only', companyId: client.companyId, firstName: 'Ida' })
  await signInAt(page, idle.email)
  await expect(page.getByText('No accounts are assigned to you yet.')).toBeVisible()
  await checkScreen(page, 'assigned-accounts-none', { phone: true })
  for (const id of [accountId, secondId])
    await brokerClient(accountCalls.update, { params: { id }, body: { users: [uploader.id, idle.id] } })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Cedar Point 2026' })).toBeVisible()
  await checkScreen(page, 'assigned-accounts', { phone: true })
  await page.getByRole('link', { name: 'Cedar Point Harbor' }).click()
  await expect(page).toHaveURL(new RegExp(`/accounts/${secondId}$`))
})

test('an account of another company is not found by path, in lists or in the search', async ({ page }) => {
  await signInAt(page, client.email, `/accounts/${foreignId}`)
  await expect(page).toHaveURL(/\/accounts$/)
  await expect(page.getByRole('link', { name: /Cedar Point 2026/ })).toBeVisible()
  await expect(page.getByText('Confidential Wharf')).toHaveCount(0)
  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: 'Global Search' })
  await search.getByRole('textbox', { name: 'Search' }).fill('Confidential')
  await expect(search.getByText('No results found.').first()).toBeVisible()
  await expect(search.getByRole('link', { name: /Confidential/ })).toHaveCount(0)
  await checkScreen(page, 'search-nothing')
  await search.getByRole('textbox', { name: 'Search' }).fill('Cedar Point')
  await expect(search.getByRole('link', { name: /Cedar Point 2026/ })).toBeVisible()
  await checkScreen(page, 'search', { phone: true })
})

test('a page is not found without its permission', async ({ page }) => {
  await signInAt(page, client.email)
  for (const path of ['/users', '/companies']) {
    await page.goto(path)
    await expect(page.getByText('The page you are looking for does not exist or you may not have permission to view this.')).toBeVisible()
  }
})

async function bearer(page: Page): Promise<Record<string, string>> {
  const token = await page.evaluate(() => /"token":"([^"]+)"/.exec(window.sessionStorage.getItem('plumbline.session') ?? '')?.[1])
  return { authorization: `Bearer ${token}` }
}
