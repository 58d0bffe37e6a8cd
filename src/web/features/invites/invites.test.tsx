import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inviteCalls, type Invite, type InviteRow } from '#contract/account-invites.ts'
import { fileCalls } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import type { RowAction } from '#contract/datatable.ts'
import { guestCalls } from '#contract/guests.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { sharingCalls } from '#contract/sharing.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer, onePage } from '#web/testing/fake-server.ts'
import { INVITE } from '#web/testing/invites.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'

const { id: INVITE_ID, link: LINK } = INVITE
const EXPIRED: Invite = { ...INVITE, status: 'Expired', expires_at: { date: '2026-10-24T12:00:00.000Z', human: 'Oct 24, 2026' } }

const cell = (text: string) => ({ value: text, text })
const rowOf = (invite: Invite): InviteRow => ({
  id: invite.id,
  deleted_at: null,
  is_new: false,
  invited_user: { ...cell(invite.name), ...invite.invited_user },
  email: cell(invite.email),
  role: cell(invite.role_label),
  status: cell(invite.status),
  expires_at: { ...cell(invite.expires_at.human), ...invite.expires_at },
  login_link: cell(invite.status === 'Active' ? invite.link : ''),
  invited_by: cell(invite.invited_by),
  sent_at: cell(''),
  last_used_at: cell(''),
  accessible_features: { update: invite.status === 'Active', delete: false },
})
const COLUMNS = [
  tableColumn('invited_user', 'Invited', { primary: true }),
  tableColumn('status', 'Status'),
  tableColumn('expires_at', 'Access ends'),
  tableColumn('login_link', 'Link'),
]
const action = (name: string, label: string, prompt: RowAction['prompt'] = null): RowAction => ({
  action: name,
  label,
  handle: 'json',
  fileName: null,
  supportsPrefix: false,
  rule: 'update',
  prompt,
})
const ACTIONS = [
  action('extend', 'Extend'),
  action('issue_permanently', 'Make Permanent'),
  action('revoke', 'Revoke', { type: 'confirm', name: 'confirm', message: 'They lose access at once. This action cannot be undone.' }),
]
const ROLES = [
  { name: 'invite_guest', label: 'Invited viewer', help: 'Sees properties and documents.' },
  { name: 'upload_only', label: 'Upload only', help: 'Adds documents and sees only those.' },
]
const VISIT = {
  id: INVITE_ID,
  kind: 'invite' as const,
  name: INVITE.email,
  state: 'opened' as const,
  opened: 2,
  viewed: 3,
  downloaded: 1,
  first_at: '2026-11-20T12:00:00.000Z',
  last_at: '2026-11-23T12:00:00.000Z',
  ended_at: null,
  changed_since: 4,
}

const ALL: PermissionName[] = [
  'view_account_details',
  'view_account_invites',
  'view_account_invites_datatable_actions',
  'create_account_invites',
  'update_account_invites',
  'update_account_sharing',
]
const TAB = `/accounts/${ACCOUNT_ID}?tab=invites`
const CREATE = `/accounts/${ACCOUNT_ID}/invites/create`
const PANEL = `/accounts/${ACCOUNT_ID}/invites/${INVITE_ID}`

afterEach(resetPage)

/** The tab that the page opens. */
function fakeTab() {
  const stored: string[] = []
  const location = { replace: vi.fn<(to: string) => void>() }
  const tab = { sessionStorage: { setItem: (_key: string, value: string) => stored.push(value) }, location, close: vi.fn<() => void>() }
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window) // the part of a window that is used
  return { location, stored }
}

interface Scene {
  permissions?: PermissionName[]
  invites?: Invite[]
  account?: Account
  guest?: Partial<Record<'via_invite' | 'via_share_link' | 'via_preview', boolean>>
}

function open(path: string, { permissions = ALL, invites = [INVITE], account = accountWith(), guest = {} }: Scene = {}) {
  const session = sessionWith(permissions, guest)
  const server = accountServer(account, session)
    .on(fileCalls.index, () => onePage([]))
    .on(inviteCalls.index, () => onePage(invites.map(rowOf)))
    .on(inviteCalls.columns, () => ({ data: COLUMNS }))
    .on(inviteCalls.actions, () => ({ data: ACTIONS }))
    .on(inviteCalls.act, () => ({ data: null, message: 'The invitation was extended to Dec 24, 2026.', export: null, changed: [] }))
    .on(inviteCalls.roles, () => ({ data: ROLES }))
    .on(inviteCalls.create, () => ({ data: INVITE }))
    .on(inviteCalls.send, () => ({ data: null, message: `The invitation is on its way to ${INVITE.email}.` }))
    .on(inviteCalls.show, () => ({ data: invites[0] ?? INVITE }))
    .on(sharingCalls.links, () => ({ data: [] }))
    .on(sharingCalls.grants, () => ({ data: [], total: 0 }))
    .on(sharingCalls.visits, () => ({ data: [VISIT] }))
    .on(sharingCalls.visitsOf, () => ({
      data: [
        { id: VISIT.id, at: VISIT.last_at, what: 'viewed' as const, item: 'Appraisal.pdf', person: 'Uma Ortiz', address: '203.0.113.0' },
      ],
      total: 1_204,
    }))
  const view = renderApp(path, session)
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText')
  return { server, clipboard, ...view }
}

