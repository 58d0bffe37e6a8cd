import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { proposeMapping } from './propose-mapping.ts'

type Column = readonly [header: string, ...cells: Cell[]]
const CANADIAN: Column = ['Building (CAD)', 4_760_000, 10_064_000]
const UNNAMED: Column = ['Building Value', 3_500_000, 7_400_000]

/** The proposals as "target status", in file order. */
const propose = async (columns: readonly Column[], currency?: string, saved: [string, string][] = []) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: 'ABCDEF'.charAt(index), header, cells }))
  const proposals = await proposeMapping(sheet, new Map(saved), { ...SETTINGS, currency })
  return proposals.map(({ target, status }) => (target === null ? null : `${target} ${status}`))
}

test('the column without a currency has the building values of a schedule in US dollars, and must be confirmed', async () => {
  expect(await propose([CANADIAN, UNNAMED])).toEqual([null, 'building_value confirm'])
  expect(await propose([UNNAMED, CANADIAN])).toEqual(['building_value confirm', null])
})

test('the column in the currency of the account or of the other columns has the building values', async () => {
  const first = ['building_value confirm', null]
  expect(await propose([CANADIAN, UNNAMED], 'CAD')).toEqual(first)
  expect(await propose([CANADIAN, UNNAMED, ['Contents (CAD)', 500_000, 900_000]])).toEqual([...first, 'contents_value mapped'])
  expect(await propose([['Stock Value', 5_000, 9_000], CANADIAN, UNNAMED, ['Contents (CAD)', 500_000, 900_000]])).toEqual([
    'stock_value mapped',
    ...first,
    'contents_value mapped',
  ])
  expect(await propose([CANADIAN, UNNAMED, ['Contents (CAD)', 500_000, 900_000]], 'USD')).toEqual([
    null,
    'building_value confirm',
    'contents_value mapped',
  ])
  expect(
    await propose(
      [
        ['Building (EUR)', 900_000],
        ['Building (CAD)', 1_300_000],
      ],
      'CAD',
    ),
  ).toEqual([null, 'building_value confirm'])
})

test('columns in both currencies for every field are taken in one of them', async () => {
  const pairs: Column[] = [CANADIAN, UNNAMED, ['Contents (CAD)', 500_000, 900_000], ['Contents', 370_000, 660_000]]
  expect(await propose(pairs)).toEqual([null, 'building_value confirm', null, 'contents_value confirm'])
  expect(await propose(pairs, 'CAD')).toEqual(['building_value confirm', null, 'contents_value confirm', null])
})

test('a column alone, with the same values, or confirmed earlier needs no confirmation because of its currency', async () => {
  expect(await propose([CANADIAN])).toEqual(['building_value mapped'])
  expect(await propose([CANADIAN, ['Building Value', 4_760_000, 10_064_000]])).toEqual([null, 'building_value mapped'])
  expect(await propose([CANADIAN, UNNAMED], undefined, [['building', 'building_value']])).toEqual(['building_value mapped', null])
})

test('further parts of the contents are added up although only one of them names its currency', async () =>
  expect(
    await propose([
      ['Contents (USD)', 500_000, 900_000],
      ['FF&E', 50_000, 60_000],
    ]),
  ).toEqual(['contents_value mapped', 'contents_value confirm']))
