import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { queryClient } from '#web/data/query-client.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { ACCOUNT_ID, IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'
import { importQueries } from './use-import.ts'

const question = { constant: 'factor', suggestion: '1000', message: 'Are the values in thousands?' }
const missing = {
  row: 2,
  column: 'A',
  header: 'Loc #',
  field: 'address',
  code: 'required_missing',
  severity: 'error',
  message: 'Street address is missing.',
  value: null,
  suggestion: null,
} as const
const missingGroup = { ...missing, count: 1, first_row: 2 }

let server: FakeServer
let current: Import
beforeEach(() => {
  current = checkedImport()
  server = fakeServer()
    .on(importCalls.show, () => ({ data: current }))
    .on(importCalls.rows, () => onePage([]))
})
afterEach(resetPage)

const show = (path = '/') =>
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']), path })
const panel = () => screen.findByRole('complementary', { name: 'Settings and issues' })

test('the panel folds by its button or a key, and a new question unfolds it', async () => {
  const { user } = show()
  const side = await panel()
  await user.click(within(side).getByRole('button', { name: 'Fold the panel (])' }))
  expect(side.dataset['folded']).toBe('true')
  await user.keyboard(']')
  expect(side.dataset['folded']).toBeUndefined()
  await user.keyboard(']')
  queryClient.setQueryData(importQueries.one(IMPORT_ID).queryKey, checkedImport({ questions: [question] }))
  await waitFor(() => expect(side.dataset['folded']).toBeUndefined())
})

test('the reason why the commit waits leads to the first open question', async () => {
  current = checkedImport({ questions: [question] })
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: '1 answer' }))
  expect(document.activeElement?.textContent).toBe('Yes, × 1,000')
})

test('an answered question folds into a line, and Change opens it again', async () => {
  current = checkedImport({ constants: { factor: '1000', city: 'Fresno' } })
  server.on(importCalls.update, () => ({ data: checkedImport({ version: 8, constants: { city: 'Fresno' }, questions: [question] }) }))
  const { user } = show()
  expect(await screen.findByText('Answered: values are in thousands')).toBeTruthy()
  expect(screen.getAllByText(/^Answered:/)).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Change the answer: values are in thousands' }))
  expect(await screen.findByText('Are the values in thousands?')).toBeTruthy()
  expect(screen.queryByText(/^Answered:/)).toBeNull()
  expect(server.bodies(importCalls.update)).toEqual([{ answers: { factor: null } }])
})

test('a cause for which rows stay out shows their value', async () => {
  const sums = { ...checkedImport().sums, left_out: { rows: 1, tiv: 8_667_000, currency: 'USD' } } as Import['sums']
  current = checkedImport({ sums, issues: [missingGroup] })
  server.on(importCalls.rows, ({ query }) => onePage(query['tab'] === 'errors' ? [changedRow({ issues: [missing], tiv: 8_667_000 })] : []))
  show()
  const cause = within(await panel()).getByRole('button', { name: /Required value missing/ })
  await waitFor(() => expect(cause.textContent).toBe('Required value missingColumn A, Loc #1$8,667,000'))
  expect(screen.getByRole('button', { name: 'Stays out 1 row $8,667,000' })).toBeTruthy()
})

test('rows that need a decision are among those that stay out and lead to their tab', async () => {
  current = checkedImport({ issues: [], counts: { ...current.counts, errors: 0, conflict: 2 } })
  const { user, router } = show()
  await user.click(within(await panel()).getByRole('button', { name: /Needs a decision/ }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ view: 'preview', tab: 'conflict' }))
})

test('an empty tab gives no verdict before the rows are checked', async () => {
  current = checkedImport({ state: 'mapped', activity: 'validating', counts: {} })
  show('/?view=preview&tab=errors')
  expect((await screen.findAllByText('The rows have not been checked yet.')).length).toBeGreaterThan(0)
  expect(screen.queryByText('No rows stay out.')).toBeNull()
})

