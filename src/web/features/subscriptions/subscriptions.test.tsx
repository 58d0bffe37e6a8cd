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
  companies: [{ id: '0198c0de-0000-7000-8000-0000000000bb', name: 'Harbor Point' }],
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
