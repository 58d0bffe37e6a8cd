import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { companyCalls } from '#contract/companies.ts'
import { checkScreen, fillSignIn, test } from '../support/journey.ts'
import { E2E_ADMIN, PASSWORD, makePerson, signedIn, type Person } from '../support/people.ts'
import { freePort, makeDataDir, removeDataDir, start, type Running } from '../support/processes.ts'

const START_MS = 180_000

let broker: Person
let careful: Person
let site: string
let server: Running
const dataDir = makeDataDir()

// A server with a name: browsers reject passkeys for IP addresses.
test.beforeAll(async () => {
  test.setTimeout(START_MS)
  const port = await freePort()
  site = `http://localhost:${port}`
  server = await start({ dataDir, port, env: { APP_URL: site } })
  const admin = await signedIn(server.address, E2E_ADMIN)
  const { data } = await admin(companyCalls.create, { body: { name: 'Careful Brokers' } })
  broker = await makePerson(admin, { role: 'broker', companyId: data.id, firstName: 'Faye' })
  careful = await makePerson(admin, { role: 'broker', companyId: data.id, firstName: 'Toby' })
})
test.afterAll(async () => {
  await server?.stop()
  await removeDataDir(dataDir)
})

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
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
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Work laptop')
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

const STEP_MS = 30_000

/** Waits for the next step of codes if the present one ends soon, because the code before it would no longer be accepted then. */
async function untilEarly(page: Page): Promise<void> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < (STEP_MS * 2) / 3) await page.waitForTimeout(left + 500)
}

test('a broker sets up an authenticator app and signs in with its code, then with a recovery code', async ({ page }) => {
  await page.goto(`${site}/login`)
  await fillSignIn(page, careful.email)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await openProfile(page)
  await page.getByRole('button', { name: 'Set up' }).click()
  const key = await page.getByRole('textbox', { name: 'Or type this key into the app' }).inputValue()
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  await checkScreen(page, 'app-setup', { phone: true })
  // The code before the present one: a sign-in needs a later code than the last that was accepted.
  const code = (ahead: number) => totp.generate({ timestamp: Date.now() + ahead * STEP_MS })
  await untilEarly(page)
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
