import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ImportRow } from '#contract/import-rows.ts'
import { importCalls } from '#contract/import-calls.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

const issue: ImportRow['issues'][number] = {
  row: 4,
  column: 'B',
  header: 'Const',
  field: 'construction_class',
  code: 'unknown_code',
  severity: 'error',
  message: '“JX” is not a construction class.',
  value: 'JX',
  suggestion: 'JM',
}

let server: FakeServer
beforeEach(() => {
  const rows = [1, 2, 3, 4].map((row) =>
    changedRow({ row, cells: [String(row), row === 4 ? 'JX' : 'JM'], issues: row === 4 ? [issue] : [] }),
  )
  server = fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport() }))
    .on(importCalls.rows, () => onePage(rows))
    .on(importCalls.update, () => ({ data: checkedImport() }))
})
afterEach(resetPage)

async function selectIssue() {
  const session = sessionWith(['bulk_upload_account_properties'])
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session })
  await user.click(await screen.findByRole('button', { name: /Column B, Const/ }))
  const cell = await screen.findByRole('textbox', { name: 'Value of cell B4' })
  return { user, cell }
}

describe('the bar of a selected cell', () => {
  test('shows its value and its issues', async () => {
    const { cell } = await selectIssue()
    expect(cell).toHaveProperty('value', 'JX')
    expect(screen.getByText('“JX” is not a construction class.', { exact: false })).toBeTruthy()
  })

  test('uses the suggested value for the cell or for all equal cells', async () => {
    const { user } = await selectIssue()
    expect(screen.getByRole('button', { name: 'Change cell' }).hasAttribute('disabled')).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Use “JM”' }))
    await user.click(await screen.findByRole('button', { name: 'Change all equal cells in B' }))
    await waitFor(() =>
      expect(server.bodies(importCalls.update)).toEqual([
        { edits: [{ row: 4, column: 'B', value: 'JM' }] },
        { replace: { column: 'B', from: 'JX', to: 'JM' } },
      ]),
    )
  })

  test('changes the cell, or all equal cells, to the entered value', async () => {
    const { user, cell } = await selectIssue()
    await user.clear(cell)
    await user.type(cell, 'FR')
    await user.click(screen.getByRole('button', { name: 'Change all equal cells in B' }))
    await user.type(cell, '{Enter}')
    await waitFor(() =>
      expect(server.bodies(importCalls.update)).toEqual([
        { replace: { column: 'B', from: 'JX', to: 'FR' } },
        { edits: [{ row: 4, column: 'B', value: 'FR' }] },
      ]),
    )
  })
})

test('the bar of a selected row offers to exclude it or to use it as the header', async () => {
  server.on(importCalls.rows, () => onePage([changedRow({ row: 1 })]))
  const session = sessionWith(['bulk_upload_account_properties'])
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session, path: '/?view=preview&tab=change' })
  await user.click(await screen.findByRole('button', { name: 'Row 1' }))
  expect(await screen.findByText('A location to import')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Exclude row' }))
  await user.click(screen.getByRole('button', { name: 'Use as header row' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ exclusions: [{ row: 1, excluded: true }] }, { header_row: 1 }]))
})
