import { expect, type Page } from '@playwright/test'
import { roleCalls } from '#contract/roles.ts'
import { companyCalls } from '#contract/companies.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { E2E_ADMIN, PASSWORD, makeCompany, makePerson } from '../support/people.ts'

const COMPANY = 'Kestrel & Daughters Insurance Services of the Upper Peninsula'
const EMAIL = `rosa.${process.pid}@e2e.example`
/** What the role begins with, by the labels of its check boxes. */
const PERMISSIONS = [
  'Open the list of accounts',
  'See the accounts of the company',
  'Open an account',
  'Open the list of users',
  'See the users of the company',
]
/** How long an open page may take to follow a change of the rights of its user. */
const FOLLOWS_MS = 1_000

const panel = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const mainLinks = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()
const choose = async (page: Page, field: string, text: string) => {
  const input = page.getByRole('combobox', { name: field })
  // The field around an input without typing gets the click.
  await input.click({ force: true })
  if (await input.isEditable()) await input.fill(text)
  await page.getByRole('option', { name: text }).click()
}
const check = async (page: Page, permission: string, checked: boolean) => {
  await page.getByRole('searchbox', { name: 'Search permissions' }).fill(permission)
  await page.getByRole('checkbox', { name: permission, exact: true }).setChecked(checked)
}

