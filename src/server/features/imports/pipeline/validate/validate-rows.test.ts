import { describe, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { mergedBuildings } from '#server/features/imports/pipeline/read/merged-buildings.ts'
import type { RowFields } from './results.ts'
import { findDuplicates, validateRows } from './validate-rows.ts'

const PLACE = { address: '1 Main St', city: 'San Diego', state: 'CA' } as const

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
  test('without values are found by their area', () => {
    const area = (value: number | null, floor: number | null) => at({ building_value: value, floor_area: floor })
    expect(find(area(null, 500), area(null, 500))).toEqual(['2 warning'])
    expect(find(area(0, 500), area(null, 500))).toEqual(['2 warning'])
    expect(find(area(0, 500), area(0, 501))).toEqual([])
    expect(find(area(0, null), area(0, null))).toEqual([])
    expect(find(area(0, 500), area(5, 500))).toEqual([])
  })
  test('have values that differ by at most 2 %', () => {
    expect(find(at({ building_value: 100 }), at({ building_value: 98 }))).toEqual(['2 warning'])
    expect(find(at({ building_value: 1_000 }), at({ building_value: 979 }))).toEqual([])
  })
  test('are found between rows that are not neighbors', () =>
    expect(find(at({ building_value: 100 }), at({ building_value: 500 }), at({ building_value: 99 }), at({ building_value: 498 }))).toEqual(
      ['3 warning', '4 warning'],
    ))
  test('without a number or an address are not found', () =>
    expect(find({ city: 'Fresno', building_value: 5 }, { city: 'Fresno', building_value: 5 })).toEqual([]))
  test('have messages with the first row and its location', () => {
    const rows = [
      at({ location_number: '5' }),
      at({ location_number: '5' }),
      at({}),
      at({ building_number: '2' }),
      at({ building_number: '2' }),
    ]
    const found = findDuplicates(rows.map((fields, index) => ({ number: index + 1, fields, keys: addressKeys(fields) })))
    const place = { column: null, code: 'duplicate_in_file' }
    expect([...found.entries()]).toEqual([
      [
        2,
        {
          ...place,
          field: 'location_number',
          severity: 'error',
          value: '5',
          message: 'Location 5, building 1 is already used in row 1. Give one of them another number, or exclude one row.',
        },
      ],
      [
        3,
        {
          ...place,
          field: 'address',
          severity: 'warning',
          value: '9210 Sky Park Ct',
          message: 'Same address, building and value as row 2 (location 5). Exclude one row if it is the same building.',
        },
      ],
      [
        5,
        {
          ...place,
          field: 'address',
          severity: 'warning',
          value: '9210 Sky Park Ct',
          message: 'Same address, building and value as row 4. Exclude one row if it is the same building.',
        },
      ],
    ])
  })
})

