import { expect } from '@playwright/test'
import { fileCalls } from '#contract/account-files.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { makeAccount } from '../support/arrange.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { signInAt, test } from '../support/journey.ts'
import { makeCompany, makePerson, signedIn } from '../support/people.ts'
import { statementOfValues } from '../support/sheets.ts'
import { addDocument, sendBytes } from '../support/uploads.ts'

const BEFORE = 300
const AFTER = 40
const REMOVED = BEFORE - AFTER

test('a full replacement names the properties that it removes, and its undo brings them back with their documents', async ({
  page,
  world,
}) => {
  const { id: companyId } = await makeCompany(world.admin, 'Replacement Brokers')
  const person = await makePerson(world.admin, { role: 'broker', companyId, firstName: 'Rae' })
  const broker = await signedIn(world.address, person)
  const accountId = await makeAccount(broker, 'Replaced every year')
  const first = await prepareImport(broker, world.address, accountId, BEFORE)
  await broker(importCalls.commit, { params: { id: first.id }, body: { version: first.version } })
  const { data: last } = await broker(propertyCalls.index, { query: { filter__account_id: accountId, search: `Building ${BEFORE}` } })
  const removedId = last[0]?.id ?? ''
  const fileId = await addDocument(broker, world.address, { accountId, name: 'Lease.txt', bytes: Buffer.from('The lease.') })
  await broker(fileCalls.patch, { params: { id: accountId, file_id: fileId }, body: { properties: [removedId] } })

  const second = await prepareImport(broker, world.address, accountId, AFTER)
  await broker(importCalls.update, { params: { id: second.id }, body: { mode: 'full_replacement', constants: { many_divested: 'mark' } } })
  await signInAt(page, person.email, `/accounts/${accountId}/import`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('tab', { name: `Remove ${REMOVED}` }).click()
  await expect(page.getByRole('checkbox', { name: 'Mark divested: 41 Building 41' })).toBeChecked()
  await page.getByRole('button', { name: `Mark ${REMOVED} divested`, exact: true }).click()
  const question = page.getByRole('dialog', { name: `Mark ${REMOVED} properties divested?` })
  await question.getByRole('button', { name: `Mark ${REMOVED} divested`, exact: true }).click()
  await expect(page.getByText(/^Imported on /)).toBeVisible()
  const active = async () => (await broker(accountCalls.show, { params: { id: accountId } })).data.properties
  expect(await active()).toBe(AFTER)

  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText(/^Undone/)).toBeVisible()
  expect(await active()).toBe(BEFORE)
  const { data: restored } = await broker(propertyCalls.show, { params: { id: removedId } })
  expect(restored).toMatchObject({ status: 'active', divested_on: null })
  const { data: document } = await broker(fileCalls.show, { params: { id: accountId, file_id: fileId } })
  expect(document.propertyIds).toEqual([removedId])
})

/** Uploads a statement with this many rows and waits until it is checked. */
async function prepareImport(client: Client, address: string, accountId: string, rows: number): Promise<Import> {
  const name = `statement of ${rows}.csv`
  const key = await sendBytes(client, address, { accountId, name, bytes: statementOfValues(rows), type: 'text/csv' })
  const { id } = (await client(importCalls.create, { params: { account_id: accountId }, body: { source: { key } } })).data
  return eventually(
    async () => (await client(importCalls.show, { params: { id } })).data,
    ({ state, activity }) => state === 'validated' && activity === null,
  )
}
