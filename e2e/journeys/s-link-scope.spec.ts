import { execFileSync } from 'node:child_process'
import { expect } from '@playwright/test'
import { accountCalls } from '#contract/accounts.ts'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { checkScreen, signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'
import { addDocument } from '../support/uploads.ts'

const BUILDINGS = ['Pier Hall', 'Quay House', 'Dock Mill'] as const

test('a link to some properties and categories shows and downloads these alone', async ({ page, context, world }) => {
  const { id: companyId } = await makeCompany(world.admin, `Harbor Brokers ${Date.now()}`)
  const broker = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Bea' })
  const client = await signedIn(world.address, broker)
  const { data: account } = await client(accountCalls.create, { body: { name: 'Pier Nine', type: 'standard' } })
  for (const [index, property_name] of BUILDINGS.entries()) {
    const place = {
      location_number: String(index + 1),
      address: `${index + 1} Harbor St`,
      city: 'Seattle',
      state: 'WA',
      postal_code: '98101',
    }
    const { data } = await client(propertyCalls.create, {
      body: { account_id: account.id, property_name, ...place, building_value: 1_000_000 },
    })
    for (const category of ['appraisal', 'photo'] as const) {
      const name = `${property_name} ${category}.txt`
      const file_id = await addDocument(client, world.address, { accountId: account.id, name, bytes: Buffer.from(`${name}\n`) })
      await client(fileCalls.patch, { params: { id: account.id, file_id }, body: { category, properties: [data.id] } })
    }
  }

  await signInAt(page, broker.email, `/accounts/${account.id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Create a named link' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Carrier')
  await page.getByRole('radio', { name: 'Chosen properties' }).check()
  const search = page.getByRole('combobox', { name: 'Properties' })
  for (const name of BUILDINGS.slice(0, 2)) {
    await search.fill(name)
    await page.getByRole('option', { name: new RegExp(name) }).click()
  }
  await search.press('Tab')
  await page.getByRole('radio', { name: 'Documents of chosen categories' }).check()
  await page.getByRole('checkbox', { name: 'Appraisal / valuation' }).check()
  await search.scrollIntoViewIfNeeded()
  await checkScreen(page, 'link-scope-form', { phone: true })
  await page.getByText(/^Not included:/).scrollIntoViewIfNeeded()
  await checkScreen(page, 'link-scope-form-end', { phone: true })
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText(/2 properties, 1 category/)).toBeVisible()
  await checkScreen(page, 'link-scope-list', { phone: true })
  await page.goto('/access')
  await expect(page.getByText('2 properties, 1 category')).toBeVisible()
  await checkScreen(page, 'link-scope-access', { phone: true })

  const { data: links } = await client(sharingCalls.links, { params: { id: account.id } })
  const visitor = await (await context.browser()?.newContext())?.newPage()
  if (visitor === undefined) throw new Error('The browser is closed')
  await visitor.goto(new URL(new URL(links[0]?.link ?? '').pathname, world.address).href)
  await visitor.getByRole('button', { name: 'Skip Tour' }).first().click()
  await visitor.getByRole('tab', { name: /Properties/ }).click()
  await expect(visitor.getByText('Quay House').first()).toBeVisible()
  await expect(visitor.getByText('Dock Mill')).toHaveCount(0)
  await expect(visitor.getByRole('row')).toHaveCount(BUILDINGS.length)
  await visitor.getByRole('tab', { name: /Documents/ }).click()
  await expect(visitor.getByText('Pier Hall appraisal.txt')).toBeVisible()
  await expect(visitor.getByText(/photo\.txt|Dock Mill/)).toHaveCount(0)
  await checkScreen(visitor, 'link-scope-visitor', { phone: true })
  await visitor
    .getByRole('button', { name: /Downloads?/ })
    .first()
    .click()
  const download = visitor.waitForEvent('download')
  await visitor.getByRole('menuitem', { name: /Generate Organized Zip/ }).click()
  const listed = execFileSync('python3', ['-m', 'zipfile', '-l', await (await download).path()], { encoding: 'utf8' })
  const names = listed.split('\n').flatMap((line) => /^(.*?\.(?:txt|xlsx|json))\s/.exec(line)?.[1] ?? [])
  expect(names.toSorted()).toEqual([
    'Document Index.xlsx',
    'Manifest.json',
    'Properties/001 - Pier Hall, Seattle WA/04 Appraisal valuation/Pier Hall appraisal.txt',
    'Properties/002 - Quay House, Seattle WA/04 Appraisal valuation/Quay House appraisal.txt',
  ])
  await visitor.context().close()
})
