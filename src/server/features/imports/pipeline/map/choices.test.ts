import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { proposeMapping } from './propose-mapping.ts'

type Column = readonly [header: string, ...cells: Cell[]]
const amounts = (count: number, first: number): Cell[] => Array.from({ length: count }, (_, index) => first + index)
const words = (count: number): Cell[] => Array.from({ length: count }, () => 'see note')

/** The proposals in file order. */
const propose = (columns: readonly Column[], choices?: WordCodes) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: 'ABCDEF'.charAt(index), header, cells }))
  return proposeMapping(sheet, new Map(), SETTINGS, async () => {}, choices && { choices })
}
const targets = async (...columns: Column[]) => (await propose(columns)).map(({ target }) => target)
const notes = async (...columns: Column[]) => (await propose(columns)).map(({ target, note }) => [target, note])

describe('a column whose field another column has', () => {
  const NEWEST: Column = ['Building Value 2026', ...amounts(9, 200_000)]
  test('is noted as older if it surely has the values of an earlier year', async () => {
    expect(await notes(['Value Building 2025', ...amounts(9, 100_000)], NEWEST)).toEqual([
      ['ignore', 'older_year'],
      ['building_value', null],
    ])
  })
  test('is not noted as older without a year, with the same year, or if its header is only similar', async () => {
    for (const header of ['Building Value', 'Structure Value 2026', 'Building Replacement Cost Estimate 2025'])
      expect(await notes([header, ...amounts(9, 100_000)], NEWEST), header).toEqual([
        [null, null],
        ['building_value', null],
      ])
  })
  test('has no note if its other meaning has no column', async () =>
    expect(await targets(['Site 2026', 'S01', 'S02'])).toEqual(['location_number']))
  test('is a part of the sum, also if it is nearly empty', async () =>
    expect(await targets(['Contents', ...amounts(20, 100_000)], ['FF&E', 5_000, 6_000])).toEqual(['contents_value', 'contents_value']))
  test('is not a part of the sum with the same header, of another year, or with words', async () => {
    const contents: Column = ['Contents 2026', ...amounts(6, 100_000)]
    for (const column of [contents, ['FF&E 2025', ...amounts(6, 100)], ['FF&E 2026', ...amounts(3, 100), ...words(3)]] as const)
      expect((await targets(contents, column))[1], column[0]).not.toBe('contents_value')
    expect((await targets(contents, ['FF&E 2026', ...amounts(6, 100)]))[1]).toBe('contents_value')
  })
  test('has another meaning than a fuller column with the same header', async () =>
    expect(await targets(['Bldg', ...amounts(12, 1)], ['Bldg', 5_000_000, 6_000_000])).toEqual(['building_number', 'building_value']))
  test('is mapped if the newer one cannot be read', async () =>
    expect(
      await targets(
        ['Building Replacement Cost Estimate 2025', ...amounts(10, 100_000)],
        ['Building Replacement Cost Estimate 2026', ...amounts(5, 100_000), ...words(5)],
      ),
    ).toEqual(['building_value', null]))
})

describe('words that the company chose a code for', () => {
  const choices = new Map([['construction_class', new Map([['jx', '3']])]])
  test('count as understood', async () => {
    expect((await propose([['Construction', 'JX', 'JX']]))[0]).toMatchObject({ target: null })
    expect((await propose([['Construction', 'JX', 'jx ']], choices))[0]).toMatchObject({ target: 'construction_class', score: 1 })
    expect((await propose([['Construction', 'JX', 'QQ']], choices))[0]).toMatchObject({ target: 'construction_class', status: 'confirm' })
  })
})

describe('cells', () => {
  test('of formulas without results are not shown as samples', async () =>
    expect((await propose([['Zorp', { formula: '=A1' }, 'a']]))[0]).toMatchObject({ samples: ['a'], filled: 2 }))
  test('with a value that must be confirmed fit their field', async () => {
    expect((await propose([['Construction', 'Stone', 'Brick']]))[0]).toMatchObject({ target: 'construction_class', score: 1 })
    expect((await propose([['Year Built', '1960s', '1970s']]))[0]).toMatchObject({ target: 'year_built', score: 1 })
  })
  test('of formulas without results are not an occupancy', async () =>
    expect(await targets(['Occupancy', { formula: '=A1' }, { formula: '=A2' }])).toEqual([null]))
  test('with amounts in dollars are not building numbers', async () => expect(await targets(['Bldg #', '$1', '$2'])).toEqual([null]))
  test('with decimals are locations with buildings only below a location number', async () => {
    expect(await targets(['Site', '1.1', '1.2', '2.1'])).toEqual(['location_building'])
    expect(await targets(['Stories', 1.1, 1.2, 2.1])).toEqual(['stories'])
    expect(await targets(['Site #', '1.2', '1.3', '2.2'])).toEqual(['location_number'])
  })
  test('are whole addresses only if most of them are, with house numbers', async () => {
    expect(await targets(['Address', '1 Main St, Fresno, CA 93721', '2 Oak Ave'])).toEqual(['address'])
    expect(await targets(['Address', 'Main Street, Fresno, CA', 'Oak Avenue, Selma, CA'])).not.toContain('full_address')
  })
  test('with street and number are surely an address, without a number they must be confirmed', async () => {
    expect((await propose([['Address', '1 Main St', '2 Oak Ave']]))[0]).toMatchObject({ target: 'address', status: 'mapped' })
    expect((await propose([['Address', 'Main Street', 'Oak Avenue']]))[0]).toMatchObject({ target: 'address', status: 'confirm' })
    expect(await targets(['Address', 'A', 'B'])).toEqual([null])
  })
  test('with places below a header that may also mean something else are split', async () =>
    expect(await targets(['Unit', 'Fresno, CA 93721', 'Selma CA 93662'])).toEqual(['city_state_zip']))
})
