import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import type { HistoryItem } from '#contract/imports.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

afterEach(resetPage)

const item = (number: number, more: Partial<HistoryItem> = {}): HistoryItem => ({
  id: `0198c0de-0000-7000-8000-00000000000${number}`,
  account_id: ACCOUNT_ID,
  state: 'validated',
  status: 'validated',
  activity: null,
  file_name: `Schedule ${number}.xlsx`,
  file_id: null,
  total: 3,
  counts: { add: 3, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: 0, errors: 0 },
  sums: null,
  created: 0,
  updated: 0,
  failed: 0,
  created_by: 'Dana Whitfield',
  created_at: '2026-03-04T15:00:00.000Z',
  committed_at: null,
  undoable: false,
  open: { answers: 0, columns: 0, decisions: 0 },
  ...more,
})

async function open(items: HistoryItem[], { canImport = true, features = {} } = {}) {
  const session = sessionWith(['view_account_details', ...(canImport ? (['bulk_upload_account_properties'] as const) : [])])
  const account = accountWith()
  const server = accountServer({ ...account, accessible_features: { ...account.accessible_features, ...features } }, session)
  server.on(importCalls.history, () => ({ data: items }))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  await screen.findByText('9 disclosed')
  return server
}
const panel = () => screen.findByRole('region', { name: 'Unfinished imports' })
const lines = async () =>
  within(await panel())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('the overview names an import that waits for its commit, with its state, file and time, and opens it', async () => {
  await open([item(1, { open: { answers: 2, columns: 0, decisions: 0 } })])
  expect(await lines()).toEqual(['Schedule 1.xlsxWaits for 2 answersstarted Mar 4, 2026, 10:00 AM by Dana Whitfield'])
  const link = within(await panel()).getByRole('link', { name: 'Schedule 1.xlsx' })
  expect(link.getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}/import?import=${item(1).id}`)
})

test('an import that is prepared, or has failed since the last one in the register, is unfinished, too', async () => {
  await open([
    item(1, { state: 'uploaded', activity: 'reading' }),
    item(2, { state: 'failed' }),
    item(3, { state: 'committed' }),
    item(4, { state: 'failed' }),
    item(5, { state: 'cancelled' }),
  ])
  expect((await lines()).map((line) => line?.replace(/started.*/, ''))).toEqual([
    'Schedule 1.xlsxReading the file',
    'Schedule 2.xlsxFailed',
  ])
})

test('of many unfinished imports three are named, and the others are one link', async () => {
  await open([1, 2, 3, 4, 5].map((number) => item(number)))
  expect(await lines()).toHaveLength(3)
  expect(within(await panel()).getByRole('heading').textContent).toBe('5 unfinished imports')
  expect(
    within(await panel())
      .getByRole('link', { name: 'Show 2 more' })
      .getAttribute('href'),
  ).toBe(`/accounts/${ACCOUNT_ID}/import`)
})

test.each([
  ['without the permission to import', { canImport: false }],
  ['in an account without imports for the user', { features: { import: false } }],
])('users %s do not see unfinished imports, and the page does not request them', async (_who, rights) => {
  const server = await open([item(1)], rights)
  expect(screen.queryByRole('region', { name: 'Unfinished imports' })).toBeNull()
  expect(server.requests.filter((request) => request.includes('/properties/import/'))).toEqual([])
})
