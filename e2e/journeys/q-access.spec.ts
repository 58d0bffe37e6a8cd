import { expect } from '@playwright/test'
import { accountCalls } from '#contract/accounts.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn, type Person } from '../support/people.ts'

let scene: { broker: Person; id: string }
test.beforeEach(async ({ world, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id: companyId } = await makeCompany(world.admin, `Harbor Brokers ${Date.now()}`)
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Bea' })
  const client = await signedIn(world.address, broker)
  const { data } = await client(accountCalls.create, { body: { name: 'Pier Nine', type: 'standard' } })
  scene = { broker, id: data.id }
})

test('a broker invites a person, copies the link, extends the invitation and revokes it', async ({ page }) => {
  await signInAt(page, scene.broker.email, `/accounts/${scene.id}?tab=invites`)
  await expect(page.getByText('No invitations yet.')).toBeVisible()
  await page.getByRole('link', { name: 'Invite someone' }).first().click()
  await expect(page.getByRole('radio', { name: 'Invited viewer' })).toBeChecked()
  await checkScreen(page, 'access-invite', { phone: true })
  await page.getByRole('textbox', { name: 'Email' }).fill('uma@surveyor.example')
  await page.getByRole('textbox', { name: 'First name' }).fill('Uma')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Ortiz')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invitation link' })
  const link = await dialog.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  expect(link).toContain('/invite/')
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Invitation link copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await checkScreen(page, 'access-invite-link', { phone: true })
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await checkScreen(page, 'access-list', { phone: true })
  await page.getByRole('link', { name: 'Uma Ortiz' }).click()
  const panel = page.getByRole('dialog', { name: 'Uma Ortiz' })
  await panel.getByRole('button', { name: 'Extend' }).click()
  await expect(page.getByText(/The invitation was extended to/)).toBeVisible()
  await checkScreen(page, 'access-invite-panel', { phone: true })
  await panel.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The invitation was revoked.')).toBeVisible()
  await expect(page.getByText('No invitations yet.')).toBeVisible()
})

test('a broker shares an account, replaces the link, makes a named link with a password and stops sharing', async ({ page }) => {
  await signInAt(page, scene.broker.email, `/accounts/${scene.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Share', exact: true })
  await form.getByRole('switch', { name: 'Share this account by link' }).click()
  await expect(page.getByText('Sharing of this account is now enabled')).toBeVisible()
  const field = form.getByRole('textbox', { name: 'Link' })
  await expect(field).toHaveValue(/\/share\//)
  const first = await field.inputValue()
  await form.getByRole('button', { name: 'Create a new link' }).click()
  await page.getByRole('dialog', { name: 'Create a new link' }).getByRole('button', { name: 'Create a new link' }).click()
  await expect(field).not.toHaveValue(first)
  await form.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('The link has been copied to your clipboard ready to be shared.')).toBeVisible()

  await form.getByRole('button', { name: 'Create a named link' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Beacon Mutual')
  await form.getByRole('radio', { name: 'A password' }).check()
  await form.getByRole('textbox', { name: 'Password' }).fill('level and true 9')
  await checkScreen(page, 'access-link-form', { phone: true })
  await form.getByRole('button', { name: 'Create link' }).click()
  await expect(form.getByRole('listitem', { name: 'Beacon Mutual' })).toContainText('A password')
  await checkScreen(page, 'access-share', { phone: true })

  await form.getByRole('switch', { name: 'Share this account by link' }).click()
  await expect(page.getByText('Sharing of this account is now disabled')).toBeVisible()
  await expect(form.getByText(/1 named link still gives access\./)).toBeVisible()
  await checkScreen(page, 'access-share-off', { phone: true })
  await page.keyboard.press('Escape')

  await page.goto('/access')
  await expect(page.getByRole('row', { name: /Beacon Mutual/ })).toContainText('ends in 30 days')
  await checkScreen(page, 'access-page', { phone: true })
})
