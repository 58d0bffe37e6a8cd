import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import { archive as asked } from '#web/testing/account-server.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { pendingDownloads } from './pending-downloads.ts'
import { onPageEvent } from './page-events.ts'
import { clearTokens, storeTokens } from './tokens.ts'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const archive = (part: Partial<AccountFile>): AccountFile =>
  asked({
    id: ID,
    account_id: ACCOUNT,
    file: { original_file_name: 'Harbor.zip', type: 'application/zip', size: null },
    status: 'processing',
    ...part,
  })

let server: FakeServer
const told: string[] = []
const stops: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  server = fakeServer()
  storeTokens({ token: 'first', refreshToken: null, remember: false, challenge: false })
  told.length = 0
  stops.push(
    onPageEvent('download-ready', ({ url, fileName }) => told.push(`ready ${url} ${fileName}`)),
    onPageEvent('download-failed', ({ fileId }) => told.push(`failed ${fileId}`)),
  )
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  pendingDownloads.clear()
  clearTokens()
  server.close()
  vi.useRealTimers()
})

const follow = () => pendingDownloads.follow({ id: ID, accountId: ACCOUNT, fileName: 'Harbor.zip', source: 'downloadall' })

test('polls each second, shows the progress and starts the download when it is ready', async () => {
  server.on(fileCalls.show, () => ({
    data: archive({ progress: { percentage_complete: 40, status: 'Packing', files_processed: 4, total_files: 10 } }),
  }))
  follow()
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS * 3)
  expect(server.requests).toHaveLength(3)
  expect(pendingDownloads.all()).toMatchObject([
    { id: ID, progress: { percentage_complete: 40, status: 'Packing', files_processed: 4, total_files: 10 } },
  ])
  server.on(fileCalls.show, () => ({ data: archive({ status: 'accessible', url: '/archive' }) }))
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS * 5)
  expect(told).toEqual(['ready /archive Harbor.zip'])
  expect(pendingDownloads.all()).toEqual([])
  expect(server.requests).toHaveLength(4)
})

test.each([
  ['that failed', () => ({ data: archive({ status: 'failed' }) })],
  ['that is gone', () => errorAnswer('not_found', 'Gone.')],
])('reports one %s once and removes it', async (_, answer) => {
  server.on(fileCalls.show, answer)
  follow()
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS * 3)
  expect(told).toEqual([`failed ${ID}`])
  expect(pendingDownloads.all()).toEqual([])
})

test('a service that is briefly out of reach does not end the waiting', async () => {
  server.on(fileCalls.show, () => errorAnswer('internal', 'It broke.'))
  follow()
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS * 3)
  expect(pendingDownloads.all()).toHaveLength(1)
})

test('is remembered by this tab over a reload', () => {
  follow()
  expect(JSON.parse(window.sessionStorage.getItem('plumbline.pending-downloads') ?? '[]')).toMatchObject([{ id: ID, accountId: ACCOUNT }])
})

test('announces what another tab or device started, without downloading it', async () => {
  server
    .on(fileCalls.pendingArchives, () => ({ data: [archive({ source: 'with-documents' })] }))
    .on(fileCalls.show, () => ({ data: archive({ status: 'accessible', url: '/archive' }) }))
  await pendingDownloads.synchronize()
  expect(pendingDownloads.all()).toMatchObject([{ id: ID, source: 'with-documents', own: false }])
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS * 3)
  expect(told).toEqual(['ready null Harbor.zip'])
  expect(pendingDownloads.all()).toEqual([])
})

test('does not announce what this tab started twice', async () => {
  server.on(fileCalls.pendingArchives, () => ({ data: [archive({})] })).on(fileCalls.show, () => ({ data: archive({}) }))
  follow()
  await pendingDownloads.synchronize()
  expect(pendingDownloads.all()).toMatchObject([{ id: ID, own: true }])
})

test('cancel stops the making on the server, too', async () => {
  server.on(fileCalls.cancelArchive, () => ({ data: null }))
  follow()
  await pendingDownloads.cancel(ID)
  expect(server.requests).toEqual([`DELETE /accounts/${ACCOUNT}/archives/${ID}`])
  expect(pendingDownloads.all()).toEqual([])
})

test('passes on why an archive that was made cannot be downloaded, and what one that is ready does not contain', async () => {
  const heard: unknown[] = []
  stops.push(
    onPageEvent('download-failed', ({ message }) => heard.push(message)),
    onPageEvent('download-ready', ({ leftOut }) => heard.push(leftOut)),
  )
  const sentence = 'The documents have changed since. Please start the download again.'
  server.on(fileCalls.show, () => errorAnswer('forbidden', sentence))
  follow()
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS)
  const content = { requested: 2, included: 1, selected: false, left_out: [{ reason: 'unreadable' as const, count: 1, names: [] }] }
  server.on(fileCalls.show, () => ({ data: archive({ status: 'accessible', url: '/archive', content }) }))
  follow()
  await vi.advanceTimersByTimeAsync(EXPORT_POLL_MS)
  expect(heard).toEqual([sentence, '1 of 2 documents; 1 could not be read'])
})
