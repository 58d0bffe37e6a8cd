import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { uploads } from '#web/engines/upload/uploads.ts'
import { suspendUploads } from '#web/engines/upload/upload-queue.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { COLUMNS, aFile, aRow, anAccount } from './account-files.fixture.ts'
import { DocumentsTab } from './documents.tab.tsx'
import { UploadPanel } from './upload.panel.tsx'

const ALL: PermissionName[] = [
  'view_account_files',
  'upload_account_files',
  'update_account_files',
  'delete_account_files',
  'download_files',
  'download_all_files',
  'view_account_files_datatable_actions',
  'view_account_files_datatable_search',
]
let server: FakeServer

beforeEach(() => {
  const file = aFile({ private: true, vanity_name: 'Roof survey' })
  server = fakeServer()
    .on(fileCalls.columns, () => ({ data: COLUMNS }))
    .on(fileCalls.filters, () => ({ data: [] }))
    .on(fileCalls.actions, () => ({ data: [] }))
    .on(fileCalls.index, ({ query }) => {
      const rows = query['filter__sov'] === '1' ? [aRow(aFile({ sov: true }))] : [aRow(file)]
      return onePage(rows)
    })
    .on(fileCalls.fileAction, () => ({ data: null, message: 'The documents were changed.' }))
})
afterEach(() => {
  suspendUploads(uploads)
  resetPage()
})

const show = (permissions = ALL, path = '/', more = {}) =>
  renderWithSession(<DocumentsTab account={anAccount()} {...more} />, { session: sessionWith(permissions), path })

test('the two kinds of documents each show their count and size', async () => {
  show()
  expect((await screen.findByRole('button', { name: /Disclosed Documents\s*38 documents, 2 MB/ })).getAttribute('aria-pressed')).toBe(
    'true',
  )
  expect(screen.getByRole('button', { name: /Submission Documents\s*5 documents, 1 MB/ })).toBeTruthy()
})

test('an export of this view has one kind of documents, and one of everything has both', async () => {
  const csv = {
    action: 'export_csv',
    label: 'Export as CSV',
    prompt: null,
    handle: 'blob',
    fileName: 'documents.csv',
    supportsPrefix: true,
  } as const
  const sent: unknown[] = []
  server
    .on(fileCalls.actions, () => ({ data: [csv] }))
    .on(fileCalls.act, ({ body }) => {
      sent.push(body.filters)
      return errorAnswer('too_large', 'Too large.')
    })
  const { user } = show()
  for (const scope of ['This view as CSV', 'Everything as CSV']) {
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    await user.click(await screen.findByRole('menuitem', { name: scope }))
  }
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent).toEqual([
    expect.objectContaining({ filter__account_id: anAccount().id, filter__sov: '0' }),
    expect.not.objectContaining({ filter__sov: expect.anything() }),
  ])
})

test('a note says that notifications are enabled', async () => {
  show()
  expect(await screen.findByText('New file notifications are enabled. Users with permission will receive alerts.')).toBeTruthy()
})

test('a long address does not hide how many properties a document has', async () => {
  const properties = Array.from({ length: 3 }, (_, place) => ({
    id: `01a00000-0000-7000-8000-00000000000${place}`,
    full_address: `${place} Marine Way, Kodiak, AK`,
    address: { value: `${place} Marine Way` },
  }))
  server.on(fileCalls.index, () => onePage([aRow(aFile({ properties }))]))
  show()
  expect((await screen.findByText('and 2 more')).previousElementSibling?.textContent).toBe('0 Marine Way')
})

test('the list of submission documents has no properties column', async () => {
  const { user } = show()
  expect(await screen.findByRole('columnheader', { name: /Properties/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Submission Documents/ }))
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: /Properties/ })).toBeNull())
})

test('a private document has a label, and its descriptive name is shown above the original one', async () => {
  show()
  expect(await screen.findByText('Roof survey')).toBeTruthy()
  expect(screen.getByText('roof-2024.pdf')).toBeTruthy()
  expect(screen.getByText('Private').closest('[title]')?.getAttribute('title')).toMatch(/^Seen only by the provider, and by users of/)
})

test('the switch replaces descriptive names with original ones', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('switch', { name: 'Descriptive names' }))
  await waitFor(() => expect(screen.queryByText('Roof survey')).toBeNull())
  expect(screen.getByText('roof-2024.pdf')).toBeTruthy()
})

test('the menu of a document offers only flags that change something', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  expect(screen.queryByRole('menuitem', { name: 'Set private' })).toBeNull()
  await user.click(await screen.findByRole('menuitem', { name: 'Set disclosed' }))
  await waitFor(() => expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'set_disclosed', files: [aFile().id] }]))
})

