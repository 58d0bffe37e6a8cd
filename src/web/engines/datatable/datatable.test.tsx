import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent as User } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { companyCalls, type CompanyRow } from '#contract/companies.ts'
import { isoDateIn } from '#contract/format.ts'
import type { Filter, RowAction } from '#contract/datatable.ts'
import { initCalls } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { companyRow } from '#web/testing/companies-list.tsx'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { Datatable } from './datatable.tsx'
import { NOTHING_FOUND, NOTHING_THERE } from './table-message.tsx'
import { tableColumn } from '#web/testing/table-column.ts'

const ALL: PermissionName[] = [
  'view_companies_datatable_search',
  'view_companies_datatable_filters',
  'view_companies_datatable_actions',
  'view_companies_datatable_column_settings',
  'create_companies',
  'update_companies',
  'delete_companies',
]

const COLUMNS = [
  tableColumn('name', 'Company', { primary: true, disabled: true }),
  tableColumn('users', 'Users', { classes: 'number' }),
  tableColumn('timezone', 'Time zone', { default: false }),
]
const TRASH: Filter = {
  name: 'trashed',
  label: 'Trash',
  type: 'select',
  options: [{ value: 'only', label: 'Only trashed' }],
  default: null,
}
const EXPORT: RowAction = {
  action: 'file_report',
  label: 'File a report',
  handle: 'json',
  fileName: null,
  supportsPrefix: false,
  prompt: null,
}
const id = (index: number) => `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`
let server: FakeServer
let rows: CompanyRow[]

beforeEach(() => {
  rows = Array.from({ length: 40 }, (_, index) => companyRow(index + 1))
  server = fakeServer()
    .on(companyCalls.columns, () => ({ data: COLUMNS }))
    .on(companyCalls.filters, () => ({ data: [TRASH] }))
    .on(companyCalls.actions, () => ({ data: [EXPORT] }))
    .on(companyCalls.act, () => ({ data: null, export: null, changed: [], message: 'Done.' }))
    .on(companyCalls.trash, () => ({ data: null, message: '1 company deleted.' }))
    .on(companyCalls.restore, () => ({ data: null, message: 'Restored.' }))
    .on(initCalls.saveSetting, ({ params, body }) => ({ data: { key: params.key, value: body.value } }))
    .on(companyCalls.index, ({ query }) => {
      const size = Number(query['paginate'])
      const page = Number(query['page'])
      const found = rows.filter(({ name }) => name.text.includes(query['search'] ?? ''))
      const shown = found.slice((page - 1) * size, page * size)
      const meta = {
        current_page: page,
        from: shown.length > 0 ? (page - 1) * size + 1 : null,
        to: shown.length > 0 ? (page - 1) * size + shown.length : null,
        per_page: size,
        last_page: Math.ceil(found.length / size),
        total: found.length,
      }
      return { data: shown, meta }
    })
})
afterEach(resetPage)

const table = <Datatable model="companies" label="companies" basePath="/companies" openIn="panel" createLabel="Add company" />
const open = (permissions: readonly PermissionName[] = ALL, path = '/companies') =>
  renderWithSession(table, { session: sessionWith(permissions), path })
/** The default order, which the heading shows. */
const BY_NAME = '&sort=name&order=asc'
const indexCalls = () => server.requests.filter((request) => request.startsWith('GET /companies?'))