test('money in a column without a mapping can be left out', async () => {
  current = checkedImport({ unmapped_money: [{ letter: 'B', header: 'Stock', total: 4_500_000, currency: null }] })
  server.on(importCalls.update, () => ({ data: checkedImport() }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Leave out' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ mapping: { B: 'ignore' } }]))
})

test('an answer that a later change has overtaken does not replace its result', async () => {
  const questions = [question]
  current = checkedImport({ questions, version: 7 })
  server.on(importCalls.update, () => {
    // The answer to a later change arrives first.
    queryClient.setQueryData(importQueries.one(IMPORT_ID).queryKey, checkedImport({ file_name: 'Later.xlsx', version: 9 }))
    return { data: checkedImport({ questions, version: 8 }) }
  })
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Yes, × 1,000' }))
  expect(await screen.findByRole('heading', { name: 'Later.xlsx' })).toBeTruthy()
  await queryClient.invalidateQueries({ queryKey: ['import', IMPORT_ID], exact: true })
  expect(server.requests.filter((request) => request === `GET /properties/import/${IMPORT_ID}`).length).toBeGreaterThan(1)
  expect(queryClient.getQueryData(importQueries.one(IMPORT_ID).queryKey)).toMatchObject({ file_name: 'Later.xlsx', version: 9 })
})

test('the account is out of date when an import has been written, not only when it starts', async () => {
  const account = ['record', 'accounts', ACCOUNT_ID]
  current = checkedImport({ activity: 'committing' })
  show()
  await panel()
  queryClient.setQueryData(account, { properties: 0 })
  current = checkedImport({ state: 'committed', version: 8 })
  queryClient.setQueryData(importQueries.one(IMPORT_ID).queryKey, current)
  await waitFor(() => expect(queryClient.getQueryState(account)?.isInvalidated).toBe(true))
})

test('the settings set each required part of an address that is the same in all rows', async () => {
  const { user } = show()
  await user.click(within(await panel()).getByText('Settings'))
  expect(screen.getByLabelText('City for all rows')).toBeTruthy()
  expect(screen.getAllByLabelText('State for all rows').length).toBeGreaterThan(0)
})

test('rows that need a decision are listed once, and can be decided all at once', async () => {
  const divested = {
    ...missing,
    code: 'divested_match',
    severity: 'warning',
    column: null,
    field: null,
    message: 'Bring it back.',
  } as const
  const other = { ...divested, code: 'unknown_code', message: 'Not a known word.' } as const
  const candidates = [{ id: ACCOUNT_ID, name: 'Mill', full_address: '1 Main St' }]
  const rows = [2, 3].map((row) => changedRow({ row, candidates, issues: [other, divested] }))
  current = checkedImport({ issues: [{ ...divested, count: 2, first_row: 2 }], counts: { ...current.counts, errors: 0, conflict: 2 } })
  server.on(importCalls.rows, () => onePage(rows)).on(importCalls.update, () => ({ data: current }))
  const { user } = show('/?view=preview&tab=conflict')
  await user.click(await screen.findByRole('button', { name: 'Reactivate all' }))
  expect(within(await panel()).queryByText('Property marked divested')).toBeNull()
  expect(screen.getAllByText(/^Bring it back/)).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Add all as new' }))
  await user.click(screen.getByRole('button', { name: 'Leave all out' }))
  await waitFor(() =>
    expect(server.bodies(importCalls.update)).toEqual([
      { matches: [2, 3].map((row) => ({ row, property_id: ACCOUNT_ID })) },
      { matches: [2, 3].map((row) => ({ row, property_id: null })) },
      { exclusions: [2, 3].map((row) => ({ row, excluded: true })) },
    ]),
  )
})

test('rows whose number belongs to one property at another address can be matched to it all at once', async () => {
  const conflict = { ...missing, code: 'conflict_match', severity: 'warning', column: null, field: null, message: 'Choose.' } as const
  const mill = { id: ACCOUNT_ID, name: 'Mill', full_address: '1 Main St' }
  const rows = [
    changedRow({ row: 2, candidates: [mill], issues: [conflict] }),
    changedRow({ row: 3, candidates: [mill, { ...mill, id: IMPORT_ID, name: 'Barn' }], issues: [conflict] }),
  ]
  current = checkedImport({ issues: [{ ...conflict, count: 2, first_row: 2 }], counts: { ...current.counts, errors: 0, conflict: 2 } })
  server.on(importCalls.rows, () => onePage(rows)).on(importCalls.update, () => ({ data: current }))
  const { user } = show('/?view=preview&tab=conflict')
  await user.click(await screen.findByRole('button', { name: 'Match all with one candidate' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ matches: [{ row: 2, property_id: ACCOUNT_ID }] }]))
})