test('making documents private is offered only to users who would still see them', async () => {
  const { accessible_features } = anAccount()
  const account = anAccount({ accessible_features: { ...accessible_features, make_private: false } })
  server.on(fileCalls.index, () => onePage([aRow(aFile())]))
  const { user } = show(ALL, '/', { account })
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  expect(await screen.findByRole('menuitem', { name: 'Move to Submission Documents' })).toBeDefined()
  expect(screen.queryByRole('menuitem', { name: 'Set private' })).toBeNull()
})

test('without the permission for actions, documents have no menu and cannot be selected', async () => {
  show(ALL.filter((name) => name !== 'view_account_files_datatable_actions'))
  expect(await screen.findByRole('link', { name: /Roof survey/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Actions for/ })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull()
})

test('selecting all documents selects only those that the user can do something with', async () => {
  const none = { update: false, delete: false, preview: true, download: false }
  const [mine, other] = [aFile(), aFile({ id: '0198c0de-0000-7000-8000-0000000000ff', vanity_name: 'Loss run', accessible_features: none })]
  server.on(fileCalls.index, () => onePage([aRow(mine), aRow(other)]))
  const { user } = show()
  expect(await screen.findByRole('checkbox', { name: /Select roof/ })).toBeTruthy()
  expect(screen.getByText('Loss run')).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await user.click(
    within(await screen.findByRole('group', { name: 'Actions for the selection' })).getByRole('button', { name: 'Set private' }),
  )
  await waitFor(() => expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'set_private', files: [mine.id] }]))
})

test('a selection is downloaded only with all permissions that its archive needs', async () => {
  const { user } = show(ALL.filter((name) => name !== 'download_all_files'))
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  const bar = within(await screen.findByRole('group', { name: 'Actions for the selection' }))
  expect(bar.getByRole('button', { name: 'Edit values' })).toBeTruthy()
  expect(bar.queryByRole('button', { name: 'Download' })).toBeNull()
})

test.each(['of a row', 'of a selection'])('a failed download %s loads the list again', async (what) => {
  const failed = () => errorAnswer('not_found', 'This file was not found.')
  server.on(fileCalls.show, failed).on(fileCalls.fileAction, failed)
  const { user } = show()
  if (what === 'of a row') {
    await user.click(await screen.findByRole('button', { name: /Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Download' }))
  } else {
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
    const bar = within(await screen.findByRole('group', { name: 'Actions for the selection' }))
    await user.click(bar.getByRole('button', { name: 'Download' }))
  }
  await screen.findByText('This file was not found.')
  await waitFor(() => expect(server.requests.filter((request) => request.startsWith('GET /account_files?'))).toHaveLength(2))
})

test('deleting a document needs confirmation', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText('Are you sure you want to delete this file? This action cannot be undone.')).toBeTruthy()
})

test('a file dropped anywhere on the tab is uploaded, with a category that the server proposes', async () => {
  show()
  const table = await screen.findByRole('button', { name: /Disclosed Documents/ })
  const file = new File(['x'], 'Loss run 2025.pdf', { type: 'application/pdf' })
  fireEvent.drop(table, { dataTransfer: { types: ['Files'], items: [], files: [file] } })
  await waitFor(() => expect(uploads.list.items()).toHaveLength(1))
  expect(uploads.list.items()[0]).toMatchObject({ name: 'Loss run 2025.pdf', settings: { category: null, sov: null } })
})

test('without upload neither offers nor accepts one, because the page has an upload space elsewhere', async () => {
  show(ALL, '/', { listOnly: true })
  const kind = await screen.findByRole('button', { name: /Disclosed Documents/ })
  expect(screen.queryByRole('link', { name: 'Upload documents' })).toBeNull()
  const file = new File(['x'], 'Appraisal 2026.pdf', { type: 'application/pdf' })
  fireEvent.drop(kind, { dataTransfer: { types: ['Files'], items: [], files: [file] } })
  fireEvent.drop(await screen.findByRole('table'), { dataTransfer: { types: ['Files'], items: [], files: [file] } })
  expect(uploads.list.items()).toEqual([])
})

test('the upload panel promises proposals from the name only, because other contents than columns of a schedule are not read', async () => {
  renderWithSession(<UploadPanel id={anAccount().id} />, { session: sessionWith(ALL) })
  await screen.findByText(/category and property are proposed from the name of each file/)
  expect(screen.queryByText(/content of each file/)).toBeNull()
})

test('users without the permission cannot upload', async () => {
  show(['view_account_files'])
  const table = await screen.findByRole('button', { name: /Disclosed Documents/ })
  expect(screen.queryByText('Upload documents')).toBeNull()
  fireEvent.drop(table, { dataTransfer: { types: ['Files'], items: [], files: [new File(['x'], 'a.pdf')] } })
  expect(uploads.list.items()).toEqual([])
})

test('Undo after a bulk flag restores only the documents that were changed', async () => {
  const before = [{ id: aFile().id, version: 4, private: true }]
  server.on(fileCalls.fileAction, ({ body }) => ({
    data: null,
    message: 'The documents were changed.',
    ...(body.action === 'restore_values' ? {} : { before }),
  }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Set disclosed' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(server.bodies(fileCalls.fileAction).at(-1)).toEqual({ action: 'restore_values', before }))
})

test('an action that changed nothing offers no Undo', async () => {
  server.on(fileCalls.fileAction, () => ({ data: null, message: 'The documents were changed.', before: [] }))
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Set disclosed' }))
  await screen.findByText('The documents were changed.')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a selection can be listed in Word, but not of submission documents', async () => {
  server.on(fileCalls.fileAction, () => errorAnswer('not_found', 'Could not find those documents.'))
  const { user } = show([...ALL, 'generate_disclosed_document_list'])
  const select = async () => user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  await select()
  await user.click(await screen.findByRole('button', { name: 'Document list (Word)' }))
  await screen.findByText('Could not find those documents.')
  expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'document_list', files: [aFile().id] }])
  await user.click(await screen.findByRole('button', { name: /^Submission Documents/ }))
  await select()
  await screen.findByRole('button', { name: 'Edit values' })
  expect(screen.queryByRole('button', { name: 'Document list (Word)' })).toBeNull()
})

