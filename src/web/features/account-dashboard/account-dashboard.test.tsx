import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { metricCalls, type Statistic } from '#contract/metrics.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { queries } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'
import { errorAnswer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ACCOUNT_ID, accountServer, accountWith, checkState, metricWith } from '#web/testing/account-server.ts'

const VIEW: PermissionName[] = ['view_account_details']
const TABS: PermissionName[] = [...VIEW, 'view_account_properties', 'view_account_files']

let server: FakeServer
afterEach(resetPage)

function open(permissions: PermissionName[], account: Account = accountWith(), address = `/accounts/${ACCOUNT_ID}`, role = 'broker') {
  const session = sessionWith(permissions, { roles: [{ id: ACCOUNT_ID, name: role, label: role }] })
  server = accountServer(account, session)
  return renderApp(address, session)
}

describe('opening an account', () => {
  test('says that the data is being gathered, then shows it under its name', async () => {
    const answer = Promise.withResolvers<void>()
    open(VIEW)
    server.on(accountCalls.show, () => answer.promise.then(() => ({ data: accountWith() })))
    await screen.findByText('Please wait while we gather the account data...')
    answer.resolve()
    await screen.findByRole('heading', { name: 'Cascadia Portfolio' })
    expect(screen.queryByText('Please wait while we gather the account data...')).toBeNull()
  })

  test.each(['not_found', 'forbidden'] as const)(
    'leads to the list with the message of the server when the account is %s',
    async (kind) => {
      const { path } = open([...VIEW, 'view_accounts_component'])
      server.on(accountCalls.show, () => errorAnswer(kind, 'This account does not exist.'))
      await screen.findByText('This account does not exist.')
      await waitFor(() => expect(path()).toBe('/accounts'))
    },
  )

  test('leads to the list from a panel in which nothing was changed when the account is closed to the user meanwhile', async () => {
    const address = `/accounts/${ACCOUNT_ID}/edit-overview`
    const { path } = open([...VIEW, 'view_accounts_component', 'update_accounts'], accountWith(), address)
    const name = { name: 'name', label: 'Account name', type: 'text' as const, value: 'Cascadia', required: true }
    const form = { model: 'accounts', id: ACCOUNT_ID, title: 'Account', version: 1, sections: [{ title: 'Account', fields: [name] }] }
    server.on(accountCalls.editForm, () => ({ data: form }))
    await screen.findByRole('textbox', { name: /Account name/ })
    server.on(accountCalls.show, () => errorAnswer('forbidden', 'This account does not exist.'))
    void queryClient.invalidateQueries({ queryKey: queries.account(ACCOUNT_ID).queryKey })
    await waitFor(() => expect(path()).toBe('/accounts'))
  })

  test('offers a retry after any other error', async () => {
    const { user } = open(VIEW)
    server.on(accountCalls.show, () => errorAnswer('internal', 'Something broke.'))
    await screen.findByRole('button', { name: 'Retry' })
    server.on(accountCalls.show, () => ({ data: accountWith() }))
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Cascadia Portfolio' })).toBeDefined()
  })
})

