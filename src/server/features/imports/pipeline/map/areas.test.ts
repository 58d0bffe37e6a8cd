import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from '#server/features/imports/pipeline/validate/read-cell.ts'
import { columnStyle } from './column-style.ts'
import { proposeMapping } from './propose-mapping.ts'

const targets = async (...columns: (readonly [string, ...Cell[]])[]) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: columnLetters(index + 1), header, cells }))
  return (await proposeMapping(sheet, new Map(), SETTINGS)).map(({ target }) => target)
}

test.each([
  '$/SF',
  '$ / Sq. Ft.',
  'Cost per sq ft',
  'RCV ($/SF)',
  'Building PSF',
  'cost_per_sf',
  'Value/SF',
  '£/m2',
  'Rent per square foot',
])('“%s” is an amount per area, and no area or value', async (header) =>
  expect(await targets([header, 150, 162], ['Gross SF', 24_000, 31_000])).toEqual(['ignore', 'floor_area']),
)
test.each(['SF', 'Building SF', 'Sq. Ft./Area', 'Area (m2)'])('“%s” is the floor area', async (header) =>
  expect(await targets([header, 24_000, 31_000])).toEqual(['floor_area']),
)
test('Prop # is the location number and Spk the sprinklers', async () =>
  expect(await targets(['Prop #', 1, 2], ['Spk', 'Y', 'N'])).toEqual(['location_number', 'sprinklered']))

test('areas in thousands are multiplied by their header, unless they are whole', async () => {
  const area = (header: string, ...cells: (number | string)[]) =>
    cells.map((cell) => readCell(cell, 'floor_area', columnStyle(normalizeHeader(header), cells, SETTINGS)).value)
  expect(area('Sq Ft (000s)', 38.5, 12)).toEqual([38_500, 12_000])
  expect(area('Area (in thousands)', '38.5', '8', '9,500 sf')).toEqual([38_500, 8_000, 9_500])
  expect(area('Sq Ft (000s)', 38_500, 12_000)).toEqual([38_500, 12_000])
  expect(area('Sq Ft', 38.5)).toEqual([38.5])
  expect(await targets(['Sq Ft (000s)', 3.5, 12])).toEqual(['floor_area'])
})
