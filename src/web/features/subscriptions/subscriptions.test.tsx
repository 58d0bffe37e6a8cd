import { within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Subscription } from '#contract/subscriptions.ts'
import { openRecordPanel } from '#web/testing/record-panel.tsx'
import { resetPage } from '#web/testing/render.tsx'

const subscription: Subscription = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  name: 'Professional',
  price: 1200.5,
  term_months: 12,
  companies: [
    {
      id: '0198c0de-0000-7000-8000-0000000000bb',
      name: 'Harbor Point',
      started_at: '2026-01-02T17:00:00Z',
      ends_at: '2027-01-02T17:00:00Z',
      state: 'active',
      own_price: 900,
    },
  ],
  version: 1,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-02T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true },
}

afterEach(resetPage)

it('shows price, term and companies of a subscription in its panel, with Edit for those who can', async () => {
  const { panel, server } = await openRecordPanel('subscriptions', subscription, 'Professional', ['update_subscriptions'])
  for (const text of ['$1,200.50', '12 months', 'Harbor Point', 'Edit']) expect(within(panel).getByText(text)).toBeDefined()
  server.close()
})

it('shows term, state and own price of each company, which is a link for viewers who open companies', async () => {
  const inactive = {
    ...subscription.companies[0],
    id: '0198c0de-0000-7000-8000-0000000000cc',
    name: 'Oak',
    state: 'inactive',
    own_price: null,
  }
  const companies = [...subscription.companies, inactive] as Subscription['companies'] // the first one exists
  const sees = ['view_companies_component', 'view_company_details', 'create_companies', 'update_subscriptions'] as const
  const { panel, server } = await openRecordPanel('subscriptions', { ...subscription, companies }, 'Professional', sees)
  const items = within(within(panel).getByRole('region', { name: 'Companies 2' })).getAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Harbor PointActive, Jan 2, 2026 to Jan 2, 2027, own price $900',
    'OakInactive, Jan 2, 2026 to Jan 2, 2027',
  ])
  expect(within(panel).getByRole('link', { name: 'Harbor Point' }).getAttribute('href')).toBe(`/companies/${companies[0]?.id ?? ''}`)
  expect(within(panel).getByRole('link', { name: 'Add company' }).getAttribute('href')).toBe(
    `/companies/create?subscription_id=${subscription.id}`,
  )
  server.close()
})

it('has no links to companies for viewers who cannot open them', async () => {
  const { panel, server } = await openRecordPanel('subscriptions', subscription, 'Professional')
  expect(within(panel).getByText('Harbor Point')).toBeDefined()
  expect(within(panel).queryByRole('link')).toBeNull()
  server.close()
})
