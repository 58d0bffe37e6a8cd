import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { proposeMapping } from './propose-mapping.ts'

const targets = (...columns: (readonly [string, ...Cell[]])[]) => targetsAfter(new Map(), ...columns)
const targetsAfter = async (saved: ReadonlyMap<string, string>, ...columns: (readonly [string, ...Cell[]])[]) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: String.fromCharCode(65 + index), header, cells }))
  return (await proposeMapping(sheet, saved, SETTINGS)).map(({ target }) => target)
}
const NUMBERS = [1, 2, 3, 4, 5] as const
const STORES = ['Store 1', 'Store 2', 'Store 3', 'Store 4', 'Store 5'] as const

test('sites next to numbers of locations and buildings are groups, not location numbers', async () => {
  const parts = ['1.1', '1.2', '2.1', '2.2', '3.1'] as const
  expect(await targets(['Loc/Bldg', ...parts], ['Site', ...STORES])).toEqual(['location_building', 'location_group'])
  expect(await targets(['Site', ...STORES], ['Location', ...parts])).toEqual(['location_group', 'location_building'])
  expect(await targets(['Loc/Bldg', ...parts], ['Loc #', 'A-1', 'A-1', 'A-2', 'A-2', 'A-3'])).toEqual([
    'location_building',
    'location_number',
  ])
})

test('names of locations next to their numbers are property names', async () => {
  expect(await targets(['#', ...NUMBERS], ['Location', ...STORES])).toEqual(['location_number', 'property_name'])
  expect(await targets(['Location', ...STORES], ['Item', ...NUMBERS])).toEqual(['property_name', 'location_number'])
  expect(await targets(['Loc #', ...NUMBERS], ['Location', ...STORES], ['Name', 'Barn', 'Mill', 'Hall', 'Shop', 'Inn'])).toEqual([
    'location_number',
    null,
    'property_name',
  ])
})

test('names of locations without other numbers are the location numbers, and numbers remain those of the locations', async () => {
  expect(await targets(['Location', ...STORES])).toEqual(['location_number'])
  expect(await targets(['#', ...NUMBERS], ['Location', 101, 102, 103, 104, 105])).toContain('location_number')
  expect(await targets(['#', ...NUMBERS], ['Site #', ...STORES])).toContain('location_number')
})

test('numbers below Loc are location numbers, although Location had names in an earlier import', async () => {
  const saved = new Map([['location', 'property_name']])
  expect(await targetsAfter(saved, ['Loc', ...NUMBERS])).toEqual(['location_number'])
  expect(await targetsAfter(saved, ['Location', ...STORES])).toEqual(['property_name'])
})
