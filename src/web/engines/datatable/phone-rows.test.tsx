import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import { fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from './datatable.tsx'
import { tableColumn } from '#web/testing/table-column.ts'

const column = (src: string, label: string, classes = '') => {
  const primary = src === 'name'
  return tableColumn(src, label, { sortable: src !== 'subscriptions', primary, disabled: primary, classes })
}
const COLUMNS = [
  column('name', 'Company'),
  column('users', 'Users', 'number'),
  column('subscriptions', 'Subscription'),
  column('created_at', 'Created', 'date'),
]
const cell = (text: string) => ({ value: text, text })
const ROW = {
  id: '0198c0de-0000-7000-8000-000000000011',
  deleted_at: null,
  is_new: false,
  name: cell('Granite Peak Insurance'),
  users: cell('12'),
  accounts: cell('1'),
  subscriptions: cell(''),
  timezone: cell('America/New_York'),
  created_at: { value: '2026-03-04T19:05:00.000Z', text: 'Mar 4, 2026' },
  updated_at: cell(''),
}
const META = { current_page: 1, from: 1, to: 1, per_page: 15, last_page: 1, total: 1 }

let server: FakeServer

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: media.includes('max-width') }) as MediaQueryList, // only what the hook reads
  )
  server = fakeServer()
    .on(companyCalls.columns, () => ({ data: COLUMNS }))
    .on(companyCalls.index, () => ({ data: [ROW], meta: META }))
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

const open = (hiddenOnPhone: readonly string[] = []) =>
  renderWithSession(<Datatable model="companies" label="companies" basePath="/companies" openIn="panel" hiddenOnPhone={hiddenOnPhone} />, {
    session: sessionWith(['view_companies_datatable_actions', 'delete_companies', 'update_companies']),
    path: '/companies',
  })
const rowHeader = () => screen.findByRole('rowheader')

describe('a row on a phone', () => {
  it('shows the name as a link and below it the other columns that have a value', async () => {
    open()
    const header = await rowHeader()
    expect(within(header).getByRole('link').textContent).toBe('Granite Peak Insurance')
    expect(header.textContent).toBe('Granite Peak InsuranceUsers 12Created Mar 4, 2026')
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).not.toContain('Users')
  })

  it('can be selected and has its actions', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Granite Peak Insurance' }))
    expect(screen.getByText('1 selected')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Actions for Granite Peak Insurance' }))
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toBeDefined()
  })

  it('leaves out the columns that the list hides on a phone', async () => {
    open(['created_at'])
    expect((await rowHeader()).textContent).toBe('Granite Peak InsuranceUsers 12')
  })

  it('shows the exact time of a date with the zone of the company on hover', async () => {
    open()
    expect((await screen.findByText('Mar 4, 2026')).title).toBe('Mar 4, 2026, 2:05 PM EST')
  })
})

describe('the order of a list on a phone', () => {
  it('is chosen from the sortable columns, numbers and dates descending', async () => {
    const { user, router } = open()
    const select = await screen.findByRole('combobox', { name: 'Sort by' })
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Company', 'Users', 'Created'])
    await user.selectOptions(select, 'Created')
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'created_at', order: 'desc' }))
    expect(server.requests.at(-1)).toContain('sort=created_at&order=desc')
    await user.click(screen.getByRole('button', { name: 'Sort ascending' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'created_at', order: 'asc' }))
  })
})
