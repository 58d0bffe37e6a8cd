import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { accountCalls, type AccountRow } from '#contract/accounts.ts'
import { initCalls, type InitData } from '#contract/init.ts'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import { submissionCalls, type DueSubmission } from '#contract/submissions.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { FORM, ID, ROW, TOTALS, cell } from './dashboard.fixture.ts'

const SEES: PermissionName[] = ['view_dashboard_component', 'view_dashboard_account_datatable', 'view_accounts_component']
const STARTS: PermissionName[] = [...SEES, 'create_accounts', 'create_simple_accounts']

const ATTENTION: Metric = {
  ...TOTALS,
  title: 'Needs attention',
  statistics: [
    {
      key: 'critical',
      label: 'Critical discrepancies',
      count: 4,
      display_count: '4',
      help: '',
      severity: 'critical',
      action: { model: 'accounts', filters: { filter__attention: 'critical' }, search: '' },
    },
    { key: 'no_date', label: 'No effective date', count: 0, display_count: '0', help: '', severity: 'none', action: null },
  ],
}
const CHECK = {
  state: 'current',
  as_of: '2026-11-20T15:00:00.000Z',
  score: 80,
  open: 40,
  schedule_warnings: 0,
  critical: 32,
  value_at_stake: 432_450_718,
  currency: 'USD',
} as const
const DUE: DueSubmission = {
  id: ID,
  name: 'Pacific Crest',
  status: { name: 'In Review', color: '#fb9a26' },
  effective_date: '2026-12-01',
  days_left: 12,
  properties: 756,
  documents: 44,
  check: CHECK,
}

let server: FakeServer
let due: DueSubmission[] = []
let fixes: Metric['counts'] = []
afterEach(() => {
  due = []
  fixes = []
  resetPage()
})

function open(
  permissions: PermissionName[],
  rows: AccountRow[] = [ROW],
  change: (session: InitData) => InitData = (session) => session,
  path = '/',
) {
  const session = change(sessionWith(permissions))
  server = fakeServer()
    .on(initCalls.init, () => ({ data: session }))
    .on(initCalls.saveSetting, ({ body }) => ({ data: { key: 'dashboard', value: body.value } }))
    .on(metricCalls.systemTotals, () => ({ data: TOTALS }))
    .on(metricCalls.accountsAttention, () => ({ data: ATTENTION }))
    .on(metricCalls.accountsFixes, () => ({ data: { ...TOTALS, title: 'Next best fixes', empty: 'Nothing to fix.', counts: fixes } }))
    .on(submissionCalls.due, () => ({ data: { total: due.length, tiv: [{ amount: 5_000_000, currency: 'USD' }], accounts: due } }))
    .on(accountCalls.form, () => ({ data: FORM }))
    .on(accountCalls.columns, () => ({ data: [] }))
    .on(accountCalls.index, ({ query }) => {
      const found = query['filter__invites'] === '1' || query['filter__favorites'] === '1' ? rows.filter(({ favorite }) => favorite) : rows
      return onePage(found)
    })
  return renderApp(path, session)
}

