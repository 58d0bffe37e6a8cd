import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { sharingCalls, type LiveGrant, type ShareLink } from '#contract/sharing.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const SHARE_LINK = `https://plumbline.example/account/${ACCOUNT_ID}/share/secret`
const LINK: ShareLink = {
  id: '0198c0de-0000-7000-8000-0000000000e1',
  label: 'Beacon Mutual',
  link: `https://plumbline.example/account/${ACCOUNT_ID}/share/named`,
  protection: 'password',
  email_domains: [],
  rights: 'view',
  properties: null,
  categories: null,
  unlinked_files: false,
  status: 'Active',
  expires_at: { date: '2026-12-24T12:00:00.000Z', human: 'Dec 24, 2026' },
  created_by: 'Dana Whitfield',
  created_at: '2026-11-24T12:00:00.000Z',
  last_used_at: null,
}
const grant = (kind: LiveGrant['kind'], more: Partial<LiveGrant> = {}): LiveGrant => ({
  id: `0198c0de-0000-7000-8000-0000000000f${kind.length}`,
  kind,
  name: 'uma@surveyor.example',
  account_id: ACCOUNT_ID,
  account_name: 'Cascadia Portfolio',
  rights: 'View and download',
  own_uploads: false,
  scope: { properties: null, categories: null },
  sponsor: 'Dana Whitfield',
  expires_at: { date: null, human: 'Never' },
  last_used_at: null,
  ...more,
})

const PIER_HALL = {
  id: '0198c0de-0000-7000-8000-0000000000d1',
  name: '12 · Pier Hall',
  detail: '1 Pier St, Seattle',
  account_id: ACCOUNT_ID,
}
const ALL: PermissionName[] = ['view_account_details', 'view_account_invites', 'update_account_sharing', 'update_accounts']

afterEach(resetPage)

function start(path: string, account: Partial<Account> = {}, links: ShareLink[] = [LINK], live: LiveGrant[] = []) {
  const session = sessionWith(ALL)
  const server = accountServer(accountWith(account), session)
    .on(accountCalls.update, () => ({ data: accountWith({ ...account, sharing_enabled: account.sharing_enabled !== true }) }))
    .on(sharingCalls.links, () => ({ data: links }))
    .on(sharingCalls.grants, () => ({ data: live, total: live.length }))
  return { server, ...renderApp(path, session), clipboard: vi.spyOn(navigator.clipboard, 'writeText') }
}

async function openForm(account: Partial<Account> = {}, links: ShareLink[] = [LINK], live: LiveGrant[] = []) {
  const scene = start(`/accounts/${ACCOUNT_ID}`, account, links, live)
  await scene.user.click(await screen.findByRole('button', { name: 'Share' }))
  return { ...scene, form: within(await screen.findByRole('dialog', { name: 'Share' })) }
}

const ALL_OF_IT = { property_ids: null, categories: null, unlinked_files: false }
const SHARED = { sharing_enabled: true, share_link: SHARE_LINK }

describe('the share form', () => {
  test.each([
    [true, 'enabled', {}],
    [false, 'disabled', SHARED],
  ])('sets sharing to %s, which is then %s', async (wanted, done, account) => {
    const { user, form, server } = await openForm(account)
    await user.click(await form.findByRole('switch', { name: /^Share this account by link/ }))
    await screen.findByText(`Sharing of this account is now ${done}`)
    expect(server.bodies(accountCalls.update)).toEqual([{ model: 'accounts', id: ACCOUNT_ID, sharing_enabled: wanted }])
  })

  test('copies the link, which cannot be edited', async () => {
    const { user, form, clipboard } = await openForm(SHARED)
    const field = await form.findByRole<HTMLInputElement>('textbox', { name: 'Link' })
    expect([field.value, field.readOnly]).toEqual([SHARE_LINK, true])
    await user.click(form.getByRole('button', { name: 'Copy' }))
    expect(clipboard).toHaveBeenCalledWith(SHARE_LINK)
    await screen.findByText('The link has been copied to your clipboard ready to be shared.')
  })

  test('replaces the link only after a question, and stays open', async () => {
    const { user, form, server, clipboard } = await openForm(SHARED)
    const next = `${SHARE_LINK}-next`
    server.on(sharingCalls.refresh, () => {
      server.on(accountCalls.show, () => new Promise<never>(() => undefined))
      return { data: { share_link: next } }
    })
    await user.click(await form.findByRole('button', { name: 'Create a new link' }))
    const question = within(await screen.findByRole('dialog', { name: 'Create a new link' }))
    expect(question.getByText('The current link stops working for everyone who has it.')).toBeDefined()
    expect(server.requests).not.toContain(`POST /accounts/${ACCOUNT_ID}/refresh-share-token`)
    await user.click(question.getByRole('button', { name: 'Create a new link' }))
    await screen.findByText('The new link works now. The previous link no longer does.')
    // Before the account was loaded again.
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toBe(next)
    await user.click(form.getByRole('button', { name: 'Copy' }))
    expect(clipboard).toHaveBeenCalledWith(next)
  })

  test('of an account that is not shared says what still gives access, and revokes it after a question', async () => {
    const live = [grant('link'), grant('invite'), grant('invite', { id: 'another-1', account_id: 'elsewhere-1' })]
    const { user, form, server } = await openForm({}, [LINK], live)
    server.on(sharingCalls.revokeAll, () => ({ data: { links: 1, invitations: 1 } }))
    expect((await form.findByText(/still give access/)).textContent).toContain('1 named link and 1 invitation still give access.')
    await user.click(form.getByRole('button', { name: 'Revoke all' }))
    await user.click(within(await screen.findByRole('dialog', { name: 'Revoke all' })).getByRole('button', { name: 'Revoke all' }))
    await screen.findByText('Revoked: 1 named link and 1 invitation.')
  })
})