test('an administrator sets up a company, and its user sees what the role allows, while it does', async ({ page, browser, world }) => {
  await signInAt(page, E2E_ADMIN.email, '/companies', E2E_ADMIN.password)

  await test.step('creates a company', async () => {
    await page.getByRole('link', { name: 'Add company' }).click()
    await page.getByRole('textbox', { name: 'Company Name' }).fill(COMPANY)
    await page.getByRole('button', { name: 'Add company' }).click()
    await expect(panel(page, COMPANY).getByText('No users.')).toBeVisible()
    await checkScreen(page, 'company-new', { phone: true })
  })

  await test.step('creates a subscription with the company', async () => {
    await page.goto('/subscriptions')
    await page.getByRole('link', { name: 'Add subscription' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Kestrel Plan')
    await page.getByRole('textbox', { name: 'Price' }).fill('1200')
    await choose(page, 'Companies', COMPANY)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add subscription' }).click()
    await expect(panel(page, 'Kestrel Plan').getByText(/^Active, .* to /)).toBeVisible()
    await checkScreen(page, 'subscription', { phone: true })
  })

  await test.step('creates a role', async () => {
    await page.goto('/roles/create')
    await page.getByRole('textbox', { name: 'Name' }).fill('Reading clerk')
    for (const permission of PERMISSIONS) await check(page, permission, true)
    await checkScreen(page, 'role-form', { phone: true })
    await page.getByRole('button', { name: 'Add role' }).click()
    await expect(panel(page, 'Reading clerk').getByText('No user has this role.')).toBeVisible()
  })

  await test.step('adds a user with the role from the panel of the company', async () => {
    await page.goto('/companies?search=kestrel')
    await page.getByRole('link', { name: COMPANY }).click()
    await panel(page, COMPANY).getByRole('link', { name: 'Add user' }).click()
    await page.getByRole('textbox', { name: 'First name' }).fill('Rosa')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Kestrel')
    await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL)
    await expect(page.getByRole('combobox', { name: 'Company' })).toHaveValue(COMPANY)
    await choose(page, 'Roles', 'Reading clerk')
    await page.keyboard.press('Escape')
    await page.getByLabel('Password').first().fill(PASSWORD)
    await checkScreen(page, 'user-form', { phone: true })
    await page.getByRole('button', { name: 'Add user' }).click()
    await expect(panel(page, 'Rosa Kestrel').getByText('Reading clerk')).toBeVisible()
    await checkScreen(page, 'user', { phone: true })
    await page.getByRole('button', { name: 'Back to the company' }).click()
    await expect(panel(page, COMPANY).getByRole('link', { name: 'Rosa Kestrel' })).toBeVisible()
    await expect(panel(page, COMPANY).getByText('Kestrel Plan')).toBeVisible()
    await checkScreen(page, 'company', { phone: true })
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/companies\?search=kestrel$/)
  })

  const context = await browser.newContext()
  const rosa = await context.newPage()
  await test.step('the user sees exactly what the role allows', async () => {
    await signInAt(rosa, EMAIL, '/users')
    await expect.poll(() => mainLinks(rosa)).toEqual(['Accounts', 'Users'])
    await expect(rosa.getByRole('link', { name: 'Rosa Kestrel' })).toBeVisible()
    await expect(rosa.getByRole('link', { name: 'Add user' })).toHaveCount(0)
    await expect(rosa.getByRole('button', { name: 'Filter' })).toHaveCount(0)
    await rosa.goto('/')
    await expect(rosa).toHaveURL(/\/accounts$/)
    for (const path of ['/companies', '/roles', '/subscriptions']) {
      await rosa.goto(path)
      await expect(rosa.getByText('may not have permission')).toBeVisible()
    }
    await rosa.goto('/users/create')
    await expect(rosa.getByText('You need a permission for this')).toBeVisible()
  })

  await test.step('a permission that the role gets or loses changes the open page within a second', async () => {
    await rosa.goto('/users')
    await expect(rosa.getByRole('link', { name: 'Rosa Kestrel' })).toBeVisible()
    const { data: found } = await world.admin(roleCalls.index, { query: { search: 'Reading clerk' } })
    const [role] = found
    if (role === undefined) throw new Error('The role is not in the list')
    await page.goto(`/roles/${role.id}/edit`)
    await check(page, 'Create users', true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(rosa.getByRole('link', { name: 'Add user' })).toBeVisible({ timeout: FOLLOWS_MS })
    await page.getByRole('button', { name: 'Edit' }).click()
    await check(page, 'Open the list of users', false)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(rosa.getByRole('link', { name: 'Rosa Kestrel' })).toHaveCount(0, { timeout: FOLLOWS_MS })
    await expect(rosa.getByText('may not have permission')).toBeVisible({ timeout: FOLLOWS_MS })
    await expect.poll(() => mainLinks(rosa), { timeout: FOLLOWS_MS }).toEqual(['Accounts'])
  })

  await test.step('a deactivated user is signed out', async () => {
    await page.goto('/users?search=rosa+kestrel')
    await page.getByRole('link', { name: 'Rosa Kestrel' }).click()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('dialog', { name: 'Deactivate Rosa Kestrel' }).getByRole('button', { name: 'Deactivate' }).click()
    await expect(panel(page, 'Rosa Kestrel').getByText(/^Deactivated since/)).toBeVisible()
    await expect(rosa).toHaveURL(/\/login/)
    await checkScreen(page, 'user-deactivated')
  })
  await context.close()
})

test('every panel closes with Escape and the overlay, and warns before unsaved changes are lost', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Plover Partners')
  const person = await makePerson(world.admin, { role: 'client', companyId, firstName: 'Piet' })
  const { data: company } = await world.admin(companyCalls.show, { params: { id: companyId } })
  const subscription = company.subscriptions[0]?.id ?? ''
  const { data: roles } = await world.admin(roleCalls.index, { query: { search: 'Client' } })
  const role = roles[0]?.id ?? ''
  await signInAt(page, E2E_ADMIN.email, '/companies', E2E_ADMIN.password)
  const inside = `/companies/${companyId}`
  const panels = [
    ['/companies', '/companies', inside],
    ['/companies', `${inside}/users/${person.id}`, `${inside}/subscriptions/${subscription}`],
    ['/users', `/users/${person.id}`, `/users/users-company/${companyId}`],
    ['/subscriptions', `/subscriptions/${subscription}`],
    ['/roles', `/roles/${role}`],
  ] as const
  for (const [list, ...records] of panels) {
    for (const record of records.filter((path) => path !== list)) {
      await page.goto(`${record}?search=a`)
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(new RegExp(`${list}\\?search=a$`))
      await page.goto(`${record}?search=a`)
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.mouse.click(200, 450)
      await expect(page).toHaveURL(new RegExp(`${list}\\?search=a$`))
    }
  }
  const forms = ['/companies/create', `${inside}/edit`, `${inside}/users/create`, `${inside}/users/${person.id}/edit`]
  forms.push('/users/create', `/users/${person.id}/edit`, '/subscriptions/create', `/subscriptions/${subscription}/edit`)
  forms.push(`${inside}/subscriptions/${subscription}/edit`, '/roles/create', `/roles/${role}/edit`)
  for (const form of forms) {
    await page.goto(form)
    const first = page.getByRole('dialog').getByRole('textbox').first()
    await expect(first).toBeFocused()
    await first.fill('Changed')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'You have unsaved changes' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(first).toHaveValue('Changed')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await expect(page).not.toHaveURL(new RegExp(`${form}$`))
  }
  for (const path of [`${inside}/nowhere`, `/users/${companyId}/edit/more`]) {
    await page.goto(path)
    await expect(page.getByText('The page you are looking for does not exist')).toBeVisible()
  }
})
