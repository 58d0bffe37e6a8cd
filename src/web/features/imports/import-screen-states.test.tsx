import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

afterEach(resetPage)

function show(change: Partial<Import>, path = '/') {
  const current = checkedImport(change)
  const server = fakeServer()
    .on(importCalls.show, () => ({ data: current }))
    .on(importCalls.update, () => ({ data: current }))
    .on(importCalls.rows, ({ query }) => onePage(query['tab'] === 'change' ? [changedRow(), changedRow({ row: 3 })] : []))
  const session = sessionWith(['bulk_upload_account_properties'])
  return { server, ...renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session, path }) }
}
const CHECKING = { activity: 'validating', progress: { done: 2, total: 8_645 } } as const
const QUESTION = { constant: 'factor', suggestion: '1000', message: 'Are the values in thousands?' }

test('settings, columns and questions can be changed while the rows are being checked', async () => {
  const { server, user } = show({ ...CHECKING, questions: [QUESTION] })
  await user.click(await screen.findByRole('button', { name: 'Yes, × 1,000' }))
  await user.click(screen.getByRole('button', { name: 'Confirm all proposals' }))
  await user.click(screen.getByRole('button', { name: 'Settings' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Mode' }), 'add_only')
  await user.click(screen.getByRole('switch', { name: 'Empty cells clear the value' }))
  await waitFor(() =>
    expect(server.bodies(importCalls.update)).toEqual([
      { answers: { factor: '1000' } },
      { mapping: { B: 'construction_class' } },
      { mode: 'add_only' },
      { empty_clears: true },
    ]),
  )
})

test('nothing can be changed while the import is written to the register', async () => {
  const { user } = show({ ...CHECKING, activity: 'committing', questions: [QUESTION] })
  await user.click(await screen.findByRole('button', { name: 'Settings' }))
  expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Mode' })).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Yes, × 1,000' })).toBeNull()
})

test('the arrow keys move between the rows of the preview', async () => {
  const { user } = show({}, '/?view=preview&tab=change')
  const first = await screen.findByRole('button', { name: 'Row 2' })
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row 3' }))
  await user.keyboard('{Home}')
  expect(document.activeElement).toBe(first)
})

test('the sheet has a skeleton with the known columns while its rows are read', async () => {
  show({ state: 'uploaded', activity: 'reading', sheet_rows: 0, progress: { done: 0, total: 8_645 } })
  const skeleton = await screen.findByRole('status', { name: 'Reading 8,645 rows' })
  const rows = within(skeleton).getAllByRole('row', { hidden: true })
  expect(rows.length).toBeGreaterThan(20)
  expect(rows[0]?.querySelectorAll('td')).toHaveLength(checkedImport().columns.length)
})

test('an import has a skeleton of the sheet until it is loaded', async () => {
  fakeServer().on(importCalls.show, () => new Promise<never>(() => undefined))
  renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
  const skeleton = await screen.findByRole('status', { name: 'Loading the import' })
  expect(skeleton.querySelectorAll('tr:first-child td')).toHaveLength(8)
})

const REPEATS = {
  file_name: 'SOV 2025.xlsx',
  created_at: '2026-01-04T10:00:00Z',
  committed_at: '2026-01-05T10:00:00Z',
  later: 'SOV 2026.xlsx',
}

