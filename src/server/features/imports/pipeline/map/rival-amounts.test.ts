import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { proposeMapping } from './propose-mapping.ts'
import { addendReader, findSums } from './sum-columns.ts'

const LETTERS = ['A', 'B', 'C', 'D', 'E']

async function targets(columns: Readonly<Record<string, readonly number[]>>, saved = new Map<string, string>()) {
  const listed = Object.entries(columns).map(([header, cells], index) => ({ column: LETTERS[index] ?? '', header, cells }))
  const sums = findSums(listed.map((_, index) => index))
  const rows = listed[0]?.cells.map((_, row) => listed.map(({ cells }) => cells[row])) ?? []
  for (const row of rows) sums.add(addendReader(row))
  const proposals = await proposeMapping(listed, saved, SETTINGS, async () => {}, { sums: sums.found() })
  return proposals.map(({ target }) => target)
}

test('a second amount of the building is not taken for a mark of what is insured', async () => {
  const columns = { 'Replacement Cost New': [1_250_000, 2_500_000], 'Insured Building Value': [1_000_000, 2_000_000] }
  expect(await targets(columns)).toEqual(['building_value', null])
})

test('a total of the contents and their parts gives way to these', async () => {
  const stock = { Building: [900_000, 800_000], Contents: [40_000, 60_000], Stock: [5_000, 9_000], 'Total Contents': [45_000, 69_000] }
  expect(await targets(stock)).toEqual(['building_value', 'contents_value', 'stock_value', null])
  const machinery = { 'M&E': [70_000, 90_000], 'FF&E': [10_000, 20_000], 'Total BPP': [80_000, 110_000] }
  expect(await targets(machinery)).toEqual(['machinery_value', 'contents_value', null])
})

test('a total of the contents remains if it does not include the other columns, or if the company ignores these', async () => {
  const apart = { 'Total Contents': [40_000, 60_000], Stock: [5_000, 9_000] }
  expect(await targets(apart)).toEqual(['contents_value', 'stock_value'])
  const columns = { Contents: [40_000, 60_000], Stock: [5_000, 9_000], 'Total Contents': [45_000, 69_000] }
  expect(await targets(columns, new Map([['stock', 'ignore']]))).toEqual([null, 'ignore', 'contents_value'])
})

test('of several totals, the largest is the total insured value', async () => {
  const columns = { Building: [900_000, 800_000], Contents: [40_000, 60_000], Total: [940_000, 860_000], 'Grand Total': [990_000, 900_000] }
  expect(await targets(columns)).toEqual(['building_value', 'contents_value', null, 'stated_tiv'])
})
