import { expect, type Page } from '@playwright/test'
import { makeAccount } from '../support/arrange.ts'
import { test } from '../support/journey.ts'
import { enterOn, expectFocusWithin, tabTo, typeInto } from '../support/keyboard.ts'
import { makeCompany, makePerson, PASSWORD, signedIn, type Person } from '../support/people.ts'

const FILE = {
  name: 'schedule.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'Location #,Building Name,Address,City,State,ZIP,Country,Building Value\n' +
      '11,Pier shed,11 Pier Rd,Sacramento,CA,95814,US,1500000\n12,Net loft,12 Pier Rd,Sacramento,CA,95814,US,900000\n',
  ),
}

let broker: Person
let account: string

test.beforeAll(async ({ world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Handwork Brokers')
  broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Kim' })
  account = await makeAccount(await signedIn(world.address, broker), 'Worked by hand', 2)
})

test('a user edits a property, raises a flag, imports a file and changes a setting with the keyboard only', async ({ page }) => {
  await page.goto(`/login?r=${encodeURIComponent(`/accounts/${account}?tab=properties`)}`)
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.keyboard.type(broker.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Worked by hand', level: 1 })).toBeVisible()
  await test.step('edits a property', () => editProperty(page))
  await test.step('raises a flag', () => raiseFlag(page))
  await test.step('imports a file', () => importFile(page))
  await test.step('changes a setting', () => changeSetting(page))
})

async function editProperty(page: Page): Promise<void> {
  await enterOn(page, page.getByRole('link', { name: 'Skip to the content' }))
  await enterOn(page, page.getByRole('link', { name: '1 Foundry St' }))
  const panel = page.getByRole('dialog', { name: 'Mill 1' })
  await enterOn(page, panel.getByRole('button', { name: 'Edit' }).first())
  const edit = page.getByRole('dialog', { name: 'Edit property' })
  await typeInto(page, edit.getByRole('textbox', { name: 'Building value' }), '2600000')
  await enterOn(page, edit.getByRole('button', { name: 'Save changes' }))
  await expect(panel.getByText('$2,600,000').first()).toBeVisible()
  await expectFocusWithin(panel, 'saving the property')
}

async function raiseFlag(page: Page): Promise<void> {
  const panel = page.getByRole('dialog', { name: 'Mill 1' })
  await enterOn(page, panel.getByRole('button', { name: 'Raise a flag' }))
  const form = panel.getByRole('form', { name: 'Raise a flag' })
  await expectFocusWithin(form, 'opening the form of a flag')
  await page.keyboard.type('Is the roof new?')
  await enterOn(page, form.getByRole('button', { name: 'Raise flag' }))
  await expect(panel.getByText('Is the roof new?')).toBeVisible()
  await expect(form).toBeHidden()
  await expectFocusWithin(panel, 'raising the flag')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(page.getByRole('link', { name: '1 Foundry St' })).toBeFocused()
}

async function importFile(page: Page): Promise<void> {
  await page.keyboard.press('Shift+Tab')
  const start = page.getByRole('link', { name: 'Import' })
  await enterOn(page, start)
  const choose = page.getByRole('button', { name: 'Choose file' })
  await expect(choose).toBeVisible()
  await tabTo(page, choose)
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(FILE)
  const commit = page.getByRole('button', { name: /^Add 2/ })
  await expect(commit).toBeEnabled()
  await enterOn(page, commit)
  await expect(page.getByText(/^Imported on /)).toBeVisible()
  await expectFocusWithin(page.getByRole('main'), 'the import')
  await enterOn(page, page.getByRole('link', { name: 'Open properties' }))
  await expect(page.getByRole('link', { name: '12 Pier Rd' })).toBeVisible()
}

async function changeSetting(page: Page): Promise<void> {
  await enterOn(page, page.getByRole('link', { name: 'Settings' }))
  const name = page.getByRole('textbox', { name: 'Company Name' })
  await expect(name).toBeVisible()
  await typeInto(page, name, 'Handwork and Sons')
  await enterOn(page, page.getByRole('button', { name: 'Save Changes' }))
  await expect(page.getByText('was saved').first()).toBeVisible()
  await expectFocusWithin(page.getByRole('main'), 'saving the setting')
}