describe('the dashboard', () => {
  test('shows the company’s name over the totals, and accounts that lead to their page and quick view', async () => {
    open(SEES)
    await screen.findByRole('heading', { name: 'Harbor Point Brokerage' })
    expect((await screen.findByRole('link', { name: 'Cascadia Portfolio' })).getAttribute('href')).toBe(`/accounts/${ID}`)
    expect(screen.getByRole('link', { name: 'Quick view of Cascadia Portfolio' }).getAttribute('href')).toBe(`/quickview/accounts/${ID}`)
  })

  test('requests the 15 accounts that changed last and all favorites', async () => {
    open(SEES)
    await screen.findByRole('link', { name: 'Cascadia Portfolio' })
    const lists = server.requests.filter((request) => request.startsWith('GET /accounts?'))
    expect(lists.some((request) => request === 'GET /accounts?sort=updated_at&order=desc&paginate=15')).toBe(true)
    expect(lists.some((request) => request.includes('filter__favorites=1') && request.includes('paginate=9999'))).toBe(true)
  })

  test('has the accounts by status without the right to the lists', async () => {
    open(['view_dashboard_component', 'view_accounts_component', 'view_accounts_summary_metric'])
    server.on(metricCalls.accountsSummary, () => ({ data: { ...TOTALS, title: 'Accounts by status' } }))
    await screen.findByRole('heading', { name: 'Accounts by status' })
    expect(screen.queryByRole('tab')).toBeNull()
    expect(server.requests.some((request) => request.startsWith('GET /accounts?'))).toBe(false)
  })

  test('links the invited accounts to all of them and remembers the chosen list', async () => {
    const { user } = open(SEES)
    await user.click(await screen.findByRole('tab', { name: /^Invited Accounts/ }))
    expect((await screen.findByRole('link', { name: 'View All Invited Accounts' })).getAttribute('href')).toBe(
      '/accounts?filter__invites=1',
    )
    await waitFor(() =>
      expect(server.bodies(initCalls.saveSetting)).toEqual([{ value: { dashboardAccounts: { title: 'Invited Accounts' } } }]),
    )
  })

  test('marks a favorite at once and removes the mark when the server rejects it', async () => {
    const { user } = open(SEES)
    const sent = Promise.withResolvers<void>()
    server.on(accountCalls.act, async () => {
      await sent.promise
      return errorAnswer('conflict', 'Not now.')
    })
    const star = await screen.findByRole('button', { name: 'Favorite: Cascadia Portfolio' })
    await user.click(star)
    await waitFor(() => expect(star.getAttribute('aria-pressed')).toBe('true'))
    sent.resolve()
    await waitFor(() => expect(star.getAttribute('aria-pressed')).toBe('false'))
    await screen.findByText('Not now.')
  })

  test('has lists of accounts that can be walked through with the arrow keys', async () => {
    const { user } = open(SEES, [ROW, { ...ROW, id: ID.replace(/1$/, '2'), name: cell('Harbor Terminals') }])
    const quickView = (name: string) => screen.getByRole('link', { name: `Quick view of ${name}` })
    ;(await screen.findByRole('link', { name: 'Cascadia Portfolio' })).focus()
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(quickView('Cascadia Portfolio'))
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(quickView('Harbor Terminals'))
  })

  test('scrolls the tabs to the chosen list, which a phone would not show otherwise', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockImplementation(function (this: HTMLElement) {
      return this.textContent.startsWith('Recently Active') ? 330 : 0
    })
    onTestFinished(() => void vi.restoreAllMocks())
    open(SEES)
    await waitFor(() => expect(screen.getByRole('tablist').scrollLeft).toBe(330))
  })

  test('warns a company without a subscription', async () => {
    open(SEES, [ROW], (session) => ({
      ...session,
      auth_user: { ...session.auth_user, subscription: { id: '0', name: '', created_at: null, ends_at: null, term: null } },
    }))
    expect(await screen.findByText('Your company does not have a valid Subscription.')).toBeDefined()
  })

  test('welcomes a user without accounts who sees no lists of accounts', async () => {
    open(['view_dashboard_component', 'create_accounts'])
    server.on(metricCalls.systemTotals, () => ({ data: { ...TOTALS, statistics: TOTALS.statistics.map((one) => ({ ...one, count: 0 })) } }))
    expect(await screen.findByText('Welcome to Plumbline, Dana.')).toBeDefined()
  })

  test('shows what needs attention once for a user without fixes', async () => {
    open([...SEES, 'view_account_properties', 'view_account_reconciliation_metric'])
    expect(await screen.findAllByRole('link', { name: 'Critical discrepancies' })).toHaveLength(1)
  })

  test('welcomes a user without accounts', async () => {
    open(STARTS, [])
    await screen.findByText('Welcome to Plumbline, Dana.')
    expect(screen.queryByRole('region', { name: 'Invited Accounts' })).toBeNull()
    expect(screen.getAllByRole('link', { name: 'Start an Account' }).length).toBeGreaterThan(0)
  })
})