describe('Account Access', () => {
  test('is the fourth tab, with the number of invitations in its list and not of users', async () => {
    const invites = [INVITE, { ...INVITE, id: '0198c0de-0000-7000-8000-0000000000d9' }]
    open(`/accounts/${ACCOUNT_ID}`, { invites, permissions: [...ALL, 'view_account_properties', 'view_account_files'] })
    await waitFor(() =>
      expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
        'Overview',
        'Properties771',
        'Documents12',
        'Account Access2',
      ]),
    )
  })

  test('counts no invitations as 0', async () => {
    open(`/accounts/${ACCOUNT_ID}`, { invites: [], account: accountWith({ users: 4 }) })
    expect(await screen.findByRole('tab', { name: /^Account Access ?0$/ })).toBeDefined()
  })

  test('does not exist without permission to see invitations', async () => {
    open(TAB, { permissions: ALL.filter((name) => name !== 'view_account_invites') })
    await screen.findByRole('button', { name: 'Share' })
    expect(screen.queryByRole('tab', { name: /^Account Access/ })).toBeNull()
  })

  test.each(['via_invite', 'via_share_link', 'via_preview'] as const)('and the share form do not exist for a session %s', async (via) => {
    open(TAB, { guest: { [via]: true } })
    await screen.findByRole('tab', { name: 'Overview' })
    expect(screen.queryByRole('tab', { name: /^Account Access/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
  })

  test('lists invitations with their links and offers no form for them', async () => {
    const { user, clipboard } = open(TAB)
    await user.click(await screen.findByRole('button', { name: 'Copy the link of Uma Ortiz' }))
    expect(clipboard).toHaveBeenCalledWith(LINK)
    await screen.findByText('Invitation link copied to clipboard!')
    await user.click(screen.getByRole('button', { name: /Actions for/ }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Open', 'Extend', 'Make Permanent', 'Revoke'])
  })

  test('opens the account as a person with each role that can be given sees it', async () => {
    const { user, server } = open(TAB)
    server.on(guestCalls.viewAs, () => ({ data: { token: 'preview-token', account_id: ACCOUNT_ID, name: 'A person' } }))
    const tab = fakeTab()
    await user.click(await screen.findByRole('button', { name: 'View as' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(ROLES.map(({ label }) => label))
    await user.click(screen.getByRole('menuitem', { name: 'Upload only' }))
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith(`/accounts/${ACCOUNT_ID}`))
    expect(server.bodies(guestCalls.viewAs)).toEqual([{ role: 'upload_only' }])
  })

  test('offers no action for an expired invitation', async () => {
    const { user } = open(TAB, { invites: [EXPIRED] })
    await user.click(await screen.findByRole('button', { name: /Actions for/ }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Open'])
  })

  test('revokes an invitation only after a confirmation', async () => {
    const { user, server } = open(TAB)
    await user.click(await screen.findByRole('button', { name: /Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke' })
    expect(server.bodies(inviteCalls.act)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(server.bodies(inviteCalls.act)).toMatchObject([{ action: 'revoke', selectedIds: [INVITE_ID] }]))
  })

  test('says that there are no invitations', async () => {
    open(TAB, { invites: [] })
    expect(await screen.findByText('No invitations yet.')).toBeDefined()
  })

  test('shows who saw what, and each visit', async () => {
    const { user } = open(TAB)
    const section = within(await screen.findByRole('region', { name: 'Who saw what' }))
    const row = await section.findByRole('row', { name: /uma@surveyor\.example/ })
    expect(
      within(row)
        .getAllByRole('cell')
        .slice(1, 5)
        .map(({ textContent }) => textContent),
    ).toEqual(['Opened', '2', '3', '1'])
    expect(within(row).getByText('4 records')).toBeDefined()
    await user.click(section.getByRole('button', { name: `Show the visits of ${INVITE.email}` }))
    await screen.findByText('Viewed Appraisal.pdf')
  })
})

describe('an invitation form', () => {
  test('sends only what was entered, and then shows the link', async () => {
    const { user, server, clipboard, path } = open(CREATE)
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), INVITE.email)
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invitation link' }))
    expect(server.bodies(inviteCalls.create)).toEqual([{ account_id: ACCOUNT_ID, email: INVITE.email, role: 'invite_guest' }])
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Invitation link' })
    expect([field.value, field.readOnly]).toEqual([LINK, true])
    await user.click(dialog.getByRole('button', { name: 'Copy' }))
    expect(clipboard).toHaveBeenCalledWith(LINK)
    await screen.findByText('Invitation link copied to clipboard!')
    await user.click(dialog.getByRole('button', { name: 'Send by email' }))
    await screen.findByText(`The invitation is on its way to ${INVITE.email}.`)
    expect(server.bodies(inviteCalls.send)).toEqual([{ invite_id: INVITE_ID }])
    await user.click(dialog.getByText('Close'))
    await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}`))
  })

  test('has uploading preset by the address, which does not search the list', async () => {
    const { user, path, server } = open(`${CREATE}?search=upload_only`)
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Upload only' })).checked).toBe(true)
    await screen.findByRole('button', { name: 'Copy the link of Uma Ortiz', hidden: true })
    expect(server.requests.filter((request) => request.startsWith('GET /account_invites?') && request.includes('search'))).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}`))
  })

  test('needs an email and shows errors of the server at their fields', async () => {
    const { user, server } = open(CREATE)
    server.on(inviteCalls.create, () => errorAnswer('invalid', 'Please check the form.', { email: ['This is your own email.'] }))
    await user.click(await screen.findByRole('button', { name: 'Create invitation' }))
    await screen.findByText('Email cannot be blank')
    expect(server.bodies(inviteCalls.create)).toEqual([])
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'dana@harborpoint.example')
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    await screen.findByText('This is your own email.')
  })

  test.each([
    ['not_found', '/accounts', 'Warning:'],
    ['forbidden', '/accounts', 'Warning:'],
    ['conflict', CREATE, 'Warning:'],
    ['internal', CREATE, 'Problem:'],
  ] as const)('handles the error %s', async (kind, at, announced) => {
    const { user, server, path } = open(CREATE, { permissions: [...ALL, 'view_accounts_component'] })
    server.on(inviteCalls.create, () => errorAnswer(kind, 'This did not work.'))
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), INVITE.email)
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    expect((await screen.findByText('This did not work.')).textContent).toContain(announced)
    await waitFor(() => {
      expect(path()).toBe(at)
      expect(screen.queryByRole('dialog', { name: 'Invite someone' }) === null).toBe(at === '/accounts')
    })
  })
})

describe('the panel of an invitation', () => {
  test('shows its link and extends it', async () => {
    const { user, server } = open(PANEL)
    const panel = within(await screen.findByRole('dialog', { name: 'Uma Ortiz' }))
    expect(panel.getByRole<HTMLInputElement>('textbox', { name: 'Invitation link' }).value).toBe(LINK)
    await user.click(panel.getByRole('button', { name: 'Extend' }))
    await screen.findByText('The invitation was extended to Dec 24, 2026.')
    expect(server.bodies(inviteCalls.act)).toEqual([{ action: 'extend', selectedIds: [INVITE_ID] }])
  })

  test('closes after revoking and stays on the account', async () => {
    const { user, server, path } = open(PANEL)
    await user.click(await screen.findByRole('button', { name: 'Revoke' }))
    server.on(inviteCalls.act, () => {
      server.on(inviteCalls.show, () => errorAnswer('not_found', 'Invitation not found'))
      return { data: null, message: 'The invitation was revoked.', export: null, changed: [] }
    })
    await user.click(within(await screen.findByRole('dialog', { name: 'Revoke' })).getByRole('button', { name: 'Revoke' }))
    await screen.findByText('The invitation was revoked.')
    await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}`))
    expect(screen.queryByText('Invitation not found')).toBeNull()
  })

  test('of an expired invitation only offers to invite again', async () => {
    const { user, server } = open(PANEL, { invites: [EXPIRED] })
    await user.click(await screen.findByRole('button', { name: 'Invite again' }))
    await screen.findByRole('dialog', { name: 'Invitation link' })
    const { email, first_name, last_name, company, role } = INVITE
    expect(server.bodies(inviteCalls.create)).toEqual([{ account_id: ACCOUNT_ID, email, first_name, last_name, company, role }])
  })

  test('leads to the accounts when it is missing', async () => {
    const { server, path } = open(PANEL, { permissions: [...ALL, 'view_accounts_component'] })
    server.on(inviteCalls.show, () => errorAnswer('not_found', 'Invitation not found'))
    await waitFor(() => expect(path()).toBe('/accounts'))
  })

  test('opens the account as the invited person in a tab with a session of its own', async () => {
    const { user, server } = open(PANEL)
    server.on(guestCalls.viewAs, () => ({ data: { token: 'preview-token', account_id: ACCOUNT_ID, name: 'Uma Ortiz' } }))
    const { location, stored } = fakeTab()
    await user.click(await screen.findByRole('button', { name: 'View as Uma Ortiz' }))
    await waitFor(() => expect(location.replace).toHaveBeenCalledWith(`/accounts/${ACCOUNT_ID}`))
    expect(server.bodies(guestCalls.viewAs)).toEqual([{ grant_id: INVITE_ID }])
    expect(stored).toEqual([
      JSON.stringify({ token: 'preview-token', refreshToken: null, remember: false, challenge: false, guest: 'preview' }),
    ])
  })
})
