import { expect, type Locator } from '@playwright/test'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { importCalls } from '#contract/import-calls.ts'
import { makeAccount, makeProperty } from '../support/arrange.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'
import { statementOfValues } from '../support/sheets.ts'
import { addDocument, sendBytes } from '../support/uploads.ts'

const ROWS = 60
const WINDOW_PX = 1440
/** The sidebar is the rest. */
const PAGE_PX = 1160

const widthOf = async (element: Locator): Promise<number> => (await element.boundingBox())?.width ?? 0

test('the sheet of an import gets the width of the page, and the list of properties needs no sideways scroll', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Wide Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Wanda' })
  const broker = await signedIn(world.address, person)
  const accountId = await makeAccount(broker, 'Wide Account', 3)
  const bytes = statementOfValues(ROWS)
  const key = await sendBytes(broker, world.address, { accountId, name: 'statement.csv', bytes, type: 'text/csv' })
  await broker(importCalls.create, { params: { account_id: accountId }, body: { source: { key } } })

  await signInAt(page, person.email, `/accounts/${accountId}/import`)
  await page.getByRole('button', { name: 'Continue' }).click()
  const sheet = page.getByRole('grid', { name: 'Sheet of statement.csv' })
  const side = page.getByRole('complementary', { name: 'Settings and issues' })
  await expect(sheet).toBeVisible()
  const unfolded = await widthOf(sheet)
  expect(unfolded + (await widthOf(side))).toBeGreaterThan(PAGE_PX)
  expect(unfolded, 'the sheet next to the panel').toBeGreaterThan(0.6 * WINDOW_PX)
  await side.getByRole('button', { name: 'Fold the panel (])' }).click()
  await expect.poll(() => widthOf(sheet), { message: 'the sheet next to the folded panel' }).toBeGreaterThan(unfolded + 200)

  await page.goto(`/accounts/${accountId}?tab=properties`)
  const table = page.getByRole('region', { name: 'Table of Properties' })
  await expect(table.getByRole('columnheader', { name: 'Loc #' })).toBeVisible()
  const { content, area } = await table.evaluate((element) => ({ content: element.scrollWidth, area: element.clientWidth }))
  expect(area).toBeGreaterThan(PAGE_PX)
  expect(content, 'the usual columns fit').toBeLessThanOrEqual(area)
})

test('nothing of the dashboard is cut on a small phone or next to the sidebar, also with amounts in two currencies', async ({
  page,
  world,
}) => {
  const { id: companyId } = await makeCompany(world.admin, 'Narrow Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Nora' })
  const broker = await signedIn(world.address, person)
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  for (const [name, currency] of [
    ['Warehouses and Cold Stores of the Northern Provinces', 'CAD'],
    ['Retail Portfolio', 'USD'],
  ] as const) {
    const { data: account } = await broker(accountCalls.create, { body: { name, type: 'standard', effective_date: inAWeek } })
    const property = await makeProperty(broker, account.id, 1)
    await broker(propertyCalls.update, { params: { id: property }, body: { version: 1, currency, building_value: 2_345_678_901 } })
  }
  await signInAt(page, person.email)
  const tile = page.locator('[data-key="tiv"]')
  await expect(tile.getByText('CA$2,345,678,901')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Retail Portfolio' }).first()).toBeVisible()
  for (const width of [320, 768, WINDOW_PX]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page
      .locator('main section')
      .evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length)
    expect(wide, `cards that are cut at ${width} px`).toBe(0)
    const content = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(content, `the page at ${width} px`).toBeLessThanOrEqual(width)
    for (const amount of ['$2,345,678,901', 'CA$2,345,678,901'])
      expect((await tile.getByText(amount, { exact: true }).boundingBox())?.height, `${amount} is on one line at ${width} px`).toBeLessThan(
        40,
      )
  }
})

test('the report date of a document that is far out of date is not cut', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Old Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Olive' })
  const broker = await signedIn(world.address, person)
  const accountId = await makeAccount(broker, 'Old Account', 1)
  const fileId = await addDocument(broker, world.address, { accountId, name: 'appraisal.txt', bytes: Buffer.from('An appraisal\n') })
  const body = { category: 'appraisal', report_author_date: '2010-05-28' } as const
  await broker(fileCalls.patch, { params: { id: accountId, file_id: fileId }, body })
  await signInAt(page, person.email, `/accounts/${accountId}?tab=files`)
  const date = page.getByRole('cell', { name: /May 28, 2010/ })
  await expect(date).toBeVisible()
  const { content, area } = await date.evaluate((element) => ({ content: element.scrollWidth, area: element.clientWidth }))
  expect(content).toBeLessThanOrEqual(area)
  const table = await page
    .getByRole('region', { name: /^Table of/ })
    .evaluate((element) => ({ content: element.scrollWidth, area: element.clientWidth }))
  expect(table.content, 'the usual columns fit').toBeLessThanOrEqual(table.area)
})

test('nothing of the largest figures of an account is cut next to the sidebar', async ({ page, world }) => {
  const { id: companyId } = await makeCompany(world.admin, 'Large Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Lara' })
  const broker = await signedIn(world.address, person)
  const accountId = await makeAccount(broker, 'Large Account', 1)
  for (const [row, property_type] of (['office', 'retail', 'industrial'] as const).entries()) {
    const id = await makeProperty(broker, accountId, row + 2)
    await broker(propertyCalls.update, { params: { id }, body: { version: 1, property_type, building_value: 234_567_890_123 } })
  }
  const unvalued = await makeProperty(broker, accountId, 9)
  await broker(propertyCalls.update, { params: { id: unvalued }, body: { version: 1, building_value: null } })
  await addDocument(broker, world.address, { accountId, name: 'lease.txt', bytes: Buffer.from('A lease\n') })
  const bytes = statementOfValues(ROWS)
  await addDocument(broker, world.address, { accountId, name: 'statement of values.csv', bytes })
  await signInAt(page, person.email, `/accounts/${accountId}`)
  await expect(page.getByText('Types by value')).toBeVisible()
  await expect(page.getByText(/on average of the/)).toBeVisible()
  const cut = await page.locator('dl > div').evaluateAll((tiles) =>
    tiles.flatMap((tile) => {
      const right = tile.getBoundingClientRect().right
      const isCut = [...tile.querySelectorAll('dt, dd, dd *')].some((part) => part.getBoundingClientRect().right > right + 1)
      return isCut ? [tile.textContent] : []
    }),
  )
  expect(cut).toEqual([])
})
