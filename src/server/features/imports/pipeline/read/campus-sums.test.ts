import { describe, expect, test } from 'vitest'
import type { Cell } from './cells.ts'
import { classifyRows, classifySchedule } from './classify-rows.ts'

const HEADERS = [
  'Loc #',
  'Bldg #',
  'Building Name',
  'Address',
  'City',
  'State',
  'Zip',
  'Year Built',
  'Sq Ft',
  'Building',
  'Contents',
  'Rents',
]
const PLACES: Cell[][] = [
  ['1200 Main St', 'Dallas', 'TX', '75202'],
  ['77 Peachtree St NE', 'Atlanta', 'GA', '30303'],
]
type Values = readonly number[]
const uneven = (campus: number, at: number): Values => [
  2_000_000 + campus * 333_331 + at * 111_113,
  150_000 + at * 10_001,
  40_000 + at * at * 1_003,
]
const round = (campus: number, at: number): Values => [1_000_000, 100_000, 10_000].map((value) => value * at * (campus * 7 + 1))
const sumOf = (rows: readonly Values[]) => [0, 1, 2].map((column) => rows.reduce((sum, values) => sum + (values[column] ?? 0), 0))

interface Row {
  /** Location number, building number, name. */
  start: (campus: number) => Cell[]
  place?: Cell[]
  /** Year and area. */
  facts?: Cell[]
}

/** Two campuses of three buildings, with a row below each that has their sums. */
async function kindsOf({ start, place, facts = [null, null] }: Row, values = uneven) {
  const rows = PLACES.flatMap((own, campus): Cell[][] => {
    const buildings = [1, 2, 3].map((at) => values(campus, at))
    const locations = buildings.map((amounts, at) => [
      campus + 1,
      at + 1,
      `Building ${at + 1}`,
      ...own,
      1981 + at,
      12_000 + at * 100,
      ...amounts,
    ])
    return [...locations, [...start(campus + 1), ...(place ?? own), ...facts, ...sumOf(buildings)]]
  })
  return read(rows)
}
const doubtsIn = async (rows: readonly Cell[][]) => (await read(rows)).doubts

async function read(rows: readonly Cell[][]) {
  const all = [HEADERS, ...rows].map((cells, index) => ({ number: index + 1, sheetRow: index + 1, sheet: 0, hidden: false, cells }))
  const doubts: number[] = []
  const batches = (async function* () {
    yield all
  })()
  const found = await classifySchedule(
    batches,
    [{ index: 0, headerRow: 1 }],
    HEADERS,
    () => {},
    async () => {},
    (row) => doubts.push(row),
  )
  return { sums: found.filter(({ kind }) => kind === 'subtotal' || kind === 'total').map(({ row }) => row), doubts }
}

describe('a row with the place of the buildings above it and their sums is left out', () => {
  test.each(['Campus 1 Total', 'All buildings', 'North Campus - all buildings', 'Site sum', 'Total', 'Entire campus'])(
    'named “%s”',
    async (name) => expect(await kindsOf({ start: () => [null, null, name] }, round)).toEqual({ sums: [5, 9], doubts: [] }),
  )
  test('with the location number, below no word for a total, because its values cannot be sums by chance', async () =>
    expect(await kindsOf({ start: (campus) => [campus, null, `Campus ${campus}`] })).toEqual({ sums: [5, 9], doubts: [] }))
  test('with the sum of their areas', async () =>
    expect(await kindsOf({ start: () => [null, null, 'Campus Total'], facts: [null, 36_300] }, round)).toEqual({
      sums: [5, 9],
      doubts: [],
    }))
})

describe('a row with the sums of the buildings above it is in doubt', () => {
  test('if it is only named “Campus” and its values are round', async () =>
    expect(await kindsOf({ start: (campus) => [campus, null, `Campus ${campus}`] }, round)).toEqual({ sums: [], doubts: [5, 9] }))
  test.each<[string, Omit<Row, 'start'>, Cell]>([
    ['a building number', {}, 4],
    ['a year', { facts: [1_999, null] }, null],
    ['an area', { facts: [null, 5_000] }, null],
    ['a street', { place: ['9 Oak Ave', 'Dallas', 'TX', '75202'] }, null],
  ])('if it has %s of its own', async (_, row, number) =>
    expect(await kindsOf({ start: () => [null, number, 'Campus Total'], ...row }, round)).toEqual({ sums: [], doubts: [5, 9] }),
  )
})

test('a store whose name begins with “Total” is a location without a question if it fills as many cells as the others', async () =>
  expect(
    await kindsOf({ start: () => [3, 1, 'Total Wine'], place: ['9 Oak Ave', 'Dallas', 'TX', '75202'], facts: [1_999, 12_345] }, round),
  ).toEqual({ sums: [], doubts: [] }))
test('a building is a location without a question if it has a number of its own and round values', async () =>
  expect(await kindsOf({ start: (campus) => [campus, 4, 'Building 4'] }, round)).toEqual({ sums: [], doubts: [] }))

const STORES = [1, 2, 3].map((at): Cell[] => [
  at,
  at,
  `Store ${at}`,
  `${at} Main St`,
  'Dallas',
  'TX',
  '75202',
  1981,
  9_000,
  ...round(0, at),
])

test('a row with an address of its own is in doubt if it has the sums of the whole schedule', async () => {
  const head: Cell[] = [null, null, 'ACME Stores Inc. (head office)', '1 Corporate Way', 'Dallas', 'TX', '75201', null, null]
  expect(await doubtsIn([...STORES, [...head, 6_000_000, 600_000, 60_000]])).toEqual([5])
  expect(await doubtsIn([...STORES, [...head, 6_000_001, 600_000, 60_000]])).toEqual([])
})
test.each(['Average:', 'Max', 'Margin 10%', 'Mean per location', 'Count', 'Number of locations'])(
  'a row that only has the label “%s” is a note',
  (label) => {
    const statistic: Cell[] = [label, null, null, null, null, null, null, null, null, 2_000_000, 200_000, 20_000]
    const all = [HEADERS, ...STORES, statistic].map((cells, index) => ({ number: index + 1, hidden: false, cells }))
    expect(classifyRows(all, 1, HEADERS)).toEqual(['header', 'data', 'data', 'data', 'note'])
  },
)
