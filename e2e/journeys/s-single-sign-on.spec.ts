import { expect, type Page } from '@playwright/test'
import { oidcProvider, type TestProvider } from '#server/testing/oidc-provider.fixture.ts'
import { checkScreen, fillSignIn, signInAt, test } from '../support/journey.ts'
import { PASSWORD, makeCompany, makePerson, type Person } from '../support/people.ts'
import { DESKTOP, PHONE } from '../support/screens.ts'

const DOMAIN = `halyard-${process.pid}.example`

let provider: TestProvider
let administrator: Person
let user: Person
test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Halyard Brokers')
  administrator = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Hanna', domain: DOMAIN })
  user = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Sid', domain: DOMAIN })
  provider = await oidcProvider(`${world.address}/api/v1/sso/callback`)
  provider.signInAs('person 1', { email: user.email, email_verified: true })
})
test.afterAll(() => provider?.stop())

const panelOf = (page: Page) => page.getByRole('form', { name: 'Single Sign-On' })

/** Both ends of the panel, which is longer than the screen of a phone. */
async function checkPanel(page: Page, name: string) {
  for (const [size, kind] of [
    [DESKTOP, 'desktop'],
    [PHONE, 'phone'],
  ] as const) {
    await page.setViewportSize(size)
    for (const block of ['start', 'end'] as const) {
      await panelOf(page).evaluate((panel, edge) => panel.scrollIntoView({ block: edge }), block)
      await checkScreen(page, `${name}-${kind}-${block}`)
    }
  }
  await page.setViewportSize(DESKTOP)
}

async function confirm(page: Page, button: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: button }).click()
}

async function save(page: Page) {
  await panelOf(page).getByRole('button', { name: 'Save Single Sign-On' }).click()
  await confirm(page, 'Save')
}

async function findService(page: Page) {
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your email belongs to Halyard Brokers.')).toBeVisible()
}

test('a company sets up single sign-on, signs in with it and then allows nothing else', async ({ page, browser }) => {
  await test.step('the administrator sets it up and tests it', async () => {
    await signInAt(page, administrator.email, '/settings')
    const panel = panelOf(page)
    await panel.getByLabel('Issuer').fill(provider.issuer)
    await panel.getByLabel('Client ID').fill(provider.client.client_id)
    await panel.getByLabel('Client secret').fill('not the secret')
    await panel.getByLabel('Email domains').fill(DOMAIN)
    await save(page)
    await expect(panel.getByText('The service does not accept the client ID with this secret.')).toBeVisible()
    await checkPanel(page, 'single-sign-on-rejected')
    await panel.getByLabel('Client secret').fill(provider.client.client_secret)
    await save(page)
    await expect(panel.getByText(/^Done, .+: the service answered/)).toBeVisible()
    await expect(panel.getByText('None yet')).toBeVisible()
    await panel.getByRole('button', { name: 'Test the service' }).click()
    await expect(panel.getByText(/^Done, .+: the service answered/)).toBeVisible()
    await checkPanel(page, 'single-sign-on')
  })

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const other = await context.newPage()
  await test.step('a sign-in that is not known says so, and begins again where it was', async () => {
    await other.goto('/sso?r=/profile')
    await checkScreen(other, 'sso', { phone: true })
    await other.getByRole('textbox', { name: 'Email' }).fill(user.email)
    await findService(other)
    await checkScreen(other, 'sso-service', { phone: true })
    await other.goto('/api/v1/sso/callback?code=made-up&state=made-up')
    await expect(other.getByText('The sign-in was not accepted. Please start again.')).toBeVisible()
    await checkScreen(other, 'sso-rejected', { phone: true })
    await other.getByRole('link', { name: 'Start again' }).click()
    await expect(other.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email)
  })

  await test.step('a user signs in at the service and returns to the wanted page', async () => {
    await findService(other)
    await other.getByRole('link', { name: 'Continue with Halyard Brokers' }).click()
    await expect(other.getByRole('heading', { name: 'My Profile' })).toBeVisible()
    await expect(other).toHaveURL(/\/profile$/)
  })

  await test.step('the administrator allows only single sign-on, which signs the others out', async () => {
    await page.reload()
    const panel = panelOf(page)
    await expect(panel.getByText('None yet')).toBeHidden()
    await panel.getByLabel('Only single sign-on').check()
    await expect(panel.getByRole('combobox', { name: 'Emergency administrator' })).toHaveValue(new RegExp(administrator.email))
    await checkPanel(page, 'single-sign-on-only')
    await panel.getByRole('button', { name: 'Save Single Sign-On' }).click()
    await expect(page.getByText(/^All other users of your company are signed out/)).toBeVisible()
    await checkScreen(page, 'single-sign-on-confirmed', { phone: true })
    await confirm(page, 'Save')
    await expect(page.getByText('The single sign-on was saved.')).toBeVisible()
    await expect(other).toHaveURL(/\/login/)
  })

  await test.step('a right password leads to single sign-on, a wrong one does not', async () => {
    await other.goto('/login?r=/profile')
    await fillSignIn(other, user.email, 'a wrong password')
    await expect(other.getByRole('alert')).toHaveText('The email or the password is not right.')
    await fillSignIn(other, user.email)
    await expect(other.getByText('Users of Halyard Brokers sign in with single sign-on.')).toBeVisible()
    await checkScreen(other, 'only-single-sign-on', { phone: true })
    await other.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await expect(other.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email)
    await findService(other)
    await other.getByRole('link', { name: 'Continue with Halyard Brokers' }).click()
    await expect(other.getByRole('heading', { name: 'My Profile' })).toBeVisible()
  })
  await context.close()

  await test.step('the emergency administrator signs in with the password', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await signInAt(page, administrator.email, '/settings')
    await panelOf(page).getByRole('button', { name: 'Remove' }).click()
    await confirm(page, 'Remove')
    await expect(page.getByText('The single sign-on was removed.')).toBeVisible()
    await expect(panelOf(page).getByLabel('Issuer')).toHaveValue('')
  })
})
