import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID as ACCOUNT, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'
import { COLUMNS, PROPERTY_ID, property, row } from './properties.fixture.ts'
import { PropertiesTab } from './properties.tab.tsx'
import { propertyFilterLabel } from './property-labels.ts'
import { parseInput } from './save-cell.ts'

const account = (properties: number) => accountWith({ properties, divested_properties: 0 })
const MAY: PermissionName[] = [
  'view_account_properties',
  'update_account_properties',
  'create_account_properties',
  'bulk_upload_account_properties',
]

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(propertyCalls.show, () => ({ data: property }))
    .on(propertyCalls.update, ({ body }) => ({
      data: { ...property, version: 8, values: { ...property.values, building_value: Number(body['building_value']) } },
    }))
    .on(propertyCalls.columns, () => ({ data: COLUMNS }))
    .on(propertyCalls.index, () => onePage([row]))
})
afterEach(resetPage)

const open = (permissions: readonly PermissionName[] = MAY, path = `/accounts/${ACCOUNT}?tab=properties`, properties = 12) =>
  renderWithSession(<PropertiesTab account={account(properties)} />, { session: sessionWith(permissions), path })
const IMPORTED = { source: 'import', by: 'Dana Whitfield', at: '2026-03-04T14:05:00Z', ref: 'SOV 2026.xlsx, J512' }
const indexCalls = () => server.requests.filter((request) => request.startsWith('GET /account_properties?'))

