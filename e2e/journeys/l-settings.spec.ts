import { expect } from '@playwright/test'
import { checkScreen, fillSignIn, signInAt, test } from '../support/journey.ts'
import { PASSWORD, makeCompany, makePerson, type Person } from '../support/people.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#0b5"/></svg>'

let broker: Person
test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Lantern Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Lena' })
})

test('a broker changes the company, its logo and its statuses', async ({ page }) => {
  await signInAt(page, broker.email, '/settings')
  await page.getByRole('textbox', { name: 'Company Name' }).fill('Lantern & Sons')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Lantern & Sons', { exact: true })).toBeVisible()

  await page.locator('input[type="file"]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') })
  await expect(page.getByText('Invalid image file type, logo must be an image.')).toBeVisible()
  await page.locator('input[type="file"]').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) })
  const logo = page.getByRole('img', { name: 'Logo of Lantern & Sons' })
  await expect(logo).toBeVisible()
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120)

  const accounts = page.getByRole('group', { name: 'Accounts' })
  const names = () => accounts.getByRole('textbox').evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value))
  await accounts.getByRole('button', { name: 'Add status' }).click()
  await page.keyboard.type('On hold')
  await expect(accounts.getByText('Not saved')).toBeHidden()
  const handle = accounts.getByRole('button', { name: 'Move New' })
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(handle).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[aria-live]', { hasText: 'New, place 2 of 9.' })).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect
    .poll(names)
    .toEqual(['Gathering Data', 'New', 'In Review', 'Submitted', 'Quoted', 'Bound', 'Declined', 'Archived', 'On hold'])
  await expect(page.getByText('Changes are saved as you type.')).toBeVisible()
  await checkScreen(page, 'settings', { phone: true })
  await page.reload()
  await expect
    .poll(names)
    .toEqual(['Gathering Data', 'New', 'In Review', 'Submitted', 'Quoted', 'Bound', 'Declined', 'Archived', 'On hold'])
})

test('a user changes the own password, which ends the sign-in on another device', async ({ page, browser, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Password Brokers')
  const { email } = await makePerson(world.admin, { role: 'client', companyId, firstName: 'Pat' })
  const other = await browser.newPage()
  await signInAt(other, email, '/profile')
  await signInAt(page, email, '/profile')
  await expect(page.getByText('This device')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toHaveCount(1)
  await checkScreen(page, 'profile', { phone: true })
  const form = page.getByRole('form', { name: 'Password' })
  await form.getByLabel('Current Password').fill(PASSWORD)
  await form.getByLabel('New Password', { exact: true }).fill('lantern by the harbor 7')
  await form.getByLabel('Confirm New Password').fill('lantern by the harbor 7')
  await form.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Your password was changed. You are signed out on all other devices.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toHaveCount(0)
  await expect(other).toHaveURL(/\/login/)
  await fillSignIn(other, email, 'lantern by the harbor 7')
  await expect(other.getByRole('heading', { name: 'My Profile' })).toBeVisible()
})

test('a user reports a problem', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Help Brokers')
  const person = await makePerson(world.admin, { role: 'client', companyId, firstName: 'Hal' })
  await signInAt(page, person.email, '/profile')
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('textbox', { name: 'Report a problem' }).fill('The map is empty.')
  await checkScreen(page, 'help')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText("Thanks! We'll get back to you soon.")).toBeVisible()
})
