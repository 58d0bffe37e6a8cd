import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { companyCalls } from '#contract/companies.ts'
import { sessionCalls } from '#contract/session.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { signOut } from '#web/data/session.ts'
import { shellModels } from '../signed-in.tsx'
import { Shell } from './shell.tsx'

const idOf = (number: number) => `0198c0de-0000-7000-8000-00000000000${number}`
const found = (name: string, number = 1) => ({ id: idOf(number), name, detail: 'Active', account_id: idOf(number) })
const five = [1, 2, 3, 4, 5].map((number) => found(`Harbor ${number}`, number))

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(sessionCalls.logout, () => ({ data: null }))
    .on(companyCalls.search, () => errorAnswer('not_found', 'No results found.'))
})
afterEach(resetPage)

async function openSearch(...more: Parameters<typeof sessionWith>[0]) {
  const session = sessionWith(['view_global_search', 'view_companies_component', 'view_accounts_component', ...more])
  const page = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
  await screen.findByText('page')
  await page.user.keyboard('/')
  return { ...page, input: await screen.findByRole('textbox', { name: 'Search' }) }
}
const focused = () => document.activeElement?.textContent

describe('the keyboard in global search', () => {
  test('opens the first result with Enter, in the group with the first result', async () => {
    server.on(accountCalls.search, () => ({ data: five, matched: ['har'] }))
    const { user, input, router } = await openSearch()
    await user.type(input, 'har')
    await screen.findByRole('link', { name: /Harbor 1/ })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/accounts/${idOf(1)}`))
  })

  test('does nothing on Enter while a group above is still loading', async () => {
    server.on(accountCalls.search, () => new Promise(() => undefined))
    server.on(companyCalls.search, () => ({ data: [found('Harbor Insurance')] }))
    const { user, input, router } = await openSearch()
    await user.type(input, 'har')
    await screen.findByRole('link', { name: /Harbor Insurance/ })
    await user.keyboard('{Enter}')
    expect(router.state.location.pathname).toBe('/')
    await screen.findByText('Loading Accounts...')
  })

  test('moves to the last result with End, to the first with Home and back to the field', async () => {
    server.on(accountCalls.search, () => ({ data: five }))
    const { user, input } = await openSearch()
    await user.type(input, 'har')
    await screen.findByRole('link', { name: /Harbor 1/ })
    await user.keyboard('{ArrowDown}{End}')
    expect(focused()).toContain('Harbor 5')
    await user.keyboard('{Home}')
    expect(focused()).toContain('Harbor 1')
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(input)
  })
})

describe('a result', () => {
  test('marks the matched words, also in another spelling and with accents', async () => {
    server.on(accountCalls.search, () => ({
      data: [found('12 Nörth Main St. – Northgate')],
      matched: [' n', ' north ', 'main', 'street', ' st '],
    }))
    const { user, input } = await openSearch()
    await user.type(input, 'n main street')
    const link = await screen.findByRole('link', { name: /Northgate/ })
    expect([...link.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Nörth', 'Main', 'St', 'N'])
  })

  test('shows HTML in a name as text', async () => {
    server.on(accountCalls.search, () => ({ data: [found('<b>Harbor</b>')], matched: ['b'] }))
    const { user, input } = await openSearch()
    await user.type(input, 'b')
    expect((await screen.findByRole('link', { name: /Harbor/ })).querySelector('b')).toBeNull()
  })
})

describe('Show all', () => {
  test('opens the list with the search, for users who can search it', async () => {
    server.on(accountCalls.search, () => ({ data: five }))
    const { user, input } = await openSearch('view_accounts_datatable_search')
    await user.type(input, 'har')
    expect((await screen.findByRole('link', { name: 'Show all Accounts' })).getAttribute('href')).toBe('/accounts?search=har')
  })

  test('is not offered without the permission to search the list, or if everything is shown', async () => {
    server.on(accountCalls.search, () => ({ data: five }))
    const { user, input } = await openSearch()
    await user.type(input, 'har')
    await screen.findByRole('link', { name: /Harbor 1/ })
    expect(screen.queryByRole('link', { name: /Show all/ })).toBeNull()
  })

  test('shows all documents here, since they have no list of their own', async () => {
    server.on(accountCalls.search, () => errorAnswer('not_found', 'No results found.'))
    server.on(fileCalls.search, ({ query }) => ({ data: query.paginate === '100' ? [...five, found('Harbor 6', 6)] : five }))
    const { user, input } = await openSearch('view_account_files')
    await user.type(input, 'har')
    await user.click(await screen.findByRole('button', { name: 'Show all Documents' }))
    const documents = screen.getByRole('region', { name: 'Documents found' })
    expect((await within(documents).findByRole('link', { name: /Harbor 6/ })).getAttribute('href')).toBe(
      `/accounts/${idOf(6)}/files/${idOf(6)}`,
    )
  })
})

describe('recent searches', () => {
  const search = async () => {
    server.on(accountCalls.search, () => ({ data: five }))
    const page = await openSearch()
    await page.user.type(page.input, 'har')
    await page.user.click(await screen.findByRole('link', { name: /Harbor 1/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    return page
  }

  test('are the texts whose result was opened, and search again at once', async () => {
    const { user } = await search()
    await user.keyboard('/')
    await user.click(within(await screen.findByRole('region', { name: 'Recent searches' })).getByRole('button', { name: 'har' }))
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveProperty('value', 'har')
    await screen.findByRole('link', { name: /Harbor 1/ })
  })

  const stored = () => Object.keys(window.localStorage).filter((key) => key.includes('recent'))

  test('are removed by signing out', async () => {
    await search()
    expect(stored()).toHaveLength(1)
    await signOut()
    expect(stored()).toEqual([])
  })

  test('are removed by Clear', async () => {
    const { user } = await search()
    await user.keyboard('/')
    await user.click(within(await screen.findByRole('region', { name: 'Recent searches' })).getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('region', { name: 'Recent searches' })).toBeNull()
    expect(stored()).toEqual([])
  })
})
