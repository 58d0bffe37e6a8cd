import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { queryClient } from '#web/data/query-client.ts'
import { signInAs, renderWithSession, resetPage } from '#web/testing/render.tsx'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { sessionWith } from '#web/testing/session.ts'
import { createUploadItem, type UploadItem } from './upload-item.ts'
import { suspendUploads } from './upload-queue.ts'
import { aDocument, fileOf, newUpload } from './upload-queue.fixture.ts'
import { apiTransport } from './upload-transport.ts'
import { UploadsCorner } from './uploads-corner.tsx'
import { uploads } from './uploads.ts'

afterEach(() => {
  vi.useRealTimers()
  suspendUploads(uploads)
  resetPage()
})

const MIB = 1_048_576
const sending = { ...createUploadItem('i1', newUpload(fileOf('roof.pdf', 100 * MIB))), status: 'sending' as const }
const isLeavePrevented = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('the tray shows the progress and the speed of the last seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderWithSession(<UploadsCorner />, { session: sessionWith([]) })
  act(() => uploads.list.append([sending, { ...sending, id: 'i2', status: 'failed' }]))
  expect(await screen.findByText('Uploading 1 file')).toBeDefined()
  for (const sent of [10, 20, 30]) {
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    act(() => void uploads.list.change('i1', { sent: sent * MIB, pause: null }))
  }
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByText(/^30%, \d.*MB\/s, less than a minute left$/)).toBeDefined()
  act(() => void uploads.list.change('i1', { status: 'done' }))
  expect(screen.getByText('1 file not uploaded')).toBeDefined()
  expect(screen.queryByText(/MB\/s/)).toBeNull()
})

test('of thousands of uploads the tray shows those that are being sent or failed, then some of the others, and counts the rest', async () => {
  renderWithSession(<UploadsCorner />, { session: sessionWith([]) })
  const others = Array.from({ length: 3_000 }, (_, at) => ({ ...sending, id: `w${at}`, name: `w${at}.pdf`, status: 'waiting' as const }))
  act(() => uploads.list.append([...others, { ...sending, id: 'i2', name: 'bad.pdf', status: 'failed' }, sending]))
  const rows = within(await screen.findByRole('list')).getAllByRole('listitem')
  expect(rows).toHaveLength(101)
  expect([0, 1, 2, 100].map((at) => /roof|bad|w\d+|and .*/.exec(rows[at]?.textContent ?? '')?.[0])).toEqual([
    'roof',
    'bad',
    'w0',
    'and 2,902 more',
  ])
})

test('the browser asks before the page is closed only while an upload is running', async () => {
  renderWithSession(<UploadsCorner />, { session: sessionWith([]) })
  act(() => uploads.list.append([sending]))
  await screen.findByText('Uploading 1 file')
  expect(isLeavePrevented()).toBe(true)
  act(() => void uploads.list.change('i1', { status: 'done' }))
  expect(isLeavePrevented()).toBe(false)
})

test('a registered upload makes the documents of its account stale', async () => {
  const id = '0198c0de-0000-7000-8000-00000000000f'
  const place = { id: '0198c0de-0000-7000-8000-000000000021', full_address: '12 Main St' }
  const document = {
    id,
    duplicate_of: 'Roof 2024.pdf',
    same_name: null,
    category: 'roof' as const,
    sov: false,
    hidden: false,
    proposed_properties: [place],
  }
  const server = fakeServer().on(fileCalls.register, () => ({ data: document }))
  signInAs(sessionWith([]))
  queryClient.setQueryData(['index', 'account_files'], [])
  const item = { ...sending, path: 'Roofs/roof.pdf', settings: { ...sending.settings, category: null, sov: null } }
  expect(await apiTransport.register(item, 'key', AbortSignal.timeout(1_000))).toEqual({
    duplicateOf: 'Roof 2024.pdf',
    document: { id, category: 'roof', proposed: [place], linked: false, hidden: false, sameName: null },
  })
  const [body] = server.bodies(fileCalls.register)
  expect(body).toMatchObject({ private: false, file: { path: 'Roofs/roof.pdf' } })
  expect(body).not.toHaveProperty('category')
  await waitFor(() => expect(queryClient.getQueryState(['index', 'account_files'])?.isInvalidated).toBe(true))
  server.close()
})