describe('the list of properties', () => {
  it('shows the active properties of this account and the counts of active and divested ones', async () => {
    open()
    expect(await screen.findByRole('link', { name: '1 Main St' })).toBeDefined()
    expect(indexCalls()).toEqual([
      `GET /account_properties?page=1&paginate=100&sort=location_number&order=asc&filter__status=active&filter__account_id=${ACCOUNT}`,
    ])
    expect(await screen.findByText('Active 12')).toBeDefined()
    expect(screen.getByText('Divested 0')).toBeDefined()
  })

  it('switches to divested properties and stores this in the address', async () => {
    const { user, router } = open()
    await user.click(await screen.findByRole('radio', { name: 'Divested 0' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'properties', filter__status: 'divested' }))
  })

  it('shows the name of the check when it is filtered by one', async () => {
    open(MAY, `/accounts/${ACCOUNT}?filter__discrepancy=missing_year_built`)
    expect(await screen.findByText('No year built')).toBeDefined()
    expect(indexCalls()[0]).toContain('filter__discrepancy=missing_year_built')
  })

  it('offers to create or import properties when there are none', async () => {
    server.on(propertyCalls.index, () => onePage([]))
    open(MAY, `/accounts/${ACCOUNT}?tab=properties`, 0)
    expect(await screen.findByText('No properties exist on this account.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Create your first property' }).getAttribute('href')).toContain(
      `/accounts/${ACCOUNT}/properties/create`,
    )
    expect(screen.getByRole('link', { name: 'Import multiple properties' }).getAttribute('href')).toBe(`/accounts/${ACCOUNT}/import`)
  })

  it('shows a finding at its cell, and on focus its message and where the value comes from', async () => {
    open()
    const mark = await screen.findByRole('button', { name: 'Warning: The year built is missing. Enter it.' })
    expect(mark.closest('td')?.cellIndex).toBe(1)
    server.on(propertyCalls.show, () => ({ data: { ...property, values: { year_built: 1890 }, sources: { year_built: IMPORTED } } }))
    mark.focus()
    const card = await screen.findByRole('tooltip')
    expect(card.textContent).toMatch(/^Warning: The year built is missing. Enter it./)
    await waitFor(() => expect(card.textContent).toMatch(/1890, Imported by Dana Whitfield on .*SOV 2026.xlsx, J512$/s))
  })

  it('shows the short name of a property type, and names that may be cut in full as title', async () => {
    server
      .on(propertyCalls.columns, () => ({ data: [...COLUMNS, tableColumn('property_type', 'Type')] }))
      .on(propertyCalls.index, () => onePage([{ ...row, property_type: { value: 'warehouse', text: 'Warehouse / distribution' } }]))
    open()
    const shown = await screen.findByTitle('Warehouse / distribution')
    expect(shown.textContent).toBe('Warehouse')
    expect(screen.getByText('1 Main St').closest('[title]')?.getAttribute('title')).toContain('1 Main St')
  })

  it('tints a cell by its worst discrepancy, offers to set a missing value, and explains the tints to screen readers', async () => {
    const critical = { field: 'building_value', severity: 'critical', message: 'The value is too high.', widespread: false } as const
    const remark = { field: 'tiv', severity: 'info', message: 'The total is rounded.', widespread: false } as const
    server.on(propertyCalls.index, () => onePage([{ ...row, findings: [...(row.findings ?? []), critical, remark] }]))
    open([...MAY, 'view_account_properties', 'view_account_reconciliation_metric'])
    const missing = await screen.findByRole('button', { name: 'Year built: empty. Set' })
    expect([missing.textContent, missing.parentElement?.dataset['severity']]).toEqual(['Set', 'warning'])
    const mark = screen.getByRole('button', { name: 'Critical: The value is too high.' })
    expect(mark.parentElement?.dataset['severity']).toBe('critical')
    expect(screen.getByRole('button', { name: 'Info: The total is rounded.' }).parentElement?.dataset['severity']).toBeUndefined()
    expect(screen.getByText(/^Cells with a critical discrepancy are red, cells with a warning amber/)).toBeDefined()
  })

  it('does not explain tints to users who see no discrepancies', async () => {
    open([...MAY, 'view_account_properties'])
    await screen.findByText('1 Main St')
    expect(screen.queryByText(/^Cells with a critical discrepancy/)).toBeNull()
  })

  it('shows no total for a property without any value, and 0 if a value of 0 is known', async () => {
    const none = { value: null, text: '' }
    const zero = { value: 0, text: '0' }
    const unknown = { ...row, building_value: none, tiv: none }
    server.on(propertyCalls.index, () => onePage([unknown, { ...unknown, id: ACCOUNT, contents_value: zero, tiv: zero }]))
    open()
    await screen.findAllByRole('link', { name: '1 Main St' })
    const totals = screen.getAllByRole('row').slice(1)
    expect(totals.map((one) => one.querySelectorAll('td')[2]?.textContent)).toEqual(['–', '0'])
  })

  it('does not claim that a check is missing where there is nothing to check', async () => {
    open(MAY, `/accounts/${ACCOUNT}?tab=properties`, 0)
    await screen.findByRole('link', { name: '1 Main St' })
    expect(screen.queryByText(/check/i)).toBeNull()
    const openDivested = async (permissions: readonly PermissionName[]) => {
      resetPage()
      server = fakeServer()
        .on(propertyCalls.columns, () => ({ data: COLUMNS }))
        .on(propertyCalls.index, () => onePage([row]))
      open(permissions, `/accounts/${ACCOUNT}?tab=properties&filter__status=divested`)
      await screen.findByRole('link', { name: '1 Main St' })
    }
    await openDivested([...MAY, 'view_account_reconciliation_metric'])
    expect(screen.getByText('Divested properties are not checked.')).toBeDefined()
    expect(screen.queryByText('Not checked yet.')).toBeNull()
    await openDivested(MAY)
    expect(screen.queryByText(/check/i), 'nor for those who see no checks').toBeNull()
  })

  it('shows the totals of all rows that match the filters, not those of the page', async () => {
    const page = onePage([row])
    server.on(propertyCalls.index, () => ({ ...page, meta: { ...page.meta, total: 756, totals: { building_value: 91_000_000 } } }))
    open()
    expect(await screen.findByText('Total of 756 properties')).toBeDefined()
    expect(screen.getByRole('group', { name: 'Totals of properties' }).textContent).toContain('$91,000,000')
  })

  it('shows no totals when the server sends none', async () => {
    open()
    await screen.findByRole('link', { name: '1 Main St' })
    expect(screen.queryByText(/^Total of/)).toBeNull()
  })
})

