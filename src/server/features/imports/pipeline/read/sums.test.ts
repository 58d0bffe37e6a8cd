import { describe, expect, test } from 'vitest'
import type { Cell, SheetRow } from './cells.ts'
import { classifyRows, classifySchedule } from './classify-rows.ts'

const HEADER = ['Loc #', 'Name', 'Address', 'City', 'ST', 'Building', 'Contents']
const location = (number: number, building: number, contents: Cell = building / 10, name = `Site ${number}`): Cell[] => [
  number,
  name,
  `${number} Main St`,
  'Fresno',
  'CA',
  building,
  contents,
]
const sum = (label: Cell, building: number, contents: Cell = building / 10): Cell[] => [null, label, null, null, null, building, contents]
const [A, B, C, D] = [location(1, 900_000), location(2, 700_000), location(3, 400_000), location(4, 300_000)]

const sheet = (rows: readonly Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const kindsOf = (...rows: Cell[][]) => classifyRows(sheet([HEADER, ...rows]), 1, HEADER).slice(1)

describe('a row with a sum', () => {
  test('is a subtotal although the subtotal above it is wrong', () => {
    const wrong = sum('North', 1_600_001)
    expect(kindsOf(A, B, wrong, C, D, sum('South', 700_000))).toEqual(['data', 'data', 'data', 'data', 'data', 'subtotal'])
  })
  test('is a subtotal by a word at the end of its only text', () =>
    expect(kindsOf(A, B, sum('CO Subtotal', 900_000), C, D, sum('Texas total', 1))).toEqual([
      'data',
      'data',
      'subtotal',
      'data',
      'data',
      'total',
    ]))
  test('is recognized at each level', () => {
    const rows = [A, B, sum('City', 1_600_000), C, D, sum('City', 700_000), sum('State', 2_300_000), A, B, sum('City', 1_600_000)]
    const [, , city, , , secondCity, state, , , thirdCity] = kindsOf(...rows)
    expect([city, secondCity, state, thirdCity]).toEqual(['subtotal', 'subtotal', 'subtotal', 'subtotal'])
  })
  test('of a single amount is recognized if the row has fewer cells than the locations', () => {
    const rows = [A, B, C, D].map((cells) => cells.slice(0, 6))
    expect(kindsOf(...rows, sum('Region', 700_000).slice(0, 6))).toEqual(['data', 'data', 'data', 'data', 'subtotal'])
    expect(kindsOf(...rows, location(5, 700_000).slice(0, 6)).at(-1)).toBe('data')
  })
  test('above its locations is a subtotal', () =>
    expect(kindsOf(sum('Portfolio 1', 1_600_000), A, B, sum('Portfolio 2', 700_000), C, D)).toEqual([
      'subtotal',
      'data',
      'data',
      'subtotal',
      'data',
      'data',
    ]))
  test('of a campus, at the address of its buildings, is a subtotal', () => {
    const building = (number: number, value: number) => location(number, value).with(2, '1 Main St Bldg 1')
    expect(kindsOf(location(1, 1_100_000), building(11, 700_000), building(12, 400_000), A)).toEqual(['subtotal', 'data', 'data', 'data'])
  })
  test('of a campus is a subtotal also next to numbers that are no amounts', () => {
    const numbers = (cells: Cell[]) => [...cells, 93_701, 1_987, 36.7]
    const building = (value: number) => numbers(location(11, value).with(2, '1 Main St'))
    const rows = [numbers(location(1, 1_100_000)), building(700_000), building(400_000)]
    expect(classifyRows(sheet([[...HEADER, 'ZIP', 'Year', 'Lat'], ...rows]), 1, HEADER).slice(1)).toEqual(['subtotal', 'data', 'data'])
  })
  test('is a total also with dashes instead of texts', () =>
    expect(kindsOf(A, B, ['Total', '-', '-', '-', '-', 1_600_000, 160_000])).toEqual(['data', 'data', 'total']))
  test('that is not the last one is not the total of the file', () =>
    expect(kindsOf(A, B, sum('North', 1_600_000), C, D, sum('South', 700_000))).toEqual([
      'data',
      'data',
      'subtotal',
      'data',
      'data',
      'subtotal',
    ]))
  test('of another sheet has the number of its row in the import', async () => {
    const rows = sheet([HEADER, sum('Portfolio', 1_600_000), A, B]).map((row) => ({
      ...row,
      number: row.number + 10,
      sheet: 1,
      sheetRow: row.number,
    }))
    const batches = async function* () {
      yield rows
    }
    const others = await classifySchedule(
      batches(),
      [{ index: 1, headerRow: 1 }],
      HEADER,
      () => {},
      async () => {},
    )
    expect(others).toEqual([
      { row: 11, kind: 'header' },
      { row: 12, kind: 'subtotal' },
    ])
  })
})

describe('a location', () => {
  const equal = [location(1, 1_000_000), location(2, 1_000_000)]
  test.each(['Sum Chan Restaurant', 'Totals Gym', 'Site 3'])('named %s is none of the sums, although it has the amounts of one', (name) =>
    expect(kindsOf(...equal, location(3, 2_000_000, 200_000, name))).toEqual(['data', 'data', 'data']),
  )
  test('above others with its amounts is no sum at another address', () =>
    expect(kindsOf(location(3, 2_000_000), ...equal)).toEqual(['data', 'data', 'data']))
})
