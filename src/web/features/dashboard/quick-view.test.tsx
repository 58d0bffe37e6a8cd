import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { accountCalls, type Account, type AccountRow } from '#contract/accounts.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { initCalls } from '#contract/init.ts'
import { metricCalls, type Statistic } from '#contract/metrics.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { submissionCalls } from '#contract/submissions.ts'
import { ACCOUNT_ID, accountServer, accountWith, checkState, metricWith } from '#web/testing/account-server.ts'
import { errorAnswer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const DASHBOARD: PermissionName[] = ['view_dashboard_component', 'view_dashboard_account_datatable', 'view_account_details']
const NEXT_ID = ACCOUNT_ID.replace(/1$/, '2')
const cell = (value: string) => ({ value, text: value })
const rowOf = (id: string, name: string): AccountRow => ({
  id,
  deleted_at: null,
  is_new: false,
  favorite: false,
  name: cell(name),
  account_number: cell(''),
  company: cell(''),
  status: cell(''),
  type: cell('Standard'),
  properties: cell('1'),
  tiv: cell('$1'),
  currency: 'USD',
  documents: cell('1'),
  effective_date: cell(''),
  created_at: cell('2026-03-04T15:00:00.000Z'),
  updated_at: cell('2026-03-05T15:00:00.000Z'),
})

let server: FakeServer
afterEach(resetPage)

function open(permissions: PermissionName[], account: Account = accountWith()) {
  const session = sessionWith([...DASHBOARD, ...permissions])
  server = accountServer(account, session)
    .on(initCalls.init, () => ({ data: session }))
    .on(metricCalls.systemTotals, () => ({ data: metricWith() }))
    .on(metricCalls.accountsAttention, () => ({ data: metricWith() }))
    .on(submissionCalls.due, () => ({ data: { total: 0, tiv: [], accounts: [] } }))
    .on(accountCalls.index, () => onePage([rowOf(ACCOUNT_ID, 'Cascadia Portfolio'), rowOf(NEXT_ID, 'Harbor Terminals')]))
    .on(accountCalls.show, ({ params }) => ({
      data: params.id === NEXT_ID ? { ...account, id: NEXT_ID, name: cell('Harbor Terminals') } : account,
    }))
  return renderApp(`/quickview/accounts/${ACCOUNT_ID}`, session)
}
const panel = (name = 'Cascadia Portfolio') => screen.findByRole('dialog', { name })

test('the quick view shows the figures of the account, and links to what they count', async () => {
  open(['view_account_properties', 'view_account_files', 'view_account_invites'])
  const shown = within(await panel())
  const figures = (await shown.findByText('Total insured value')).closest('dl')
  expect([...(figures?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Total insured value$9,249,829,344',
    'Properties771',
    'Documents12',
    'Added users4',
  ])
  const hrefs = (name: string) => shown.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
  expect(hrefs('Open account')).toEqual([`/accounts/${ACCOUNT_ID}`])
  expect(hrefs('Documents')).toEqual([`/accounts/${ACCOUNT_ID}?tab=files&filter__sov=0`, `/accounts/${ACCOUNT_ID}?tab=files`])
  expect(shown.getByText('HP-117').parentElement?.textContent).toBe('HP-117Cascadia Propertieseffective Dec 1, 2026')
})

test('the quick view hides the parts that need a permission', async () => {
  open([], accountWith({ properties: null, divested_properties: null, tiv: null, files: null }))
  const shown = within(await panel())
  await shown.findByRole('link', { name: 'Open account' })
  for (const name of ['Documents', 'Total insured value', 'Reconciliation', 'Activity', 'Submitted'])
    expect(shown.queryByText(name)).toBeNull()
  expect(shown.queryByRole('link', { name: /Properties|Documents/ })).toBeNull()
})

test('the status is changed in the quick view, at once, and returns when the server rejects it', async () => {
  const { user } = open(['view_account_status', 'update_account_status'])
  const sent = Promise.withResolvers<void>()
  server.on(accountCalls.setStatus, async () => {
    await sent.promise
    return errorAnswer('conflict', 'The account was bound meanwhile.')
  })
  await user.click(await screen.findByRole('button', { name: 'Status: Submitted' }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Bound' }))
  await screen.findByRole('button', { name: 'Status: Bound' })
  sent.resolve()
  expect(await screen.findByRole('button', { name: 'Status: Submitted' })).toBeDefined()
})

const statistic = (key: string, label: string, count: number, more: Partial<Statistic> = {}): Statistic => ({
  key,
  label,
  count,
  display_count: String(count),
  help: '',
  severity: 'warning',
  action: null,
  ...more,
})

test('the quick view shows score, critical properties and what is open, with the state of the check', async () => {
  open(['view_account_reconciliation_metric'])
  server.on(discrepancyCalls.state, () => ({ data: checkState('waiting') }))
  const statistics = [
    statistic('score', 'Data quality score', 94),
    statistic('discrepancies', 'Properties with discrepancies', 3),
    statistic('critical', 'Critical', 0),
    statistic('values', 'Values to review', 2, { findings: 3, value_at_stake: 18_940_000 }),
    statistic('location', 'Locations to verify', 0),
  ]
  server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', statistics }) }))
  const section = within(await panel()).findByRole('region', { name: 'Reconciliation' })
  const lines = await within(await section).findAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '94 AData quality score',
    '0 Critical properties',
    '2 Values to review 3 discrepancies, $18,940,000',
  ])
  expect(within(await section).getByRole('status').textContent).toContain('Changed since the last check')
})

test('the arrow keys move through the list underneath with the quick view open', async () => {
  const { user, path } = open([])
  await panel()
  await screen.findByText('Cascadia Properties')
  await waitFor(() => expect(screen.getByText('Harbor Terminals')).toBeDefined())
  await user.keyboard('{ArrowDown}')
  await panel('Harbor Terminals')
  expect(path()).toBe(`/quickview/accounts/${NEXT_ID}`)
  await user.keyboard('{ArrowDown}')
  expect(path()).toBe(`/quickview/accounts/${NEXT_ID}`)
  await user.keyboard('{ArrowUp}')
  await panel()
  expect(path()).toBe(`/quickview/accounts/${ACCOUNT_ID}`)
})
