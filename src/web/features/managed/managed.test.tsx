import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { inviteCalls } from '#contract/account-invites.ts'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { managedCalls, type Receipt } from '#contract/managed.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { suspendUploads } from '#web/engines/upload/upload-queue.ts'
import { uploads } from '#web/engines/upload/uploads.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { INVITE as INVITATION } from '#web/testing/invites.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { receiptText } from './receipt-text.ts'

const UPLOADER: PermissionName[] = ['view_account_details', 'view_account_files', 'upload_account_files']
const OWNER: PermissionName[] = [...UPLOADER, 'view_account_properties', 'update_accounts', 'create_account_invites']

const RECEIPT: Receipt = {
  account: 'Pier Nine',
  since: '2026-03-04T15:00:00.000Z',
  documents: [
    { id: '1', name: 'Schedule.xlsx', size: 2_048, received_at: '2026-03-05T15:00:00.000Z', sha256: 'ab'.repeat(32), duplicate_of: null },
    {
      id: '2',
      name: 'Copy.xlsx',
      size: 2_048,
      received_at: '2026-03-05T15:01:00.000Z',
      sha256: 'ab'.repeat(32),
      duplicate_of: 'Schedule.xlsx',
    },
    { id: '3', name: 'Late.pdf', size: 9, received_at: '2026-03-05T15:02:00.000Z', sha256: null, duplicate_of: null },
  ],
}

let server: FakeServer
afterEach(() => {
  suspendUploads(uploads)
  resetPage()
})

const inState = (state: 'uploading' | 'processing' | 'active', more: Partial<Account> = {}) =>
  accountWith({ type: 'managed', status: { id: ACCOUNT_ID, name: state, color: '#000000', state }, ...more })

function open(permissions: PermissionName[], account = inState('uploading'), { role = 'client', tab = '' } = {}) {
  const session = sessionWith(permissions, { roles: [{ id: ACCOUNT_ID, name: role, label: role }] })
  let current = account
  server = accountServer(account, session)
    .on(accountCalls.show, () => ({ data: current }))
    .on(accountCalls.update, ({ body }) => {
      current = { ...current, file_retrieval_method: body.file_retrieval_method ?? current.file_retrieval_method }
      if (body.status_state !== undefined) current = inState('processing')
      return { data: current }
    })
    .on(managedCalls.receipt, () => ({ data: RECEIPT }))
    .on(managedCalls.handOver, () => ({ data: null }))
    .on(fileCalls.columns, () => ({ data: [] }))
    .on(fileCalls.filters, () => ({ data: [] }))
    .on(fileCalls.actions, () => ({ data: [] }))
    .on(fileCalls.index, () => onePage([]))
    .on(inviteCalls.roles, () => ({ data: [{ name: 'upload_only', label: 'Upload only', help: 'Adds documents.' }] }))
    .on(inviteCalls.create, () => ({ data: INVITATION }))
  return renderApp(`/accounts/${ACCOUNT_ID}${tab === '' ? '' : `?tab=${tab}`}`, session)
}
const tabs = async () => (await screen.findAllByRole('tab')).map(({ textContent }) => textContent?.replace(/\d+$/, ''))
const card = (title: string) => within(screen.getByRole('listitem', { name: title }))
const MYSELF = 'Upload the documents myself'
const INVITE = 'Invite another party to upload'
const ASSISTED = 'The provider retrieves the documents from a data link I email'

