import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import { fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

let server: FakeServer
beforeEach(() => {
  // Only the visible part of the grid is rendered, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  const rows = [
    changedRow({ row: 1, kind: 'header', cells: ['Loc #', 'Const'] }),
    changedRow({ row: 2, cells: ['1', 'JM'] }),
    changedRow({ row: 3, cells: ['2', 'FR'], excluded: true, reason: 'Excluded by you' }),
  ]
  server = fakeServer()
    .on(importCalls.show, () => ({ data: checkedImport({ total: 3 }) }))
    .on(importCalls.rows, () => onePage(rows))
    .on(importCalls.update, () => ({ data: checkedImport({ total: 3 }) }))
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

const show = () => renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })

test('a click selects a cell, and the arrow keys move the selection', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('gridcell', { name: 'JM' }))
  const grid = screen.getByRole('grid', { name: 'Sheet of SOV 2026.xlsx' })
  const selected = () => grid.querySelector(`#${grid.getAttribute('aria-activedescendant') ?? ''}`)?.textContent
  expect(selected()).toBe('JM')
  await user.keyboard('{ArrowDown}')
  expect(selected()).toBe('FR')
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(selected()).toBe('3')
  expect(screen.getAllByText('Excluded by you')).toHaveLength(2)
})

test('Enter or a double click edits a cell in place, and Escape cancels', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('gridcell', { name: 'JM' }))
  await user.keyboard('{Enter}')
  await user.keyboard('Tilt-up{Escape}')
  await user.dblClick(screen.getByRole('gridcell', { name: 'JM' }))
  await user.type(screen.getByRole('textbox', { name: 'Value of the cell' }), 'FR{Enter}')
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ edits: [{ row: 2, column: 'B', value: 'JMFR' }] }]))
  expect(screen.queryByRole('textbox', { name: 'Value of the cell' })).toBeNull()
})

test('typing into a selected cell replaces its text, Enter saves it, and Escape restores the text', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('gridcell', { name: 'JM' }))
  await user.keyboard('25')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of the cell' }).value).toBe('25')
  await user.keyboard('{Escape}')
  expect(screen.getByRole('gridcell', { name: 'JM' })).toBeTruthy()
  // Both are shortcuts of the page while no cell is edited.
  await user.keyboard('q]{Enter}')
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ edits: [{ row: 2, column: 'B', value: 'q]' }] }]))
})

test('a field that another column is mapped to says so', async () => {
  const { user } = show()
  const field = await screen.findByRole('combobox', { name: 'Field for column B, Const' })
  expect(within(field).getByRole('option', { name: /\(now column A\)$/ })).toHaveProperty('value', 'location_number')
  await user.selectOptions(field, 'location_number')
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ mapping: { B: 'location_number' } }]))
})

test('the same rows are shown as in the file and as they will be, with the values that change', async () => {
  const written = changedRow({ row: 2, cells: ['1', 'JM'], changes: [{ field: 'construction_class', before: '1', after: '2' }] })
  server.on(importCalls.rows, ({ query }) => onePage([query['reading'] === 'register' ? { ...written, cells: ['1', '2'] } : written]))
  const { user, router } = show()
  expect((await screen.findByRole('gridcell', { name: 'JM' })).textContent).toBe('JM')
  await user.click(screen.getByRole('radio', { name: 'As it will be' }))
  expect((await screen.findByRole('gridcell', { name: '2 Joisted masonry 1 Frame' })).querySelector('del')?.textContent).toBe('1 Frame')
  expect(screen.getByRole('columnheader', { name: /^B ?Construction/ })).toBeTruthy()
  expect(router.state.location.search).toMatchObject({ view: 'preview' })
  expect(screen.getByRole('tab', { name: 'All rows 3', selected: true })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'As in the file' }))
  expect(await screen.findByRole('gridcell', { name: 'JM' })).toBeTruthy()
})

test('what the rows will be is not offered before they are checked', async () => {
  server.on(importCalls.show, () => ({ data: checkedImport({ state: 'mapped', activity: 'validating' }) }))
  show()
  expect(await screen.findByRole<HTMLInputElement>('radio', { name: 'As it will be' })).toHaveProperty('disabled', true)
})

test('a cell edited by hand shows what the file says, and the edit can be undone', async () => {
  server.on(importCalls.rows, () => onePage([changedRow({ row: 1, cells: ['1', 'FR'], edited: { B: 'JM' } })]))
  const { user } = show()
  const cell = await screen.findByRole('gridcell', { name: 'FR JM' })
  expect([cell.querySelector('del')?.textContent, cell.title, cell.dataset['edited']]).toEqual(['JM', 'FR\nIn the file: JM', 'true'])
  await user.click(cell)
  expect(await screen.findByText('In the file: JM')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo edit' }))
  await waitFor(() => expect(server.bodies(importCalls.update)).toEqual([{ edits: [{ row: 1, column: 'B', value: 'JM' }] }]))
})

test('a repeated header is one line that begins with why it is left out', async () => {
  server.on(importCalls.rows, () => onePage([changedRow({ row: 1, kind: 'repeated_header', cells: ['Loc #', 'Const'] })]))
  show()
  expect((await screen.findByText('Repeated header, left out')).parentElement?.textContent).toBe('Repeated header, left outLoc # · Const')
})

describe('rows above the header', () => {
  beforeEach(() => {
    const rows = [
      changedRow({ row: 1, kind: 'title', cells: ['Statement of values'] }),
      changedRow({ row: 2, kind: 'header', cells: ['Loc #', 'Const'] }),
      changedRow({ row: 3, cells: ['1', 'JM'] }),
    ]
    server.on(importCalls.show, () => ({ data: checkedImport({ header_row: 2, sheet_rows: 3 }) })).on(importCalls.rows, () => onePage(rows))
  })

  test('are folded with it into one line, which opens', async () => {
    const { user } = show()
    await screen.findByRole('gridcell', { name: 'JM' })
    expect(screen.queryByText('Statement of values')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Titles and header row 2 rows, not locations' }))
    expect(screen.getByText('Statement of values')).toBeTruthy()
    expect(screen.getByText('Title, left out')).toBeTruthy()
  })

  test('unfold when the selection moves into them', async () => {
    const { user } = show()
    await user.click(await screen.findByRole('gridcell', { name: 'JM' }))
    await user.keyboard('{ArrowUp}')
    expect(screen.getByText('Statement of values')).toBeTruthy()
  })
})

test('F8 selects the next cell with an issue, and Shift and F8 the previous one', async () => {
  const issue = {
    column: 'B',
    header: 'Const',
    field: 'construction_class',
    code: 'unknown_code',
    severity: 'warning',
    message: 'Not understood',
    value: null,
    suggestion: null,
  } as const
  const rows = [1, 2, 3, 4].map((row) => changedRow({ row, cells: ['1', `W${row}`], issues: row % 2 === 0 ? [{ ...issue, row }] : [] }))
  server.on(importCalls.rows, () => onePage(rows))
  const { user } = show()
  await screen.findByRole('gridcell', { name: 'W1' })
  for (const [key, cell] of [
    ['{F8}', 'B2'],
    ['{F8}', 'B4'],
    ['{Shift>}{F8}{/Shift}', 'B2'],
  ] as const) {
    await user.keyboard(key)
    expect(await screen.findByRole('textbox', { name: `Value of cell ${cell}` })).toBeTruthy()
  }
})
