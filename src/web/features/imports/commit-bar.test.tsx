import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { errorAnswer, fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

afterEach(resetPage)

test('a removal of a property that no longer exists is left out of the next commit, after a dialog says so', async () => {
  const likely = '0198c0de-0000-7000-8000-000000000011'
  const counts = { ...checkedImport().counts, remove: 1 }
  const row = changedRow({ row: 0, property: { id: likely, name: 'Sold', full_address: '' }, changes: [], ticked: false, tiv: 150 })
  const message = '1 property whose removal you chose is no longer in this account, so it is left out. Please import again.'
  const server = fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ mode: 'full_replacement', counts, ticked: 0 }) }))
    .on(importCalls.rows, ({ query }) => onePage(query['tab'] === 'remove' ? [row] : []))
    .on(importCalls.commit, () => errorAnswer('conflict', message, {}, { gone: [likely], moved: [] }))
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, {
    session: sessionWith(['bulk_upload_account_properties']),
    path: '/?view=preview&tab=remove',
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Mark divested: Sold' }))
  await user.click(screen.getByRole('button', { name: /mark 1 divested/ }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /mark 1 divested/ }))
  const dialog = await screen.findByRole('dialog', { name: 'The register has changed' })
  expect(within(dialog).getByText(message)).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Review the changes' }))
  await user.click(await screen.findByRole('button', { name: /^Add 1, change 1, leave out 1/ }))
  await waitFor(() =>
    expect(server.bodies(importCalls.commit)).toMatchObject([
      { removals: { all_except: [], also: [likely] } },
      { removals: { all_except: [], also: [] } },
    ]),
  )
})

test('nothing that stays out of a file with several currencies is in none of them', async () => {
  const none = { rows: 0, tiv: 0, currency: 'CAD' }
  const file = { rows: 4, tiv: 10_000, currency: null }
  const sums = { ...checkedImport().sums, file, after: file, left_out: none } as Import['sums']
  fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ sums }) }))
    .on(importCalls.rows, () => onePage([]))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  expect((await screen.findByText('No rows')).closest('div')?.textContent).toBe('Stays out0No rows')
})

test.each([
  ['alone', 0, 'Stays out$2,800,000 No rows, but column I is not mapped'],
  ['next to rows', 2, 'Stays out$30 2 rows will not be imported  Also $2,800,000 in column I, not mapped'],
])('columns that are not mapped stay out with their amounts, %s', async (_, rows, text) => {
  const sums = { ...checkedImport().sums, left_out: { rows, tiv: rows * 15, currency: 'USD' } } as Import['sums']
  const unmapped_money = [{ letter: 'I', header: 'Zorp', total: 2_800_000, currency: null }]
  fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ sums, unmapped_money }) }))
    .on(importCalls.rows, () => onePage([]))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  expect((await screen.findByText('Stays out', { selector: 'dt' })).parentElement?.textContent?.trim()).toBe(text)
})

test('a column of money that is stored as a custom field stays out with its amounts, and the import can start', async () => {
  const sums = { ...checkedImport().sums, left_out: { rows: 0, tiv: 0, currency: 'USD' } } as Import['sums']
  const unmapped_money = [
    { letter: 'F', header: 'Building Value (€)', total: 900_000, currency: 'EUR', left_out: true, custom_field: true },
  ]
  fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ sums, unmapped_money }) }))
    .on(importCalls.rows, () => onePage([]))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  expect((await screen.findByText('Stays out', { selector: 'dt' })).parentElement?.textContent?.trim()).toBe(
    'Stays out€900,000 No rows, but column F is kept as a custom field',
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Add 1/ }).disabled).toBe(false)
  expect(screen.queryByText(/is not mapped/)).toBeNull()
})

test('locations without any value have no amount', async () => {
  const unknown = { rows: 3, tiv: null, currency: 'USD' }
  const sums = { ...checkedImport().sums, file: unknown, after: unknown } as Import['sums']
  fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ sums }) }))
    .on(importCalls.rows, () => onePage([]))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  await screen.findByText('Register afterwards: 3 properties, no values')
  expect(screen.getByText('Will be imported').parentElement?.textContent).toBe('Will be importedNo values3 locations')
})

test('rows in another currency than the account cannot be imported, and the sum is that of the chosen rows', async () => {
  const currency_conflict = 'The properties of this account are in CAD, and rows of this file in another currency.'
  const several = { rows: 4, tiv: 10_000, currency: null }
  const imported = { rows: 1, tiv: 600, currency: 'EUR' }
  const sums = { ...checkedImport().sums, file: several, after: several, imported } as Import['sums']
  fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ sums, currency_conflict }) }))
    .on(importCalls.rows, () => onePage([]))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  expect(await screen.findByText(currency_conflict)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Add 1/ }).disabled).toBe(true)
  expect(screen.getByText('Cannot be imported: rows in another currency than the account')).toBeTruthy()
  expect(screen.queryByText(/^Register afterwards/)).toBeNull()
  expect(screen.getByText('Chosen rows').parentElement?.textContent).toBe('Chosen rows€6001 location')
})
