import { describe, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { connectedWith, propertyKeys, rangeKeys, rowKeys } from './row-links.ts'

type Row = RowFields & { chosen?: string; byHand?: boolean }
const keysOfRow = ({ chosen, byHand, ...fields }: Row) =>
  rowKeys({ number: 0, fields, keys: addressKeys(fields), propertyId: chosen ?? null, ...(byHand ? { matchedByHand: true } : {}) })

/** What a change of the first row can affect: other rows by their number from 2, and properties by their id. */
function affected(rows: Row[], properties: Record<string, RowFields> = {}): (number | string)[] {
  const keys = new Map(rows.map((row, at) => [at + 1, keysOfRow(row)]))
  const propertyKeysById = new Map(
    Object.entries(properties).map(([id, values]) => [id, propertyKeys({ id, values, ...addressKeys(values) })]),
  )
  const found = connectedWith(keys.get(1) ?? [], keys, propertyKeysById)
  return [...[...found.rows].filter((number) => number !== 1).sort((a, b) => a - b), ...[...found.properties].sort()]
}

const SKY: RowFields = { address: '9210 Sky Park Ct', city: 'San Diego', state: 'CA', postal_code: '92123' }
const HERE: RowFields = { latitude: 48.25, longitude: -101.3, building_value: 100_000 }
const { building_value: _, ...POINT } = HERE

describe('a change of a row can affect', () => {
  test.each<[string, Row, Row, boolean]>([
    ['the same location number', { location_number: ' 7a' }, { location_number: '7A ', building_number: '2' }, true],
    ['another location number', { location_number: '7' }, { location_number: '8' }, false],
    ['the same client reference', { external_id: 'X' }, { external_id: 'X' }, true],
    ['a reference like its number', { location_number: 'X' }, { external_id: 'X' }, false],
    ['the same address', { ...SKY, city: '' }, { ...SKY, address: '9210 Sky Park Court', city: '' }, true],
    ['the same street with another ZIP', SKY, { ...SKY, postal_code: '92199' }, true],
    ['another address', SKY, { ...SKY, address: '5 Elm Rd' }, false],
    ['the same name and city', { property_name: 'Mill 1', city: 'Tulsa' }, { property_name: 'MILL #1', city: 'tulsa' }, true],
    ['the same name', { property_name: 'Mill', city: 'Tulsa' }, { property_name: 'Mill', city: 'Omaha' }, false],
    ['nothing in common', {}, {}, false],
    ['the same coordinates', HERE, HERE, false],
  ])('a row with %s', (_name, first, second, isAffected) => expect(affected([first, second])).toEqual(isAffected ? [2] : []))

  test.each<[string, Row, RowFields, boolean]>([
    ['the same location number', { location_number: '7' }, { location_number: '7', building_number: '2' }, true],
    ['the same client reference', { external_id: 'X' }, { external_id: 'X' }, true],
    ['the same address', SKY, { ...SKY, address: '9210 Sky Park Court' }, true],
    ['coordinates nearby', HERE, { ...POINT, latitude: 48.2505, longitude: -101.2995 }, true],
    ['coordinates far away', HERE, { ...POINT, latitude: 48.253 }, false],
    ['the same coordinates, if the row has no value', POINT, POINT, false],
    ['the same coordinates, if one of them is missing', HERE, { latitude: 48.25 }, false],
    ['a longitude of 0, if the property has none', { ...HERE, longitude: 0 }, { latitude: 48.25, longitude: null }, false],
    ['a latitude of 0, if the property has none', { ...HERE, latitude: 0 }, { latitude: null, longitude: -101.3 }, false],
    ['nothing in common', {}, {}, false],
    ['the choice of the user', { chosen: 'a', byHand: true }, {}, true],
    ['a match that the user did not choose', { chosen: 'a' }, {}, false],
    ['the choice of another one', { chosen: 'b', byHand: true }, {}, false],
  ])('a property with %s', (_name, row, values, isAffected) => expect(affected([row], { a: values })).toEqual(isAffected ? ['a'] : []))

  test('rows and properties that are connected through others', () => {
    const rows = [{ location_number: '1' }, { location_number: '1', external_id: 'X' }, { external_id: 'X' }, { external_id: 'Y' }]
    expect(affected(rows)).toEqual([2, 3])
    expect(affected([{ location_number: '1' }, { external_id: 'X' }], { a: { location_number: '1', external_id: 'X' } })).toEqual([2, 'a'])
  })
  test('rows near a property near it, but not properties near each other', () => {
    const further = { ...POINT, latitude: 48.2525 }
    expect(affected([HERE, HERE], { a: POINT })).toEqual([2, 'a'])
    expect(affected([HERE], { a: POINT, b: further })).toEqual(['a'])
  })
})

describe('rows in one merged range', () => {
  const area = { left: 2, right: 2, top: 3, bottom: 5 }
  const keys = rangeKeys(
    new Map([
      [0, [area, { ...area, left: 4, right: 4, top: 5, bottom: 7 }, { left: 1, right: 9, top: 4, bottom: 4 }]],
      [1, [area]],
    ]),
  )
  test('are connected if the range is vertical', () => {
    expect([keys(0, 3), keys(0, 4)]).toEqual([['merged 0 2 3'], ['merged 0 2 3']])
    expect(keys(0, 5)).toEqual(['merged 0 2 3', 'merged 0 4 5'])
  })
  test('are not connected with rows outside or on another sheet', () => {
    expect([keys(0, 2), keys(0, 8), keys(2, 4)]).toEqual([[], [], []])
    expect(keys(1, 4)).toEqual(['merged 1 2 3'])
  })
})