describe('after the uploads', () => {
  const documentId = (index: number) => `0198c0de-0000-7000-8000-00000000f00${index}`
  const place = { id: '0198c0de-0000-7000-8000-000000000021', full_address: '12 Main St, Reno, NV' }
  const done = (index: number, more: Partial<UploadItem> = {}): UploadItem => ({
    ...createUploadItem(`i${index}`, newUpload(fileOf(`file ${index}.pdf`, MIB))),
    status: 'done',
    document: { ...aDocument, id: documentId(index), category: 'roof' },
    ...more,
  })
  const rejected = createUploadItem('i9', newUpload(fileOf('setup.exe', MIB)))
  const list = () => within(screen.getByRole('region', { name: 'Uploads' })).getAllByRole('listitem')
  let server: FakeServer

  const show = (items: UploadItem[]) => {
    server = fakeServer()
      .on(fileCalls.patch, () => errorAnswer('internal', 'Something broke.'))
      .on(fileCalls.fileAction, () => ({ data: null, message: 'The documents were linked.' }))
      .on(fileCalls.trash, () => ({ data: null, message: 'Moved to the trash.' }))
      .on(fileCalls.restore, () => ({ data: null, message: 'Restored.' }))
    const page = renderWithSession(<UploadsCorner />, { session: sessionWith(['update_account_files', 'delete_account_files']) })
    act(() => uploads.list.append(items))
    return page
  }

  test('each count of the summary opens the uploads that it counts', async () => {
    const { user } = show([done(1), done(2), done(3, { duplicateOf: 'Roof 2024.pdf' }), rejected])
    expect((await screen.findByRole('status')).textContent).toBe('2 files uploaded, 1 rejected, 1 duplicate')
    // The rows are loaded with the first upload.
    await waitFor(() => expect(list()).toHaveLength(4))
    await user.click(screen.getByRole('button', { name: '1 rejected' }))
    await waitFor(() =>
      expect(list().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^setup.exePrograms cannot be uploaded/)]),
    )
    await user.click(screen.getByRole('button', { name: '1 duplicate' }))
    expect(list()[0]?.textContent).toContain('The same content is already here as “Roof 2024.pdf”')
    await user.click(screen.getByRole('button', { name: '1 duplicate' }))
    expect(list()).toHaveLength(4)
  })

  test('Remove moves a duplicate to the trash, and Undo restores it', async () => {
    const { user } = show([done(1), done(2, { duplicateOf: 'Roof 2024.pdf' })])
    await user.click(await screen.findByRole('button', { name: 'Remove the duplicate file 2.pdf' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodies(fileCalls.restore)).toEqual([{ ids: [documentId(2)] }]))
    expect(server.bodies(fileCalls.trash)).toEqual([{ ids: [documentId(2)] }])
    expect(list()).toHaveLength(1)
  })

  test('a proposed property is linked only after confirmation, and Undo removes the link', async () => {
    const proposal = (index: number) => done(index, { document: { ...aDocument, id: documentId(index), proposed: [place] } })
    const { user } = show([proposal(1), proposal(2)])
    expect(await screen.findAllByRole('button', { name: 'Link to 12 Main St, Reno, NV' })).toHaveLength(2)
    expect(server.bodies(fileCalls.fileAction)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Link 2 documents to the proposed properties' }))
    expect(await screen.findAllByText('Linked to 12 Main St, Reno, NV')).toHaveLength(2)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const action = { action: 'assign_properties', files: [documentId(1), documentId(2)] }
    await waitFor(() =>
      expect(server.bodies(fileCalls.fileAction)).toEqual([
        { ...action, input: { properties: [place.id], mode: 'add' } },
        { ...action, input: { properties: [place.id], mode: 'remove' } },
      ]),
    )
  })

  test('a document that its user no longer sees has no commands, and says who sees it', async () => {
    show([done(1, { document: { ...aDocument, id: documentId(1), category: 'financial', hidden: true } })])
    expect(await screen.findByText('Financial statements. Private: only the company that owns this account sees it.')).toBeDefined()
    expect(screen.queryByRole('combobox', { name: 'Category of file 1.pdf' })).toBeNull()
  })

  test('the proposed category can be changed, and is shown again if that fails', async () => {
    const settings = { category: null, private: null, sov: false, propertyIds: [] }
    const { user } = show([done(1, { settings })])
    const category = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Category of file 1.pdf' })
    expect(category.value).toBe('roof')
    await user.selectOptions(category, 'flood')
    await screen.findByText('Something broke.')
    expect(category.value).toBe('roof')
    expect(screen.getByText('Uploaded, 1 MB. Proposed category:')).toBeDefined()
    expect(server.bodies(fileCalls.patch)).toEqual([{ category: 'flood', sov: false }])
  })
})
