import { expect, type Locator } from '@playwright/test'
import { importCalls } from '#contract/imports.ts'
import { makeAccount } from '../support/arrange.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'
import { statementOfValues } from '../support/sheets.ts'
import { sendBytes } from '../support/uploads.ts'

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
