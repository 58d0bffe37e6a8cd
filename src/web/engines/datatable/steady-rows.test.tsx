import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { companyCalls, type CompanyRow } from '#contract/companies.ts'
import { queryClient } from '#web/data/query-client.ts'
import { countOwnWrite, staleAfter } from '#web/data/staleness.ts'
import { companiesServer, companyRow, openCompanies } from '#web/testing/companies-list.tsx'
import type { FakeServer } from '#web/testing/fake-server.ts'
import { resetPage } from '#web/testing/render.tsx'
import { changedRows } from './steady-rows.ts'

let server: FakeServer
let rows: CompanyRow[]
beforeEach(() => {
  rows = [1, 2, 3, 4].map((index) => companyRow(index))
  server = companiesServer(() => rows)
})
afterEach(resetPage)

const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const answers = () => server.requests.filter((request) => request.startsWith('GET /companies?')).length

/** As another user's change arrives. */
async function changeElsewhere(next: CompanyRow[]) {
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  // The rows stay in place once nothing has been loaded for a moment.
  await new Promise((resolve) => setTimeout(resolve, 600))
  const before = answers()
  rows = next
  staleAfter.datatable['model-updated']({
    model: 'companies',
    id: null,
    account_id: null,
    updatedAt: '2026-11-22T00:00:00Z',
    scope: 'data',
  })
  await waitFor(() => expect(answers()).toBeGreaterThan(before))
}

describe('a change of another user', () => {
  it('shows new values in place, without a badge', async () => {
    openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere(rows.with(1, companyRow(2, { name: { value: 'Renamed', text: 'Renamed' } })))
    await screen.findByText('Renamed')
    expect(screen.queryByRole('button', { name: /changed/ })).toBeNull()
  })

  it('shows rows that are added after the last one, which move no other', async () => {
    openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere([...rows, companyRow(8), companyRow(9)])
    await screen.findByText('Company 9')
    expect(names()).toEqual(['Company 1', 'Company 2', 'Company 3', 'Company 4', 'Company 8', 'Company 9'])
    expect(screen.queryByRole('button', { name: /changed/ })).toBeNull()
  })

  it('leaves other added rows out until the user shows them', async () => {
    const { user } = openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere([companyRow(8), companyRow(9), ...rows])
    await user.click(await screen.findByRole('button', { name: '2 rows changed' }))
    await screen.findByText('Company 8')
    expect(names()).toEqual(['Company 8', 'Company 9', 'Company 1', 'Company 2', 'Company 3', 'Company 4'])
    expect(screen.queryByRole('button', { name: /changed/ })).toBeNull()
  })

  it('leaves moved rows in place, with their new values', async () => {
    openCompanies()
    await screen.findByText('Company 4')
    await changeElsewhere([companyRow(4, { name: { value: 'First', text: 'First' } }), ...rows.slice(0, 3)])
    await screen.findByRole('button', { name: '1 row changed' })
    expect(names()).toEqual(['Company 1', 'Company 2', 'Company 3', 'First'])
  })

  it('blanks a removed row, to which the user may have lost the access', async () => {
    const { user } = openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere(rows.toSpliced(1, 1))
    const removed = (await screen.findByText('Moved or removed')).closest('td')
    expect(names()).toEqual(['Company 1', 'Company 3', 'Company 4'])
    // A wider row would add columns to the table, and take their widths from the names.
    expect(removed?.colSpan).toBe(screen.getAllByRole('columnheader').length)
    await user.click(screen.getByRole('button', { name: '1 row changed' }))
    await waitFor(() => expect(screen.queryByText('Moved or removed')).toBeNull())
  })

  it('that removes every row or adds the first one shows immediately', async () => {
    openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere([])
    await waitFor(() => expect(screen.queryByText('Company 2')).toBeNull())
    await changeElsewhere([companyRow(7)])
    await screen.findByText('Company 7')
  })

  it('shows immediately after a write of this page, and after a change of rights', async () => {
    openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere(rows.toSpliced(1, 1))
    await screen.findByRole('button', { name: '1 row changed' })
    countOwnWrite()
    await waitFor(() => expect(screen.queryByRole('button', { name: '1 row changed' })).toBeNull())
    expect(names()).toEqual(['Company 1', 'Company 3', 'Company 4'])
  })

  it('shows with another order of the list', async () => {
    const { user } = openCompanies()
    await screen.findByText('Company 2')
    await changeElsewhere([companyRow(8), ...rows])
    await screen.findByRole('button', { name: '1 row changed' })
    await user.click(screen.getByRole('button', { name: 'Users' }))
    await screen.findByText('Company 8')
    expect(screen.queryByRole('button', { name: /changed/ })).toBeNull()
  })
})

it('a write of this page shows added and removed rows without a badge', async () => {
  server.on(companyCalls.trash, () => {
    rows = rows.slice(1)
    return { data: null, message: '1 company deleted.' }
  })
  const { user } = openCompanies()
  await user.click(await screen.findByRole('button', { name: 'Actions for Company 1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('Company 1')).toBeNull())
  expect(screen.queryByText('Moved or removed')).toBeNull()
  expect(screen.queryByRole('button', { name: /changed/ })).toBeNull()
})

describe('the number of changed rows', () => {
  const count = (before: string, after: string) =>
    changedRows(...([before, after].map((ids) => [...ids].map((id) => (id === '.' ? undefined : id))) as [string[], string[]]))

  it.each([
    ['abc', 'abc', 0],
    ['abc', 'xabc', 1],
    ['abc', 'xab', 1],
    ['abc', 'ac', 1],
    ['abc', 'cab', 1],
    ['abc', 'cba', 2],
    ['abc', 'xyz', 3],
    ['abc', 'xca', 2],
  ])('from %s to %s is right', (before, after, expected) => expect(count(before, after)).toBe(expected))

  it('ignores rows that are loaded in one of both only', () => {
    expect(count('ab...', 'ab.de')).toBe(0)
    expect(count('ab.de', 'ab...')).toBe(0)
  })
})