describe('the rows of a schedule', () => {
  const plan = createReadPlan(
    { A: 'location_number', B: 'address', C: 'city', D: 'state', E: 'building_value' },
    () => '',
    (_index, header) => columnStyle(header, [], SETTINGS),
    {},
  )
  const validate = async (rows: Cell[][], merges: [number, Area[]][] = []) => {
    const sources = rows.map((cells, at) => ({
      number: at + 1,
      sheet: 0,
      sheetRow: at + 1,
      hidden: false,
      cells,
      matchedByHand: false,
      propertyId: null,
    }))
    async function* batches() {
      yield sources.slice(0, 2)
      yield sources.slice(2)
    }
    const progress: number[] = []
    const options = { merges: new Map(merges), rowLabel: (row: number) => `line ${row}`, pause: async () => {} }
    const read = await validateRows(batches(), plan, { ...options, onProgress: async (count) => void progress.push(count) })
    return { read, progress }
  }
  test('have the issue of a duplicate in the column of its field, and report progress by batch', async () => {
    const { read, progress } = await validate([
      ['1', '1 Main St', 'Fresno', 'CA', 5],
      ['2', '2 Main St', 'Fresno', 'CA', null],
      ['1', '3 Main St', 'Fresno', 'CA', 7],
    ])
    expect(read.map(({ issues }) => issues.map(({ column, code }) => [column, code]))).toEqual([[], [], [['A', 'duplicate_in_file']]])
    expect(read[2]?.issues[0]?.message).toContain('already used in line 1')
    expect([progress, read.map(({ number }) => number), read[1]?.empty]).toEqual([[2, 3], [1, 2, 3], ['building_value']])
  })
  test('number the buildings of a location that is merged over several rows', async () => {
    const { read } = await validate(
      [
        ['7', '1 Main St', 'Fresno', 'CA', 5],
        [null, '1 Main St', 'Fresno', 'CA', 6],
        [null, '1 Main St', 'Fresno', 'CA', 7],
        ['8', '2 Main St', 'Fresno', 'CA', 8],
      ],
      [[0, [{ left: 1, right: 1, top: 1, bottom: 3 }]]],
    )
    expect(read.map(({ fields }) => [fields.location_number, fields.building_number])).toEqual([
      ['7', undefined],
      ['7', '2'],
      ['7', '3'],
      ['8', undefined],
    ])
    expect(read.flatMap(({ issues }) => issues)).toEqual([])
  })
  test('repeat the value of a vertically merged cell of a place, but not of an amount', async () => {
    const merge = (column: number, bottom: number): Area => ({ left: column, right: column, top: 1, bottom })
    const { read } = await validate(
      [
        ['1', '1 Main St', 'Fresno', 'CA', 5],
        ['2', '2 Main St', null, 'CA', null],
        ['3', '3 Main St', null, 'CA', null],
      ],
      [
        [1, [merge(3, 3)]],
        [0, [merge(3, 2), merge(5, 3), { left: 3, right: 4, top: 1, bottom: 3 }]],
      ],
    )
    expect(read.map(({ fields }) => [fields.city, fields.building_value])).toEqual([
      ['Fresno', 5],
      ['Fresno', undefined],
      [undefined, undefined],
    ])
  })
  test('do not repeat a value above the merged cell', async () => {
    const { read } = await validate(
      [
        ['1', '1 Main St', 'Selma', 'CA', 5],
        ['2', '2 Main St', null, 'CA', 6],
        ['3', '3 Main St', null, 'CA', 7],
      ],
      [[0, [{ left: 3, right: 3, top: 2, bottom: 3 }]]],
    )
    expect(read.map(({ fields }) => fields.city)).toEqual(['Selma', undefined, undefined])
  })
})

describe('the buildings of a merged range', () => {
  const numbers = (columns: { index: number; target: string }[], ...areas: Area[]) => {
    const numberOf = mergedBuildings(new Map([[0, areas]]), columns)
    return [1, 2, 3, 4].map((sheetRow) => numberOf({ number: sheetRow, sheet: 0, sheetRow, hidden: false, cells: [] }))
  }
  const [number, address, city] = ['location_number', 'address', 'city'].map((target, index) => ({ index, target }))
  const at = (column: number): Area => ({ left: column, right: column, top: 2, bottom: 3 })
  test('are numbered by the location number, otherwise by the address, and by nothing else', () => {
    const columns = (...found: (typeof number)[]) => found.flatMap((column) => column ?? [])
    expect(numbers(columns(number, address), at(1))).toEqual([undefined, 1, 2, undefined])
    expect(numbers(columns(number, address), at(2))).toEqual([undefined, undefined, undefined, undefined])
    expect(numbers(columns(address, city), at(2))).toEqual([undefined, 1, 2, undefined])
    expect(numbers([{ index: 4, target: 'full_address' }, ...columns(address)], at(5))).toEqual([undefined, 1, 2, undefined])
    expect(numbers(columns(city), at(3))).toEqual([undefined, undefined, undefined, undefined])
  })
})
