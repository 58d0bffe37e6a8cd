import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { checkScreen, fillSignIn, test } from '../support/journey.ts'
import { PASSWORD, makeCompany, makePerson, type Person } from '../support/people.ts'

let broker: Person
let site: string

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Careful Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Faye' })
  // Browsers refuse passkeys for IP addresses.
  site = world.address.replace('127.0.0.1', 'localhost')
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

async function openProfile(page: Page) {
  await page.goto(`${site}/profile`)
  await expect(page.getByRole('heading', { name: 'Signing in' })).toBeVisible()
}

test('a broker adds a passkey, signs in with it and removes it', async ({ page, context }) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${site}/login`)
  await fillSignIn(page, broker.email)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await openProfile(page)
  await checkScreen(page, 'signing-in', { phone: true })
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.getByRole('dialog').getByLabel('Current Password').fill(PASSWORD)
  await checkScreen(page, 'add-passkey', { phone: true })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Work laptop')).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await openProfile(page)
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('dialog').getByLabel('Current Password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Remove Work laptop' })).toBeHidden()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This passkey was not accepted.')).toBeVisible()
})

test('a broker sets up an authenticator app and signs in with its code, then with a recovery code', async ({ page, world }) => {
  const careful = await makePerson(world.admin, { role: 'broker', companyId: broker.companyId, firstName: 'Toby' })
  await page.goto(`${site}/login`)
  await fillSignIn(page, careful.email)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await openProfile(page)
  await page.getByRole('button', { name: 'Set up' }).click()
  const key = await page.getByRole('textbox', { name: 'Or type this key into the app' }).inputValue()
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  await checkScreen(page, 'app-setup', { phone: true })
  // The code before the present one: a sign-in needs a later code than the last that was accepted.
  const code = (ahead: number) => totp.generate({ timestamp: Date.now() + ahead * 30_000 })
  await page.getByRole('textbox', { name: 'Code of the app' }).fill(code(-1))
  await page.getByRole('dialog').getByLabel('Current Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = await codes.first().innerText()
  await checkScreen(page, 'recovery-codes', { phone: true })
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  await checkScreen(page, 'signing-in-app', { phone: true })

  await signOut(page)
  await fillSignIn(page, careful.email)
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await checkScreen(page, 'app-code', { phone: true })
  await page.getByRole('textbox', { name: 'Code' }).fill(code(0))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

  await signOut(page)
  await fillSignIn(page, careful.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recovery)
  await checkScreen(page, 'recovery-code', { phone: true })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})