describe('a list', () => {
  it('requests the first 15 rows and shows them with the range and links to details', async () => {
    open()
    expect((await screen.findByRole('link', { name: 'Company 1' })).getAttribute('href')).toBe('/companies/' + id(1))
    expect(indexCalls()).toEqual([`GET /companies?page=1&paginate=15${BY_NAME}`])
    expect(screen.getByText('1 to 15 of 40')).toBeDefined()
    expect(screen.getByRole('columnheader', { name: 'Company' }).getAttribute('aria-sort')).toBe('ascending')
    expect(screen.getByRole('link', { name: 'Add company' }).getAttribute('href')).toBe('/companies/create')
  })

  it('stores the page and the order in the address', async () => {
    const { user, router } = open()
    await user.click(await screen.findByRole('button', { name: 'Page 2' }))
    expect(await screen.findByRole('link', { name: 'Company 16' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Users' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'users', order: 'desc' }))
    expect(screen.getByRole('columnheader', { name: 'Users' }).getAttribute('aria-sort')).toBe('descending')
    await waitFor(() => expect(indexCalls().at(-1)).toBe('GET /companies?page=1&paginate=15&sort=users&order=desc'))
  })

  it('searches 800 ms after the last key and shows a message when nothing is found', async () => {
    const { user } = open()
    await screen.findByText('Company 1')
    await user.type(screen.getByRole('searchbox', { name: 'Search companies' }), 'zzz')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(indexCalls()).toHaveLength(1)
    expect(await screen.findByText(NOTHING_FOUND)).toBeDefined()
    expect(indexCalls().at(-1)).toBe(`GET /companies?page=1&paginate=15&search=zzz${BY_NAME}`)
  })

  it('invites the user to add a record when there are none', async () => {
    rows = []
    open()
    expect(await screen.findByText(NOTHING_THERE)).toBeDefined()
  })

  it('shows the error of an answer that rejects the call with the status of a success', async () => {
    server.on(companyCalls.index, () => ({ response: 'error', message: 'Companies are being moved.' }) as never)
    open()
    expect(await screen.findByText('This list could not be loaded')).toBeDefined()
    expect(screen.getByText('Companies are being moved.', { selector: 'p' })).toBeDefined()
  })

  it('shows the error when it cannot be loaded, and retries', async () => {
    server.on(companyCalls.index, () => errorAnswer('internal', 'Something went wrong.'))
    const { user } = open()
    expect(await screen.findByText('This list could not be loaded')).toBeDefined()
    server.on(companyCalls.index, () => onePage([companyRow(1)]))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Company 1')).toBeDefined()
  })

  it('opens the last page instead of a page beyond the end', async () => {
    const { router } = open(ALL, '/companies?page=9999')
    expect(await screen.findByText('Company 31')).toBeDefined()
    expect(screen.getByText('31 to 40 of 40')).toBeDefined()
    expect(router.state.location.search).toEqual({ page: '3' })
    expect(router.history.length).toBe(1)
  })

  it('does not say that there is no data while a page beyond the end is replaced', async () => {
    server.on(companyCalls.index, ({ query }) => {
      const meta = { current_page: 9999, from: null, to: null, per_page: 15, last_page: 3, total: 40 }
      return query['page'] === '9999' ? { data: [], meta } : new Promise(() => undefined)
    })
    open(ALL, '/companies?page=9999')
    await waitFor(() => expect(indexCalls()).toHaveLength(2))
    expect(screen.queryByText(NOTHING_THERE)).toBeNull()
    expect(screen.getByRole('region', { name: 'Table of companies' }).getAttribute('aria-busy')).toBe('true')
  })

  it('shows only the controls that the permissions allow', async () => {
    open([])
    await screen.findByText('Company 1')
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Filter' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Add company' })).toBeNull()
    expect(screen.queryAllByRole('checkbox')).toHaveLength(0)
    expect(screen.queryByRole('button', { name: /Actions for/ })).toBeNull()
  })
})

describe('settings of a list', () => {
  it('save the rows per page and the visible columns for the user', async () => {
    const { user } = open()
    await screen.findByText('Company 1')
    expect(screen.queryByRole('columnheader', { name: 'Time zone' })).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '25')
    await waitFor(() => expect(indexCalls().at(-1)).toBe(`GET /companies?page=1&paginate=25${BY_NAME}`))
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    const panel = await screen.findByRole('dialog', { name: 'Columns' })
    expect(
      within(panel)
        .getByRole('checkbox', { name: /Company/ })
        .hasAttribute('disabled'),
    ).toBe(true)
    await user.click(within(panel).getByRole('checkbox', { name: 'Time zone' }))
    expect(await screen.findByRole('columnheader', { name: 'Time zone', hidden: true })).toBeDefined()
    expect(server.bodies(initCalls.saveSetting)).toEqual([
      { value: { perPage: 25 } },
      { value: { perPage: 25, columns: { timezone: true } } },
    ])
    expect(server.requests.filter((request) => request.startsWith('POST'))).toEqual([
      'POST /settings/datatable_companies',
      'POST /settings/datatable_companies',
    ])
  })
})

