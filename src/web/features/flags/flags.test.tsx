import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RowAction } from '#contract/datatable.ts'
import { flagCalls, type Flag, type FlagGroups } from '#contract/flags.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { closedFlag, flag, flagRow } from '#web/testing/flags.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'

const action = (name: string, label: string, prompt: RowAction['prompt'] = null): RowAction => ({
  action: name,
  label,
  handle: 'json',
  fileName: null,
  supportsPrefix: false,
  prompt,
})
const COLUMNS = [
  tableColumn('message', 'Message', { primary: true, disabled: true }),
  tableColumn('account', 'Account'),
  tableColumn('record', 'About'),
  tableColumn('due_on', 'Due', { classes: 'date' }),
]
const GROUPS: FlagGroups = {
  total: 1_030,
  groups: [
    { check: 'DQ-10', reason: 'critical_discrepancy', count: 1_012 },
    { check: 'DQ-02', reason: 'critical_discrepancy', count: 30 },
    { check: null, reason: 'recommendation_overdue', count: 1 },
  ],
}
const closing = (message: string) => ({ type: 'text', name: 'resolution', message }) as const
const ACTIONS = [
  action('acknowledge', 'Acknowledge'),
  action('resolve', 'Resolve', closing('How was it resolved?')),
  action('dismiss', 'Dismiss', closing('Why is it dismissed?')),
  action('reopen', 'Reopen'),
]

afterEach(resetPage)

function open(path = '/flags', flags: readonly Flag[] = [flag], permissions: readonly PermissionName[] = ['manage_flags']) {
  const server = fakeServer()
    .on(flagCalls.index, () => onePage(flags.map(flagRow)))
    .on(flagCalls.columns, () => ({ data: COLUMNS }))
    .on(flagCalls.filters, () => ({ data: [] }))
    .on(flagCalls.actions, () => ({ data: ACTIONS }))
    .on(flagCalls.act, () => ({ data: null, message: '1 flag resolved.', export: null, changed: [] }))
    .on(flagCalls.groups, () => ({ data: GROUPS }))
    .on(flagCalls.show, () => ({ data: flag }))
    .on(flagCalls.assignees, () => ({ data: [] }))
  return { server, ...renderApp(path, sessionWith(permissions)) }
}

const lists = ({ requests }: { requests: readonly string[] }) => requests.filter((request) => request.startsWith('GET /flags?'))

