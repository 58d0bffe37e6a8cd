import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { FileSettings } from './file-settings.ts'
import { proposeMapping } from './propose-mapping.ts'

const propose = async (
  columns: Readonly<Record<string, readonly Cell[]>>,
  saved = new Map<string, string>(),
  settings: FileSettings = SETTINGS,
) => {
  const listed = Object.entries(columns).map(([header, cells], index) => ({ column: 'ABC'[index] ?? '', header, cells }))
  const proposals = await proposeMapping(listed, saved, settings)
  return proposals.map(({ target, status }) => `${target} ${status}`)
}

describe('a column of amounts', () => {
  test.each<[string, Cell[]]>([
    ['zeros and one negative amount', [0, 0, 0, -2_000, 0, 0]],
    ['zeros and a negative amount in parentheses', ['0', '0', '(2,000)', '0', '0']],
    ['empty cells and a negative amount among amounts', [null, -500_000, 1_000_000, null, 900_000, 800_000]],
  ])('with %s is mapped', async (_, cells) => expect(await propose({ BI: cells })).toEqual(['bi_value mapped']))
  test('that are zero but for a small number is to be confirmed', async () =>
    expect(await propose({ BI: [0, 0, 0, 0, 5, 0, 0] })).toEqual(['bi_value confirm']))
  test('up to 20 is not proposed', async () => expect(await propose({ Contents: [1, 2, 3, 2, 5] })).toEqual(['null unmapped']))
})

describe('a column with the name of a field', () => {
  const FOOTNOTES = ['>1,200,000', 'see note 4', '$1.2M', 'CR 1,200,000', '$1,200,000/bldg', '1,200,000 + 5,000']
  test('is to be confirmed if only some of its cells are understood', async () => {
    expect(await propose({ Contents: FOOTNOTES })).toEqual(['contents_value confirm'])
    expect(await propose({ 'Sq Ft': ['12,000/24,000', '12,000 sf', '100x200', '5 acres', '(500)'] })).toEqual(['floor_area confirm'])
    expect(await propose({ 'Roof Type': ['TPO', 'Green', 'Grass', 'Thatch', 'Canvas'] })).toEqual(['roof_cover confirm'])
  })
  test('is not proposed without any value, nor for a part of the name', async () => {
    expect(await propose({ Contents: ['Y', 'see note', 'old'] })).toEqual(['null unmapped'])
    expect(await propose({ 'Contents Footnote': FOOTNOTES })).toEqual(['null unmapped'])
  })
  test('takes nothing from a column that is understood', async () =>
    expect(await propose({ Contents: FOOTNOTES, 'Contents Value': [10_000, 20_000, 30_000, 10_000, 20_000, 5_000] })).toEqual([
      'null unmapped',
      'contents_value mapped',
    ]))
  test('is vetoed by its cells although it was confirmed before, if its name does not say so', async () =>
    expect(await propose({ Zorp: FOOTNOTES }, new Map([['zorp', 'contents_value']]))).toEqual(['null unmapped']))
})

describe('a column with numbers of locations', () => {
  const grouped = (...counts: number[]) => counts.flatMap((count, index) => Array.from({ length: count }, () => index + 1))
  test('is mapped although each location has many buildings', async () =>
    expect(await propose({ 'Loc #': grouped(12, 12, 12, 9) })).toEqual(['location_number mapped']))
  test.each<[string, Cell[]]>([
    ['the same number in all rows', Array.from({ length: 30 }, () => 1)],
    ['a few numbers in turn', Array.from({ length: 30 }, (_, index) => index % 3)],
  ])('is not proposed with %s', async (_, cells) => expect(await propose({ 'Loc #': cells })).toEqual(['null unmapped']))
  test('is to be confirmed with the same number in all rows if the buildings have numbers', async () => {
    const cells = { 'Loc #': Array.from({ length: 30 }, () => 1), 'Bldg #': Array.from({ length: 30 }, (_, index) => index + 1) }
    expect(await propose(cells)).toEqual(['location_number confirm', 'building_number mapped'])
  })
})

test('what was learned of one column “Building” says nothing about two, and the other way round', async () => {
  const settings = { ...SETTINGS, announcedFactor: 1_000 }
  const columns = { Bldg: [1, 2, 3], Building: [1_000, 2_000, 3_000] }
  const unlearned = await propose(columns, new Map(), settings)
  expect(unlearned).toEqual(['building_number mapped', 'building_value confirm'])
  expect(await propose(columns, new Map([['building', 'building_value']]), settings)).toEqual(unlearned)
  const ofTwo = new Map([
    ['building', 'building_number'],
    ['building (column 2)', 'building_value'],
  ])
  expect(await propose({ Building: [11, 12, 13] }, ofTwo)).toEqual(await propose({ Building: [11, 12, 13] }))
})
