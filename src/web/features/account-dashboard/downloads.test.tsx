import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fileCalls, type Downloadable } from '#contract/account-files.ts'
import { TOAST_MS } from '#contract/limits.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import { propertyCalls } from '#contract/account-properties.ts'
import { errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ACCOUNT_ID, accountServer, accountWith, archive } from '#web/testing/account-server.ts'

const PREPARING = 'Preparing your file to download, please wait...'
const MAY: PermissionName[] = [
  'view_account_details',
  'view_download_all_files_button',
  'download_all_files',
  'download_files',
  'view_account_files',
]

const LISTS: PermissionName[] = [
  'view_download_document_list_button',
  'generate_disclosed_document_list',
  'view_download_property_list_button',
]

let server: FakeServer
beforeEach(() => {
  pendingDownloads.clear()
})
afterEach(() => {
  pendingDownloads.clear()
  resetPage()
})

function open(permissions: PermissionName[], address = `/accounts/${ACCOUNT_ID}?tab=overview`) {
  const session = sessionWith(permissions)
  server = accountServer(accountWith(), session)
  return renderApp(address, session)
}

describe('Download Everything', () => {
  test('is absent without permission to download', async () => {
    open(['view_account_details'])
    await screen.findByRole('heading', { name: 'Cascadia Portfolio' })
    expect(screen.queryByRole('button', { name: /Download Everything/ })).toBeNull()
  })

  test('says that the file is being prepared, then shows its progress', async () => {
    const { user } = open(MAY)
    server
      .on(fileCalls.fileAction, () => ({ data: archive(), message: 'The archive is being prepared.' }))
      .on(fileCalls.show, () => ({
        data: archive({
          status: 'processing',
          progress: { percentage_complete: 42, status: 'Packing', files_processed: 5, total_files: 12 },
        }),
      }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: /Generate Organized Zip/ }))
    await screen.findByText('Generating Organized Zip')
    expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'archive', files: 'all' }])
    await screen.findByText('Packing · 5 of 12')
    expect(screen.getAllByText('42%').length).toBeGreaterThan(0)
  })

  test('shows 0 percent as 1 while the file is being prepared', async () => {
    const { user } = open(MAY)
    server.on(fileCalls.fileAction, () => ({ data: archive() }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: /Generate Organized Zip/ }))
    await screen.findByText(PREPARING)
    expect((await screen.findAllByText('1%')).length).toBeGreaterThan(0)
  })

  test('shows a download that another page of this tab started', async () => {
    const { user } = open(MAY)
    await screen.findByRole('heading', { name: 'Cascadia Portfolio' })
    act(() => pendingDownloads.follow({ id: archive().id, accountId: ACCOUNT_ID, fileName: 'Selection.zip' }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    expect(await screen.findByText('Generating Zip')).toBeDefined()
  })

  test('downloads an archive that is already ready at once', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const { user } = open(MAY)
    server.on(fileCalls.fileAction, () => ({ data: archive({ status: 'accessible', url: '/storage/x' }) }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: /Generate Organized Zip/ }))
    await waitFor(() => expect(click).toHaveBeenCalled())
    expect(pendingDownloads.all()).toEqual([])
    await waitFor(() => expect(screen.queryByText(PREPARING)).toBeNull())
    click.mockRestore()
  })

  test.each([
    ['starts', { status: 'accessible', url: '/storage/x' }],
    ['fails', { status: 'failed' }],
  ] as const)('closes the message that the file is being prepared when the download %s, long before its time', async (_end, result) => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const { user } = open(MAY)
    server.on(fileCalls.fileAction, () => ({ data: archive(), message: PREPARING })).on(fileCalls.show, () => ({ data: archive(result) }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: /Generate Organized Zip/ }))
    const shown = Date.now()
    await screen.findByText(PREPARING)
    await waitFor(() => expect(screen.queryByText(PREPARING)).toBeNull(), { timeout: TOAST_MS.info })
    expect(Date.now() - shown).toBeLessThan(TOAST_MS.info / 2)
    expect(pendingDownloads.all()).toEqual([])
    click.mockRestore()
  })

  test('has the four downloads, each with its permissions', async () => {
    const all = [...MAY, ...LISTS]
    const names = async (permissions: PermissionName[]) => {
      const { user, unmount } = open(permissions)
      await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
      const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
      unmount()
      server.close()
      return ['Disclosed Document List', 'Property List', 'Properties with Documents', 'All Documents'].filter((name) =>
        items.some((item) => item?.startsWith(name)),
      )
    }
    expect(await names(all)).toEqual(['Disclosed Document List', 'Property List', 'Properties with Documents', 'All Documents'])
    expect(await names(all.filter((name) => name !== 'generate_disclosed_document_list'))).not.toContain('Disclosed Document List')
    expect(await names(all.filter((name) => name !== 'download_files'))).toEqual(['Disclosed Document List', 'Property List'])
    expect(await names(all.filter((name) => name !== 'view_account_files'))).toEqual(['Property List'])
    expect(await names(all.filter((name) => name !== 'view_download_property_list_button'))).toEqual([
      'Disclosed Document List',
      'All Documents',
    ])
    expect(await names(all.filter((name) => name !== 'download_all_files'))).not.toContain('All Documents')
  })

  test.each([
    ['Property List', false],
    ['Properties with Documents', true],
  ])('requests the download %s and waits for it with the specified message', async (name, with_documents) => {
    const { user } = open([...MAY, 'view_download_property_list_button'])
    const source = with_documents ? ('with-documents' as const) : ('property-list' as const)
    const pending = {
      id: archive().id,
      account_id: ACCOUNT_ID,
      status: 'pending' as const,
      file: { original_file_name: 'a' },
      source,
      url: null,
    }
    server.on(propertyCalls.act, () => ({ data: null, message: PREPARING, export: pending, changed: [] }))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) }))
    await screen.findByText('Generating Zip')
    expect(screen.getByText(PREPARING)).toBeDefined()
    const body = { action: 'export_excel', handle: 'json', input: 'all', with_documents, account_id: ACCOUNT_ID }
    expect(server.bodies(propertyCalls.act)).toEqual([body])
    expect(pendingDownloads.all()).toMatchObject([{ source }])
  })

  test('shows the error when there are no disclosed documents', async () => {
    const refusal = 'This account does not have any disclosed documents to generate the list from.'
    const { user } = open([...MAY, 'view_download_document_list_button', 'generate_disclosed_document_list'])
    server.on(fileCalls.fileAction, () => errorAnswer('not_found', refusal))
    await user.click(await screen.findByRole('button', { name: /Download Everything/ }))
    await user.click(await screen.findByRole('menuitem', { name: /^Disclosed Document List/ }))
    await screen.findByText(refusal)
    expect(server.bodies(fileCalls.fileAction)).toEqual([{ action: 'document_list', files: 'all' }])
    expect(screen.queryByText(PREPARING)).toBeNull()
  })

  test.each<[string, Partial<Downloadable>, string[]]>([
    [
      'nothing at all',
      {},
      [
        'This account does not have any disclosed documents to generate the list from.',
        'There are no properties yet.',
        'There are no properties yet.',
        'Generate Organized Zip: there are no documents yet.',
      ],
    ],
    [
      'documents that are not disclosed, and properties without documents',
      { documents: true, properties: true },
      ['This account does not have any disclosed documents to generate the list from.', 'No document is linked to a property.'],
    ],
  ])('opens by its own address, and its items say why they are disabled, with %s', async (_what, present, reasons) => {
    open([...MAY, ...LISTS], `/accounts/${ACCOUNT_ID}/export`)
    const nothing = { documents: false, disclosed_documents: false, linked_documents: false, properties: false }
    server.on(fileCalls.downloadable, () => ({ data: { ...nothing, ...present } }))
    const isDisabled = (item: HTMLElement) => item.getAttribute('data-disabled') === 'true'
    await waitFor(() => {
      const items = screen.getAllByRole('menuitem').filter(isDisabled)
      expect(items.map(({ textContent }) => textContent)).toEqual(reasons.map((reason) => expect.stringContaining(reason) as string))
    })
  })
})
