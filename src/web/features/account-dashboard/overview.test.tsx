import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { errorAnswer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ACCOUNT_ID, accountServer, accountWith, metricWith } from '#web/testing/account-server.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  resetPage()
})

function open(permissions: PermissionName[]) {
  const session = sessionWith(['view_account_details', ...permissions])
  const server = accountServer(accountWith(), session)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  return server
}

const TYPES = metricWith({
  currency: 'USD',
  counts: [
    { id: 'office', name: 'Office', count: 4, tiv: 330 },
    { id: 'warehouse', name: 'Warehouse / distribution', count: 9, tiv: 240 },
    { id: 'retail', name: 'Retail', count: 2, tiv: 400 },
    { id: 'tech', name: 'Data center / high tech', count: 1, tiv: 30 },
    { id: 'parking', name: 'Parking', count: 3, tiv: 0 },
  ],
})

test('an invited person sees who invited them, with email and phone', async () => {
  const session = sessionWith(['view_account_details'])
  const invite = {
    created_by_formatted: 'Bea Stone',
    created_at_formatted: 'Mar 1, 2026',
    created_at: '2026-03-01T10:00:00Z',
    created_by_user: { email: 'bea@harborpoint.example', cell_phone: '(415) 555-0148', company: { name: 'Harbor Point' } },
  }
  accountServer(accountWith({ invite }), session)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const card = within(await screen.findByRole('region', { name: 'Invited By' }))
  for (const text of ['Bea Stone', 'Harbor Point', 'bea@harborpoint.example']) card.getByText(text)
  expect(card.getByRole('link', { name: '(415) 555-0148' }).getAttribute('href')).toBe('tel:4155550148')
})

test('a wide page shows the largest types by value next to the total', async () => {
  const server = open(['view_property_types_metric'])
  server.on(metricCalls.propertyTypes, () => ({ data: TYPES }))
  const tile = (await screen.findByText('Types by value')).parentElement
  expect(tile?.textContent).toBe('Types by valueRetail 40%, Office 33%, Warehouse 24%')
  expect(tile?.querySelectorAll('[aria-hidden] > span')).toHaveLength(4)
})

test('types have no bar of values that are unknown or in several currencies', async () => {
  const server = open(['view_property_types_metric'])
  const counts = TYPES.counts.map(({ tiv: _sum, ...part }) => part)
  server.on(metricCalls.propertyTypes, () => ({ data: { ...TYPES, currency: null, counts } }))
  await screen.findByRole('group', { name: 'Property Types' })
  expect(screen.queryByText('Types by value')).toBeNull()
})

const SCORE: Metric['statistics'][number] = {
  key: 'score',
  label: 'Data quality score',
  count: 55,
  display_count: '55 (F)',
  help: '',
  severity: 'warning',
  action: null,
}

test('the points of each part are under the score', async () => {
  const parts = [
    { key: 'completeness', label: 'Completeness', points: 40, max: 50 },
    { key: 'currency', label: 'Age of values', points: 15, max: 15 },
  ]
  const server = open(['view_account_reconciliation_metric'])
  server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', statistics: [{ ...SCORE, parts }] }) }))
  const shown = (await screen.findByText('Completeness')).closest('dl')
  expect([...(shown?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['Completeness40 / 50', 'Age of values15 / 15'])
  expect(shown?.querySelector('span')?.style.width).toBe('80%')
})

test('the score is never shown with another number than that of its grade', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const server = open(['view_account_reconciliation_metric'])
  server.on(metricCalls.reconciliation, () => ({
    data: metricWith({ title: 'Reconciliation', statistics: [{ ...SCORE, count: 92, display_count: '92 (A)' }] }),
  }))
  const grade = await screen.findByText('of 100')
  expect(grade.parentElement?.textContent).toBe('Data quality score92Grade Aof 100')
})

test('a score of a run that stored no parts is shown without them', async () => {
  const server = open(['view_account_reconciliation_metric'])
  server.on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', statistics: [SCORE] }) }))
  await screen.findByText('of 100')
  expect(screen.queryByLabelText('Parts of the score')).toBeNull()
})

test('the reconciliation names the checks that the company turned off, with a way to change that', async () => {
  const server = open(['view_account_reconciliation_metric', 'view_account_properties', 'update_companies'])
  server.on(metricCalls.reconciliation, () => ({ data: metricWith({ turned_off: ['No year built', 'Concentration'] }) }))
  const link = await screen.findByRole('link', { name: '2 checks turned off: No year built, Concentration' })
  expect(link.getAttribute('href')).toBe('/settings')
})

test.each([
  [1, '8,644 of them only by what is said of the whole schedule.'],
  [0, 'All of them only by what is said of the whole schedule.'],
])('the verdict distinguishes %i critical properties from those that only the whole schedule makes critical', async (critical, text) => {
  const server = open(['view_account_reconciliation_metric'])
  const counted = { ...SCORE, severity: 'critical' as const, findings: 8_645 }
  const statistics = [
    { ...counted, key: 'critical', label: 'Critical', count: 8_645, critical: 8_645 },
    { ...counted, key: 'discrepancies', label: 'Properties with discrepancies of their own', count: 4_880, critical },
  ]
  server.on(metricCalls.reconciliation, () => ({ data: metricWith({ statistics }) }))
  const verdict = await screen.findByText(/properties (are|were) critical/)
  expect(verdict.parentElement?.textContent).toContain(text)
})

const FILES = { total: 3, disclosed: 0, sov: 3, size: { total: 1_024, disclosed: 0, sov: 1_024 } }

test.each([
  [{ ...FILES, disclosed: 9, total: 12 }, undefined, ['9 disclosed: 0', '3 submission: 1']],
  [FILES, '1', ['3 submission: 1']],
])('the number of documents opens the list that it counts if there is one, and each kind its own list', async (files, opened, kinds) => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  accountServer(accountWith({ files }), session)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const kindOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://a').searchParams.get('filter__sov')
  const links = await screen.findAllByRole('link', { name: /(disclosed|submission)$/ })
  const total = screen.queryByRole('link', { name: 'Documents' })
  expect(total === null ? undefined : kindOf(total)).toBe(opened)
  expect(links.map((link) => `${link.textContent}: ${kindOf(link) ?? ''}`)).toEqual(kinds)
})

test('an account without documents says so', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  accountServer(accountWith({ files: { ...FILES, total: 0, sov: 0 } }), session)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  expect(await screen.findByText('No documents yet')).toBeDefined()
})

test('the number of divested properties opens them', async () => {
  open(['view_account_properties'])
  const link = await screen.findByRole('link', { name: '3 divested' })
  expect(link.getAttribute('href')).toBe(`/accounts/${ACCOUNT_ID}?tab=properties&filter__status=divested`)
})

test('the activity can be downloaded, and the user sees why if it cannot', async () => {
  const user = userEvent.setup()
  const server = open(['view_account_activity'])
  server.on(accountCalls.exportActivity, () => errorAnswer('conflict', 'Something broke.'))
  await user.click(await screen.findByRole('button', { name: 'Export the activity (CSV)' }))
  expect(await screen.findByText('Something broke.')).toBeDefined()
})
