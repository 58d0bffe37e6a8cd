import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { importCalls } from '#contract/import-calls.ts'
import { propertyImportCalls } from '#contract/property-imports.ts'
import { staleAfter } from '#web/data/staleness.ts'
import { createUploadItem } from '#web/engines/upload/upload-item.ts'
import { uploads } from '#web/engines/upload/uploads.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer, fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportPage } from './import.page.tsx'
import { ImportWorkbench } from './import-workbench.tsx'
import { IMPORT_ID, changedRow, checkedImport } from './imports.fixture.ts'

afterEach(() => {
  vi.restoreAllMocks()
  uploads.list.clear()
  resetPage()
})

const canReload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

async function editCell(server = fakeServer()) {
  // Only the visible part of the grid is rendered, and jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  const data = checkedImport({ columns: checkedImport().columns.map((column) => ({ ...column, state: 'mapped' })) })
  let rows = [1, 2, 3].map((row) => changedRow({ row, cells: [String(row), 'JM'] }))
  server.on(importCalls.show, () => ({ data })).on(importCalls.rows, () => onePage(rows))
  const store = () => {
    rows = rows.map((row) => (row.row === 2 ? { ...row, cells: ['2', 'Frame'] } : row))
    return { data: { ...data, version: 8 } }
  }
  const session = sessionWith(['bulk_upload_account_properties'])
  const { user } = renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session })
  const cells = await screen.findAllByRole('gridcell', { name: 'JM' })
  await user.click(cells[1] ?? document.body)
  const input = await screen.findByRole('textbox', { name: 'Value of cell B2' })
  await user.clear(input)
  await user.type(input, 'Frame')
  return { server, user, store, save: () => user.keyboard('{Enter}') }
}

describe('a cell edited in an import', () => {
  test('shows its new value while it is saved, and the import waits for it', async () => {
    const answer = Promise.withResolvers<void>()
    const { server, store, save } = await editCell()
    server.on(importCalls.update, async () => answer.promise.then(store))
    await save()
    expect(await screen.findByRole('gridcell', { name: 'Frame' })).toBeTruthy()
    expect(await screen.findByText('Saving your change')).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Add 1, change 1/ })).toHaveProperty('disabled', true)
    answer.resolve()
    await waitFor(() => expect(screen.getByRole('button', { name: /^Add 1, change 1/ })).toHaveProperty('disabled', false))
    expect(screen.getByRole('gridcell', { name: 'Frame' })).toBeTruthy()
  })

  test('is sent again after a lost connection, without a reload that would lose it', async () => {
    const { server, store, save } = await editCell()
    expect(canReload()).toBe(false)
    server.on(importCalls.update, () => errorAnswer('no-answer'))
    await save()
    await screen.findByText('Saving your change')
    expect(canReload()).toBe(false)
    server.on(importCalls.update, store)
    await waitFor(() => expect(screen.queryByText('Saving your change')).toBeNull(), { timeout: 5_000 })
    const edit = { edits: [{ row: 2, column: 'B', value: 'Frame' }] }
    expect(server.bodies(importCalls.update)).toEqual([edit, edit])
    expect(screen.getByRole('gridcell', { name: 'Frame' })).toBeTruthy()
    expect(canReload()).toBe(true)
  })

  test('has its old value again when the server rejects the new one', async () => {
    const { server, save } = await editCell()
    server.on(importCalls.update, () => errorAnswer('conflict', 'The import is being committed.'))
    await save()
    await screen.findByText('The import is being committed.')
    await waitFor(() => expect(screen.getAllByRole('gridcell', { name: 'JM' })).toHaveLength(3))
  })
})

test('an import whose upload was stored before the connection was lost is created when it is back', async () => {
  const server = accountServer(accountWith())
    .on(fileCalls.index, () => onePage([]))
    .on(propertyImportCalls.columns, () => ({ data: [] }))
    .on(propertyImportCalls.index, () => onePage([]))
    .on(propertyImportCalls.actions, () => ({ data: [] }))
    .on(importCalls.create, () => errorAnswer('no-answer'))
  const { router } = renderWithSession(<ImportPage id={ACCOUNT_ID} />, {
    session: sessionWith(['bulk_upload_account_properties', 'view_account_details']),
  })
  await screen.findByText('Choose a statement of values')
  const settings = { category: 'sov', private: false, sov: true, propertyIds: [] } as const
  const file = new File(['x'], 'sov.xlsx')
  const item = createUploadItem('u1', {
    userId: 'p1',
    accountId: ACCOUNT_ID,
    purpose: 'import',
    file,
    settings: { ...settings, propertyIds: [] },
  })
  act(() => uploads.list.append([{ ...item, status: 'done', key: 'k1' }]))
  await waitFor(() => expect(server.bodies(importCalls.create)).toHaveLength(1))
  expect(within(screen.getByRole('list')).getByText('sov.xlsx')).toBeTruthy()
  server.on(importCalls.create, () => ({ data: checkedImport() }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ import: IMPORT_ID }), { timeout: 5_000 })
  expect(server.bodies(importCalls.create)).toEqual([{ source: { key: 'k1' } }, { source: { key: 'k1' } }])
  expect(uploads.list.items()).toEqual([])
})

describe('an open import that another tab has committed', () => {
  const openThenCommit = async () => {
    const server = fakeServer()
      .on(importCalls.show, () => ({ data: checkedImport() }))
      .on(importCalls.rows, () => onePage([]))
    renderWithSession(<ImportWorkbench importId={IMPORT_ID} />, { session: sessionWith(['bulk_upload_account_properties']) })
    await screen.findByRole('button', { name: /^Add 1, change 1/ })
    server.on(importCalls.show, () => ({ data: checkedImport({ state: 'committed', version: 9, committed_at: '2026-11-20T11:00:00Z' }) }))
  }

  test('shows the outcome when the account has changed', async () => {
    await openThenCommit()
    const { account_id: id } = checkedImport()
    act(() => staleAfter.account['model-updated']({ id, updatedAt: '2026-11-20T11:00:00Z', scope: 'data' }))
    expect(await screen.findByText(/^Imported on/)).toBeTruthy()
  })

  test('shows the outcome when its tab is opened again, also at once', async () => {
    await openThenCommit()
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    expect(await screen.findByText(/^Imported on/)).toBeTruthy()
  })
})
