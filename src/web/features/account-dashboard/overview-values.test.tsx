import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { propertyCalls } from '#contract/account-properties.ts'
import type { Account } from '#contract/accounts.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

afterEach(resetPage)

/** The overview of an account with the sums of its properties, and in how many of them each value is known. */
function openWith(account: Partial<Account>, totals: Record<string, number>, valued: Record<string, number>) {
  const session = sessionWith(['view_account_details', 'view_account_properties'])
  const page = onePage([])
  accountServer(accountWith(account), session).on(propertyCalls.index, () => ({
    ...page,
    meta: { ...page.meta, total: account.properties ?? 0, totals, valued },
  }))
  return renderApp(`/accounts/${ACCOUNT_ID}`, session)
}

const figure = async () => (await screen.findByText('Total insured value')).closest('div')?.textContent ?? ''

test('the value of an account whose properties have no values is unknown, not zero', async () => {
  const nothing = { building_value: 0, contents_value: 0, bi_value: 0, tiv: 0 }
  openWith({ properties: 12, tiv: 0 }, nothing, nothing)
  await screen.findByText('Building')
  expect(await figure()).toBe('Total insured value–No property has a valueBuilding –Contents –Business income –')
})

test('a part of the value that no property has is unknown', async () => {
  openWith(
    { properties: 2, tiv: 900 },
    { building_value: 900, contents_value: 0, bi_value: 0, tiv: 900 },
    { building_value: 2, contents_value: 0, bi_value: 1, tiv: 2 },
  )
  await screen.findByText('Building')
  expect(await figure()).toMatch(/\$450 on averageBuilding \$900Contents –Business income \$0$/)
})

test('the parts of the value add up to it', async () => {
  openWith(
    { properties: 2, tiv: 1_000 },
    { building_value: 600, contents_value: 200, bi_value: 100, tiv: 1_000 },
    { building_value: 2, contents_value: 2, bi_value: 1, tiv: 2 },
  )
  await screen.findByText('Building')
  expect(await figure()).toMatch(/Building \$600Contents \$200Business income \$100Other \$100$/)
})

test('stock, machinery and other contents that are stated apart are contents', async () => {
  openWith(
    { properties: 2, tiv: 1_000 },
    { building_value: 600, contents_value: 0, stock_value: 250, edp_value: 50, bi_value: 0, tiv: 1_000 },
    { building_value: 2, contents_value: 0, stock_value: 1, edp_value: 1, bi_value: 0, tiv: 2 },
  )
  await screen.findByText('Building')
  expect(await figure()).toMatch(/Building \$600Contents \$300Business income –Other \$100$/)
})

test('the average counts only the properties with a value', async () => {
  openWith({ properties: 12, tiv: 600 }, { tiv: 600 }, { tiv: 3 })
  expect(await screen.findByText('$200 on average of the 3 with a value')).toBeTruthy()
})

test('values that are stated as zero are zero', async () => {
  const nothing = { building_value: 0, contents_value: 0, bi_value: 0, tiv: 0 }
  openWith({ properties: 1, tiv: 0 }, nothing, { building_value: 1, contents_value: 0, bi_value: 0, tiv: 1 })
  expect(await screen.findByText('$0 on average')).toBeTruthy()
  expect(await figure()).toMatch(/Building \$0Contents –/)
})

test('an account with divested properties only does not say that no properties exist', async () => {
  openWith({ properties: 0, divested_properties: 3, tiv: 0 }, {}, {})
  expect(await screen.findByText('No active properties: 3 divested.')).toBeTruthy()
  expect(screen.queryByText('No properties exist on this account.')).toBeNull()
})
