import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { initCalls } from '#contract/init.ts'
import type { FakeServer } from '#web/testing/fake-server.ts'
import { resetPage } from '#web/testing/render.tsx'
import { companiesServer, companyRow, openCompanies } from '#web/testing/companies-list.tsx'

let server: FakeServer
beforeEach(() => {
  server = companiesServer(() => [companyRow(1), companyRow(2)])
})
afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

const headings = () => screen.getAllByRole('columnheader', { hidden: true }).flatMap((heading) => heading.getAttribute('aria-label') ?? [])
const savedSettings = () => server.bodies(initCalls.saveSetting).map(({ value }) => value)

describe('the panel of column settings', () => {
  it('has its own address and closes by Escape', async () => {
    const { user, router } = openCompanies({ path: '/companies?search=pier' })
    await user.click(await screen.findByRole('button', { name: 'Columns' }))
    await screen.findByRole('dialog', { name: 'Columns' })
    expect(router.state.location.search).toEqual({ search: 'pier', panel: 'columns' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.search).toEqual({ search: 'pier' })
  })

  it('opens by its address', async () => {
    openCompanies({ path: '/companies?panel=columns' })
    expect(await screen.findByRole('dialog', { name: 'Columns' })).toBeDefined()
  })

  it('does not open without the permission, nor can widths be changed', async () => {
    openCompanies({ path: '/companies?panel=columns', permissions: ['view_companies_component'] })
    await screen.findByText('Company 1')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryAllByRole('separator')).toEqual([])
  })

  it('is not in the links of the rows', async () => {
    openCompanies({ path: '/companies?panel=columns&search=pier' })
    const link = await screen.findByText('Company 1')
    expect(link.closest('a')?.getAttribute('href')).toMatch(/\?search=pier$/)
  })

  it('moves a column with the keyboard and saves the order', async () => {
    const height = 40
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
      const row = this.closest('li')
      const index = row === null ? 0 : [...(row.parentElement?.children ?? [])].indexOf(row)
      return new DOMRect(0, index * height, 300, height)
    })
    const { user } = openCompanies({ path: '/companies?panel=columns' })
    const panel = await screen.findByRole('dialog', { name: 'Columns' })
    await screen.findByText('Company 1')
    expect(headings()).toEqual(['Company', 'Users', 'Accounts'])
    within(panel).getByRole('button', { name: 'Move Users' }).focus()
    await user.keyboard(' ')
    await screen.findByText(/Users, place 1 of 3/)
    await user.keyboard('{ArrowDown}')
    await screen.findByText(/Users, place 2 of 3/)
    await user.keyboard(' ')
    await waitFor(() => expect(headings()).toEqual(['Company', 'Accounts', 'Users']))
    expect(savedSettings()).toEqual([{ columnOrder: ['name', 'accounts', 'users', 'timezone'] }])
  })

  it('restores the usual columns, their order and widths', async () => {
    const setting = { perPage: 25, columns: { users: false }, columnOrder: ['name', 'accounts', 'users'], widths: { name: 300 } }
    const { user } = openCompanies({ path: '/companies?panel=columns', setting })
    await screen.findByText('Company 1')
    expect(headings()).toEqual(['Company', 'Accounts'])
    await user.click(await screen.findByRole('button', { name: 'Use the usual columns' }))
    await waitFor(() => expect(headings()).toEqual(['Company', 'Users', 'Accounts']))
    expect(savedSettings()).toEqual([{ perPage: 25, columns: {}, columnOrder: [], widths: {} }])
  })
})

describe('the width of a column', () => {
  const edge = async (label: string) => screen.findByRole('separator', { name: `Width of ${label}` })
  const widths = () => [...document.querySelectorAll('col')].map((col) => col.style.width)

  it('changes with the arrow keys, is saved once when the key is released, and reset by Delete', async () => {
    const { user } = openCompanies({ setting: { widths: { users: 100 } } })
    ;(await edge('Users')).focus()
    await user.keyboard('{ArrowRight>3/}')
    await waitFor(() => expect(savedSettings()).toEqual([{ widths: { users: 130 } }]))
    expect(widths()[2]).toBe('130px')
    await user.keyboard('{Delete}')
    await waitFor(() => expect(savedSettings().at(-1)).toEqual({ widths: {} }))
    await waitFor(() => expect(widths()[2]).toBe(''))
  })

  it('follows the mouse, does not sort, and is reset by a double-click', async () => {
    const { user, router } = openCompanies({ setting: { widths: { users: 100 } } })
    const handle = await edge('Users')
    fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientX: 500 })
    fireEvent.pointerMove(handle, { pointerId: 1, clientX: 550 })
    expect(widths()[2]).toBe('150px')
    expect(savedSettings()).toEqual([])
    fireEvent.pointerUp(handle, { pointerId: 1, clientX: 550 })
    await waitFor(() => expect(savedSettings()).toEqual([{ widths: { users: 150 } }]))
    await user.dblClick(handle)
    await waitFor(() => expect(savedSettings().at(-1)).toEqual({ widths: {} }))
    expect(router.state.location.search).toEqual({})
  })

  it('has a smallest and a largest value', async () => {
    openCompanies({ setting: { widths: { users: 100 } } })
    const handle = await edge('Users')
    for (const clientX of [-5_000, 5_000]) {
      fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientX: 0 })
      fireEvent.pointerMove(handle, { pointerId: 1, clientX })
      fireEvent.pointerUp(handle, { pointerId: 1, clientX })
    }
    await waitFor(() => expect(savedSettings()).toEqual([{ widths: { users: 48 } }, { widths: { users: 1_200 } }]))
  })
})