describe('a managed account', () => {
  test('that is being collected has the tabs Get Started and Upload Documents', async () => {
    open(OWNER)
    expect(await tabs()).toEqual(['Get Started', 'Upload Documents'])
  })

  test.each([
    ['for staff who manage it', inState('uploading'), [...OWNER, 'manage_simple_accounts'] as const],
    ['that is ready', inState('active'), OWNER],
  ])('%s has the usual tabs', async (_name, account, permissions) => {
    open([...permissions], account)
    expect(await tabs()).toEqual(['Overview', 'Properties', 'Documents'])
  })

  test.each(['uploading', 'processing'] as const)('while %s has no steps and no upload for people who cannot upload', async (state) => {
    open(['view_account_details', 'view_account_files'], inState(state), { role: 'carrier' })
    expect(await tabs()).toEqual(['Documents'])
  })

  test('in processing says who is organizing it, with a way back to the dashboard for everyone', async () => {
    open(UPLOADER, inState('processing'))
    expect(await screen.findByText('The provider is organizing your account')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Return to Dashboard' }).getAttribute('href')).toBe('/')
    expect(await tabs()).toEqual(['Upload Documents'])
  })
})

describe('Get Started', () => {
  test('offers what the user can choose, with phone and email for a data link', async () => {
    open(OWNER)
    await screen.findByRole('heading', { name: ASSISTED })
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([MYSELF, INVITE, ASSISTED])
    expect(card(ASSISTED).getByRole('link', { name: '+1 (555) 010-0199' }).getAttribute('href')).toBe('tel:+15550100199')
    expect(card(ASSISTED).getByRole('link', { name: 'support@plumbline.example' })).toBeDefined()
  })

  test('without permission to invite has no card for it', async () => {
    open(OWNER.filter((name) => name !== 'create_account_invites'))
    await screen.findByRole('heading', { name: ASSISTED })
    expect(screen.queryByRole('heading', { name: INVITE })).toBeNull()
  })

  test('asks the user before the provider is notified', async () => {
    const { user } = open(OWNER)
    await user.click(await screen.findByRole('button', { name: 'Request collection' }))
    await screen.findByText(
      'Please confirm that you would like the provider to retrieve and upload the documents for you. This will notify the provider immediately.',
    )
    await user.click(screen.getByRole('button', { name: 'No' }))
    expect(server.bodies(accountCalls.update)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Request collection' }))
    await user.click(await screen.findByRole('button', { name: 'Yes' }))
    await screen.findByText('Awesome! We will contact you soon to collect documents.')
    expect(server.bodies(accountCalls.update)).toEqual([{ account_id: ACCOUNT_ID, file_retrieval_method: 'assisted' }])
    await screen.findByText('Requested')
  })

  test('asks before the request is canceled by another choice, and opens the upload', async () => {
    const { user, router } = open(OWNER, inState('uploading', { file_retrieval_method: 'assisted' }))
    await user.click(await screen.findByRole('button', { name: 'Upload documents' }))
    await screen.findByText('Would you like to cancel your request for the provider to retrieve and upload the documents for you?')
    await user.click(screen.getByRole('button', { name: 'Yes' }))
    await screen.findByText('No problem! We will wait for you to upload your documents.')
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'files' }))
    expect(server.bodies(accountCalls.update)).toEqual([{ account_id: ACCOUNT_ID, file_retrieval_method: 'upload' }])
  })

  test('leads to an invitation of a user who only uploads, and changes the choice when it is created', async () => {
    const { user, router } = open(OWNER)
    await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
    await waitFor(() => expect(router.state.location.href).toBe(`/accounts/${ACCOUNT_ID}/invites/create?search=upload_only`))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/accounts/${ACCOUNT_ID}`))
    expect(server.bodies(accountCalls.update)).toEqual([])
    await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'uma@surveyor.example')
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    await waitFor(() => expect(server.bodies(inviteCalls.create)).toHaveLength(1))
    await waitFor(() => expect(server.bodies(accountCalls.update)).toEqual([{ account_id: ACCOUNT_ID, file_retrieval_method: 'invite' }]))
  })

  test('ends a request to the provider before an invitation, after a question', async () => {
    const { user, router } = open(OWNER, inState('uploading', { file_retrieval_method: 'assisted' }))
    await user.click(await screen.findByRole('button', { name: 'Invite someone' }))
    await user.click(await screen.findByRole('button', { name: 'No' }))
    expect(server.bodies(accountCalls.update)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Invite someone' }))
    await user.click(await screen.findByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/accounts/${ACCOUNT_ID}/invites/create`))
    expect(server.bodies(accountCalls.update)).toEqual([{ account_id: ACCOUNT_ID, file_retrieval_method: 'upload' }])
  })
})

