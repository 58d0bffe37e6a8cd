import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import { staleAfter } from '#web/data/staleness.ts'
import { ACCOUNT_ID, accountServer, accountWith, checkState, metricWith } from '#web/testing/account-server.ts'
import { errorAnswer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { toast } from '#web/ui/toast.tsx'

afterEach(resetPage)

const LATER = '2026-03-05T16:00:00.000Z'
const changed = () => act(() => staleAfter.account['model-updated']({ id: ACCOUNT_ID, updatedAt: LATER, scope: 'data' }))

/** The list of the properties as the overview requests it: without rows, but with totals. */
const registerWith = (total: number, building: number, valued = total) => {
  const page = onePage([])
  const [totals, known] = [
    { tiv: building, building_value: building },
    { tiv: valued, building_value: valued, contents_value: 0, bi_value: 0 },
  ]
  return { ...page, meta: { ...page.meta, total, totals, valued: known } }
}

function openRegister(account: Account, register: ReturnType<typeof registerWith>) {
  const session = sessionWith(['view_account_details', 'view_account_properties'])
  const server = accountServer(account, session).on(propertyCalls.index, () => register)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  return server
}

const valueTile = async () => (await screen.findByText('Total insured value')).closest('div')?.textContent ?? ''

test('a change of the account refreshes the parts of its value, without waiting for the check', async () => {
  const server = openRegister(accountWith({ properties: 0, divested_properties: 0, tiv: 0 }), registerWith(0, 0))
  await screen.findByText('No properties yet')
  server
    .on(accountCalls.show, () => ({ data: accountWith({ properties: 2, tiv: 900, updated_at: LATER }) }))
    .on(propertyCalls.index, () => registerWith(2, 900))
  changed()
  expect(await screen.findByText('$450 on average')).toBeTruthy()
  expect(await valueTile()).toMatch(/Building \$900/)
})

test('the value, its average and its parts are of one moment while the account is refreshed', async () => {
  const server = openRegister(accountWith({ properties: 30, tiv: 3_000 }), registerWith(30, 3_000))
  await screen.findByText('$100 on average')
  const register = Promise.withResolvers<ReturnType<typeof registerWith>>()
  server
    .on(accountCalls.show, () => ({ data: accountWith({ properties: 1, tiv: 50, updated_at: LATER }) }))
    .on(propertyCalls.index, () => register.promise)
  changed()
  await waitFor(() => expect(screen.getByRole('tab', { name: /^Properties/ }).textContent).toBe('Properties1'))
  expect(await valueTile()).toMatch(/\$50Updating…Building –/)
  register.resolve(registerWith(1, 50))
  expect(await screen.findByText('$50 on average')).toBeTruthy()
  expect(await valueTile()).toMatch(/\$50 on averageBuilding \$50/)
})

test('an account that gets its first properties is not said to have none while their totals are loaded', async () => {
  const server = openRegister(accountWith({ properties: 0, divested_properties: 0, tiv: 0 }), registerWith(0, 0))
  await screen.findByText('No properties yet')
  server
    .on(accountCalls.show, () => ({ data: accountWith({ properties: 200, tiv: 900, updated_at: LATER }) }))
    .on(propertyCalls.index, () => new Promise<never>(() => undefined))
  changed()
  await waitFor(() => expect(screen.queryByText('No properties yet')).toBeNull())
  expect(await valueTile()).toMatch(/\$900Updating…/)
  expect(screen.getByText('Properties', { selector: 'dt *' }).closest('div')?.textContent).toMatch(/200/)
})

test('the form of the first property keeps the overview behind it, also when it is closed', async () => {
  const permissions = ['view_account_details', 'view_account_properties', 'create_account_properties'] as const
  const session = sessionWith(permissions)
  accountServer(accountWith({ properties: 0, divested_properties: 0 }), session).on(propertyCalls.index, () => onePage([]))
  const { user, router } = renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const path = () => router.state.location.pathname
  await user.click(await screen.findByRole('link', { name: 'Create your first property' }))
  await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}/properties/create`))
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(path()).toBe(`/accounts/${ACCOUNT_ID}`))
  await screen.findByRole('tab', { name: 'Overview', selected: true })
  await router.navigate({ to: '/accounts/$id', params: { id: ACCOUNT_ID } })
  await screen.findByRole('tab', { name: 'Overview', selected: true })
  expect(window.localStorage.getItem('plumbline.account-tabs')).toBe(JSON.stringify([[ACCOUNT_ID, 'overview']]))
})

test('a refresh keeps the tab on screen when another window has chosen a different one', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  const server = accountServer(accountWith(), session)
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  const overview = await screen.findByRole('tab', { name: 'Overview' })
  window.localStorage.setItem('plumbline.account-tabs', JSON.stringify([[ACCOUNT_ID, 'files']]))
  server.on(accountCalls.show, () => ({ data: accountWith({ files: null, updated_at: LATER }) }))
  changed()
  await waitFor(() => expect(screen.getByRole('tab', { name: /^Documents/ }).textContent).toBe('Documents'))
  expect(overview.getAttribute('aria-selected')).toBe('true')
})

const EARLIER = '2026-03-05T15:00:00.000Z'
const clean = (more: Partial<Metric>) =>
  metricWith({ title: 'Reconciliation', empty: 'Everything is reconciled.', as_of: EARLIER, is_current: true, ...more })

test('a finished check has no verdict before its discrepancies have arrived', async () => {
  const session = sessionWith(['view_account_details', 'view_account_reconciliation_metric'])
  const server = accountServer(accountWith(), session).on(metricCalls.reconciliation, () => ({ data: clean({}) }))
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  await screen.findByText('Everything is reconciled.')
  const metric = Promise.withResolvers<{ data: Metric }>()
  server
    .on(discrepancyCalls.state, () => ({ data: checkState('current', { as_of: LATER }) }))
    .on(metricCalls.reconciliation, () => metric.promise)
  changed()
  await waitFor(() => expect(screen.queryByText('Everything is reconciled.')).toBeNull())
  expect(screen.queryByText(/^Checked on/)).toBeNull()
  metric.resolve({ data: clean({ as_of: LATER, empty: 'All values are fine.' }) })
  expect(await screen.findByText('All values are fine.')).toBeTruthy()
  expect(screen.getByText(/^Checked on/)).toBeTruthy()
})

test('an account shows no message of its own when the session has ended', async () => {
  const warning = vi.spyOn(toast, 'warning')
  const session = sessionWith(['view_account_details'])
  let requests = 0
  accountServer(accountWith(), session).on(accountCalls.show, () => {
    requests += 1
    return errorAnswer('unauthenticated', 'Please sign in to continue.')
  })
  renderApp(`/accounts/${ACCOUNT_ID}`, session)
  await waitFor(() => expect(requests).toBeGreaterThan(0))
  // The page is left at once, so there is no text to wait for.
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)))
  expect(warning).not.toHaveBeenCalled()
})
