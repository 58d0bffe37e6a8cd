import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fileCalls, type Download } from '#contract/account-files.ts'
import { DAY_MS } from '#contract/limits.ts'
import { staleAfter } from '#web/data/staleness.ts'
import { ACCOUNT_ID, archive, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

afterEach(() => resetPage())

const id = (last: number) => `0198c0de-0000-7000-8000-00000000f00${last}`
const download = (last: number, more: Partial<Download> = {}): Download => ({
  id: id(last),
  account_id: ACCOUNT_ID,
  account_name: 'Cascadia Portfolio',
  source: 'downloadall',
  content: null,
  file: { original_file_name: `Download ${last}.zip`, type: 'application/zip', size: 4_096 },
  status: 'accessible',
  progress: null,
  created_at: new Date().toISOString(),
  expires_at: new Date(Date.now() + 6.5 * DAY_MS).toISOString(),
  ...more,
})

function open(downloads: Download[]) {
  const session = sessionWith(['view_account_files', 'view_account_details'])
  const server = accountServer(accountWith(), session).on(fileCalls.downloads, () => ({ data: downloads }))
  return { server, ...renderApp('/downloads', session) }
}
const row = (last: number) => screen.findByRole('listitem', { name: `Download ${last}.zip` })

test('shows the state of each download', async () => {
  open([
    download(1),
    download(2, {
      status: 'processing',
      progress: { percentage_complete: 40, status: 'Adding files', files_processed: 4, total_files: 10 },
    }),
    download(3, { status: 'pending', file: { original_file_name: 'Download 3.zip', type: '', size: null } }),
    download(4, { status: 'failed' }),
    download(5, { status: 'cancelled' }),
    download(6, { status: 'expired' }),
    download(7, { source: 'property-list' }),
  ])
  const ready = await row(1)
  for (const text of ['Ready', 'Expires in 7 days', /All documents · 4(\.0)? KB/]) expect(within(ready).getByText(text)).toBeDefined()
  expect(within(ready).getByRole('link', { name: 'Cascadia Portfolio' }).getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}`)
  const running = await row(2)
  for (const text of ['Adding files', '40%', '4 of 10']) expect(within(running).getByText(text)).toBeDefined()
  for (const [last, text] of [
    [3, 'Waiting'],
    [4, 'Failed'],
    [5, 'Canceled'],
    [6, 'Expired'],
    [7, 'Up to date at each download'],
  ] as const)
    expect(within(await row(last)).getByText(text)).toBeDefined()
  for (const last of [2, 3, 4, 5, 6]) expect(within(await row(last)).queryByRole('button', { name: 'Download' })).toBeNull()
})

test('downloads again with a new link', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { user, server } = open([download(1)])
  server.on(fileCalls.show, () => ({ data: archive({ id: id(1), status: 'accessible', url: '/again' }) }))
  await user.click(within(await row(1)).getByRole('button', { name: 'Download' }))
  await waitFor(() => expect(click).toHaveBeenCalled())
  click.mockRestore()
})

test('says that an archive is out of date, and generates it again', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { user, server } = open([download(1, { status: 'outdated' })])
  expect(within(await row(1)).getByText('Out of date')).toBeDefined()
  expect(within(await row(1)).getByText('Documents have changed. Generate it again.')).toBeDefined()
  expect(within(await row(1)).queryByRole('button', { name: 'Download' })).toBeNull()
  server.on(fileCalls.repeatDownload, () => ({ data: archive({ id: id(2), status: 'accessible', url: '/again' }) }))
  await user.click(within(await row(1)).getByRole('button', { name: 'Generate again' }))
  await waitFor(() => expect(click).toHaveBeenCalled())
  click.mockRestore()
})

test.each(['expired', 'failed', 'cancelled'] as const)('generates a download that is %s again', async (status) => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const { user, server } = open([download(1, { status })])
  server.on(fileCalls.repeatDownload, () => ({ data: archive({ id: id(2), status: 'accessible', url: '/again' }) }))
  await user.click(within(await row(1)).getByRole('button', { name: 'Generate again' }))
  await waitFor(() => expect(click).toHaveBeenCalled())
  expect(server.requests).toContain(`POST /downloads/${id(1)}/again`)
  click.mockRestore()
})

test('shows why a download is forbidden', async () => {
  const { user, server } = open([download(1)])
  const sentence = 'The documents have changed since. Please start the download again.'
  server.on(fileCalls.show, () => errorAnswer('forbidden', sentence))
  await user.click(within(await row(1)).getByRole('button', { name: 'Download' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('says how many documents are missing in a download, and names them', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const content = {
    requested: 23,
    included: 22,
    selected: false,
    left_out: [{ reason: 'unreadable' as const, count: 1, names: ['roof.pdf'] }],
  }
  const { user, server } = open([download(1, { content })])
  expect(within(await row(1)).getByText('22 of 23 documents; 1 could not be read: roof.pdf')).toBeDefined()
  server.on(fileCalls.show, () => ({ data: archive({ id: id(1), status: 'accessible', url: '/again', content }) }))
  await user.click(within(await row(1)).getByRole('button', { name: 'Download' }))
  await screen.findByText('Cascadia.zip: 22 of 23 documents; 1 could not be read: roof.pdf.')
  click.mockRestore()
})

test('follows the documents of its accounts, and not those of others', async () => {
  const { server } = open([download(1)])
  expect(within(await row(1)).getByText('Ready')).toBeDefined()
  server.on(fileCalls.downloads, () => ({ data: [download(1, { status: 'outdated' })] }))
  const loaded = () => server.requests.filter((request) => request === 'GET /downloads').length
  const before = loaded()
  const changed = { model: 'account_files', id: null, updatedAt: new Date().toISOString(), scope: 'files' } as const
  act(() => staleAfter.datatable['model-updated']({ ...changed, account_id: id(9) }))
  expect(loaded()).toBe(before)
  act(() => staleAfter.datatable['model-updated']({ ...changed, account_id: ACCOUNT_ID }))
  await screen.findByText('Out of date')
  expect(loaded()).toBe(before + 1)
})

test('cancels one that is being prepared, and deletes one that is ready', async () => {
  const { user, server } = open([download(1), download(2, { status: 'processing' })])
  server.on(fileCalls.removeDownload, () => ({ data: null }))
  await user.click(within(await row(2)).getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Download canceled.')
  await user.click(within(await row(1)).getByRole('button', { name: 'Delete Download 1.zip' }))
  await screen.findByText('The download was deleted.')
  expect(server.requests.filter((request) => request.startsWith('DELETE'))).toEqual([
    `DELETE /downloads/${id(2)}`,
    `DELETE /downloads/${id(1)}`,
  ])
})

test('says where downloads come from when there are none', async () => {
  open([])
  expect(await screen.findByText('You have no downloads.')).toBeDefined()
})
