import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'
import { columnStyle } from './column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'

/** The proposals for columns next to the address, as field and status. */
const proposed = async (columns: Readonly<Record<string, readonly Cell[]>>) => {
  const headers = Object.keys(columns)
  const rows = [0, 1, 2].map((row) => [`${row + 1} Main St`, ...headers.map((header) => columns[header]?.[row] ?? null)])
  const proposals = await proposeMapping(sheetColumns(['Address', ...headers], rows), new Map(), SETTINGS)
  return Object.fromEntries(proposals.slice(1).map(({ header, target, status }) => [header, target && `${target} ${status}`]))
}

test('buildings with letters are numbers of buildings, and longer texts names', async () => {
  expect(await proposed({ Building: ['A', 'B', 'C'] })).toEqual({ Building: 'building_number mapped' })
  expect(await proposed({ Building: ['North Hall', 'Annex', 'Mill'] })).toEqual({ Building: 'property_name mapped' })
})

test('words for an interest are no names of buildings', async () =>
  expect(await proposed({ Bldg: ['Leased', null, 'Owned'] })).toEqual({ Bldg: null }))

test('property damage is to be confirmed as the building value if no column has contents', async () => {
  const damage = { 'PD Value': [5_000_000, 9_000_000, 4_000_000] }
  expect(await proposed(damage)).toEqual({ 'PD Value': 'building_value confirm' })
  expect(await proposed({ ...damage, Contents: [500_000, 900_000, 400_000] })).toMatchObject({ 'PD Value': 'building_value mapped' })
})

test('a total building value is the building value', async () =>
  expect(await proposed({ 'Total Building Value': [5_000_000, 9_000_000, 4_000_000] })).toEqual({
    'Total Building Value': 'building_value mapped',
  }))

test('areas with a dot before three digits are areas, since the dot is a question', async () =>
  expect(await proposed({ 'Fläche m²': ['8.500', '12.000', '3.200'] })).toEqual({ 'Fläche m²': 'floor_area mapped' }))

test('damage by sprinklers is no sprinkler protection', async () =>
  expect(await proposed({ 'Sprinkler Leakage': ['Y', 'N', 'Y'] })).toEqual({ 'Sprinkler Leakage': null }))

test.each([
  ['Suburb', ['Carlton', 'Perth', 'Manly'], 'city mapped'],
  ['LOR Months', [12, 24, 36], 'bi_months mapped'],
  ['Tipo constructivo', ['Concreto', 'Madera', 'Acero'], 'construction_class mapped'],
])('the header “%s” is known', async (header, cells, target) => expect(await proposed({ [header]: cells })).toEqual({ [header]: target }))

test('thousands of square feet in a header multiply areas, and an area in a title announces nothing', () => {
  expect(columnStyle(normalizeHeader('Building Area (000 SF)'), [45.5, 120], SETTINGS).areaFactor).toBe(1_000)
  expect(['Total 12,000 SF', "Total 12'000 m2", 'Total 12 000 SF'].map(factorOf)).toEqual([1, 1, 1])
})
