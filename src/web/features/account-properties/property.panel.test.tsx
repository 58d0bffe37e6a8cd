import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { ACCOUNT_ID as ACCOUNT } from '#web/testing/account-server.ts'
import { PROPERTY_ID as ID, property } from './properties.fixture.ts'
import { PropertyPanel } from './property.panel.tsx'

const divested: Property = { ...property, status: 'divested', divested_on: '2026-03-04', values: {}, tiv: null, quality_score: null }

let server: FakeServer
beforeEach(() => {
  server = fakeServer().on(propertyCalls.show, () => ({ data: divested }))
})
afterEach(resetPage)

const open = (query = '') =>
  renderWithSession(<PropertyPanel id={ACCOUNT} prop_id={ID} />, {
    session: sessionWith([]),
    path: `/accounts/${ACCOUNT}/properties/${ID}${query}`,
  })

test('a divested property opens over the divested properties', async () => {
  const { router } = open()
  await waitFor(() => expect(router.state.location.search).toMatchObject({ filter__status: 'divested' }))
})

test.each(['?filter__status=all', '?tab=overview'])('a divested property leaves what was chosen below it: %s', async (query) => {
  const { router } = open(query)
  await screen.findByText('No longer part of the account')
  expect(router.state.location.href).toContain(query)
  expect(router.state.location.href).not.toContain('divested')
})

test('a divested property is not said to be checked, and has no total without a value', async () => {
  open()
  expect(await screen.findByText('Divested properties are not checked.')).toBeTruthy()
  expect(screen.queryByText('Not checked yet.')).toBeNull()
  expect(screen.getByText('Total insured value').parentElement?.textContent).toBe('Total insured value–')
})

test('a total of 0 is shown if a part of it is known', async () => {
  server.on(propertyCalls.show, () => ({ data: { ...divested, values: { building_value: 0 }, tiv: 0 } }))
  open()
  await screen.findByText('No longer part of the account')
  expect(screen.getByText('Total insured value').parentElement?.textContent).toBe('Total insured value$0')
})

test('amounts are in the currency of the property', async () => {
  server.on(propertyCalls.show, () => ({ data: { ...divested, values: { building_value: 5, currency: 'CAD' }, tiv: 5 } }))
  open()
  await screen.findByText('No longer part of the account')
  expect(screen.getByText('Total insured value').parentElement?.textContent).toBe('Total insured valueCA$5')
})
