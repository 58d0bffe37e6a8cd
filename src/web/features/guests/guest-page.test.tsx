import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { fileCalls, type FileRow } from '#contract/account-files.ts'
import { registerSummaryCalls, type RegisterSummary } from '#contract/register-summary.ts'
import { propertyCalls, type PropertyRow } from '#contract/account-properties.ts'
import type { Account } from '#contract/accounts.ts'
import { VISIT_GAP_MS } from '#contract/guest-limits.ts'
import { guestCalls } from '#contract/guests.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID, accountServer, accountWith, archive } from '#web/testing/account-server.ts'
import { errorAnswer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { GuestPage } from './guest-page.tsx'
import { recordVisit } from './last-visit.ts'

afterEach(resetPage)

const VIEW: PermissionName[] = ['view_account_details', 'view_account_properties', 'view_account_files']
const DOWNLOAD: PermissionName[] = ['view_download_all_files_button', 'download_files', 'download_all_files']
const LAST_VISIT = '2026-03-01T12:00:00.000Z'
const cell = (text: string, value: string | number = text) => ({ value: String(value), text })

const propertyRow = (id: string, name: string, tiv: number): PropertyRow => {
  const blank = cell('')
  return {
    id: `0198c0de-0000-7000-8000-0000000000${id}`,
    deleted_at: null,
    is_new: false,
    account_id: ACCOUNT_ID,
    account_name: 'Cascadia Portfolio',
    location_number: cell('1'),
    building_number: blank,
    property_name: cell(name),
    address: cell('1 Foundry St'),
    city: cell('Sacramento'),
    state: cell('CA'),
    postal_code: blank,
    county: blank,
    property_type: cell('Office'),
    construction_class: blank,
    year_built: cell('1990'),
    stories: blank,
    floor_area: blank,
    sprinklered: blank,
    building_value: blank,
    contents_value: blank,
    bi_value: blank,
    tiv: cell(String(tiv), tiv),
    currency: 'USD',
    documents: blank,
    quality_score: blank,
    discrepancies: blank,
    status: cell('Active'),
    updated_at: blank,
    flags: null,
    divested: null,
    version: 1,
    findings: null,
    schedule_findings: null,
  }
}

const fileRow = (id: string, name: string, createdAt: string): FileRow => {
  const blank = cell('')
  const file = archive({ id: `0198c0de-0000-7000-8000-0000000000${id}`, vanity_name: name, status: 'accessible', created_at: createdAt })
  return {
    id: file.id,
    deleted_at: null,
    is_new: false,
    name: cell(name),
    category: cell('Valuation'),
    report_author_date: blank,
    properties: blank,
    size: cell('1 KB'),
    created_by: blank,
    created_at: cell(createdAt),
    original_file_name: blank,
    private: blank,
    provided_by_broker: blank,
    file,
    text_match: null,
  }
}

const OLD = propertyRow('d1', 'Old Mill', 900)
const ADDED = propertyRow('d2', 'New Mill', 100)

const SENDER = {
  full_name: 'Bea Stone',
  email: 'bea@harborpoint.example',
  phone: '(415) 555-0148',
  company: 'Harbor Point',
  date: 'Mar 1, 2026',
  logo_url: null,
}
const SUMMARY: RegisterSummary = {
  states: 2,
  countries: 1,
  country: 'US',
  valuation_bases: ['rcv'],
  valued_from: '2026-03-24',
  valued_to: '2026-03-24',
  undated: 0,
  without_basis: 0,
}

/** Two properties and two documents, one of each added after the last visit. */
function open({
  permissions = [...VIEW, ...DOWNLOAD],
  account = accountWith({ properties: 2, tiv: 1000, show_vanity_by_default: true }),
}: Options = {}) {
  const session = sessionWith(permissions, { via_share_link: true })
  const server = accountServer(account, session)
    .on(guestCalls.inviting, () => ({ data: SENDER }))
    .on(registerSummaryCalls.ofAccount, () => ({ data: SUMMARY }))
    .on(propertyCalls.index, ({ query }) => {
      const rows = query['filter__changed_since'] !== undefined ? [] : query['filter__added_since'] === undefined ? [OLD, ADDED] : [ADDED]
      const { data, meta } = onePage(rows)
      const tiv = rows.reduce((sum, row) => sum + Number(row.tiv.value), 0)
      return { data, meta: { ...meta, totals: { tiv, building_value: tiv / 2 }, valued: { tiv: rows.length, bi_value: 0 } } }
    })
    .on(fileCalls.index, ({ query }) => {
      const added = fileRow('e2', 'New report', '2026-03-02T12:00:00.000Z')
      if (query['filter__added_since'] === undefined) return onePage([added, fileRow('e1', 'Old report', '2026-02-01T12:00:00.000Z')])
      return onePage(query['filter__sov'] === '1' ? [] : [added])
    })
  const tabs = { properties: () => null, files: () => null }
  const page = () => renderWithSession(<GuestPage account={account} tabs={tabs} />, { session, path: `/accounts/${ACCOUNT_ID}` })
  return { server, page }
}
const LINK = ['view_account_details', 'view_account_properties', 'view_account_files', 'download_files'] as const
const managed = (state: 'uploading' | 'processing') =>
  accountWith({ type: 'managed', properties: 0, tiv: 0, status: { id: ACCOUNT_ID, name: state, color: '#000000', state } })

describe('a managed account that is being collected', () => {
  test.each([
    ['uploading', 'The documents of this account are being collected'],
    ['processing', 'The provider is organizing your account'],
  ] as const)('while %s shows sender, notice and documents, and nothing of uploads, set-up and figures', async (state, title) => {
    open({ permissions: [...LINK], account: managed(state) }).page()
    await screen.findByText(title)
    screen.getByRole('region', { name: 'Sender' })
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent?.replace(/\d+$/, ''))).toEqual(['Documents'])
    expect(screen.getByRole('region', { name: 'Sender' }).textContent).toMatch(/Managed By: .+ · Company: /)
    for (const absent of ['Return to Dashboard', 'Get Started', 'Total insured value', 'No properties exist on this account.'])
      expect(screen.queryByText(absent)).toBeNull()
  })

  test.each(['uploading', 'processing'] as const)('while %s is that page for link visitors and invited viewers', async (state) => {
    for (const via of [{ via_share_link: true }, { via_invite: true }]) {
      const session = sessionWith([...LINK], { roles: [{ id: ACCOUNT_ID, name: 'invite_guest', label: 'Viewer' }], ...via })
      accountServer(managed(state), session).on(guestCalls.inviting, () => ({ data: SENDER }))
      renderApp(`/accounts/${ACCOUNT_ID}`, session)
      await screen.findByRole('tab', { name: /^Documents/ })
      expect(screen.queryByRole('link', { name: 'Return to Dashboard' })).toBeNull()
      expect(screen.queryByText(/Upload Documents|Get Started|Read the overview/)).toBeNull()
      await screen.findByText('Look at the documents that arrived')
      resetPage()
    }
  })
})

