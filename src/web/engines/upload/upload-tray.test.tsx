import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { queryClient } from '#web/data/query-client.ts'
import { signInAs, renderWithSession, resetPage } from '#web/testing/render.tsx'
import { fakeServer } from '#web/testing/fake-server.ts'
import { sessionWith } from '#web/testing/session.ts'
import { createUploadItem } from './upload-item.ts'
import { suspendUploads } from './upload-queue.ts'
import { fileOf, newUpload } from './upload-queue.fixture.ts'
import { apiTransport } from './upload-transport.ts'
import { UploadTray } from './upload-tray.tsx'
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
  renderWithSession(<UploadTray />, { session: sessionWith([]) })
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

test('the browser asks before the page is closed only while an upload is running', async () => {
  renderWithSession(<UploadTray />, { session: sessionWith([]) })
  act(() => uploads.list.append([sending]))
  await screen.findByText('Uploading 1 file')
  expect(isLeavePrevented()).toBe(true)
  act(() => void uploads.list.change('i1', { status: 'done' }))
  expect(isLeavePrevented()).toBe(false)
})

test('a registered upload makes the documents of its account stale', async () => {
  const document = { id: '0198c0de-0000-7000-8000-00000000000f', duplicate_of: 'Roof 2024.pdf' }
  const server = fakeServer().on(fileCalls.register, () => ({ data: document }))
  signInAs(sessionWith([]))
  queryClient.setQueryData(['index', 'account_files'], [])
  expect(await apiTransport.register(sending, 'key', AbortSignal.timeout(1_000))).toEqual({ duplicateOf: 'Roof 2024.pdf' })
  await waitFor(() => expect(queryClient.getQueryState(['index', 'account_files'])?.isInvalidated).toBe(true))
  server.close()
})
