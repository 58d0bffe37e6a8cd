import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import type { PropertyChange } from '#contract/property-history.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { property } from './properties.fixture.ts'
import { PropertyHistory } from './property-history.tsx'

const MAY = ['view_account_activity', 'update_account_properties'] as const
const change = (values: Partial<PropertyChange>): PropertyChange => ({
  id: '1-year_built',
  field: 'year_built',
  from: 1970,
  to: 1985,
  at: '2026-11-20T12:00:00.000Z',
  by: 'Dana Whitfield',
  source: 'form',
  ref: null,
  ...values,
})

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
})
afterEach(resetPage)

const open = (changes: PropertyChange[], permissions: Parameters<typeof sessionWith>[0] = [...MAY], shown: Property = property) => {
  server.on(propertyCalls.history, () => onePage(changes))
  return renderWithSession(<PropertyHistory property={shown} />, { session: sessionWith(permissions) })
}

describe('the history of a property', () => {
  test('names field, both values, user and source of each change', async () => {
    open([
      change({ id: '2-building_value', field: 'building_value', from: null, to: 1_500_000, source: 'import', ref: 'Schedule.xlsx' }),
      change({ id: '1-custom.Notes', field: 'custom.Notes', from: 'old', to: '<b>new</b>', source: 'undo' }),
    ])
    const lines = await screen.findAllByRole('listitem')
    expect(lines[0]?.textContent).toContain('Building value: empty → $1,500,000')
    expect(lines[0]?.textContent).toContain('Dana Whitfield · import: Schedule.xlsx')
    expect(lines[1]?.textContent).toContain('Notes: old → <b>new</b>')
    // Other columns of an import cannot be edited.
    expect(within(lines[1] ?? document.body).queryByRole('button')).toBeNull()
  })

  test('restores a former value by an ordinary save', async () => {
    const former = change({ from: 1970 })
    server.on(propertyCalls.update, () => ({
      data: { ...property, version: property.version + 1, values: { ...property.values, year_built: 1970 } },
    }))
    const { user } = open([former])
    await user.click(await screen.findByRole('button', { name: 'Restore this value' }))
    await waitFor(() =>
      expect(server.bodies(propertyCalls.update)).toEqual([{ version: property.version, edit: 'restore', year_built: 1970 }]),
    )
    await screen.findByText(/Year built changed from .* to 1970/)
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined()
  })

  test('says why a value could not be restored', async () => {
    server.on(propertyCalls.update, () => errorAnswer('invalid', 'Year built is after the year upgraded.'))
    const { user } = open([change({})])
    await user.click(await screen.findByRole('button', { name: 'Restore this value' }))
    expect(await screen.findByText('Year built is after the year upgraded.')).toBeDefined()
  })

  test('offers no restore of the present value, or without the permission', async () => {
    open([change({ from: property.values['year_built'] ?? null })])
    await screen.findByText('Year built')
    expect(screen.queryByRole('button', { name: 'Restore this value' })).toBeNull()
  })

  test('offers no restore to users who cannot edit properties', async () => {
    open([change({})], ['view_account_activity'])
    await screen.findByText('Year built')
    expect(screen.queryByRole('button', { name: 'Restore this value' })).toBeNull()
  })

  test('is empty before the first change', async () => {
    open([])
    expect(await screen.findByText('No value has been changed.')).toBeDefined()
  })
})