test('values of a document can be set from its menu', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit values' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Category' }), 'lease')
  await user.click(screen.getByRole('button', { name: 'Change 1 document' }))
  await waitFor(() =>
    expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'set_values', files: [aFile().id], fields: { category: 'lease' } }]),
  )
})

test('a mark of several documents is set without changing their other values', async () => {
  const { user } = show()
  await user.click(await screen.findByRole('button', { name: /Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit values' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Provided by broker' }), 'Yes')
  await user.click(screen.getByRole('button', { name: 'Change 1 document' }))
  await waitFor(() =>
    expect(server.bodies(fileCalls.fileAction)).toEqual([
      { action: 'set_values', files: [aFile().id], fields: { provided_by_broker: true } },
    ]),
  )
})

test.each([
  [
    { age: 'stale', current_until: '2026-01-31' },
    'Out of date',
    /Out of date since Jan 31, 2026\. This category goes stale after 60 months/,
  ],
  [{ age: 'no_date', report_author_date: null }, 'Date missing', /it is not known whether this document is out of date/],
] as const)('the report date of a document has a mark with the reason (%s)', async (values, label, reason) => {
  const file = aFile({ report_author_date: '2021-01-31', ...values })
  server.on(fileCalls.index, () => onePage([aRow(file)]))
  show()
  expect((await screen.findByText(label)).closest('[title]')?.getAttribute('title')).toMatch(reason)
})

test('a document found by its text shows the place and the sentence, and opens at the page', async () => {
  const excerpt = [
    { text: 'The ', is_match: false },
    { text: 'roof', is_match: true },
    { text: ' leaks.', is_match: false },
  ]
  server
    .on(fileCalls.index, () => onePage([{ ...aRow(aFile()), text_match: { page: 7, place: 'Page 7', excerpt } }]))
    .on(fileCalls.unreadTexts, () => ({ data: { waiting: 0, unreadable: 0 } }))
  show(ALL, '/?search=roof')
  const link = (await screen.findByText('Page 7')).closest('a')
  expect(link?.textContent).toContain('The roof leaks.')
  expect(link?.querySelector('mark')?.textContent).toBe('roof')
  expect(link?.getAttribute('href')).toMatch(/\?search=roof&preview_page=7$/)
})

test('a search says how many documents of this kind were not searched, and the numbers open them', async () => {
  server.on(fileCalls.unreadTexts, ({ query }) => ({
    data: query.filter__sov === '0' ? { waiting: 1, unreadable: 3 } : { waiting: 9, unreadable: 9 },
  }))
  const { user, router } = show(ALL, '/?search=roof')
  expect((await screen.findByRole('link', { name: '1 document' })).parentElement?.parentElement?.textContent).toBe(
    '1 document is not read yet, 3 documents have no text to search.',
  )
  await user.click(screen.getByRole('link', { name: '3 documents' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter__text: 'unreadable' }))
})

test('without a search, nothing is said about unread documents', async () => {
  show()
  await screen.findByText('Roof survey')
  expect(server.bodies(fileCalls.unreadTexts)).toHaveLength(0)
})
