import { describe, expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readRow } from './read-row.ts'
import type { RowFields } from './results.ts'

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
    expect(codes(read({ ...PLACE, building_value: 100_000, stated_tiv: 102_000 }))).toEqual(['warning total_differs E'])
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
  test('eight or nine digits are ZIP+4', () => {
    expect(place({ postal_code: 921221243 }).fields.postal_code).toBe('92122-1243')
    expect(place({ state: 'NJ', postal_code: '7030-1234' }).fields.postal_code).toBe('07030-1234')
  })
  test('of Canada needs a state, those of other countries street and city only', () => {
    expect(codes(read({ address: '1 Main St', city: 'Toronto', country: 'CA' }))).toEqual(['error required_missing -'])
    expect(codes(read({ address: null, city: null, country: 'France' }))).toEqual(['error required_missing A', 'error required_missing B'])
  })
  test.each<[number, number, string | undefined]>([
    [-60, 15, 'swapped_coordinates'],
    [-180, 72, 'swapped_coordinates'],
    [-59.9, 15, undefined],
    [-60, 14.9, undefined],
    [-60, 72.1, undefined],
    [-181, 40, 'bad_coordinates'],
    [12, 40, undefined],
  ])('latitude %d with longitude %d: %s', (latitude, longitude, code) =>
    expect(place({ latitude, longitude }).issues.map((issue) => issue.code)).toEqual(code === undefined ? [] : [code]),
  )
  test('abbreviated states are read', () => expect(place({ state: 'Calif.' }).fields.state).toBe('CA'))
  test('a ZIP of another state is a warning', () =>
    expect(codes(place({ postal_code: '10730' }))).toEqual(['warning state_zip_mismatch D']))
  test('an invalid ZIP is a warning', () => expect(codes(place({ postal_code: '9212X' }))).toEqual(['warning bad_postal_code D']))
  test('an unknown state is one error', () => expect(codes(place({ state: 'Kalifornia' }))).toEqual(['error unknown_state C']))
  test('a province makes the row Canadian', () =>
    expect(place({ state: 'Ontario', postal_code: 'm5h1a1' }).fields).toMatchObject({ state: 'ON', country: 'CA', postal_code: 'M5H 1A1' }))
  test('the state is not checked in other countries', () =>
    expect(codes(read({ address: '1 Rue X', city: 'Paris', country: 'France', postal_code: '75001' }))).toEqual([]))
  test.each<[Cell, Cell, string]>([
    [39.04, 999, 'warning bad_coordinates E'],
    [-117.16, 32.7, 'warning swapped_coordinates D'],
    [39.04, null, 'warning bad_coordinates D'],
    [0, 0, 'warning bad_coordinates D'],
  ])('latitude %j with longitude %j: %s, and neither is imported', (latitude, longitude, code) => {
    const row = place({ latitude, longitude })
    expect([codes(row), row.fields.latitude, row.fields.longitude]).toEqual([[code], undefined, undefined])
  })
})

describe('an optional cell that cannot be read', () => {
  test.each<[Partial<Record<MappingTarget, Cell>>, string]>([
    [{ building_count: 0 }, 'out_of_range'],
    [{ building_count: '0.0E0' }, 'out_of_range'],
    [{ latitude: 407_128, longitude: -74.006 }, 'bad_coordinates'],
    [{ country: 'CA', state: 'ON', postal_code: 'M5H' }, 'bad_postal_code'],
    [{ year_built: 2031 }, 'out_of_range'],
    [{ building_value: 'see appraisal' }, 'not_a_number'],
    [{ location_number: '7'.repeat(21) }, 'too_long'],
  ])('leaves the field of %j empty with a warning', (cells, code) => {
    const row = read({ ...PLACE, ...cells })
    expect(row.issues.map((issue) => `${issue.severity} ${issue.code}`)).toEqual([`warning ${code}`])
    const [issue] = row.issues
    expect([issue?.field && row.fields[issue.field], issue?.value]).toEqual([undefined, expect.any(String)])
  })
  test('is not one in scientific notation', () =>
    expect(
      read({ ...PLACE, building_value: '1.2E4', floor_area: '1.2E4', stories: '2.0E0', year_built: '1.985E3', contents_value: '0.0E0' }),
    ).toMatchObject({
      fields: { building_value: 12_000, floor_area: 12_000, stories: 2, year_built: 1985, contents_value: 0 },
      issues: [],
    }))
})

