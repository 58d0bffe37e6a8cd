import { expect } from '@playwright/test'
import { signInAt, fillSignIn, checkScreen, test } from '../support/journey.ts'
import { findInMail } from '../support/outbox.ts'
import { makeCompany, makePerson, PASSWORD, type Person } from '../support/people.ts'

let broker: Person
let careful: Person

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Harbor Point Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Dana' })
  careful = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Carey', twoFactor: true })
})

test('a broker signs in after errors about blank fields and a wrong password, and returns to the requested page', async ({ page }) => {
  await page.goto('/accounts?search=harbor')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await checkScreen(page, 'sign-in', { phone: true })

  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Email cannot be blank')).toBeVisible()
  await expect(page.getByText('Password cannot be blank')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription('Email cannot be blank')
  await checkScreen(page, 'sign-in-blank')

  await fillSignIn(page, broker.email, 'not the password')
  await expect(page.getByRole('alert')).toHaveText('The email or the password is not right.')
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
  await checkScreen(page, 'sign-in-rejected')

  await fillSignIn(page, broker.email)
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/accounts\?search=harbor$/)
})

test('a session with "Remember me" survives closing the browser, and one without does not', async ({ browser, page }) => {
  await page.goto('/login')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await fillSignIn(page, broker.email)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const remembered = await browser.newContext({ storageState: await page.context().storageState() })
  const again = await remembered.newPage()
  await again.goto('/accounts')
  await expect(again.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  await remembered.close()

  const plain = await browser.newContext()
  await signInAt(await plain.newPage(), broker.email)
  const later = await browser.newContext({ storageState: await plain.storageState() })
  await plain.close()
  const forgotten = await later.newPage()
  await forgotten.goto('/accounts')
  await expect(forgotten.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await later.close()
})

test('a user with a second factor enters the code from the mail', async ({ page, world }) => {
  await page.goto('/login')
  await fillSignIn(page, careful.email)
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  await checkScreen(page, 'second-factor', { phone: true })

  const sent = await findInMail(world.dataDir, careful.email, /\b(\d{6})\b/)
  await code.fill(sent === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This code is not right.')).toBeVisible()
  await expect(code).toHaveValue('')

  await code.fill(sent)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('signing out ends the session in this tab, in the other tab and on the server', async ({ page, context }) => {
  await signInAt(page, broker.email, '/accounts')
  const other = await context.newPage()
  await other.goto('/accounts')
  await expect(other.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  const token = await page.evaluate(() => /"token":"([^"]+)"/.exec(window.sessionStorage.getItem('plumbline.session') ?? '')?.[1])
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  const answer = await page.request.get('/api/v1/init', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
})

test('a user resets a forgotten password through the link in the mail', async ({ page, world }) => {
  const forgetful = await makePerson(world.admin, { role: 'broker', companyId: broker.companyId, firstName: 'Robin' })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await expect(page.getByRole('heading', { name: 'Recover your password' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(forgetful.email)
  await checkScreen(page, 'forgot-password')
  await page.getByRole('button', { name: 'Recover Password' }).click()
  await expect(page.getByRole('status')).toBeVisible()

  await page.goto(await findInMail(world.dataDir, forgetful.email, /(https?:\/\/\S+\/reset-password\/[\w-]+)/))
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('quite another 9')
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('quite another 8')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('The passwords you entered do not match')).toBeVisible()
  await checkScreen(page, 'reset-password')
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('quite another 9')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your password was changed. Please sign in with it.')).toBeVisible()

  await fillSignIn(page, forgetful.email, PASSWORD)
  await expect(page.getByText('The email or the password is not right.')).toBeVisible()
  await fillSignIn(page, forgetful.email, 'quite another 9')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('a reset link that was cut or changed shows that it is not valid', async ({ page }) => {
  for (const token of ['%E0%A4%A', 'x'.repeat(150), 'x'.repeat(400)]) {
    await page.goto(`/reset-password/${token}`)
    await expect(page.getByText('This password reset link is no longer valid. Please request a new one.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  }
})

test('an unknown path shows "not found" with and without a session', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
  await checkScreen(page, 'not-found-outside')
  await signInAt(page, broker.email, '/login')
  await page.goto('/no/such/page')
  await expect(page.getByText('The page you are looking for does not exist or you may not have permission to view this.')).toBeVisible()
  await checkScreen(page, 'not-found')
})
