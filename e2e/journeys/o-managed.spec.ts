import { expect, type Page } from '@playwright/test'
import { accountCalls } from '#contract/accounts.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'

interface Scene {
  owner: Person
  uploader: Person
  staff: Person
  id: string
}

let scene: Scene
test.beforeEach(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, `Garden Apartments ${Date.now()}`)
  const person = (role: 'client' | 'upload_only' | 'provider', firstName: string) => makePerson(world.admin, { role, companyId, firstName })
  const [owner, uploader, staff] = [await person('client', 'Olga'), await person('upload_only', 'Ugo'), await person('provider', 'Petra')]
  const client = await signedIn(world.address, owner)
  const { data } = await client(accountCalls.create, { body: { name: 'Garden Apartments', type: 'managed' } })
  await world.admin(accountCalls.update, { params: { id: data.id }, body: { users: [uploader.id] } })
  scene = { owner, uploader, staff, id: data.id }
})

const drop = async (page: Page, on: string, name: string, text: string) => {
  const files = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], file, { type: 'text/plain' }))
      return transfer
    },
    [name, text] as const,
  )
  await page.getByText(on).dispatchEvent('drop', { dataTransfer: files })
}

test('an owner requests the collection of documents, uploads them after all and requests the setup', async ({ page, browser }) => {
  await signInAt(page, scene.owner.email, `/accounts/${scene.id}`)
  await expect(page.getByRole('tab')).toHaveText(['Get Started', /^Upload Documents/])
  await checkScreen(page, 'managed-start', { phone: true })
  await page.getByRole('button', { name: 'Request collection' }).click()
  await expect(page.getByText(/This will notify the provider immediately\./)).toBeVisible()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Awesome! We will contact you soon to collect documents.')).toBeVisible()

  const provider = await browser.newPage()
  await signInAt(provider, scene.staff.email)
  await provider.getByRole('button', { name: /^Notifications/ }).click()
  await expect(provider.getByText(/asks you to collect the documents of Garden Apartments\./)).toBeVisible()

  await checkScreen(page, 'managed-requested', { phone: true })
  await page.getByRole('button', { name: 'Upload documents' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('No problem! We will wait for you to upload your documents.')).toBeVisible()
  await expect(page.getByRole('tab', { name: /^Upload Documents/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: 'Request Account Setup' })).toBeDisabled()

  await drop(page, 'Send everything you have', 'schedule.txt', 'Building one')
  await expect(page.getByText('Oops! Drag those files into the upload space on the right.')).toBeVisible()
  await drop(page, 'Drop files or folders here', 'schedule.txt', 'Building one')
  await expect(page.getByRole('heading', { name: '1 document arrived in the last 24 hours' })).toBeVisible()
  await drop(page, 'Drop files or folders here', 'copy.txt', 'Building one')
  await expect(page.getByText(/Already there: schedule\.txt/)).toBeVisible()
  const [receipt] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the receipt' }).click()])
  expect(receipt.suggestedFilename()).toBe('Garden Apartments receipt.txt')
  await checkScreen(page, 'managed-upload', { phone: true })

  await page.getByRole('button', { name: 'Request Account Setup' }).click()
  await expect(page.getByText('A review of your files has been requested.')).toBeVisible()
  await expect(page.getByText('The provider is organizing your account')).toBeVisible()
  await checkScreen(page, 'managed-processing', { phone: true })
  await page.getByRole('link', { name: 'Return to Dashboard' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('a user who only uploads sends documents and says so', async ({ page }) => {
  await signInAt(page, scene.uploader.email, `/accounts/${scene.id}`)
  await expect(page.getByRole('heading', { name: 'Upload Files' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText([/^Upload Documents/])
  await drop(page, 'Drop files or folders here', 'appraisal.txt', 'Appraisal')
  await expect(page.getByRole('heading', { name: '1 document arrived in the last 24 hours' })).toBeVisible()
  await checkScreen(page, 'managed-upload-only', { phone: true })
  await page.getByRole('button', { name: 'I am done' }).click()
  await expect(page.getByText('A review of your files has been requested.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Dashboard' })).toBeVisible()
})