describe('the messages of a row', () => {
  const messages = (cells: Partial<Record<MappingTarget, Cell>>) => read({ ...PLACE, ...cells }).issues.map(({ message }) => message)
  test.each<[Partial<Record<MappingTarget, Cell>>, string]>([
    [{ state: 'Zorp' }, '“Zorp” is not a US state. Type the two-letter code, such as CA.'],
    [{ postal_code: '9212312345' }, '“9212312345” is not a ZIP code, so the field stays empty. Type five digits such as 92123, or ZIP+4.'],
    [{ state: 'Texas', country: 'Canada' }, '“Texas” is not a Canadian province. Type the two-letter code, such as ON.'],
    [{ postal_code: '1' }, '“1” is not a ZIP code, so the field stays empty. Type five digits such as 92123, or ZIP+4.'],
    [
      { postal_code: '92123', state: 'ON', country: 'CA' },
      '“92123” is not a Canadian postal code, so the field stays empty. Type a code such as M5H 1A1.',
    ],
    ...['XM5H 1A1', 'M5H 1A1X'].map((code): [Partial<Record<MappingTarget, Cell>>, string] => [
      { postal_code: code, state: 'ON', country: 'CA' },
      `“${code}” is not a Canadian postal code, so the field stays empty. Type a code such as M5H 1A1.`,
    ]),
    [{ postal_code: '10730' }, 'ZIP 10730 is in New York, not in California. Correct the ZIP or the state.'],
    [{ postal_code: '00099' }, 'ZIP 00099 is not in use in any state. Correct the ZIP or the state.'],
    [
      { postal_code: 'M5H 1A1', state: 'BC', country: 'CA' },
      'Postal code M5H 1A1 is not in British Columbia. Correct the code or the province.',
    ],
    [{ latitude: 39, longitude: null }, 'The longitude is missing, so the latitude is left out too. Type both or neither.'],
    [{ latitude: null, longitude: -117 }, 'The latitude is missing, so the longitude is left out too. Type both or neither.'],
    [{ latitude: 0, longitude: 0 }, '0, 0 is in the Atlantic and usually means “unknown”, so both stay empty.'],
    [
      { latitude: -117, longitude: 32 },
      'Latitude -117 and longitude 32 are swapped, so both stay empty. Use the suggestion or correct both.',
    ],
    [{ latitude: 91, longitude: 5 }, 'Latitude 91 is not between -90 and 90, so both coordinates stay empty. Correct it.'],
    [{ latitude: 9, longitude: 181 }, 'Longitude 181 is not between -180 and 180, so both coordinates stay empty. Correct it.'],
    [
      { latitude: 407_128, longitude: -74.006 },
      'Latitude 407128 is not between -90 and 90, so both coordinates stay empty. Its decimal point seems to be missing: type it.',
    ],
    [{ address: null }, 'Street address is missing. Type it or map the column that holds it.'],
    [{ city: null }, 'City is missing. Type it, map the column that holds it, or set one value for all rows.'],
    [{ address: 'TBD' }, '“TBD” is not a street address. Type the street and the house number.'],
    [{ address: 'P.O. Box 12' }, '“P.O. Box 12” is a post office box. Type the street address of the building.'],
    [{ address: 'Main Street' }, '“Main Street” has no house number. Type it if there is one.'],
    [{ year_built: 1990, year_upgraded: 1980 }, 'Renovated in 1980, before it was built in 1990. Correct one of the two years.'],
    [
      { building_value: 1_000, stated_tiv: 5_000 },
      'The stated total 5,000 differs from the sum of its parts 1,000. Correct a part, or map the column of a part that is missing; the sum is what counts.',
    ],
    [
      { stated_tiv: { formula: '=A1' } },
      'The formula =A1 has no stored result and could not be evaluated. Open the file, save it again, or type the value.',
    ],
    [
      { full_address: 'somewhere' },
      '“somewhere” cannot be split into street, city, state and ZIP. Separate the parts with commas, as in “100 Main St, Fresno, CA 93721”.',
    ],
  ])('%j: what is wrong and what to do', (cells, message) => expect(messages(cells)).toEqual([message]))
  test('name a coordinate that could not be read', () =>
    expect(messages({ latitude: 'north', longitude: -117 })).toContain('The latitude could not be read, so the longitude is left out too.'))
  test.each<Partial<Record<MappingTarget, Cell>>>([
    { latitude: 90, longitude: 180 },
    { latitude: -90, longitude: -180 },
    { latitude: 0, longitude: 5 },
    { year_built: 1990, year_upgraded: 1990 },
    { building_value: 1_000, stated_tiv: 1_010 },
    { building_value: 10, stated_tiv: 11 },
    { building_value: 1_000, stated_tiv: 0 },
    { stated_tiv: 5_000 },
    { postal_code: '92123.0' },
    { postal_code: '92123 1234' },
    { country: 'Canada', state: 'Ontario', postal_code: 'm5h-1a1' },
    { country: 'Mexico', state: 'Sonora', postal_code: 'anything' },
    { country: 'Mexico', state: null },
  ])('are absent for %j', (cells) => expect(messages(cells)).toEqual([]))
  test('of a longitude outside of its range show the longitude', () =>
    expect(read({ ...PLACE, latitude: 9, longitude: 181 }).issues).toMatchObject([{ field: 'longitude', value: '181' }]))
  test('of a longitude without its minus sign suggest it', () => {
    const issues = (state: string, latitude: number, longitude: number) =>
      read({ address: '1 Main St', city: 'Town', state, latitude, longitude }).issues.map(({ code, field, suggestion }) => [
        code,
        field,
        suggestion,
      ])
    expect(issues('DC', 38.9, 77.03)).toEqual([['bad_coordinates', 'longitude', '-77.03']])
    expect(issues('CA', 34.05, 118.24)).toEqual([['bad_coordinates', 'longitude', '-118.24']])
    for (const [state, latitude, longitude] of [
      ['DC', 38.9, -77.03],
      ['GU', 13.4, 144.8],
      ['AK', 52.9, 172.9],
      ['DC', 51.5, 0.1],
    ] as const)
      expect(issues(state, latitude, longitude)).toEqual([])
  })
  test('of swapped coordinates suggest both', () =>
    expect(read({ ...PLACE, latitude: -117, longitude: 32 }).issues[0]).toMatchObject({ suggestion: '32, -117', value: '-117' }))
})