describe('rows of a list', () => {
  it('are all selected by a request for a page whose size is the total, and their actions replace the toolbar', async () => {
    const { user } = open()
    await screen.findByText('Company 1')
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
    expect(await screen.findByText('40 selected')).toBeDefined()
    expect(indexCalls().at(-1)).toBe(`GET /companies?page=1&paginate=40${BY_NAME}`)
    await user.click(screen.getByRole('button', { name: 'File a report' }))
    await waitFor(() => expect(server.bodies(companyCalls.act)).toHaveLength(1))
    expect(server.bodies(companyCalls.act)[0]).toMatchObject({
      action: 'file_report',
      handle: 'json',
      input: {},
      selectedIds: rows.map((one) => one.id),
    })
  })

  it('open and are edited from their menu over the list as it is', async () => {
    const { user, router } = open(ALL, '/companies?page=2')
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 17' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Open' }))
    await waitFor(() => expect(router.state.location.href).toBe(`/companies/${id(17)}?page=2`))
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 17' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await waitFor(() => expect(router.state.location.href).toBe(`/companies/${id(17)}/edit?page=2`))
  })

  it('are deleted after a confirmation, by their ids and without force', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const question = await screen.findByRole('dialog', { name: 'Delete “Company 2”' })
    expect(server.bodies(companyCalls.trash)).toEqual([])
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(server.bodies(companyCalls.trash)).toEqual([{ selectedIds: [id(2)], force: false }]))
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeDefined()
  })

  it('are deleted only once when the button is clicked twice', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const button = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' })
    fireEvent.click(button)
    expect(button.matches(':disabled')).toBe(true)
    fireEvent.click(button)
    await screen.findByRole('button', { name: 'Undo' })
    expect(server.bodies(companyCalls.trash)).toHaveLength(1)
  })

  it('in the trash have no link and offer Restore and Permanently Delete, which cannot be undone', async () => {
    rows = [companyRow(1, { deleted_at: '2026-01-01T00:00:00Z' })]
    const { user } = open(ALL, '/companies?filter__trashed=only')
    await screen.findByText('Company 1')
    expect(screen.queryByRole('link', { name: 'Company 1' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Actions for Company 1' }))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(items).toEqual(['Restore', 'Permanently Delete'])
    await user.click(screen.getByRole('menuitem', { name: 'Permanently Delete' }))
    const question = await screen.findByRole('dialog')
    expect(question.textContent).toContain('This action cannot be undone.')
    await user.click(within(question).getByRole('button', { name: 'Permanently Delete' }))
    await waitFor(() => expect(server.bodies(companyCalls.trash)).toEqual([{ selectedIds: [id(1)], force: true }]))
  })

  it.each([
    ['a choice', 'select', (user: User, field: HTMLElement) => user.selectOptions(field, 'Denver'), 'denver'],
    ['a text', 'text', (user: User, field: HTMLElement) => user.type(field, ' Close to the river '), 'Close to the river'],
  ] as const)('send %s in the prompt of an action under its name', async (_, type, enter, answer) => {
    const prompt = { message: 'Where to?', type, name: 'place', options: [{ value: 'denver', label: 'Denver' }] }
    server.on(companyCalls.actions, () => ({ data: [{ ...EXPORT, label: 'Move', prompt }] }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move' }))
    const question = within(await screen.findByRole('dialog', { name: 'Move' }))
    await enter(user, question.getByLabelText('Where to?'))
    await user.click(question.getByRole('button', { name: 'Move' }))
    await waitFor(() => expect(server.bodies(companyCalls.act)).toMatchObject([{ input: { place: answer }, selectedIds: [id(2)] }]))
  })

  it('have their arrow keys on checkboxes, too', async () => {
    const { user } = open()
    const first = await screen.findByRole('checkbox', { name: 'Select Company 1' })
    first.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select Company 2' }))
  })

  it('are named in the prompt of an action, whose date is today unless it is cleared', async () => {
    const prompt = { message: 'When did they leave?', type: 'date' as const, name: 'left_on' }
    server.on(companyCalls.actions, () => ({ data: [{ ...EXPORT, label: 'Leave', prompt }] }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Leave' }))
    const question = within(await screen.findByRole('dialog', { name: 'Leave' }))
    expect(question.getByText('“Company 2”')).toBeDefined()
    const date = question.getByLabelText('When did they leave?')
    expect(date).toHaveProperty('value', isoDateIn(new Date(), 'America/New_York'))
    await user.clear(date)
    await user.click(question.getByRole('button', { name: 'Leave' }))
    expect(question.getByText('Please enter the date.')).toBeDefined()
    expect(server.bodies(companyCalls.act)).toEqual([])
  })

  const marking = async (changed: { id: string; version: number }[]) => {
    const actions = [
      { ...EXPORT, action: 'mark', label: 'Mark', undo: 'unmark' },
      { ...EXPORT, action: 'unmark', label: 'Remove mark' },
    ]
    server
      .on(companyCalls.actions, () => ({ data: actions }))
      .on(companyCalls.act, () => ({ data: null, message: 'Marked.', export: null, changed }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Mark' }))
    await screen.findByText('Marked.')
    return user
  }

  it('offer Undo after an action that another one reverses, for the rows as the action left them', async () => {
    const user = await marking([{ id: id(2), version: 5 }])
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const undone = { action: 'unmark', selectedIds: [id(2)], versions: { [id(2)]: 5 } }
    await waitFor(() => expect(server.bodies(companyCalls.act).at(-1)).toMatchObject(undone))
  })

  it('offer no Undo after an action that changed nothing', async () => {
    await marking([])
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('show the message of a rejected deletion', async () => {
    server.on(companyCalls.trash, () => errorAnswer('conflict', 'You cannot delete your own company.'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Actions for Company 2' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('You cannot delete your own company.')).toBeDefined()
  })
})

describe('a page of thousands', () => {
  beforeEach(() => {
    rows = Array.from({ length: 3_000 }, (_, index) => companyRow(index + 1))
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('renders only the rows near the visible area, at the position of a full list', async () => {
    open(ALL, '/companies?paginate=9999')
    await screen.findByText('Company 1')
    const region = screen.getByRole('region', { name: 'Table of companies' })
    region.scrollTop = 40 * 1_500
    fireEvent.scroll(region)
    expect(await screen.findByText('Company 1510')).toBeDefined()
    expect(screen.queryByText('Company 1')).toBeNull()
    const spacers = [...region.querySelectorAll<HTMLElement>('tbody tr[aria-hidden]')]
    const rendered = region.querySelectorAll('tbody tr:not([aria-hidden])').length
    expect(rendered).toBeLessThan(70)
    expect(spacers.reduce((sum, spacer) => sum + Number.parseInt(spacer.style.height), rendered * 40)).toBe(3_000 * 40)
  })

  it('renders at most a screen of placeholder rows while a page of thousands loads', async () => {
    server.on(companyCalls.index, () => new Promise(() => undefined))
    open(ALL, '/companies?paginate=9999')
    const waiting = await screen.findByRole('region', { name: 'Table of companies' })
    expect(waiting.querySelectorAll('tbody tr').length).toBeLessThan(100)
  })
})

describe('filters of a list', () => {
  it('are set in a menu that begins with all filters whenever it opens', async () => {
    const { user, router } = open()
    const button = await screen.findByRole('button', { name: 'Filter' })
    await user.click(button)
    await user.click(await screen.findByRole('button', { name: 'Trash' }))
    const back = await screen.findByRole('button', { name: 'All filters, now Trash' })
    expect(document.activeElement).toBe(back)
    await user.click(screen.getByRole('radio', { name: 'Only trashed' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ filter__trashed: 'only' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('radio')).toBeNull())
    await user.click(button)
    expect(await screen.findByRole('button', { name: /^Trash/ })).toBeDefined()
  })

  it('show as chips that can be cleared one by one', async () => {
    const { user, router } = open(ALL, '/companies?filter__trashed=only&filter__invites=1')
    expect(await screen.findByText('Only trashed')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Clear filter Trash Only trashed' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ filter__invites: '1' }))
  })
})