describe('the page of flags', () => {
  it('is in the sidebar of users who manage flags, and does not exist for others', async () => {
    open()
    expect((await screen.findByRole('link', { name: 'Flags' })).getAttribute('href')).toBe('/flags')
    resetPage()
    const other = open('/flags', [], ['view_accounts_component'])
    await waitFor(() => expect(other.path()).toBe('/404'))
    expect(screen.queryByRole('link', { name: 'Flags' })).toBeNull()
    expect(lists(other.server)).toEqual([])
  })

  it('shows open flags, the soonest due first, and closed ones or all on request', async () => {
    const { server, user } = open()
    const link = await screen.findByRole('link', { name: (name) => name.endsWith(flag.message) })
    expect(within(link).getByRole('img', { name: 'High priority' })).toBeDefined()
    const query = () => new URLSearchParams(lists(server).at(-1)?.split('?')[1])
    expect(query().get('filter__status')).toBe('open,acknowledged')
    expect([query().get('sort'), query().get('order')]).toEqual(['due_on', 'asc'])
    await user.click(screen.getByRole('radio', { name: 'Closed' }))
    await waitFor(() => expect(query().get('filter__status')).toBe('resolved,dismissed'))
    await user.click(screen.getByRole('radio', { name: 'All' }))
    await waitFor(() => expect(query().get('filter__status')).toBe('open,acknowledged,resolved,dismissed'))
  })

  it('shows the flags that are assigned to the user', async () => {
    const { server, user } = open()
    const button = await screen.findByRole('button', { name: 'Mine' })
    expect(button.getAttribute('aria-pressed')).toBe('false')
    await user.click(button)
    await waitFor(() => expect(lists(server).at(-1)).toContain('filter__mine=1'))
    expect(screen.getByRole('button', { name: 'Mine' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('shows flags of people, says how many others are automatic, and lists these in one line for each check', async () => {
    const { server, user, path } = open()
    const query = () => new URLSearchParams(lists(server).at(-1)?.split('?')[1])
    const automatic = await screen.findByRole('radio', { name: 'Automatic (1,030)' })
    expect(query().get('filter__origin')).toBe('people')
    expect(screen.queryByRole('navigation', { name: 'Automatic flags by check' })).toBeNull()
    await user.click(automatic)
    const groups = await screen.findByRole('navigation', { name: 'Automatic flags by check' })
    await waitFor(() => expect(query().get('filter__origin')).toBe('system'))
    expect(
      within(groups)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['1,012 properties No values', '30 properties State and ZIP disagree', '1 property Recommendation overdue'])
    await user.click(within(groups).getByRole('link', { name: '1,012 properties No values' }))
    await waitFor(() => expect(query().get('filter__check')).toBe('DQ-10'))
    expect([query().get('filter__origin'), query().get('filter__status')]).toEqual(['system', 'open,acknowledged'])
    expect(path()).toBe('/flags?filter__origin=system&filter__check=DQ-10')
    expect(within(groups).getByRole('link', { name: '1,012 properties No values' }).getAttribute('aria-current')).toBe('true')
    await user.click(within(groups).getByRole('link', { name: '1 property Recommendation overdue' }))
    await waitFor(() => expect(query().get('filter__reason')).toBe('recommendation_overdue'))
    expect(query().get('filter__check')).toBeNull()
    await user.click(screen.getByRole('radio', { name: 'People' }))
    await waitFor(() => expect(path()).toBe('/flags?filter__origin=people'))
  })

  it('without a flag by a person, says so and leads to the automatic ones', async () => {
    const { user, path } = open('/flags', [])
    await screen.findByText('No flag by a person is open.')
    await user.click(await screen.findByRole('button', { name: 'Show 1,030 automatic flags' }))
    await waitFor(() => expect(path()).toBe('/flags?filter__origin=system'))
  })

  it('does not hide automatic flags from a filter by their reason or check', async () => {
    const { server } = open('/flags?filter__reason=critical_discrepancy')
    await waitFor(() => expect(lists(server).at(-1)).toContain('filter__origin=people%2Csystem'))
  })

  it('names a status that has no tab of its own', async () => {
    open('/flags?filter__status=acknowledged')
    expect(await screen.findByRole('radio', { name: 'Acknowledged' })).toHaveProperty('checked', true)
  })

  it('has no tab for a status that does not exist', async () => {
    open('/flags?filter__status=zzz')
    await screen.findByRole('radio', { name: 'Closed' })
    expect(screen.queryByRole('radio', { name: 'zzz' })).toBeNull()
  })

  it('links to the account and the record of a flag', async () => {
    const file: Flag = { ...flag, id: closedFlag.id, flaggable_type: 'account_file', property_id: null, title: 'lease.pdf' }
    const report: Flag = { ...flag, id: flag.account_id, flaggable_type: 'risk_control', flaggable_id: closedFlag.id, title: 'R-1' }
    open('/flags', [flag, file, report])
    const href = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
    const account = `/accounts/${flag.account_id}`
    expect(await href('Location 12')).toBe(`${account}/properties/${flag.flaggable_id}`)
    expect(await href('lease.pdf')).toBe(`${account}/files/${flag.flaggable_id}`)
    expect(await href('R-1')).toBe(`${account}/properties/${flag.flaggable_id}/risk_control/${closedFlag.id}`)
    expect(screen.getAllByRole('link', { name: 'Harbor Point Holdings' })[0]?.getAttribute('href')).toBe(account)
  })

  it('offers in the menu of a row what its state allows, and prompts for how it was resolved', async () => {
    const { server, user } = open('/flags', [flag, closedFlag])
    await user.click(await screen.findByRole('button', { name: `Actions for ${closedFlag.message}` }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Open'])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: `Actions for ${flag.message}` }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Open', 'Resolve', 'Dismiss'])
    await user.click(screen.getByRole('menuitem', { name: 'Resolve' }))
    const dialog = await screen.findByRole('dialog', { name: 'Resolve' })
    await user.type(within(dialog).getByRole('textbox', { name: 'How was it resolved?' }), 'Asked.')
    await user.click(within(dialog).getByRole('button', { name: 'Resolve' }))
    expect(await screen.findByText('1 flag resolved.')).toBeDefined()
    expect(server.bodies(flagCalls.act)[0]).toMatchObject({
      action: 'resolve',
      selectedIds: [flag.id],
      input: { resolution: 'Asked.' },
    })
  })

  it('opens a flag in a panel with its record, account and actions', async () => {
    open(`/flags/${flag.id}`)
    const panel = await screen.findByRole('dialog', { name: 'Flag' })
    expect((await within(panel).findByRole('link', { name: 'Location 12' })).getAttribute('href')).toContain('/properties/')
    expect(within(panel).getByRole('link', { name: 'Harbor Point Holdings' })).toBeDefined()
    expect(within(panel).getByText(flag.message)).toBeDefined()
    expect(within(panel).getByRole('button', { name: 'Resolve' })).toBeDefined()
  })
})