describe('the submissions due', () => {
  const cellsOf = async (account: Partial<DueSubmission>) => {
    due = [{ ...DUE, ...account }]
    open([...SEES, 'resolve_discrepancies', 'view_account_properties', 'bulk_upload_account_properties'])
    const table = await screen.findByRole('table', { name: 'Submissions due' })
    return within(table)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent.trim())
  }

  test('show days left, score, critical properties, their value and the next step', async () => {
    expect(await cellsOf({})).toEqual([
      '12 daysDec 1, 2026',
      'Pacific CrestIn Review756 properties',
      '80 B',
      '32',
      '$432,450,718',
      'Review 32 critical',
    ])
    const step = screen.getByRole('link', { name: 'Review 32 critical' })
    expect(step.getAttribute('href')).toBe(`/accounts/${ID}?tab=properties&filter__status=active&filter__severity=critical`)
    expect(screen.getByRole('link', { name: '1 account, $5,000,000' }).getAttribute('href')).toBe('/accounts?filter__attention=due_60')
  })

  test('offer the review as the next step only to users who can open and decide discrepancies', async () => {
    const stepOf = async (permissions: PermissionName[], account: DueSubmission = DUE) => {
      due = [account]
      open([...SEES, ...permissions])
      const table = await screen.findByRole('table', { name: 'Submissions due' })
      const column = within(table).queryByRole('columnheader', { name: 'Next step' })
      const step = column && within(table).getAllByRole('cell').at(-1)?.textContent.trim()
      resetPage()
      return step
    }
    const critical = 'Review 32 critical'
    expect([await stepOf([]), await stepOf(['resolve_discrepancies'])]).toEqual([null, null])
    expect(await stepOf(['resolve_discrepancies', 'view_account_properties'])).toBe(critical)
    expect(await stepOf(['view_account_properties', 'upload_account_files'], { ...DUE, documents: 0 })).toBe('Upload documents')
    expect(await stepOf(['view_account_properties'], { ...DUE, check: { ...CHECK, critical: 0 } })).toBeNull()
    const warned = { ...DUE, check: { ...CHECK, critical: 0, open: 0, schedule_warnings: 1 } }
    expect(await stepOf(['resolve_discrepancies', 'view_account_properties'], warned)).toBe('Review 1 schedule warning')
  })

  test('have no column of next steps for users who cannot do any, as carriers', async () => {
    due = [DUE, { ...DUE, id: ID.replace(/1$/, '2'), name: 'Harbor Terminals' }]
    open(SEES)
    const table = await screen.findByRole('table', { name: 'Submissions due' })
    const headings = within(table).getAllByRole('columnheader')
    expect(headings.map(({ textContent }) => textContent)).toEqual(['Effective', 'Account', 'Score', 'Critical', 'Value at stake'])
    expect(within(table).getAllByRole('cell')).toHaveLength(2 * headings.length)
  })

  test('show neither score nor zero for an account that was never checked', async () => {
    const check = {
      ...CHECK,
      state: 'never',
      as_of: null,
      score: null,
      open: 0,
      schedule_warnings: 0,
      critical: 0,
      value_at_stake: 0,
      currency: 'USD',
    } as const
    expect((await cellsOf({ check })).slice(2)).toEqual(['Not checked yet', 'Check 756 properties'])
  })

  test('mark a score of earlier values as out of date, and a passed date as overdue', async () => {
    const cells = await cellsOf({ days_left: -3, check: { ...CHECK, state: 'waiting' } })
    expect(cells[0]).toContain('3 days ago')
    expect(screen.getByRole('img', { name: 'Out of date' })).toBeDefined()
  })

  test('can be walked through with the arrow keys', async () => {
    due = [DUE, { ...DUE, id: ID.replace(/1$/, '2'), name: 'Harbor Terminals' }]
    const { user } = open(SEES)
    const first = await screen.findByRole('link', { name: 'Pacific Crest' })
    first.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Harbor Terminals')
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(first)
  })

  test('show first those closest to today, so that old overdue ones do not hide those that take effect soon', async () => {
    const days = [-400, -390, -380, -8, -7, -6, -5, -4, -3, 9, 20]
    due = days.map((days_left) => ({ ...DUE, id: ID.slice(0, -3) + String(500 + days_left), name: `Account ${days_left}`, days_left }))
    open(SEES)
    const table = await screen.findByRole('table', { name: 'Submissions due' })
    const shown = within(table).getAllByRole('link', { name: /^Account/ })
    expect(shown.map(({ textContent }) => textContent)).toEqual([-8, -7, -6, -5, -4, -3, 9, 20].map((left) => `Account ${left}`))
  })

  test('say so when no submission takes effect in the span, and remember another span', async () => {
    const { user } = open(SEES)
    await screen.findByText('No submission is overdue or takes effect in the next 60 days.')
    await user.click(screen.getByRole('radio', { name: '90 days' }))
    await screen.findByText('No submission is overdue or takes effect in the next 90 days.')
    await waitFor(() => expect(server.bodies(initCalls.saveSetting)).toEqual([{ value: { dueDays: '90' } }]))
  })
})