test('with divested properties only, the overview says so and opens them', async () => {
  open({ account: accountWith({ properties: 0, divested_properties: 1 }) }).page()
  expect((await screen.findByRole('link', { name: '1 divested property' })).getAttribute('href')).toContain('filter__status=divested')
  expect(screen.queryByText('No properties exist on this account.')).toBeNull()
})

interface Options {
  permissions?: PermissionName[]
  account?: Account
}

const visitedBefore = (tiv = 900) => recordVisit(accountWith({ tiv }), new Date(LAST_VISIT))
const card = (name: string) => screen.findByRole('region', { name })

describe('the first page of people from outside', () => {
  test('says who sent the account, what it is worth and what can be downloaded', async () => {
    open().page()
    await screen.findByText('Sent from Bea Stone at Harbor Point on Mar 1, 2026')
    screen.getByRole('button', { name: 'Download Everything' })
    const total = await screen.findByText('$1,000', { selector: 'dl > div > dd' })
    expect(total.previousElementSibling?.textContent).toBe('Total insured value')
    screen.getByText('not stated')
    expect(screen.getByRole('link', { name: 'bea@harborpoint.example' }).getAttribute('href')).toBe('mailto:bea@harborpoint.example')
    expect(screen.getByRole('link', { name: '(415) 555-0148' }).getAttribute('href')).toBe('tel:4155550148')
    await screen.findByText('Replacement cost as of Mar 24, 2026')
    screen.getByText('in 2 states')
    await screen.findByRole('link', { name: 'Old Mill' })
    expect(screen.queryByText(/HP-117|Dana Whitfield/)).toBeNull()
  })

  test('shows who invited the viewer, and the website of the account', async () => {
    const invite = {
      created_by_formatted: 'Bea Stone',
      created_at_formatted: 'Mar 1, 2026',
      created_at: LAST_VISIT,
      created_by_user: { email: 'bea@harborpoint.example', cell_phone: '(415) 555-0148', company: { name: 'Harbor Point' } },
    }
    open({ account: accountWith({ properties: 2, tiv: 1000, invite, website: 'https://cascadia.example' }) }).page()
    const inviter = within(await card('Invited By'))
    for (const text of ['Bea Stone', 'Harbor Point', 'Mar 1, 2026', 'bea@harborpoint.example']) inviter.getByText(text)
    expect(inviter.getByRole('link', { name: '(415) 555-0148' }).getAttribute('href')).toBe('tel:4155550148')
    expect(screen.getByRole('link', { name: 'View Account Website' }).getAttribute('href')).toBe('https://cascadia.example')
  })

  test('names the company once if its sender has left it', async () => {
    const { server, page } = open()
    server.on(guestCalls.inviting, () => ({ data: { ...SENDER, full_name: SENDER.company, email: null, phone: null } }))
    page()
    expect(await screen.findByText('Sent from Harbor Point on Mar 1, 2026')).toBeDefined()
  })

  test.each([
    [true, 'Descriptive Old report'],
    [false, 'Old report'],
  ])('names documents as their list does: by descriptive names %s', async (show_vanity_by_default, name) => {
    const { server, page } = open({ account: accountWith({ properties: 2, tiv: 1000, show_vanity_by_default }) })
    const row = fileRow('e1', 'Old report', '2026-02-01T12:00:00.000Z')
    const file = { ...row.file, vanity_name: 'Descriptive Old report', file: { ...row.file.file, original_file_name: 'Old report' } }
    server.on(fileCalls.index, () => onePage([{ ...row, file }]))
    page()
    expect(await screen.findByRole('link', { name })).toBeDefined()
  })

  test('opens its tabs by keys', async () => {
    const { user } = open().page()
    const chosen = () => screen.getByRole('tab', { selected: true }).textContent?.replace(/[\d,]+$/, '')
    await screen.findByRole('tab', { name: 'Overview' })
    for (const [key, name] of [
      ['2', 'Properties'],
      ['3', 'Documents'],
      ['1', 'Overview'],
    ] as const) {
      await user.keyboard(key)
      expect(chosen()).toBe(name)
    }
  })

  test('offers no download to a visitor who can only view', async () => {
    open({ permissions: VIEW }).page()
    await screen.findByRole('link', { name: 'Old Mill' })
    expect(screen.queryByRole('button', { name: /Download/ })).toBeNull()
  })

  test('says that there are no properties and no documents', async () => {
    const account = accountWith({ properties: 0, divested_properties: 0, tiv: null, files: { ...NO_FILES } })
    const { server, page } = open({ account })
    server.on(fileCalls.index, () => onePage([]))
    page()
    await screen.findByText('No properties exist on this account.')
    await screen.findByText('No documents yet.')
    expect(screen.getByRole('button', { name: 'Download Everything' })).toHaveProperty('disabled', true)
    expect(screen.queryByText('$0')).toBeNull()
  })

  test('leaves out the documents for viewers without permission for them', async () => {
    open({ permissions: ['view_account_details', 'view_account_properties'], account: accountWith({ properties: 2, files: null }) }).page()
    await screen.findByRole('link', { name: 'Old Mill' })
    expect(screen.queryByRole('tab', { name: /Documents/ })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Documents' })).toBeNull()
  })
})

const NO_FILES = { total: 0, disclosed: 0, sov: 0, size: { total: 0, disclosed: 0, sov: 0 } }

describe('what is new since the last visit', () => {
  test('is not shown on the first visit', async () => {
    open().page()
    await screen.findByRole('link', { name: 'New report' })
    expect(screen.queryByRole('region', { name: 'Since your last visit' })).toBeNull()
    expect(screen.queryByText('New')).toBeNull()
  })

  test('is counted, marked, and opens the rows that it counts', async () => {
    visitedBefore()
    open().page()
    const since = await card('Since your last visit')
    const added = await within(since).findByRole('link', { name: '1 property added' })
    expect(new URL(added.getAttribute('href') ?? '', 'http://localhost').searchParams.get('filter__added_since')).toBe(LAST_VISIT)
    within(since).getByRole('link', { name: '1 disclosed document added' })
    within(since).getByText('was $900')
    expect(within(await card('Documents')).getAllByText('New')).toHaveLength(1)
    expect(within(await card('Largest properties')).getAllByText('New')).toHaveLength(1)
  })

  test('is one line if nothing has changed', async () => {
    visitedBefore(1000)
    const { server, page } = open()
    server.on(propertyCalls.index, ({ query }) => onePage(query['filter__status'] === 'active' && !('paginate' in query) ? [OLD] : []))
    server.on(fileCalls.index, () => onePage([]))
    page()
    await screen.findByText('Nothing has changed since Mar 1, 2026')
    expect(screen.queryByRole('region', { name: 'Since your last visit' })).toBeNull()
  })

  test('says that it could not be loaded', async () => {
    visitedBefore()
    const { server, page } = open()
    server.on(fileCalls.index, ({ query }) => ('filter__added_since' in query ? errorAnswer('forbidden', 'No.') : onePage([])))
    page()
    const since = await card('Since your last visit')
    await within(since).findByRole('alert')
    expect(within(since).queryByRole('listitem')).toBeNull()
  })
})

describe('a visit', () => {
  const at = (minutes: number) => new Date(Date.parse(LAST_VISIT) + minutes)
  test('continues while the account is opened again soon, and is the last one afterwards', () => {
    const account = accountWith()
    expect(recordVisit(account, at(0))).toBeNull()
    expect(recordVisit(account, at(VISIT_GAP_MS - 1))).toBeNull()
    expect(recordVisit(account, at(2 * VISIT_GAP_MS))?.at).toBe(at(VISIT_GAP_MS - 1).toISOString())
  })

  test('is remembered for each account, and not read from what is not a visit', () => {
    recordVisit(accountWith(), at(0))
    expect(recordVisit(accountWith({ id: '0198c0de-0000-7000-8000-0000000000a2' }), at(VISIT_GAP_MS))).toBeNull()
    window.localStorage.setItem('plumbline.visits', '{"old":true}')
    expect(recordVisit(accountWith(), at(2 * VISIT_GAP_MS))).toBeNull()
  })
})
