import { describe, expect, test } from 'vitest'
import type { Cell } from './cells.ts'
import { classifyRows } from './classify-rows.ts'

const PLACE = ['Loc #', 'Name', 'Address', 'City', 'State', 'Zip']
const place = (number: number): Cell[] => [number, `Campus ${number}`, `${number}00 Main St`, 'Dallas', 'TX', '75201']
const BLANK: Cell[] = PLACE.map(() => null)

function kindsOf(headers: readonly string[], rows: readonly Cell[][]) {
  const all = [headers, ...rows].map((cells, index) => ({ number: index + 1, hidden: false, cells }))
  return classifyRows(all, 1, headers).slice(1)
}

/** Campuses of several buildings; only the first row of each has the place, the others are merged or blank. */
function kindsOfCampuses(headers: readonly string[], buildings: readonly (readonly Cell[])[][]) {
  const rows = buildings.flatMap((campus, index) => campus.map((cells, at) => [...(at === 0 ? place(index + 1) : BLANK), ...cells]))
  return new Set(kindsOf([...PLACE, ...headers], rows))
}

const unrelated = (campus: number, building: number) => 1_000_000 + ((campus * 7_919 + building * 104_729) % 8_000_011)

describe('each building of a campus is a location', () => {
  const campuses = [1, 2, 3, 4]
  test('with stories 1, 1, 2 and building numbers 1, 2, 3', () => {
    const headers = ['Bldg #', 'Occupancy', 'Year Built', 'Stories', 'Sq Ft', 'Building', 'Contents', 'BI']
    const buildings = campuses.map((campus) =>
      [1, 2, 3].map((at) => {
        const value = unrelated(campus, at)
        return [at, ['Office', 'Retail', 'Warehouse'][at - 1] ?? '', 1_980 + at, at < 3 ? 1 : 2, 9_000 * at, value, value % 90_001, 0]
      }),
    )
    expect(kindsOfCampuses(headers, buildings)).toEqual(new Set(['data']))
  })
  test('with contents of 50, 100 and 150 thousand', () => {
    const buildings = campuses.map((campus) => [1, 2, 3].map((at) => [at, 'Office', 1_980 + at, unrelated(campus, at), at * 50_000]))
    expect(kindsOfCampuses(['Bldg #', 'Occupancy', 'Year Built', 'Building', 'Contents'], buildings)).toEqual(new Set(['data']))
  })
  test('with units 8, 8, 16 and without an occupancy', () => {
    const buildings = campuses.map((campus) =>
      [1, 2, 3].map((at) => [at, at < 3 ? 8 : 16, at, unrelated(campus, at), unrelated(at, campus) % 90_001]),
    )
    expect(kindsOfCampuses(['Bldg #', 'Units', 'Stories', 'Building', 'Contents'], buildings)).toEqual(new Set(['data']))
  })
  test('with round values and contents of a tenth of the building', () => {
    const buildings = campuses.map(() => [1, 2, 3].map((at) => [at, at * 1_000_000, at * 100_000, at * 1_100_000]))
    expect(kindsOfCampuses(['Bldg #', 'Building', 'Contents', 'TIV'], buildings)).toEqual(new Set(['data']))
  })
  test('with names instead of numbers', () => {
    const buildings = campuses.map(() => [1, 2, 3].map((at) => [`Bldg ${'ABC'[at - 1] ?? ''}`, at * 1_000_000, at * 100_000]))
    expect(kindsOfCampuses(['Building Name', 'Building Value', 'Contents'], buildings)).toEqual(new Set(['data']))
  })
  test('with the address in every row and a first building that has the sum of the others', () => {
    const rows = [3, 1, 2].map((value, at) => [...place(1), at + 1, value * 1_000_000, value * 100_000])
    expect(kindsOf([...PLACE, 'Bldg #', 'Building', 'Contents'], rows)).toEqual(['data', 'data', 'data'])
  })
  test('that is named like a total, with a number and a year of its own', () => {
    const buildings = campuses.map((campus) => [1, 2, 3].map((at) => [`Total Storage ${at}`, at, 1_980 + at, unrelated(campus, at)]))
    expect(kindsOfCampuses(['Building Name', 'Bldg #', 'Year Built', 'Building Value'], buildings)).toEqual(new Set(['data']))
  })
})

describe('a sum of a campus is a subtotal', () => {
  const headers = [...PLACE, 'Bldg #', 'Year Built', 'Building', 'Contents']
  const campus = (number: number, sum: Cell[]): Cell[][] => {
    const buildings = [1, 2, 3].map((at) => [unrelated(number, at), unrelated(at, number + 5) % 900_001])
    const rows = buildings.map((values, at) => [...(at === 0 ? place(number) : BLANK), at + 1, 1_981 + at, ...values])
    const sums = [0, 1].map((column) => buildings.reduce((total, values) => total + (values[column] ?? 0), 0))
    return [...rows, [...BLANK, ...sum, ...sums]]
  }
  test.each<[string, Cell[]]>([
    ['without a number', [null, null]],
    ['with the number of its buildings', [3, null]],
    ['with the sum of their numbers and the mean of their years', [6, 1_982.5]],
    ['with numbers like those of a building, because all its values are sums', [4, 1_984]],
  ])('%s', (_, sum) =>
    expect(kindsOf(headers, [...campus(1, sum), ...campus(2, sum), [...place(3), 1, 1_999, 7_654_321, 87_654]])).toEqual([
      'data',
      'data',
      'data',
      'subtotal',
      'data',
      'data',
      'data',
      'subtotal',
      'data',
    ]),
  )
})

test('areas and counts alone make no total', () => {
  const headers = ['Loc #', 'Address', 'Units', 'Sq Ft', 'Building Value']
  const rows = [
    [1, '1 Main St', 8, 10_000, 1_234_567],
    [2, '2 Main St', 8, 20_000, 2_345_678],
    [null, null, 16, 30_000, 999_999],
  ]
  expect(kindsOf(headers, rows)).toEqual(['data', 'data', 'data'])
})