test('a file that was imported before a newer one says how many properties go back to its values', async () => {
  show({ file_name: 'SOV 2025.xlsx', repeats: REPEATS, issues: [], counts: { ...checkedImport().counts, change: 28 } })
  const title = await screen.findByText('This file was imported on Jan 5, 2026; “SOV 2026.xlsx” was imported after it.')
  expect(title.nextElementSibling?.textContent).toBe('Importing it again puts 28 properties back to its values.')
  expect(screen.queryByText(/does not change/)).toBeNull()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

test('a file that was imported before claims to change nothing only when its rows are checked and change nothing', async () => {
  const change = {
    repeats: { ...REPEATS, later: null },
    issues: [],
    sums: null,
    counts: { ...checkedImport().counts, add: 0, change: 0, errors: 0 },
  }
  show({ ...change, activity: 'validating' })
  expect(await screen.findByText('This file was imported on Jan 5, 2026 as “SOV 2025.xlsx”.')).toBeTruthy()
  cleanup()
  show(change)
  const text = 'This file was imported on Jan 5, 2026 as “SOV 2025.xlsx”. Importing it again does not change the values of any property.'
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByText('No issues found.')).toBeTruthy()
})

test('a file that was imported before names what another import adds', async () => {
  const counts = { ...checkedImport().counts, add: 3, change: 0, errors: 0 }
  show({ repeats: { ...REPEATS, later: null }, counts })
  expect(await screen.findByText(/Importing it again adds 3 properties\.$/)).toBeTruthy()
})

test('a file that was imported before claims no effect of rows that cannot be imported', async () => {
  const counts = { ...checkedImport().counts, change: 0, errors: 0 }
  show({ repeats: { ...REPEATS, later: null }, issues: [], counts, sums: null, currency_conflict: 'Rows in another currency.' })
  expect(await screen.findByText('This file was imported on Jan 5, 2026 as “SOV 2025.xlsx”.')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

const LARGE_CHANGE = {
  code: 'large_change',
  severity: 'warning',
  column: 'G',
  header: 'Building',
  field: 'building_value',
  count: 3,
  first_row: 2,
} as const

test('a large change of an amount is not one that could not be read', async () => {
  show({ issues: [LARGE_CHANGE] })
  expect(await screen.findByText('Large change of the value')).toBeTruthy()
  expect(screen.queryByText(/could not be read/)).toBeNull()
})

const { sums: SUMS, counts: COUNTS } = checkedImport()

test('the result names the columns of money that are stored as custom fields', async () => {
  const unmapped_money = [
    { letter: 'F', header: 'Building Value (€)', total: 900_000, currency: 'EUR', left_out: true, custom_field: true },
    { letter: 'H', header: 'Trophy Value', total: 120_000, currency: null, left_out: true, custom_field: true },
  ]
  show({ state: 'committed', unmapped_money })
  const text = '€900,000 and $120,000 in columns F and H, kept as custom fields, was not imported as values.'
  expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByText('In the mapped columns')).toBeTruthy()
})

test('a total in the file that differs from its rows is an issue', async () => {
  show({ issues: [] })
  expect(await screen.findByText('$10 more than the rows')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

test('rows that a decision leaves out stay out, with what is known of their value', async () => {
  const left_out = { rows: 2, tiv: 0, currency: 'USD' }
  const sums = SUMS && { ...SUMS, stated: null, left_out, unread_rows: 2 }
  show({ issues: [], counts: { ...COUNTS, errors: 0 }, sums })
  expect((await screen.findByText('In the rows that were read')).parentElement?.textContent).toContain('3 locations, 2 not read')
  expect(screen.getByText('Value not known')).toBeTruthy()
  expect(screen.getByText('By a decision')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
})

test('amounts are marked as read by the first header until it is decided to which rows that applies', async () => {
  const question = { constant: 'other_tables', suggestion: 'exclude', message: 'Leave out the 14 rows below it?' }
  show({ questions: [question] })
  expect(await screen.findAllByText('3 locations, all read by the first header')).toHaveLength(2)
  expect(screen.queryByText('In the file')).toBeNull()
})

test('figures of before a change of the register are no verdict, and the rows can be checked again', async () => {
  const { user, server } = show({ issues: [], register_changed: true })
  expect(await screen.findByText('The register has changed since the rows were checked.')).toBeTruthy()
  expect(screen.queryByText('No issues found.')).toBeNull()
  expect(screen.queryByText(/Register afterwards/)).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Add 1/ }).disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ mode: 'add_and_update' }]))
})
