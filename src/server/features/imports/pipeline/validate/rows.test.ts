import { describe, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readRow } from './read-row.ts'
import type { RowFields } from './results.ts'
import { findDuplicates } from './validate-rows.ts'

const PLACE = { address: '1 Main St', city: 'San Diego', state: 'CA' } as const

/** Reads one row given as target and cell. */
function read(cells: Partial<Record<MappingTarget, Cell>>, constants: RowFields = {}) {
  const entries = Object.entries(cells)
  const mapping = Object.fromEntries(entries.map(([target], index) => [columnLetters(index + 1), target])) as Record<string, MappingTarget> // keys of the parameter
  const plan = createReadPlan(
    mapping,
    (column) => `Header ${column}`,
    (index, header) => columnStyle(header, [entries[index]?.[1] ?? null], SETTINGS),
    constants,
  )
  return readRow(
    entries.map(([, cell]) => cell),
    plan,
  )
}
const codes = (row: ReturnType<typeof read>) => row.issues.map(({ severity, code, column }) => `${severity} ${code} ${column ?? '-'}`)

describe('a row', () => {
  test('without street, city or state has errors with the mapped column', () =>
    expect(codes(read({ address: null, city: 'Fresno' }))).toEqual(['error required_missing A', 'error required_missing -']))
  test('is filled in from constants, except for the street', () => {
    const row = read({ address: '1 Main St', city: null }, { city: 'Fresno', state: 'CA', valuation_date: '2026-01-01', address: '9 Elm' })
    expect(row.fields).toMatchObject({
      address: '1 Main St',
      city: 'Fresno',
      state: 'CA',
      country: 'US',
      currency: 'USD',
      valuation_date: '2026-01-01',
    })
    expect(row.issues).toEqual([])
  })
  test('has no value for an empty cell', () => {
    const row = read({ ...PLACE, contents_value: null, tenants: '  ' })
    expect([Object.keys(row.fields).includes('contents_value'), row.empty]).toEqual([false, ['contents_value', 'tenants']])
  })
  test('an address in one cell is split', () =>
    expect(read({ full_address: '100 Main St, Suite 4, Fresno, CA 93721' }).fields).toMatchObject({
      address: '100 Main St',
      address_2: 'Suite 4',
      city: 'Fresno',
      state: 'CA',
      postal_code: '93721',
    }))
  test('an address that cannot be split is one error', () =>
    expect(codes(read({ full_address: 'somewhere' }))).toEqual(['error address_parts A']))
  test('adds the columns of business income', () => {
    const mapping = { A: 'bi_value', B: 'bi_value', C: 'address', D: 'city', E: 'state' } as const
    const plan = createReadPlan(
      mapping,
      () => '',
      (_index, header) => columnStyle(header, [], SETTINGS),
      {},
    )
    expect(readRow([100, '$20', '1 Main St', 'Fresno', 'CA'], plan).fields.bi_value).toBe(120)
  })
  test('has custom fields by their header', () => expect(read({ ...PLACE, custom: 'blue' }).custom).toEqual({ 'Header D': 'blue' }))
  test('a formula without a result is a warning', () =>
    expect(codes(read({ ...PLACE, stated_tiv: { formula: '=VLOOKUP(A1,B:C,2)' } }))).toEqual(['warning formula_without_value D']))
  test('has the construction as given and its class', () =>
    expect(read({ ...PLACE, construction_class: 'Steel Frame' }).fields).toMatchObject({
      construction_class: '3',
      construction_original: 'Steel Frame',
    }))
  test('a stated total that is not the sum is a warning', () => {
    expect(codes(read({ ...PLACE, building_value: 100_000, stated_tiv: 102_000 }))).toEqual(['warning out_of_range E'])
    expect(codes(read({ ...PLACE, building_value: 100_000, stated_tiv: 100_900 }))).toEqual([])
  })
  test.each(['TBD', 'PO Box 12', 'Main Street'])('the street %s is a warning, not an error', (address) =>
    expect(codes(read({ ...PLACE, address }))).toHaveLength(1),
  )
})

describe('the location', () => {
  const place = (cells: Partial<Record<MappingTarget, Cell>>) => read({ ...PLACE, ...cells })
  test('a ZIP gets its leading zero back', () => {
    const row = place({ state: 'NJ', postal_code: 7030 })
    expect([row.fields.postal_code, codes(row)]).toEqual(['07030', []])
  })
  test('nine digits are ZIP+4', () => expect(place({ postal_code: 921221243 }).fields.postal_code).toBe('92122-1243'))
  test('abbreviated states are read', () => expect(place({ state: 'Calif.' }).fields.state).toBe('CA'))
  test('a ZIP of another state is a warning', () =>
    expect(codes(place({ postal_code: '10730' }))).toEqual(['warning state_zip_mismatch D']))
  test('an invalid ZIP is an error', () => expect(codes(place({ postal_code: '9212X' }))).toEqual(['error bad_postal_code D']))
  test('an unknown state is one error', () => expect(codes(place({ state: 'Kalifornia' }))).toEqual(['error unknown_state C']))
  test('a province makes the row Canadian', () =>
    expect(place({ state: 'Ontario', postal_code: 'm5h1a1' }).fields).toMatchObject({ state: 'ON', country: 'CA', postal_code: 'M5H 1A1' }))
  test('the state is not checked in other countries', () =>
    expect(codes(read({ address: '1 Rue X', city: 'Paris', country: 'France', postal_code: '75001' }))).toEqual([]))
  test.each<[Cell, Cell, string]>([
    [39.04, 999, 'error bad_coordinates E'],
    [-117.16, 32.7, 'error swapped_coordinates D'],
    [39.04, null, 'warning bad_coordinates D'],
    [0, 0, 'warning bad_coordinates D'],
  ])('latitude %j with longitude %j: %s, and neither is imported', (latitude, longitude, code) => {
    const row = place({ latitude, longitude })
    expect([codes(row), row.fields.latitude, row.fields.longitude]).toEqual([[code], undefined, undefined])
  })
})

describe('duplicates', () => {
  const find = (...rows: RowFields[]) =>
    [...findDuplicates(rows.map((fields, index) => ({ number: index + 1, fields, keys: addressKeys(fields) })))].map(
      ([row, { severity }]) => `${row} ${severity}`,
    )
  const at = (over: RowFields): RowFields => ({
    ...PLACE,
    address: '9210 Sky Park Ct',
    postal_code: '92123',
    building_value: 7_415_300,
    ...over,
  })
  test('two rows with the same numbers are an error', () =>
    expect(find({ location_number: '1' }, { location_number: '2' }, { location_number: '1', building_number: '1' })).toEqual(['3 error']))
  test('the same building under two numbers is a warning', () =>
    expect(find(at({ location_number: '7903' }), at({ location_number: '7999', address: '9210 Sky Park Court' }))).toEqual(['2 warning']))
  test('two buildings at one address are not duplicates', () =>
    expect(find(at({ location_number: '7907' }), at({ location_number: '7911', building_value: 4_494_000 }))).toEqual([]))
  test('two building numbers at one address are not duplicates', () =>
    expect(find(at({ building_number: '1' }), at({ building_number: '2' }))).toEqual([]))
})