describe('account header', () => {
  test('shows the status as a plain label without permission to set it', async () => {
    open([...VIEW, 'view_account_status'])
    await screen.findByText('Submitted')
    expect(screen.queryByRole('button', { name: /^Status/ })).toBeNull()
  })

  test('needs manage_simple_accounts for the status of a managed account', async () => {
    open([...VIEW, 'view_account_status', 'update_account_status'], accountWith({ type: 'managed' }))
    await screen.findByText('Submitted')
    expect(screen.queryByRole('button', { name: /^Status/ })).toBeNull()
  })

  test('shows a new status at once and the old one again when the server rejects it', async () => {
    const { user } = open([...VIEW, 'view_account_status', 'update_account_status'])
    const sent = Promise.withResolvers<void>()
    server.on(accountCalls.setStatus, async () => {
      await sent.promise
      return errorAnswer('conflict', 'The account was bound meanwhile.')
    })
    await user.click(await screen.findByRole('button', { name: 'Status: Submitted' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Bound' }))
    await screen.findByRole('button', { name: 'Status: Bound' })
    sent.resolve()
    await screen.findByRole('button', { name: 'Status: Submitted' })
    expect(await screen.findByText('The account was bound meanwhile.')).toBeDefined()
  })

  test('sets the former status again from the toast', async () => {
    const { user } = open([...VIEW, 'view_account_status', 'update_account_status'])
    const { status } = accountWith({})
    if (status === null) throw new Error('The account of this test has a status')
    server.on(accountCalls.setStatus, () => ({ data: status, message: 'The status was changed.' }))
    await user.click(await screen.findByRole('button', { name: 'Status: Submitted' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Bound' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodies(accountCalls.setStatus).at(-1)).toMatchObject({ status_id: status.id }))
    expect(server.bodies(accountCalls.setStatus)[0]).not.toMatchObject({ status_id: status.id })
  })

  test('has the status and the star in the heading bar', async () => {
    open([...VIEW, 'view_accounts_component', 'view_account_status', 'update_account_status'])
    const bar = await screen.findByRole('banner')
    expect(await within(bar).findByRole('button', { name: 'Status: Submitted' })).toBeDefined()
    expect(within(bar).getByRole('button', { name: 'Favorite: Cascadia Portfolio' })).toBeDefined()
  })

  test('marks a favorite at once', async () => {
    const { user } = open([...VIEW, 'view_accounts_component'])
    server.on(accountCalls.act, () => ({ data: null, message: 'Added.', export: null, changed: [] }))
    await user.click(await screen.findByRole('button', { name: 'Favorite: Cascadia Portfolio' }))
    await waitFor(() => expect(server.bodies(accountCalls.act)).toEqual([{ action: 'add-favorite', selectedIds: [ACCOUNT_ID] }]))
  })
})

describe('tabs', () => {
  test('shows the tabs that the user has permission to open, and names the chosen one in the address', async () => {
    const { user, path } = open(TABS)
    await user.click(await screen.findByRole('tab', { name: /^Documents/ }))
    await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}?tab=files`))
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Overview', 'Properties771', 'Documents12'])
    await user.keyboard('2')
    await waitFor(() => expect(path(), 'opened by its number').toBe(`/accounts/${ACCOUNT_ID}?tab=properties`))
  })

  test('shows only the documents, and no favorite button, to a user who only uploads', async () => {
    open([...VIEW, 'view_account_files', 'upload_account_files'], accountWith(), `/accounts/${ACCOUNT_ID}`, 'upload_only')
    await screen.findByRole('tab', { name: /^Upload Documents/ })
    expect(screen.getAllByRole('tab')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: /^Favorite/ })).toBeNull()
  })

  test('shows the overview to users with the same permissions in a role of another name', async () => {
    open([...VIEW, 'view_account_files', 'upload_account_files'], accountWith(), `/accounts/${ACCOUNT_ID}`, 'Document collector')
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeDefined()
  })

  test('remembers the chosen tab of the account', async () => {
    const { user, router } = open(TABS)
    await user.click(await screen.findByRole('tab', { name: /^Documents/ }))
    await router.navigate({ to: '/accounts/create' })
    await router.navigate({ to: '/accounts/$id', params: { id: ACCOUNT_ID } })
    expect((await screen.findByRole('tab', { name: /^Documents/ })).getAttribute('aria-selected')).toBe('true')
  })
})

test('going back shows the tab that was shown there, also where the address names none', async () => {
  const { router } = open(TABS)
  await screen.findByRole('tab', { name: 'Overview', selected: true })
  await router.navigate({ to: '/accounts/$id', params: { id: ACCOUNT_ID }, search: { tab: 'files' } })
  await screen.findByRole('tab', { name: /^Documents/, selected: true })
  router.history.back()
  await screen.findByRole('tab', { name: 'Overview', selected: true })
  router.history.forward()
  expect(await screen.findByRole('tab', { name: /^Documents/, selected: true })).toBeDefined()
})

const BASE = { filter__account_id: ACCOUNT_ID }
const openProperties = (filters: object) => ({ model: 'account_properties', filters: { ...BASE, ...filters }, search: '' })

const statistic = (key: string, count: number, more: Partial<Statistic> = {}): Statistic => ({
  key,
  label: key,
  count,
  display_count: String(count),
  help: '',
  severity: 'warning',
  action: openProperties({ filter__status: 'active', filter__discrepancy_group: key }),
  ...more,
})

describe('the overview', () => {
  test('offers the first steps on an account without properties, also to users who cannot change the account itself', async () => {
    const account = accountWith({ properties: 0, divested_properties: 0 })
    account.accessible_features.update = false
    open([...VIEW, 'create_account_properties', 'bulk_upload_account_properties'], account)
    await screen.findByText('No properties exist on this account.')
    const toCreate = screen.getByRole('link', { name: 'Create your first property' })
    expect(toCreate.getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}/properties/create?tab=overview`)
    const toImport = screen.getByRole('link', { name: 'Import multiple properties' })
    expect(toImport.getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}/import`)
    expect(toImport.dataset['variant']).not.toBe('default')
    expect((toImport.nextElementSibling as HTMLElement).dataset['variant']).toBe('default')
  })

  test('shows the total insured value in the currency of the account', async () => {
    open(VIEW, accountWith({ currency: 'CAD', tiv: 771_000 }))
    expect((await screen.findAllByText('CA$771,000')).length).toBeGreaterThan(0)
  })

  test('shows no sum of several currencies', async () => {
    open(VIEW, accountWith({ currency: null, tiv: 771_000 }))
    expect((await screen.findAllByText('Several currencies')).length).toBeGreaterThan(0)
    expect(screen.queryByText(/771,000/)).toBeNull()
  })

  test('lists discrepancies with critical ones first, each linked to its properties, and names the kinds without any', async () => {
    open([...VIEW, 'view_account_reconciliation_metric'])
    const critical = { severity: 'critical', critical: 5, findings: 12, value_at_stake: 900 } as const
    const statistics = [
      statistic('score', 65, { severity: 'warning' }),
      statistic('incomplete', 700, { findings: 800, value_at_stake: 5_000 }),
      statistic('location', 0, { severity: 'none', action: null, label: 'Locations to verify' }),
      statistic('values', 12, critical),
    ]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 712, statistics }) }))
    const panel = await screen.findByRole('group', { name: 'Reconciliation' })
    const lines = await within(panel).findAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'values 5 critical12 (12) properties$900<1% of TIV',
      'incomplete 0 critical700 (800) properties$5,000<1% of TIV',
    ])
    expect(within(panel).getByRole('link', { name: 'values' }).getAttribute('href')).toBe(
      `/accounts/${ACCOUNT_ID}?tab=properties&filter__status=active&filter__discrepancy_group=values`,
    )
    expect(await within(panel).findByText('Nothing open: Locations to verify')).toBeDefined()
    expect(within(panel).getByText('D')).toBeDefined()
  })

  const CRITICAL = statistic('critical', 32, { severity: 'critical', critical: 32, value_at_stake: 432_450_718 })

  test('shows no value at stake to users without permission to open the register', async () => {
    open(
      [...VIEW, 'view_account_reconciliation_metric'],
      accountWith({ properties: null, divested_properties: null, tiv: null, currency: null, expiration_date: '2027-12-01' }),
    )
    const counts = [{ ...statistic('DQ-07', 12), id: 'DQ-07', name: 'No sprinklers', sentence: 'Missing on all', value_at_stake: null }]
    const statistics = [statistic('score', 80), statistic('values', 3, { value_at_stake: null })]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 3, statistics, counts }) }))
    expect(await screen.findByText('Missing on all')).toBeDefined()
    expect([screen.queryByText(/Value at stake/), screen.queryByText('Several currencies'), screen.queryByText('–')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('says how many properties are critical, and leads to them', async () => {
    open([...VIEW, 'view_account_reconciliation_metric', 'resolve_discrepancies'])
    const statistics = [statistic('score', 80), CRITICAL]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 32, statistics }) }))
    expect(await screen.findByText('32 properties are critical')).toBeDefined()
    expect(screen.getByText('$432,450,718 at stake. Settle them before the submission goes out.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Review 32 critical' }).getAttribute('href')).toContain('filter__discrepancy_group=critical')
  })

  test('does not call on users to settle what they can only see', async () => {
    open([...VIEW, 'view_account_reconciliation_metric'])
    const statistics = [statistic('score', 80), CRITICAL]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 32, statistics }) }))
    expect(await screen.findByText('$432,450,718 at stake.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Show 32 critical' })).toBeDefined()
  })

  test('describes critical properties in the past tense after values have changed', async () => {
    open([...VIEW, 'view_account_reconciliation_metric'])
    server.on(discrepancyCalls.state, () => ({ data: checkState('waiting') }))
    const statistics = [statistic('score', 80), CRITICAL]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 32, statistics }) }))
    expect(await screen.findByText('32 properties were critical')).toBeDefined()
    expect(screen.queryByText(/Settle them/)).toBeNull()
  })

  test('shows one sentence about what most properties share, and why the score is limited', async () => {
    const { user } = open([...VIEW, 'view_account_reconciliation_metric'])
    const action = openProperties({ filter__discrepancy: 'missing_sprinkler' })
    const sentence = 'Sprinkler protection is missing on all 756 properties: ask for one column'
    const counts = [
      { id: 'DQ-04', name: 'No year built', count: 3, findings: 3, critical: 0, severity: 'warning' as const, value_at_stake: 900, action },
      { id: 'DQ-05', name: 'No size', count: 40, findings: 52, critical: 2, severity: 'critical' as const, value_at_stake: null, action },
      {
        id: 'DQ-07',
        name: 'No sprinklers',
        count: 756,
        findings: 756,
        critical: 0,
        severity: 'info' as const,
        value_at_stake: 9e9,
        action,
        sentence,
      },
    ]
    const statistics = [
      statistic('score', 69, { note: 'Limited to 69 (D) because a value is missing.' }),
      statistic('incomplete', 43, {
        display_count: '43 (55 discrepancies)',
        findings: 55,
        critical: 2,
        value_at_stake: 900,
        severity: 'critical',
      }),
      statistic('discrepancies', 0, { severity: 'none', action: null, label: 'Properties with discrepancies' }),
      statistic('location', 0, { severity: 'none', action: null, label: 'Locations to verify' }),
    ]
    server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', total: 811, counts, statistics }) }))
    const panel = await screen.findByRole('group', { name: 'Reconciliation' })
    await user.click(await within(panel).findByRole('button', { name: 'Show by check (2)' }))
    const [kinds, schedule, checks] = await within(panel).findAllByRole('list')
    expect(
      [kinds, schedule, checks].map(
        (list) =>
          list &&
          within(list)
            .getAllByRole('listitem')
            .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['incomplete 2 critical43 (55) properties$900<1% of TIV'],
      [`Info${sentence}Value at stake $9,000,000,000`],
      ['No size 2 critical40 (52) properties–', 'No year built 0 critical3 (3) properties$900<1% of TIV'],
    ])
    expect(within(panel).getByRole('link', { name: sentence }).getAttribute('href')).toContain('filter__discrepancy=missing_sprinkler')
    expect(within(panel).getByText('Limited to 69 (D) because a value is missing.')).toBeDefined()
    expect(await within(panel).findByText('Nothing else open: Locations to verify')).toBeDefined()
  })

  test.each([
    [checkState('never', { as_of: null }), 'Not checked yet.'],
    [checkState('waiting', { as_of: null }), 'Waiting to be checked.'],
    [checkState('running', { as_of: null, done: 2_000, total: 8_645 }), 'Checking 8,645 properties.'],
    [checkState('failed', { as_of: null }), 'The last check failed.'],
  ])('gives no verdict while the state of the check is $state', async (state, text) => {
    open([...VIEW, 'view_account_reconciliation_metric'])
    server.on(discrepancyCalls.state, () => ({ data: state }))
    const panel = await screen.findByRole('group', { name: 'Reconciliation' })
    expect(await within(panel).findByText(text)).toBeDefined()
    expect(within(panel).queryByText('Everything is reconciled.')).toBeNull()
    expect(within(panel).queryByText('23%') !== null).toBe(state.state === 'running')
  })

  test('loads discrepancies and scores again when a check ends, and gives its verdict', async () => {
    open([...VIEW, 'view_account_reconciliation_metric'])
    let state = checkState('running', { as_of: null, done: 1, total: 2 })
    server.on(discrepancyCalls.state, () => ({ data: state }))
    await screen.findByText('Checking 2 properties.')
    const loaded = server.requests.filter((request) => request.includes('/reconciliation')).length
    state = checkState('current')
    expect(await screen.findByText('Everything is reconciled.')).toBeDefined()
    expect(screen.getByText(/^Checked on Mar 5, 2026/)).toBeDefined()
    await waitFor(() => expect(server.requests.filter((request) => request.includes('/metrics/')).length).toBeGreaterThan(1))
    expect(server.requests.filter((request) => request.includes('/reconciliation')).length).toBeGreaterThan(loaded)
  })

  test('shows only the pie when the user has permission only for the pie', async () => {
    open([...VIEW, 'view_property_types_pie_metric'])
    await waitFor(() => expect(server.requests).toContain(`GET /metrics/accounts/${ACCOUNT_ID}/property-types-pie`))
    expect(await screen.findAllByRole('group', { name: 'Property Types' })).toHaveLength(1)
    expect(server.requests).not.toContain(`GET /metrics/accounts/${ACCOUNT_ID}/property-types`)
  })
})

describe('recent activity', () => {
  const line = (index: number) => ({
    id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
    message: `Line ${String(index)}`,
    datetime: '2026-03-05T15:00:00.000Z',
    class: 'updated' as const,
  })

  test('says when there is none', async () => {
    open([...VIEW, 'view_account_activity'])
    expect(await screen.findByText('No recent activity')).toBeDefined()
  })

  test('offers a retry when it could not be loaded', async () => {
    const { user } = open([...VIEW, 'view_account_activity'])
    server.on(accountCalls.activity, () => errorAnswer('conflict', 'Something broke.'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('The activity could not be loaded.Something broke.')
    server.on(accountCalls.activity, () => onePage([line(1)]))
    await user.click(within(alert).getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Line 1')).toBeDefined()
  })

  test('loads more pages until the last line', async () => {
    const { user } = open([...VIEW, 'view_account_activity'])
    server.on(accountCalls.activity, ({ query }) => {
      const page = Number(query['page'])
      const [from, to] = page === 1 ? [1, 15] : [16, 17]
      return {
        data: Array.from({ length: to - from + 1 }, (_, index) => line(from + index)),
        meta: { current_page: page, from, to, per_page: 15, last_page: 2, total: 17 },
      }
    })
    await screen.findByText('Line 15')
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await screen.findByText('Line 17')
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })
})
