import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

type Column = readonly [header: string, ...cells: Cell[]]

async function proposals(columns: readonly Column[], saved: Record<string, string> = {}, announcedFactor = 1) {
  const rows = [0, 1].map((row) => columns.map(([, ...cells]) => cells[row] ?? null))
  const headers = columns.map(([header]) => header)
  return proposeMapping(sheetColumns(headers, rows), new Map(Object.entries(saved)), { ...SETTINGS, announcedFactor })
}
const targets = async (...columns: Column[]) => (await proposals(columns)).map(({ target }) => target)

test('amounts in millions are insured values, not building numbers', async () => {
  expect(await targets(['Bldg ($M)', 1.14, 1.27], ['Cnts ($M)', 0.2, 0.2], ['BI ($M)', 0.15, 0.15])).toEqual([
    'building_value',
    'contents_value',
    'bi_value',
  ])
  expect(await targets(['Bldg (€k)', 840, 920], ['Contents TEUR', 12, 15])).toEqual(['building_value', 'contents_value'])
  expect(await targets(['Building USD mn', 1, 2])).toEqual(['building_value'])
})

test('a factor that a title announces counts for headers without one', async () => {
  const columns: Column[] = [
    ['Building', 1.14, 1.27],
    ['Contents', 0.2, 0.2],
  ]
  expect((await proposals(columns, {}, 1_000_000)).map(({ target }) => target)).toEqual(['building_value', 'contents_value'])
})

test('a building number without a factor remains one', async () => expect(await targets(['Bldg', 1, 2])).toEqual(['building_number']))

test('amounts with apostrophes and a foreign currency are mapped', async () =>
  expect(await targets(['Building Value', "CHF 1'137'000", "CHF 1'274'000"], ['Contents', "284'250.-", "318'500.-"])).toEqual([
    'building_value',
    'contents_value',
  ]))
