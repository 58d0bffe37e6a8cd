import { expect } from '@playwright/test'
import { propertyCalls } from '#contract/account-properties.ts'
import { makeAccount } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { signInAt, checkScreen, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'

/** A poor mobile connection: milliseconds and bytes per second. */
const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

let broker: Person
let colleague: Client
let accountId: string

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Delta Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Ines' })
  const other = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Owen' })
  colleague = await signedIn(world.address, other)
  accountId = await makeAccount(colleague, 'Delta Mills', 2)
})

test('a broker adds, changes, divests and reactivates a property', async ({ page }) => {
  await signInAt(page, broker.email, `/accounts/${accountId}?tab=properties`)
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await page.getByRole('link', { name: 'Add property' }).click()
  const form = page.getByRole('dialog', { name: 'Add property' })
  await form.getByRole('button', { name: 'Add property' }).click()
  await expect(form.getByText('Street address is required.')).toBeVisible()
  await checkScreen(page, 'property-form', { phone: true })
  await form.getByRole('textbox', { name: 'Property name' }).fill('Silo house')
  await form.getByRole('textbox', { name: 'Street address' }).fill('77 Levee Rd')
  await form.getByRole('textbox', { name: 'City' }).fill('Stockton')
  await form.getByRole('textbox', { name: 'State / province' }).fill('CA')
  await form.getByRole('textbox', { name: 'ZIP / postal code' }).fill('95203')
  await form.getByRole('textbox', { name: 'Building value' }).fill('2500000')
  await form.getByRole('button', { name: 'Add property' }).click()

  const panel = page.getByRole('dialog', { name: 'Silo house' })
  await expect(panel.getByText('$2,500,000').first()).toBeVisible()
  await checkScreen(page, 'property', { phone: true })
  await panel.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit property' })
  await edit.getByRole('textbox', { name: 'Building value' }).fill('2600000')
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(panel.getByText('$2,600,000').first()).toBeVisible()

  await panel.getByRole('button', { name: 'Divest' }).click()
  const divest = page.getByRole('dialog', { name: 'Divest property' })
  await divest.getByLabel('Divested on').fill('2026-06-30')
  await checkScreen(page, 'divest')
  await divest.getByRole('button', { name: 'Divest' }).click()
  await expect(panel.getByText('No longer part of the account')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 to 2 of 2')).toBeVisible()
  await page.getByText('Divested 1', { exact: true }).click()
  await page.getByRole('link', { name: '77 Levee Rd' }).click()
  await panel.getByRole('button', { name: 'Reactivate' }).click()
  await expect(panel.getByText('No longer part of the account')).toBeHidden()
  const reactivated = page.getByRole('alert').filter({ hasText: /reactivated/i })
  await reactivated.getByRole('button', { name: 'Undo' }).click()
  await expect(panel.getByText('No longer part of the account')).toBeVisible()
  await expect(panel.getByText(/^Divested on Jun 30, 2026/)).toBeVisible()
  await panel.getByRole('button', { name: 'Reactivate' }).click()
  await expect(panel.getByText('No longer part of the account')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Active 3', { exact: true })).toBeVisible()
})

test('the user who saves second sees both values of one field, chooses one and loses no other change of either user', async ({ page }) => {
  const { data } = await colleague(propertyCalls.index, { query: { filter__account_id: accountId, search: 'Mill 1' } })
  const id = data[0]?.id ?? ''
  await signInAt(page, broker.email, `/accounts/${accountId}/properties/${id}/edit?tab=properties`)
  const edit = page.getByRole('dialog', { name: 'Edit property' })
  await edit.getByRole('textbox', { name: 'Year built' }).fill('1991')
  await edit.getByRole('textbox', { name: 'Building value' }).fill('1750000')
  const { version } = (await colleague(propertyCalls.show, { params: { id } })).data
  await colleague(propertyCalls.update, { params: { id }, body: { version, year_built: 1975, stories: 7 } })

  await edit.getByRole('button', { name: 'Save changes' }).click()
  const choice = edit.getByRole('alert').filter({ hasText: 'Owen Rivers saved 1975 meanwhile; you entered 1991.' })
  await expect(choice).toBeVisible()
  await checkScreen(page, 'stale-save')
  expect((await colleague(propertyCalls.show, { params: { id } })).data.values['year_built']).toBe(1975)
  await choice.getByRole('button', { name: 'Keep mine' }).click()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(edit).toBeHidden()
  const merged = { year_built: 1991, building_value: 1_750_000, stories: 7 }
  expect((await colleague(propertyCalls.show, { params: { id } })).data.values).toMatchObject(merged)
})

test('a click on a cell of the table edits its value in place', async ({ page, world }) => {
  const own = await makeAccount(colleague, 'Delta Depot', 1)
  await signInAt(page, broker.email, `/accounts/${own}?tab=properties`)
  await page.getByRole('button', { name: 'Building value: 1,000,000. Edit' }).click()
  const cell = page.getByRole('textbox', { name: 'Building value' })
  await cell.fill('much')
  await cell.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Building value must be a number.' })).toBeVisible()
  await checkScreen(page, 'cell-edit')
  await cell.fill('1,250,000')
  await cell.press('Enter')
  await expect(page.getByRole('button', { name: 'Building value: 1,250,000. Edit' })).toBeFocused()
  const { data } = await (await signedIn(world.address, broker))(propertyCalls.index, { query: { filter__account_id: own } })
  expect(data[0]?.building_value.value).toBe(1_250_000)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Building value: 1,000,000. Edit' })).toBeVisible()
})

test('an edit in a cell is not lost over a slow connection or without one', async ({ page }) => {
  const own = await makeAccount(colleague, 'Delta Ferry', 1)
  await signInAt(page, broker.email, `/accounts/${own}?tab=properties`)
  await expect(page.getByText('1 to 1 of 1')).toBeVisible()
  const network = await page.context().newCDPSession(page)
  const connect = (offline: boolean) => network.send('Network.emulateNetworkConditions', { offline, ...SLOW })
  const cell = page.getByRole('textbox', { name: 'Building value' })

  await connect(false)
  await page.getByRole('button', { name: 'Building value: 1,000,000. Edit' }).click()
  await cell.fill('1,100,000')
  const gate = Promise.withResolvers<undefined>()
  await page.route(/account_properties\/[^/]+$/, (route) => gate.promise.then(() => route.continue()))
  await cell.press('Enter')
  await expect(cell).toHaveAttribute('aria-busy', 'true')
  gate.resolve(undefined)
  await expect(page.getByText('Building value changed from $1,000,000 to $1,100,000.')).toBeVisible()

  await page.getByRole('button', { name: 'Building value: 1,100,000. Edit' }).click()
  const saves = { sent: 0, failed: 0 }
  page.on('request', (request) => (saves.sent += Number(request.method() === 'PUT')))
  page.on('requestfailed', (request) => (saves.failed += Number(request.method() === 'PUT')))
  await cell.fill('1,200,000')
  await connect(true)
  await page.keyboard.press('Enter')
  const overlay = page.getByRole('alertdialog', { name: 'Connection Error' })
  await expect(overlay).toBeVisible()
  await expect(cell).not.toBeFocused()
  // Another request may have opened the overlay before the key was pressed. Then nothing was sent.
  await expect.poll(() => saves.failed === saves.sent && saves.sent <= 1, 'the overlay, which takes the focus, saves nothing').toBe(true)
  await connect(false)
  await expect(overlay).toBeHidden()
  await expect(cell).toHaveValue('1,200,000')
  await expect(cell).toBeFocused()
  await cell.press('Enter')
  await expect(page.getByRole('button', { name: 'Building value: 1,200,000. Edit' })).toBeVisible()
  const { data } = await colleague(propertyCalls.index, { query: { filter__account_id: own } })
  expect(data[0]?.building_value.value).toBe(1_200_000)
})

test('bulk actions on properties can be undone', async ({ page }) => {
  const own = await makeAccount(colleague, 'Delta Row', 3)
  await signInAt(page, broker.email, `/accounts/${own}?tab=properties`)
  const table = page.getByRole('table', { name: 'properties' })
  for (const { action, message } of [
    { action: 'Mark as divested', message: '3 properties, $3,000,000 total insured value' },
    { action: 'Delete', message: '3 properties, $3,000,000 total insured value' },
  ]) {
    await expect(page.getByText('Active 3', { exact: true })).toBeVisible()
    await table.getByRole('checkbox').first().check()
    await page.getByRole('group', { name: 'Actions for the selection' }).getByRole('button', { name: action }).click()
    const question = page.getByRole('dialog')
    await expect(question.getByText(message)).toBeVisible()
    await question.getByRole('button', { name: action }).click()
    await expect(question).toBeHidden()
    await expect(page.getByText('Active 0', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Active 3', { exact: true })).toBeVisible()
    await expect(page.getByText('1 to 3 of 3')).toBeVisible()
  }
})