describe('the values of a row', () => {
  test('default to the United States and dollars, and are marked as assumed', () => {
    expect(read(PLACE)).toMatchObject({ fields: { country: 'US', currency: 'USD' }, assumed: ['country', 'currency'] })
    expect(read({ ...PLACE, country: 'CA', state: 'ON', currency: 'CAD' }).assumed).toEqual([])
  })
  test('of custom fields have up to 500 characters, and the letter of a column without a header', () => {
    expect(read({ ...PLACE, custom: 'x'.repeat(600) }).custom['Header D']).toHaveLength(500)
    expect(read({ ...PLACE, custom: ' ' }).custom).toEqual({})
    const plan = createReadPlan(
      { A: 'custom', B: 'custom' },
      () => '',
      (_index, header) => columnStyle(header, [], SETTINGS),
      {},
    )
    expect(readRow(['blue', 'red'], plan).custom).toEqual({ 'Column A': 'blue', 'Column B': 'red' })
  })
  test('of at most forty custom fields are imported', () => {
    const letters = Array.from({ length: 42 }, (_, index) => columnLetters(index + 1))
    const mapping = Object.fromEntries(letters.map((letter) => [letter, 'custom' as const]))
    const plan = createReadPlan(
      mapping,
      (letter) => letter,
      (_index, header) => columnStyle(header, [], SETTINGS),
      {},
    )
    expect(Object.keys(readRow(letters, plan).custom)).toHaveLength(40)
  })
  test('are the first of several columns, except for values that are added', () => {
    const mapping = { A: 'city', B: 'city', C: 'contents_value', D: 'contents_value', E: 'building_value', F: 'building_value' } as const
    const plan = createReadPlan(
      mapping,
      () => '',
      (_index, header) => columnStyle(header, [], SETTINGS),
      {},
    )
    const row = readRow(['Fresno', 'Selma', 5, 6, 7, 8], plan)
    expect(row.fields).toMatchObject({ city: 'Fresno', contents_value: 11, building_value: 7 })
    expect(row.origin).toMatchObject({ city: 'A', building_value: 'E' })
    expect(readRow([null, 'Selma', null, 'soon', null, 8], plan)).toMatchObject({ fields: { city: 'Selma', building_value: 8 }, empty: [] })
  })
  test('of a column for a part of the address override those of the whole address', () => {
    const row = read({ full_address: '100 Main St, Fresno, CA 93721', city: 'Selma' })
    expect(row.fields).toMatchObject({ address: '100 Main St', city: 'Selma', state: 'CA' })
    expect(row.origin).toMatchObject({ address: 'A', city: 'B', postal_code: 'A' })
  })
  test('derived from another column have its letter, unless they have a column', () => {
    const row = read({ ...PLACE, year_built: '1985/2015' })
    expect([row.fields.year_upgraded, row.origin.year_upgraded]).toEqual([2015, 'D'])
    expect(read({ ...PLACE, year_built: '1985/2015', year_upgraded: 2020 }).fields.year_upgraded).toBe(2020)
    expect(read({ ...PLACE, percent_sprinklered: '50%' })).toMatchObject({ fields: { sprinklered: 'partial', percent_sprinklered: 50 } })
  })
  test('that could not be read are not empty', () => expect(read({ ...PLACE, year_built: 'soon', county: null }).empty).toEqual(['county']))
})