test('what accounts need opens the accounts that it counts, without what none of them needs', async () => {
  open(SEES)
  const link = await screen.findByRole('link', { name: 'Critical discrepancies' })
  expect(link.getAttribute('href')).toBe('/accounts?filter__attention=critical')
  expect(screen.queryByText('No effective date')).toBeNull()
})

test('the next best fixes open the properties that they count; what accounts need is one line above', async () => {
  const action = { model: 'account_properties', filters: { filter__account_id: ID, filter__discrepancy: 'missing_sprinkler' }, search: '' }
  const fix = { account: 'Pacific Crest', currency: 'USD', answers: 1, unit: 'request' } as const
  fixes = [{ id: '1', name: 'Ask for the sprinkler column', count: 756, value_at_stake: 9_198_347_539, action, fix }]
  open([...SEES, 'view_account_properties', 'view_account_reconciliation_metric', 'resolve_discrepancies'])
  const card = await screen.findByRole('group', { name: 'Next best fixes' })
  const row = await within(card).findByRole('listitem')
  expect(row.textContent).toBe('Ask for the sprinkler column$9.2BPacific Crest 756 properties 1 request')
  expect(within(row).getByRole('link').getAttribute('href')).toBe(`/accounts/${ID}?tab=properties&filter__discrepancy=missing_sprinkler`)
  const line = await screen.findByRole('region', { name: 'Needs attention' })
  expect(within(line).getByRole('link', { name: 'Critical discrepancies' }).getAttribute('href')).toBe(
    '/accounts?filter__attention=critical',
  )
})

test('the next best fixes say that they are grouped by currency, if there are several', async () => {
  const action = { model: 'account_properties', filters: { filter__account_id: ID }, search: '' }
  const fix = { account: 'Pacific Crest', answers: 1, unit: 'request' } as const
  const row = (id: string, currency: string | null) => ({
    id,
    name: `Row ${id}`,
    count: 1,
    value_at_stake: 9,
    action,
    fix: { ...fix, currency },
  })
  const read = async () => {
    open([...SEES, 'view_account_properties', 'view_account_reconciliation_metric', 'resolve_discrepancies'])
    const card = await screen.findByRole('group', { name: 'Next best fixes' })
    await within(card).findAllByRole('listitem')
    return card.textContent
  }
  fixes = [row('1', 'CAD'), row('2', 'USD')]
  expect(await read()).toContain('Grouped by currency, CAD first. Amounts in different currencies are not compared.')
  resetPage()
  fixes = [row('1', 'CAD'), row('2', 'CAD')]
  expect(await read()).not.toContain('Grouped by currency')
})

test.each([
  ['of both types', ['Standard', 'Managed'], true],
  ['of one type', ['Standard', 'Standard'], false],
])('accounts %s', async (_name, types, shown) => {
  open(
    SEES,
    types.map((type, index) => ({ ...ROW, id: `${ID.slice(0, -1)}${String(index)}`, type: cell(type) })),
  )
  const table = await screen.findByRole('table', { name: 'Recently Active Accounts' })
  expect(within(table).queryByRole('columnheader', { name: 'Type' }) !== null).toBe(shown)
  expect(within(table).queryAllByRole('cell', { name: 'Managed' })).toHaveLength(shown ? 1 : 0)
})

describe('starting an account', () => {
  test('is offered only with its permissions', async () => {
    open(SEES)
    await screen.findByRole('link', { name: 'Cascadia Portfolio' })
    expect(screen.queryByRole('link', { name: 'Start an Account' })).toBeNull()
  })

  test('opens the same form from the dashboard and from the list of accounts', async () => {
    const fieldsOf = async (path: string) => {
      const { user } = open([...STARTS, 'create_standard_accounts', 'view_accounts_component'], [ROW], (session) => session, path)
      await user.click(await screen.findByRole('link', { name: 'Start an Account' }))
      const form = await screen.findByRole('dialog', { name: 'Start an Account' })
      await within(form).findByRole('textbox', { name: /Account name/ })
      const labels = [...form.querySelectorAll('label')].map(({ textContent }) => textContent)
      cleanup()
      return labels
    }
    const fromDashboard = await fieldsOf('/')
    expect(fromDashboard).toContain('Standard')
    expect(fromDashboard).toEqual(await fieldsOf('/accounts'))
  })

  test('returns to the dashboard when the form is canceled', async () => {
    const { user, path } = open(STARTS)
    await user.click(await screen.findByRole('link', { name: 'Start an Account' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(path()).toBe('/'))
  })
})
