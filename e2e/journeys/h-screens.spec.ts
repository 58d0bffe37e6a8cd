import { expect } from '@playwright/test'
import { flagCalls } from '#contract/flags.ts'
import { makeAccount, makeProperty } from '../support/arrange.ts'
import { signInAt, fillSignIn, checkScreen, test } from '../support/journey.ts'
import { E2E_ADMIN, makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'

let broker: Person
let accountId: string

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Gallery Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Gwen' })
  accountId = await makeAccount(await signedIn(world.address, broker), 'Gallery Row 2026', 2)
})

test('the dashboard, the quick view and the list of accounts pass axe', async ({ page }) => {
  await signInAt(page, broker.email)
  await expect(page.getByRole('link', { name: /Gallery Row 2026/ }).first()).toBeVisible()
  await checkScreen(page, 'dashboard', { phone: true })
  await page.goto(`/quickview/accounts/${accountId}`)
  await expect(page.getByRole('dialog', { name: /Gallery Row 2026/ })).toBeVisible()
  await checkScreen(page, 'quick-view', { phone: true })
  await page.goto('/')
  await page.getByRole('link', { name: 'Start an Account' }).click()
  await expect(page.getByRole('dialog', { name: 'Start an Account' })).toBeVisible()
  await checkScreen(page, 'start-account', { phone: true })
  await page.goto('/accounts')
  await expect(page.getByRole('table', { name: 'accounts' }).getByRole('link', { name: /Gallery Row 2026/ })).toBeVisible()
  await checkScreen(page, 'accounts', { phone: true })
  await page.goto('/accounts?panel=columns')
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
  await checkScreen(page, 'column-settings', { phone: true })
  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  await expect(page.getByRole('dialog', { name: 'Save as a new view' })).toBeVisible()
  await checkScreen(page, 'save-view', { phone: true })
})