describe('named links', () => {
  test('show their end, protection and rights', async () => {
    const { form } = await openForm()
    const item = await form.findByRole('listitem', { name: 'Beacon Mutual' })
    expect(item.textContent).toContain('Ends Dec 24, 2026 · A password · View only · Everything · Not used yet · By Dana Whitfield')
  })

  test('are created with a password and an end', async () => {
    const { user, form, server } = await openForm({}, [])
    server.on(sharingCalls.createLink, () => ({ data: LINK }))
    await user.click(await form.findByRole('button', { name: 'Create a named link' }))
    await user.click(form.getByRole('radio', { name: 'A password' }))
    await user.click(form.getByRole('button', { name: 'Create link' }))
    await form.findByText('Please name the link, for example after its recipient.')
    await form.findByText('Please use at least 8 characters.')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Beacon Mutual')
    await user.type(form.getByLabelText('Password'), 'long enough')
    await user.click(form.getByRole('button', { name: 'Create link' }))
    await screen.findByText('The link was created. Copy it and send it.')
    expect(server.bodies(sharingCalls.createLink)).toEqual([
      {
        label: 'Beacon Mutual',
        days: 30,
        protection: 'password',
        password: 'long enough',
        email_domains: [],
        rights: 'download',
        ...ALL_OF_IT,
      },
    ])
  })

  test('are created without an end only after a question', async () => {
    const { user, form, server } = await openForm({}, [])
    server.on(sharingCalls.createLink, () => ({ data: LINK }))
    await user.click(await form.findByRole('button', { name: 'Create a named link' }))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Beacon Mutual')
    await user.click(form.getByRole('checkbox', { name: 'Does not end' }))
    await user.click(form.getByRole('button', { name: 'Create link' }))
    await user.click(await screen.findByRole('button', { name: 'Continue without an end' }))
    await waitFor(() => expect(server.bodies(sharingCalls.createLink)).toMatchObject([{ days: null }]))
  })

  test('keep their end and password when these are left empty', async () => {
    const { user, form, server } = await openForm()
    server.on(sharingCalls.updateLink, () => ({ data: LINK }))
    await user.click(await form.findByRole('button', { name: 'Edit Beacon Mutual' }))
    await user.click(form.getByRole('radio', { name: 'View and download' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await screen.findByText('The link was changed.')
    expect(server.bodies(sharingCalls.updateLink)).toEqual([
      { label: 'Beacon Mutual', protection: 'password', email_domains: [], rights: 'download', ...ALL_OF_IT },
    ])
  })

  test('show chosen properties and categories, and say what is not included', async () => {
    const { user, form, server } = await openForm({}, [])
    server.on(propertyCalls.search, () => ({ data: [PIER_HALL], matched: [] }))
    await user.click(await form.findByRole('button', { name: 'Create a named link' }))
    expect(form.getByText('Not included: private documents.')).toBeDefined()
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Beacon Mutual')
    await user.click(form.getByRole('radio', { name: 'Chosen properties' }))
    await user.click(form.getByRole('radio', { name: 'Documents of chosen categories' }))
    await user.click(form.getByRole('button', { name: 'Create link' }))
    await form.findByText('Please choose at least one property.')
    await form.findByText('Please choose at least one category.')
    await user.type(form.getByRole('combobox', { name: 'Properties' }), 'pier')
    await user.click(await screen.findByRole('option', { name: /Pier Hall/ }))
    await user.click(form.getByRole('checkbox', { name: 'Appraisal / valuation' }))
    expect(form.getByText(/^Not included: .*documents of other categories/)).toBeDefined()
  })

  test('keep their scope when something else is changed', async () => {
    const link: ShareLink = {
      ...LINK,
      properties: [{ id: PIER_HALL.id, title: '12 · Pier Hall' }],
      categories: ['roof'],
      unlinked_files: true,
    }
    const { user, form, server } = await openForm({}, [link])
    server.on(sharingCalls.updateLink, () => ({ data: link }))
    expect((await form.findByRole('listitem', { name: 'Beacon Mutual' })).textContent).toContain('1 property, 1 category')
    await user.click(await form.findByRole('button', { name: 'Edit Beacon Mutual' }))
    expect(form.getByText('12 · Pier Hall')).toBeDefined()
    await user.click(form.getByRole('button', { name: 'Save' }))
    await screen.findByText('The link was changed.')
    expect(server.bodies(sharingCalls.updateLink)).toMatchObject([
      { property_ids: [PIER_HALL.id], categories: ['roof'], unlinked_files: true },
    ])
  })

  test('show errors of the server at their fields', async () => {
    const { user, form, server } = await openForm({}, [])
    server.on(sharingCalls.createLink, () => errorAnswer('invalid', '', { email_domains: ['Please enter a domain such as example.com.'] }))
    await user.click(await form.findByRole('button', { name: 'Create a named link' }))
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Beacon Mutual')
    await user.click(form.getByRole('radio', { name: 'A code sent to their email' }))
    await user.type(form.getByRole('textbox', { name: 'Only for emails at' }), 'nonsense')
    await user.click(form.getByRole('button', { name: 'Create link' }))
    expect(await form.findByText('Please enter a domain such as example.com.')).toBeDefined()
  })

  test('are revoked only after a question', async () => {
    const { user, form, server } = await openForm()
    server.on(sharingCalls.removeLink, () => ({ data: null, message: 'The link was revoked.' }))
    await user.click(await form.findByRole('button', { name: 'Revoke Beacon Mutual' }))
    await user.click(within(await screen.findByRole('dialog', { name: 'Revoke “Beacon Mutual”' })).getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('The link was revoked.')).toBeDefined()
  })
})

describe('the page of links and invitations', () => {
  test('is in the sidebar and lists what gives access, with its end', async () => {
    const soon = { date: new Date(Date.now() + 2.5 * DAY_MS).toISOString(), human: 'soon' }
    start('/access', {}, [], [grant('invite', { expires_at: soon }), grant('default_link', { name: 'Share link' })])
    expect((await screen.findByRole('link', { name: 'Links and invitations' })).getAttribute('href')).toBe('/access')
    const row = await screen.findByRole('row', { name: /uma@surveyor\.example/ })
    expect(row.textContent).toContain('ends in 3 days')
    expect(within(row).getByRole('link', { name: 'Cascadia Portfolio' }).getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}`)
    expect(screen.getByRole('row', { name: /Share link/ }).textContent).toContain('does not end')
  })

  test('says what is seen, and that not all of them are shown', async () => {
    const scene = start('/access', {}, [], [])
    scene.server.on(sharingCalls.grants, () => ({ data: [grant('link', { scope: { properties: 3, categories: 2 } })], total: 2_001 }))
    await scene.user.type(await screen.findByRole('searchbox', { name: 'Search links and invitations' }), 'a')
    await screen.findByText('3 properties, 2 categories')
    expect(screen.getByText('The first 1 of 2,001 are shown. Search to find others.')).toBeDefined()
  })

  test('says that a person who was invited to upload sees their own uploads', async () => {
    start('/access', {}, [], [grant('invite', { rights: 'Surveyor', own_uploads: true }), grant('default_link', { name: 'Share link' })])
    expect((await screen.findByRole('row', { name: /uma@surveyor\.example/ })).textContent).toContain('Own uploads only')
    expect(screen.getByRole('row', { name: /Share link/ }).textContent).toContain('Everything')
  })

  test('searches on the server', async () => {
    const { user, server } = start('/access', {}, [], [])
    await screen.findByText('No account is shared.')
    await user.type(screen.getByRole('searchbox', { name: 'Search links and invitations' }), 'harbor')
    await screen.findByText('Nothing found.')
    expect(server.requests).toContain('GET /grants?search=harbor')
  })

  test('does not exist without permission to share', async () => {
    const { path } = renderApp('/access', sessionWith(['view_account_details']))
    await waitFor(() => expect(path()).toBe('/404'))
    expect(screen.queryByRole('link', { name: 'Links and invitations' })).toBeNull()
  })
})
