import { expect, type Page } from '@playwright/test'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { makeAccount } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { enter, look, test } from '../support/journey.ts'
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
  foreignId = await makeAccount(await signedIn(address, other), 'Nobody else may see this', 1)
  await admin(companyCalls.show, { params: { id: stranger.id } })
})

const mainLinks = async (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()

test('a client may change the register and send documents, but neither delete nor decide who is who', async ({ page }) => {
  await enter(page, client.email)
  await expect.poll(() => mainLinks(page)).toEqual(['Dashboard', 'Accounts'])
  await page.goto(`/accounts/${accountId}?tab=properties`)
  await expect(page.getByRole('link', { name: 'Add property' })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('link', { name: 'Edit Account' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete Account' })).toBeHidden()
  await look(page, 'account-client')
})

test('a carrier sees the account with its documents except the private one, and changes nothing', async ({ page }) => {
  await enter(page, carrier.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add property' })).toBeHidden()
  await expect(page.getByRole('button', { name: /\. Edit$/ })).toHaveCount(0)
  await page.getByRole('tab', { name: /^Documents/ }).click()
  await expect(page.getByRole('button', { name: /^Disclosed Documents\s*1 document/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Appraisal/ })).toBeVisible()
  await expect(page.getByText('Commission')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Upload documents' })).toBeHidden()
  await look(page, 'account-carrier')
})

test('a person who only uploads lands on the account they were given, where documents are brought and nothing else is seen', async ({
  page,
}) => {
  await enter(page, uploader.email)
  await expect(page).toHaveURL(new RegExp(`/accounts/${accountId}$`))
  await expect(page.getByRole('heading', { name: 'Cedar Point 2026' })).toBeVisible()
  await expect.poll(() => mainLinks(page)).toEqual(['Your accounts'])
  await expect(page.getByRole('region', { name: 'Upload Files' }).getByText('Drop files or folders here')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Documents 0' })).toBeVisible()
  await expect(page.getByText('No disclosed documents yet.')).toBeVisible()
  await expect(page.getByText(/Appraisal\.txt|Commission\.txt/)).toHaveCount(0)
  await expect(page.getByRole('tab')).toHaveCount(1)
  await look(page, 'account-upload-only', { phone: true })
  const { status } = await page.request
    .get(`/api/v1/account_properties?filter__account_id=${accountId}`, { headers: await bearer(page) })
    .then((answer) => ({ status: answer.status() }))
  expect(status).toBe(403)
})

test('a person who only uploads chooses among several accounts, and is told so when there is none', async ({ page, world }) => {
  const secondId = await makeAccount(brokerClient, 'Cedar Point Harbor', 0)
  const idle = await makePerson(world.admin, { role: 'upload_only', companyId: client.companyId, firstName: 'Ida' })
  await enter(page, idle.email)
  await expect(page.getByText('Nobody has given you an account yet.')).toBeVisible()
  await look(page, 'given-accounts-none', { phone: true })
  for (const id of [accountId, secondId])
    await brokerClient(accountCalls.update, { params: { id }, body: { users: [uploader.id, idle.id] } })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Cedar Point 2026' })).toBeVisible()
  await look(page, 'given-accounts', { phone: true })
  await page.getByRole('link', { name: 'Cedar Point Harbor' }).click()
  await expect(page).toHaveURL(new RegExp(`/accounts/${secondId}$`))
})

test('an account of another company does not exist: not by its address, not in lists, not in search', async ({ page }) => {
  await enter(page, client.email, `/accounts/${foreignId}`)
  await expect(page).toHaveURL(/\/accounts$/)
  await expect(page.getByRole('link', { name: /Cedar Point 2026/ })).toBeVisible()
  await expect(page.getByText('Nobody else may see this')).toHaveCount(0)
  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: 'Global Search' })
  await search.getByRole('textbox', { name: 'Search' }).fill('Nobody else')
  await expect(search.getByText('No results found.').first()).toBeVisible()
  await expect(search.getByRole('link', { name: /Nobody else/ })).toHaveCount(0)
  await look(page, 'search-nothing')
  await search.getByRole('textbox', { name: 'Search' }).fill('Cedar Point')
  await expect(search.getByRole('link', { name: /Cedar Point 2026/ })).toBeVisible()
  await look(page, 'search', { phone: true })
})

test('pages that a permission opens do not exist without it', async ({ page }) => {
  await enter(page, client.email)
  for (const path of ['/users', '/companies']) {
    await page.goto(path)
    await expect(page.getByText('The page you are looking for does not exist or you may not have permission to view this.')).toBeVisible()
  }
})

async function bearer(page: Page): Promise<Record<string, string>> {
  const token = await page.evaluate(() => /"token":"([^"]+)"/.exec(window.sessionStorage.getItem('plumbline.session') ?? '')?.[1])
  return { authorization: `Bearer ${token}` }
}
