import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { HistoryItem } from '#contract/imports.ts'
import { propertyImportCalls } from '#contract/property-imports.ts'
import { ACCOUNT_ID, accountServer, accountWith, archive } from '#web/testing/account-server.ts'
import { errorAnswer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ImportPage } from './import.page.tsx'
import { IMPORT_ID, checkedImport, importColumns, importRow } from './imports.fixture.ts'

const committed: HistoryItem = checkedImport({ state: 'committed', created: 59, committed_at: '2026-11-20T11:00:00Z', undoable: true })

let server: FakeServer
beforeEach(() => {
  server = accountServer(accountWith())
    .on(fileCalls.index, () => onePage([]))
    .on(propertyImportCalls.columns, () => ({ data: importColumns }))
    .on(propertyImportCalls.filters, () => ({ data: [] }))
    .on(propertyImportCalls.actions, () => ({ data: [] }))
    .on(propertyImportCalls.index, () =>
      onePage([importRow(committed), importRow(checkedImport({ id: ACCOUNT_ID, file_name: 'Draft.csv' }))]),
    )
})
afterEach(resetPage)

const show = () =>
  renderWithSession(<ImportPage id={ACCOUNT_ID} />, { session: sessionWith(['bulk_upload_account_properties', 'view_account_details']) })

test.each(['SOV.ods', 'SOV.xlsb', 'SOV.numbers'])('“%s” is rejected with advice how to save it', async (name) => {
  const { container } = show()
  await screen.findByText('Choose a statement of values')
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no field for files.')
  fireEvent.change(input, { target: { files: [new File(['x'], name)] } })
  expect(await screen.findByText(/is a spreadsheet of a type that cannot be read\. Open it .* save it as \.xlsx/)).toBeTruthy()
})

test('the documents to import are the spreadsheets, newest first, without text files', async () => {
  const names = ['notes.txt', 'old.xlsx', 'photo.jpg', 'new.csv']
  const empty = { value: null, text: '' }
  const cells = {
    name: empty,
    category: empty,
    report_author_date: empty,
    properties: empty,
    size: empty,
    created_by: empty,
    created_at: empty,
    original_file_name: empty,
    private: empty,
    provided_by_broker: empty,
  }
  const rows = names.map((original_file_name, at) => {
    const id = `0198c0de-0000-7000-8000-00000000000${at}`
    const file = archive({
      id,
      created_at: `2026-11-0${at + 1}T08:00:00Z`,
      file: { original_file_name, type: 'text/plain', size: 10 },
    })
    return { id, deleted_at: null, is_new: false, ...cells, file, text_match: null }
  })
  server.on(fileCalls.index, () => onePage(rows))
  show()
  const items = await screen.findAllByRole('listitem')
  expect(items.map(({ textContent }) => names.find((name) => textContent.includes(name)))).toEqual(['new.csv', 'old.xlsx'])
})

test('the earlier imports say what they did and can be continued or opened', async () => {
  const { user, router } = show()
  const done = await screen.findByRole('link', { name: committed.file_name })
  expect(done.getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}/import?import=${committed.id}&view=sheet`)
  expect(screen.getByText('59')).toBeTruthy()
  const draft = screen.getByRole('link', { name: 'Draft.csv' }).closest('tr') ?? document.body
  await user.click(within(draft).getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ import: ACCOUNT_ID, view: 'sheet' }))
})

test('an undo lists properties that were edited since and then undoes the others', async () => {
  const edited = { edited: ['12 Main St'], count: 3 }
  server.on(importCalls.cancel, ({ query }) =>
    query['others'] === '1' ? { data: checkedImport(), message: 'Undone.' } : errorAnswer('conflict', 'Edited since.', {}, edited),
  )
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByText(
    '59 added. The total insured value of the account, $200 after the import, becomes $90 again unless properties were edited since.',
  )
  await user.click(await screen.findByRole('button', { name: 'Undo import' }))
  expect(await screen.findByText('12 Main St')).toBeTruthy()
  expect(screen.getByText('and 2 more')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo the others' }))
  await screen.findByText('Undone.')
  expect(server.requests.filter((request) => request.startsWith('DELETE')).map((request) => request.split('?')[1])).toEqual([
    undefined,
    'others=1',
  ])
})

test('the history that could not be loaded can be loaded again', async () => {
  server.on(propertyImportCalls.index, () => errorAnswer('internal'))
  const { user } = show()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  server.on(propertyImportCalls.index, () => onePage([]))
  await user.click(retry)
  expect(await screen.findByText('No import in the history.')).toBeTruthy()
})

test('the result of an import can be undone', async () => {
  server.on(importCalls.show, () => ({ data: checkedImport({ state: 'committed', created: 1, updated: 2, undoable: true }) }))
  const { user } = renderWithSession(<ImportPage id={ACCOUNT_ID} />, {
    session: sessionWith(['bulk_upload_account_properties', 'view_account_details']),
    path: `/?import=${IMPORT_ID}`,
  })
  await user.click(await screen.findByRole('button', { name: 'Undo import' }))
  const question = await screen.findByRole('dialog', { name: 'Undo this import?' })
  expect(question.textContent).toContain(
    '1 added, 2 changed. The total insured value of the account, $200 after the import, becomes $90 again unless properties were edited since.',
  )
  expect(question.textContent).toContain('“SOV 2026.xlsx”')
})

test('an import that was undone names the users of both, and what was not undone', async () => {
  const undone = { at: '2026-11-21T12:00:00Z', by: 'Grace Hall', restored: 57, trashed: 2, unchanged: 1 }
  server.on(importCalls.show, () => ({
    data: checkedImport({ state: 'undone', created_by: 'Ada King', committed_at: '2026-11-20T11:00:00Z', undone }),
  }))
  renderWithSession(<ImportPage id={ACCOUNT_ID} />, {
    session: sessionWith(['bulk_upload_account_properties', 'view_account_details']),
    path: `/?import=${IMPORT_ID}`,
  })
  expect(await screen.findByText(/^Imported on .* by Ada King\.$/)).toBeTruthy()
  expect(screen.getByText(/^Undone on .* by Grace Hall: 57 restored, 2 moved to the trash\. Not undone: 1 property edited/)).toBeTruthy()
})
