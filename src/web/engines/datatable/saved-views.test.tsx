import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initCalls } from '#contract/init.ts'
import { savedViewCalls, type SavedView } from '#contract/saved-views.ts'
import { companiesServer, companyRow, openCompanies } from '#web/testing/companies-list.tsx'
import { errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { resetPage } from '#web/testing/render.tsx'

const ID = '0198c0de-0000-7000-8000-0000000000a1'
const PIERS: SavedView = {
  id: ID,
  model: 'companies',
  name: 'Piers',
  shared: false,
  owner: 'Dana Whitfield',
  mine: true,
  can_change: true,
  version: 3,
  state: {
    search: 'pier',
    sort: 'users',
    order: 'asc',
    filters: { trashed: 'with' },
    layout: { columns: { accounts: false }, columnOrder: ['name', 'timezone', 'users'], widths: { name: 300 } },
  },
}

let server: FakeServer
let views: SavedView[]
beforeEach(() => {
  views = [PIERS]
  server = companiesServer(() => [companyRow(1)])
    .on(savedViewCalls.index, () => ({ data: views }))
    .on(savedViewCalls.create, ({ body }) => {
      const made = { ...PIERS, id: '0198c0de-0000-7000-8000-0000000000a2', version: 1, ...body } as SavedView // the defaults of the input are set by the page
      views = [...views, made]
      return { data: made, message: 'The view was saved.' }
    })
    .on(savedViewCalls.update, ({ body }) => {
      const saved = { ...PIERS, ...body, version: 4 } as SavedView // likewise
      views = [saved]
      return { data: saved, message: 'The view was saved.' }
    })
    .on(savedViewCalls.remove, () => {
      views = []
      return { data: null, message: 'The view was deleted.' }
    })
})
afterEach(resetPage)

const indexCalls = () => server.requests.filter((request) => request.startsWith('GET /companies?'))
const headings = () => screen.getAllByRole('columnheader', { hidden: true }).flatMap((heading) => heading.getAttribute('aria-label') ?? [])
const choose = async (user: ReturnType<typeof openCompanies>['user'], button: string | RegExp, item: string | RegExp) => {
  await user.click(await screen.findByRole('button', { name: button }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}

describe('a saved view', () => {
  it('opens with its search, order, filters and columns, which the address then has', async () => {
    const { user, router } = openCompanies()
    await choose(user, 'Views', /Piers/)
    await waitFor(() =>
      expect(router.state.location.search).toEqual({
        view: ID,
        search: 'pier',
        sort: 'users',
        order: 'asc',
        filter__trashed: 'with',
      }),
    )
    await screen.findByRole('button', { name: 'Piers' })
    expect(headings()).toEqual(['Company', 'Users'])
    expect(server.bodies(initCalls.saveSetting)).toEqual([])
  })

  it('opens by an address that has nothing but the view, without loading the list before', async () => {
    const { router } = openCompanies({ path: `/companies?view=${ID}` })
    await screen.findByText('Company 1')
    expect(router.state.location.search).toMatchObject({ view: ID, search: 'pier' })
    expect(indexCalls()).toEqual(['GET /companies?page=1&paginate=15&search=pier&sort=users&order=asc&filter__trashed=with'])
  })

  it('is not opened again when the user clears all that it filters', async () => {
    views = [{ ...PIERS, state: { ...PIERS.state, sort: null, filters: {} } }]
    const { user, router } = openCompanies({ path: `/companies?view=${ID}` })
    await user.click(await screen.findByRole('button', { name: 'Clear search' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ view: ID, page: '1' }))
    await screen.findByRole('button', { name: 'Piers (changed)' })
  })

  it('that was deleted or is not shared leaves the list and says so', async () => {
    views = []
    openCompanies({ path: `/companies?view=${ID}` })
    expect(await screen.findByText('The view in this address was deleted, or it is not shared with you.')).toBeDefined()
    expect(await screen.findByText('Company 1')).toBeDefined()
  })

  it('is not saved on Escape, which returns the focus to the button', async () => {
    const { user } = openCompanies({ path: '/companies' })
    await choose(user, 'Views', 'Save as a new view…')
    await screen.findByRole('textbox', { name: 'Name' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Views' })))
  })

  it('is saved under a name, and the name that the server rejects is a field error', async () => {
    const { user, router } = openCompanies({ path: '/companies?search=pier', setting: { widths: { users: 90 } } })
    await choose(user, 'Views', 'Save as a new view…')
    server.on(savedViewCalls.create, () => errorAnswer('invalid', '', { name: ['There is already a view with this name.'] }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Piers')
    await user.click(screen.getByRole('button', { name: 'Save view' }))
    await screen.findByText('There is already a view with this name.')
    server.on(savedViewCalls.create, ({ body }) => {
      views = [...views, { ...PIERS, ...body, id: `${ID.slice(0, -1)}2` } as SavedView] // the page sends the whole state
      return { data: views.at(-1) ?? PIERS, message: 'The view was saved.' }
    })
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' 2')
    await user.click(screen.getByRole('checkbox', { name: /Share with everyone/ }))
    await user.click(screen.getByRole('button', { name: 'Save view' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ view: `${ID.slice(0, -1)}2` }))
    const state = { search: 'pier', sort: null, order: 'desc', filters: {}, layout: { widths: { users: 90 } } }
    expect(server.bodies(savedViewCalls.create).at(-1)).toEqual({ model: 'companies', name: 'Piers 2', shared: true, state })
  })

  it('is updated with what the list shows now, in the version that was read', async () => {
    const { user } = openCompanies({ path: `/companies?view=${ID}` })
    await user.click(await screen.findByRole('button', { name: /Sort|Users/ }))
    await choose(user, 'Piers (changed)', 'Save changes to “Piers”')
    await screen.findByRole('button', { name: 'Piers' })
    expect(server.bodies(savedViewCalls.update)).toMatchObject([{ version: 3, state: { search: 'pier', order: 'desc' } }])
  })

  it('of a colleague can be used but not changed', async () => {
    views = [{ ...PIERS, mine: false, can_change: false, owner: 'Bo Rivers', shared: true }]
    const { user } = openCompanies({ path: `/companies?view=${ID}` })
    await user.click(await screen.findByRole('button', { name: 'Users' }))
    await user.click(await screen.findByRole('button', { name: 'Piers (changed)' }))
    await screen.findByRole('menuitem', { name: /Bo Rivers/ })
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(items).toContain('Discard changes')
    expect(items).not.toContain('Save changes to “Piers”')
    expect(items).not.toContain('Rename, share or delete…')
  })

  it('is deleted after a confirmation, and the list remains without it', async () => {
    const { user, router } = openCompanies({ path: `/companies?view=${ID}` })
    await choose(user, 'Piers', 'Rename, share or delete…')
    await user.click(await screen.findByRole('button', { name: 'Delete view' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(server.requests).toContain(`DELETE /saved-views/${ID}`)
  })

  it('has columns of its own, which do not change those of the user', async () => {
    const { user } = openCompanies({ path: `/companies?view=${ID}&search=pier`, setting: { columns: { users: false } } })
    await screen.findByRole('button', { name: /Piers/ })
    await user.click(await screen.findByRole('button', { name: 'Columns' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Time zone' }))
    await waitFor(() => expect(headings()).toEqual(['Company', 'Time zone', 'Users']))
    expect(server.bodies(initCalls.saveSetting)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Use the columns of the view' }))
    await waitFor(() => expect(headings()).toEqual(['Company', 'Users']))
  })
})

it('a list without a view does not load the views', async () => {
  openCompanies()
  await screen.findByText('Company 1')
  expect(server.requests.filter((request) => request.includes('saved-views'))).toEqual([])
})
