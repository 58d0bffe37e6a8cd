import { expect } from '@playwright/test'
import { makeAccount } from '../support/arrange.ts'
import { TAB_STOPS_MAX, tabTo } from '../support/keyboard.ts'
import { test } from '../support/journey.ts'
import { makeCompany, makePerson, PASSWORD, signedIn, type Person } from '../support/people.ts'

let broker: Person

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Keystroke Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Kit' })
  await makeAccount(await signedIn(world.address, broker), 'By hand alone', 3)
})

test('a user signs in, opens a property and closes it with the keyboard only', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.keyboard.type(broker.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation).toBeVisible()

  await tabTo(page, navigation.getByRole('link', { name: 'Accounts' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  const account = page.getByRole('table', { name: 'accounts' }).getByRole('link', { name: /By hand alone/ })
  await expect(account).toBeVisible()
  await tabTo(page, account)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'By hand alone', level: 1 })).toBeVisible()

  await tabTo(page, page.getByRole('tab', { name: 'Overview' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const first = page.getByRole('link', { name: '1 Foundry St' })
  await expect(first).toBeVisible()
  await tabTo(page, first)
  await page.keyboard.press('ArrowDown')
  const second = page.getByRole('link', { name: '2 Foundry St' })
  await expect(second).toBeFocused()
  await page.keyboard.press('Enter')

  const panel = page.getByRole('dialog', { name: 'Mill 2' })
  await expect(panel).toBeVisible()
  for (let stop = 0; stop < TAB_STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab')
    const inside = await panel.evaluate((element) => element.contains(document.activeElement))
    expect(inside, `the focus stays in the panel, also after ${stop + 1} presses of Tab`).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(second).toBeFocused()

  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: 'Global Search' })
  await expect(search.getByRole('textbox', { name: 'Search' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await expect(second).toBeFocused()
})