describe('an editable cell', () => {
  const edit = async () => {
    const view = open()
    await view.user.click(await screen.findByRole('button', { name: 'Building value: 900,000. Edit' }))
    const input = await screen.findByRole('textbox', { name: 'Building value' })
    await view.user.clear(input)
    return { ...view, input }
  }
  /** Another user has saved the record meanwhile: the current version is 9. */
  const meanwhile = (values: Property['values']) =>
    server
      .on(propertyCalls.show, () => ({ data: { ...property, version: 9, values: { ...property.values, ...values } } }))
      .on(propertyCalls.update, ({ body }) =>
        body['version'] === 9
          ? { data: { ...property, version: 10 } }
          : errorAnswer('conflict', 'Another user changed this.', {}, { changed_by: 'Mira Chen' }),
      )

  it('is saved by Enter in one call with the version of the row', async () => {
    const { user, input } = await edit()
    await user.type(input, '$1,250,000{Enter}')
    await waitFor(() => expect(server.bodies(propertyCalls.update)).toEqual([{ version: 7, edit: 'list', building_value: 1_250_000 }]))
    expect(server.requests.filter((request) => request === `GET /account_properties/${PROPERTY_ID}`)).toEqual([])
  })

  it('can be clicked anywhere, not only on its text', async () => {
    const { user, router } = open()
    const cell = (await screen.findByRole('button', { name: 'Building value: 900,000. Edit' })).closest('td')
    await user.click(cell ?? document.body)
    await screen.findByRole('textbox', { name: 'Building value' })
    expect(router.state.location.pathname).toBe(`/accounts/${ACCOUNT}`)
  })

  it('confirms the saved value and restores the previous one on Undo', async () => {
    const { user, input } = await edit()
    await user.type(input, '5{Enter}')
    await screen.findByText('Building value changed from $900,000 to $5.')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodies(propertyCalls.update).at(-1)).toEqual({ version: 8, edit: 'undo', building_value: 900_000 }))
    await screen.findByText('Building value is $900,000 again.')
  })

  it('says who has changed the property when the Undo comes too late', async () => {
    const { user, input } = await edit()
    await user.type(input, '5{Enter}')
    await screen.findByText('Building value changed from $900,000 to $5.')
    const late = { version: 9, changed_by: 'Ada King', current: {}, mine: {} }
    server.on(propertyCalls.update, () => errorAnswer('conflict', 'Compare both versions and save again.', {}, late))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Not undone: Ada King has changed the property since.')).toBeDefined()
    expect(screen.queryByText(/Compare both/)).toBeNull()
  })

  it('cancels with Escape and gets the focus back', async () => {
    const { user, input } = await edit()
    await user.type(input, '5{Escape}')
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Building value: 900,000. Edit' }))
    expect(server.bodies(propertyCalls.update)).toEqual([])
  })

  it('closes with Enter on an unchanged value and gets the focus back', async () => {
    const { user, input } = await edit()
    await user.type(input, '900000')
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Building value: 900,000. Edit' }))
    expect(server.bodies(propertyCalls.update)).toEqual([])
  })

  it('shows what is wrong with an invalid value and does not save it', async () => {
    const { user, input } = await edit()
    await user.type(input, 'lots{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe('Building value must be a number.')
    expect(server.bodies(propertyCalls.update)).toEqual([])
  })

  it('shows both values when another user changed the same one', async () => {
    const { user, input } = await edit()
    meanwhile({ building_value: 700_000 })
    await user.type(input, '5{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('Mira Chen saved $700,000 meanwhile; you entered $5.')
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(server.bodies(propertyCalls.update).at(-1)).toEqual({ version: 9, edit: 'list', building_value: 5 }))
  })

  it('shows the value that would be saved next to that of another user, also if it was typed with commas and cents', async () => {
    const { user, input } = await edit()
    meanwhile({ building_value: 700_000 })
    await user.type(input, '1,234,567.89{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain('Mira Chen saved $700,000 meanwhile; you entered $1,234,568.')
  })

  it('is saved without a question if another user saved the same value, also if it was typed with cents', async () => {
    const { user, input } = await edit()
    meanwhile({ building_value: 1_234_568 })
    await user.type(input, '1,234,567.89{Enter}')
    await waitFor(() => expect(server.bodies(propertyCalls.update).at(-1)).toEqual({ version: 9, edit: 'list', building_value: 1_234_568 }))
    expect(screen.queryByText(/meanwhile/)).toBeNull()
  })

  it('is not disabled while it is saved, since a browser would take the focus away', async () => {
    const { user, input } = await edit()
    server.on(propertyCalls.update, () => new Promise(() => undefined))
    await user.type(input, '5{Enter}')
    await waitFor(() => expect(input).toMatchObject({ disabled: false, readOnly: true }))
  })

  it('has the focus while both values are shown', async () => {
    const { user, input } = await edit()
    meanwhile({ building_value: 700_000 })
    await user.type(input, '5{Enter}')
    await screen.findByRole('alert')
    expect(document.activeElement).toBe(input)
    expect(input).toHaveProperty('readOnly', false)
  })

  it.each(['Keep mine', 'Take theirs'])('gets the focus back after %s', async (choice) => {
    const { user, input } = await edit()
    meanwhile({ building_value: 700_000 })
    await user.type(input, '5{Enter}')
    await user.click(await screen.findByRole('button', { name: choice }))
    const cell = await screen.findByRole('button', { name: /^Building value: .* Edit$/ })
    await waitFor(() => expect(document.activeElement).toBe(cell))
  })

  it('is not left with Tab while its value is invalid', async () => {
    const { user, input } = await edit()
    await user.type(input, 'lots')
    await user.tab()
    expect((await screen.findByRole('alert')).textContent).toBe('Building value must be a number.')
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true')
    expect(input).toHaveProperty('value', 'lots')
    await user.clear(input)
    await user.type(input, '5')
    await user.tab()
    await waitFor(() => expect(server.bodies(propertyCalls.update)).toEqual([{ version: 7, edit: 'list', building_value: 5 }]))
  })

  it('is saved when another user changed a different value of the property', async () => {
    const { user, input } = await edit()
    meanwhile({ year_built: 1990 })
    await user.type(input, '5{Enter}')
    await waitFor(() => expect(server.bodies(propertyCalls.update).at(-1)).toEqual({ version: 9, edit: 'list', building_value: 5 }))
    expect(screen.queryByText(/meanwhile/)).toBeNull()
  })

  describe('with a choice', () => {
    const openChoice = async () => {
      server.on(propertyCalls.columns, () => ({ data: [...COLUMNS, tableColumn('construction_class', 'Construction (ISO)')] }))
      const { user } = open()
      await user.click(await screen.findByRole('button', { name: 'Construction (ISO): empty. Edit' }))
      const select = await screen.findByRole('combobox', { name: 'Construction (ISO)' })
      return { select, choose: (code: string) => user.selectOptions(select, code) }
    }
    const answers: (() => void)[] = []
    const afterSave = (body: Record<string, unknown>): Property => ({
      ...property,
      version: Number(body['version']) + 1,
      values: { ...property.values, construction_class: String(body['construction_class']) },
    })
    /** Saves wait until the test answers them; the version rises with each. */
    const answerLater = () =>
      server.on(propertyCalls.update, ({ body }) => new Promise((resolve) => answers.push(() => resolve({ data: afterSave(body) }))))
    const saved = () => server.bodies(propertyCalls.update)

    it('shows and saves the last choice that was made while an earlier one is saved', async () => {
      answerLater()
      const { select, choose } = await openChoice()
      for (const code of ['1', '2', '3']) await choose(code)
      expect(select).toHaveProperty('value', '3')
      answers.pop()?.()
      await waitFor(() => expect(saved()).toHaveLength(2))
      answers.pop()?.()
      await screen.findByRole('button', { name: /^Construction \(ISO\): .* Edit$/ })
      expect(saved()).toEqual([
        { version: 7, edit: 'list', construction_class: '1' },
        { version: 8, edit: 'list', construction_class: '3' },
      ])
    })

    it('saves once if the same choice is made again while it is saved', async () => {
      answerLater()
      const { choose } = await openChoice()
      for (const code of ['1', '2', '1']) await choose(code)
      answers.pop()?.()
      await screen.findByRole('button', { name: /^Construction \(ISO\): .* Edit$/ })
      expect(saved()).toEqual([{ version: 7, edit: 'list', construction_class: '1' }])
    })

    it('saves the last choice if the server rejects the earlier one', async () => {
      const failed: (() => void)[] = []
      server.on(propertyCalls.update, () => new Promise((resolve) => failed.push(() => resolve(errorAnswer('invalid', 'Choose another.')))))
      const { choose } = await openChoice()
      for (const code of ['1', '2']) await choose(code)
      failed.pop()?.()
      await waitFor(() => expect(saved()).toHaveLength(2))
      expect(saved()[1]).toEqual({ version: 7, edit: 'list', construction_class: '2' })
    })
  })

  it('is plain text without the permission to update properties', async () => {
    open(['view_account_properties'])
    await screen.findByRole('link', { name: '1 Main St' })
    expect(screen.queryByRole('button', { name: /Edit$/ })).toBeNull()
  })
})

describe('the labels of properties', () => {
  it('parse typed values by the kind of the field', () => {
    expect(parseInput('floor_area', '12,500')).toEqual({ value: 12_500 })
    expect(parseInput('building_value', '$1,500.75')).toEqual({ value: 1_501 })
    expect(parseInput('building_value', '1500,75')).toEqual({ problem: expect.stringContaining('Building value') })
    expect(parseInput('year_built', '')).toEqual({ value: null })
    expect(parseInput('year_built', '1900.5')).toEqual({ problem: 'Please enter a whole number.' })
    expect(parseInput('state', ' TX ')).toEqual({ value: 'TX' })
    expect(parseInput('construction_class', '9')).toHaveProperty('problem')
  })

  it('format filters for display', () => {
    expect(propertyFilterLabel('discrepancy_group', 'location')).toEqual({ label: 'Kind of check', text: 'Locations to verify' })
    expect(propertyFilterLabel('severity', 'critical')).toEqual({ label: 'Severity', text: 'Critical' })
    expect(propertyFilterLabel('city', 'Houston')).toBeUndefined()
  })
})
