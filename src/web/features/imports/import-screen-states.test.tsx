import { screen, waitFor, within } from '@testing-library/react'
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
      { constants: { factor: '1000' } },
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