test('companies and users, their panels and forms pass axe', async ({ page }) => {
  await page.goto('/companies')
  await fillSignIn(page, E2E_ADMIN.email, E2E_ADMIN.password)
  await page.getByRole('table', { name: 'companies' }).getByRole('link', { name: 'Gallery Brokers' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Gallery Brokers' }).getByText('Time zone')).toBeVisible()
  await checkScreen(page, 'company', { phone: true })
  await page.keyboard.press('Escape')
  await checkScreen(page, 'companies')
  await page.goto('/companies/create')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: /Company name/i })).toBeVisible()
  await checkScreen(page, 'company-form')
  await page.goto(`/users/${broker.id}`)
  await expect(page.getByRole('dialog', { name: /Gwen/ }).getByText(broker.email)).toBeVisible()
  await checkScreen(page, 'user', { phone: true })
  await page.keyboard.press('Escape')
  await checkScreen(page, 'users')
  await page.goto('/users?search=Gwen')
  await page.getByRole('button', { name: /^Actions for Gwen/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await checkScreen(page, 'row-menu')
  await page.goto('/settings')
  await expect(page.getByRole('textbox', { name: /Company name/i })).toBeVisible()
  await page
    .getByRole('button', { name: /^Color of / })
    .first()
    .click()
  await expect(page.getByRole('slider', { name: 'Hue' })).toBeVisible()
  await checkScreen(page, 'status-color')
  await page.goto(`/users/${broker.id}/edit`)
  await expect(page.getByRole('dialog').getByRole('textbox', { name: /First name/i })).toBeVisible()
  await checkScreen(page, 'user-form')
})

test('an administrator adds, changes, deletes and restores a subscription, and adds a role', async ({ page }) => {
  await page.goto('/subscriptions')
  await fillSignIn(page, E2E_ADMIN.email, E2E_ADMIN.password)
  await page.getByRole('link', { name: 'Add subscription' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Gallery Plan')
  await checkScreen(page, 'subscription-form', { phone: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Add subscription' }).click()
  const panel = page.getByRole('dialog', { name: 'Gallery Plan' })
  await expect(panel.getByText('12 months')).toBeVisible()
  await checkScreen(page, 'subscription', { phone: true })
  await panel
    .getByRole('button', { name: 'Edit' })
    .or(panel.getByRole('link', { name: 'Edit' }))
    .click()
  await page.getByRole('textbox', { name: 'Term in months' }).fill('6')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(panel.getByText('6 months')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  const table = page.getByRole('table', { name: 'subscriptions' })
  const row = table.getByRole('row').filter({ hasText: 'Gallery Plan' })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Gallery Plan”' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(question).toBeHidden()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await checkScreen(page, 'subscriptions', { phone: true })

  await page.goto('/roles/create')
  await page.getByRole('textbox', { name: 'Name' }).fill('Gallery Surveyor')
  await page.getByRole('searchbox', { name: 'Search permissions' }).fill('preview documents')
  await page.getByRole('checkbox', { name: /preview documents/i }).check()
  await checkScreen(page, 'role-form', { phone: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Add role' }).click()
  await expect(page.getByRole('dialog', { name: 'Gallery Surveyor' }).getByText('All companies', { exact: true })).toBeVisible()
  await checkScreen(page, 'role', { phone: true })
  await page.keyboard.press('Escape')
  await checkScreen(page, 'roles', { phone: true })
})

test('a flag is found in the list of all accounts, resolved there and found among the closed ones', async ({ page, world }) => {
  const client = await signedIn(world.address, broker)
  const property = await makeProperty(client, accountId, 3)
  await client(flagCalls.raise, {
    body: { flaggable_type: 'account_property', flaggable_id: property, message: 'Is the roof new?', priority: 'high' },
  })
  await signInAt(page, broker.email)
  await page.getByRole('link', { name: 'Flags' }).click()
  const table = page.getByRole('table', { name: 'flags' })
  const row = table.getByRole('row').filter({ hasText: 'Is the roof new?' })
  await expect(row.getByRole('link', { name: 'Gallery Row 2026' })).toBeVisible()
  await checkScreen(page, 'flags', { phone: true })
  await row.getByRole('link', { name: /Is the roof new/ }).click()
  const panel = page.getByRole('dialog', { name: 'Flag' })
  await expect(panel.getByRole('link', { name: 'Location 3' })).toBeVisible()
  await checkScreen(page, 'flag', { phone: true })
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Resolve' }).click()
  const question = page.getByRole('dialog', { name: 'Resolve' })
  await question.getByRole('textbox', { name: 'How was it resolved?' }).fill('The owner confirmed it.')
  await question.getByRole('button', { name: 'Resolve' }).click()
  await expect(row).toHaveCount(0)
  await page.getByText('Closed', { exact: true }).click()
  await expect(row).toContainText('Resolved')
})

test('the maintenance page passes axe', async ({ page }) => {
  await page.route('**/api/v1/status', (route) =>
    route.fulfill({ status: 503, json: { response: 'error', message: 'Down for a moment.' } }),
  )
  await page.goto('/maintenance')
  await expect(page.getByRole('heading', { name: 'System Maintenance' })).toBeVisible()
  await checkScreen(page, 'maintenance', { phone: true })
})

// Answered here: a real maintenance would shut out the other journeys.
test('the panel and the banner of a maintenance pass axe', async ({ page }) => {
  const running = { message: 'The database moves. Back at 6:00 AM.', started_at: '2026-03-05T10:00:00.000Z', started_by: 'Ada King' }
  let data: typeof running | null = null
  await page.route('**/api/v1/maintenance', (route) => route.fulfill({ json: { response: 'success', message: '', data } }))
  await signInAt(page, E2E_ADMIN.email, '/settings', E2E_ADMIN.password)
  const title = page.getByRole('heading', { name: 'Maintenance' })
  await title.scrollIntoViewIfNeeded()
  await checkScreen(page, 'maintenance-panel', { phone: true })
  data = running
  await page.reload()
  await page.getByText(/is in maintenance/).scrollIntoViewIfNeeded()
  await checkScreen(page, 'maintenance-banner', { phone: true })
  await title.scrollIntoViewIfNeeded()
  await checkScreen(page, 'maintenance-panel-on', { phone: true })
})