describe('Upload Documents', () => {
  const files = { types: ['Files'], items: [], files: [new File(['x'], 'Schedule.xlsx')] }

  test('uploads files from the upload space, and says where files belong that are dropped elsewhere', async () => {
    open(OWNER, inState('uploading'), { tab: 'files' })
    const heading = await screen.findByRole('heading', { name: 'Send everything you have' })
    expect(fireEvent.drop(heading, { dataTransfer: files })).toBe(false)
    await screen.findByText('Oops! Drag those files into the upload space on the right.')
    expect(uploads.list.items()).toEqual([])
    fireEvent.drop(screen.getByText('Drop files or folders here'), { dataTransfer: files })
    await waitFor(() => expect(uploads.list.items()).toHaveLength(1))
  })

  test('requests the setup', async () => {
    const { user } = open(OWNER, inState('uploading'), { tab: 'files' })
    await user.click(await screen.findByRole('button', { name: 'Request Account Setup' }))
    await screen.findByText('A review of your files has been requested.')
    expect(server.bodies(accountCalls.update)).toEqual([{ status_state: 'processing' }])
    await screen.findByText('The provider is organizing your account')
  })

  test.each([
    ['upload', true],
    ['assisted', false],
  ] as const)('with method %s and no document: the request is disabled: %s', async (file_retrieval_method, disabled) => {
    const none = { total: 0, disclosed: 0, sov: 0, size: { total: 0, disclosed: 0, sov: 0 } }
    open(OWNER, inState('uploading', { file_retrieval_method, files: none }), { tab: 'files' })
    const button = await screen.findByRole('button', { name: 'Request Account Setup' })
    expect(button.hasAttribute('disabled')).toBe(disabled)
    expect(screen.queryByText('Upload at least one document first.') !== null).toBe(disabled)
  })

  test('for users of the role upload_only is all they have, with a simple text and a message at the end', async () => {
    const { user } = open(UPLOADER, inState('uploading'), { role: 'upload_only' })
    expect(await screen.findByRole('heading', { name: 'Upload Files' })).toBeDefined()
    expect(await tabs()).toEqual(['Upload Documents'])
    await user.click(screen.getByRole('button', { name: 'I am done' }))
    await screen.findByText('A review of your files has been requested.')
    expect(server.requests).toContain(`POST /accounts/${ACCOUNT_ID}/hand-over`)
  })

  test('lists what arrived, what was there already and what is not known yet, as a text to keep', async () => {
    const { user } = open(OWNER, inState('uploading'), { tab: 'files' })
    const receipt = within(await screen.findByRole('region', { name: '3 documents arrived in the last 24 hours' }))
    const lines = receipt.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines[0]).toContain('not yet compared with other documents')
    expect(lines[1]).toContain('Already there: Schedule.xlsx')
    expect(lines[2]).toContain('checksum abababababab')
    const save = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:receipt')
    await user.click(receipt.getByRole('button', { name: 'Download the receipt' }))
    const [blob] = save.mock.calls[0] ?? []
    expect(await (blob as Blob).text()).toContain('Receipt for documents sent to Pier Nine')
  })
})

test('the text of a receipt has sender, time, size and checksum of each document', () => {
  const reader = { name: 'Dana Whitfield', email: 'dana@harborpoint.example', zone: 'America/New_York' }
  expect(receiptText(RECEIPT, reader, '2026-03-05T16:00:00.000Z').split('\n\n')).toEqual([
    'Receipt for documents sent to Pier Nine\nSent by: Dana Whitfield (dana@harborpoint.example)\nAs of: Mar 5, 2026, 11:00 AM (America/New_York)',
    '3 documents arrived in the last 24 hours.',
    `1. Schedule.xlsx\n   2 KB, arrived Mar 5, 2026, 10:00 AM\n   SHA-256: ${'ab'.repeat(32)}`,
    `2. Copy.xlsx\n   2 KB, arrived Mar 5, 2026, 10:01 AM\n   SHA-256: ${'ab'.repeat(32)}\n   Already there: Schedule.xlsx`,
    '3. Late.pdf\n   9 bytes, arrived Mar 5, 2026, 10:02 AM\n   SHA-256: not computed yet',
    '',
  ])
})
