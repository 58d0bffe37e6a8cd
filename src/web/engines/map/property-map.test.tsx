import { screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import type { Polygon } from 'geojson'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mapCalls, type MapMarker } from '#contract/map.ts'
import { queries } from '#web/data/queries.ts'
import { fakeServer, errorAnswer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { PropertyMap } from './property-map.tsx'
import { labelPoint } from './base-map-data.ts'
import { densestMarkers } from './densest-markers.ts'

// jsdom has no WebGL; the browser tests cover the canvas.
vi.mock('./map-canvas.tsx', () => ({ MapCanvas: () => <p>drawn map</p> }))

const ACCOUNT = '0198c0de-0000-7000-8000-0000000000a1'
const markerOf = (index: number, name: string): MapMarker => ({
  position: { lat: 32 + index / 100, lng: -97 },
  info: {
    id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
    property_name: name,
    address: `${String(index)} Elm St`,
    address_2: '',
    meta: [{ label: 'TIV', value: '$1,000' }],
  },
})

let server: FakeServer
const opened = vi.fn<(id: string) => void>()
beforeEach(() => {
  server = fakeServer()
  opened.mockReset()
})
afterEach(resetPage)
const Shown = () => <PropertyMap query={useQuery(queries.propertyMap(ACCOUNT))} onOpen={opened} />
const show = () => renderWithSession(<Shown />, { session: sessionWith([]) })

describe('the map of an account', () => {
  test('shows a message while its data is loading', async () => {
    server.on(mapCalls.ofAccount, () => new Promise<never>(() => undefined))
    show()
    expect(await screen.findByText('Please wait while we gather the map data...')).toBeDefined()
  })

  test('can switch to a list in which the keyboard opens a property', async () => {
    server.on(mapCalls.ofAccount, () => ({ data: { markers: [markerOf(1, 'Tower'), markerOf(2, '')], missing: null } }))
    const { user } = show()
    await screen.findByText('drawn map')
    await user.click(screen.getByRole('radio', { name: 'List' }))
    screen.getByRole('button', { name: /^Tower1 Elm St/ }).focus()
    await user.keyboard('{Enter}')
    expect(opened).toHaveBeenCalledWith(markerOf(1, '').info.id)
    expect(screen.getByRole('button', { name: /^2 Elm St/ })).toBeDefined()
  })

  test('links to the properties that are not on it', async () => {
    const action = {
      model: 'account_properties',
      filters: { filter__account_id: ACCOUNT, filter__discrepancy: 'location_unverified' },
      search: '',
    }
    server.on(mapCalls.ofAccount, () => ({
      data: { markers: [markerOf(1, 'Tower')], missing: { count: 4, text: '4 properties are not on the map', action } },
    }))
    show()
    const link = await screen.findByRole('link', { name: '4 properties are not on the map' })
    expect(link.getAttribute('href')).toBe(`/accounts/${ACCOUNT}?tab=properties&filter__discrepancy=location_unverified`)
  })

  test('explains what is missing when no property has a position', async () => {
    server.on(mapCalls.ofAccount, () => ({ data: { markers: [], missing: null } }))
    show()
    const text = await screen.findByText(/No property has a position yet/)
    // Collapsed: an empty map of full height would say nothing.
    expect(text.closest('section')?.querySelector('[style^="height"]')).toBeNull()
    expect(screen.queryByText('drawn map')).toBeNull()
  })

  test('offers to retry after an error', async () => {
    server.on(mapCalls.ofAccount, () => errorAnswer('not_found', 'This account does not exist.'))
    const { user } = show()
    await screen.findByText('This account does not exist.')
    server.on(mapCalls.ofAccount, () => ({ data: { markers: [markerOf(1, 'Tower')], missing: null } }))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('drawn map')).toBeDefined()
  })
})

describe('the first view of the map', () => {
  const at = (lat: number, lng: number) => ({ ...markerOf(1, ''), position: { lat, lng } })
  const many = (count: number, lat: number, lng: number) => Array.from({ length: count }, (_, index) => at(lat + index / 1_000, lng))

  test('shows the densest regions with nearly all properties', () => {
    const west = [...many(60, 34, -118), ...many(37, 47.6, -122.3)]
    expect(densestMarkers([...west, ...many(3, 61.2, -149.9)])).toHaveLength(97)
  })

  test('shows all properties when no region has nearly all of them', () => {
    const markers = [...many(10, 34, -118), ...many(10, 40.7, -74), ...many(10, 61.2, -149.9)]
    expect(densestMarkers(markers)).toHaveLength(30)
    expect(densestMarkers([at(34, -118)])).toHaveLength(1)
    expect(densestMarkers([])).toEqual([])
  })
})

describe('the label of a state', () => {
  const square = (x: number, y: number, side: number): Polygon['coordinates'] => [
    [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ],
  ]

  test('is in the middle of its largest part', () => {
    const [x, y] = labelPoint({ type: 'MultiPolygon', coordinates: [square(0, 0, 1), square(10, 20, 4)] })
    expect(x).toBeCloseTo(12)
    expect(y).toBeCloseTo(22)
  })
})
