import { expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { Mapping, MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { splitSamples } from './read-parts.ts'
import { readRow } from './read-row.ts'

const PLACE = { address: '1 Main St', city: 'San Diego', state: 'CA' } as const

/** Reads one row given as target and cell. */
function read(cells: Partial<Record<MappingTarget, Cell>>) {
  const values = Object.values(cells)
  const mapping = Object.fromEntries(Object.keys(cells).map((target, index) => [columnLetters(index + 1), target])) as Mapping // keys of the parameter
  const plan = createReadPlan(
    mapping,
    () => '',
    (_, header) => columnStyle(header, [], SETTINGS),
    {},
  )
  return readRow(values, plan)
}

test('city, state and ZIP in one cell are split', () =>
  expect(read({ address: '1 Main St', city_state_zip: 'Fresno CA 93721' }).fields).toMatchObject({
    address: '1 Main St',
    city: 'Fresno',
    state: 'CA',
    postal_code: '93721',
  }))
test('location and building in one cell are split', () => {
  const numbers = (cell: Cell) => {
    const { location_number, building_number } = read({ ...PLACE, location_building: cell }).fields
    return [location_number, building_number]
  }
  expect([1.2, '12-3', 'A/2', '001-02B', '7'].map(numbers)).toEqual([
    ['1', '2'],
    ['12', '3'],
    ['A', '2'],
    ['001', '02B'],
    ['7', undefined],
  ])
})
test('has a message that names the right target for a cell with several parts of the address', () => {
  const messages = (cells: Parameters<typeof read>[0]) =>
    read(cells).issues.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))
  expect(messages({ address: '1 Main St, Fresno, CA 93721' })).toEqual(
    ['City', 'State / province'].map(
      (label) =>
        `${label} is missing, but “1 Main St, Fresno, CA 93721” contains it. Map column A to “Whole address in one cell”, which splits it.`,
    ),
  )
  expect(messages({ address: '1 Main St', city: 'Fresno, CA 93721' })).toEqual([
    'State / province is missing, but “Fresno, CA 93721” contains it. Map column B to “City, state and ZIP in one cell”, which splits it.',
  ])
  expect(messages({ address: null, city: 'Fresno, CA 93721', state: 'CA' })).toEqual([
    'Street address is missing. Type it or map the column that holds it.',
  ])
  expect(messages({ full_address: 'Fresno, CA 93721' })).toEqual([
    '“Fresno, CA 93721” contains city and state, but no street. Map column A to “City, state and ZIP in one cell”.',
  ])
  expect(messages({ address: '1 Main St', city_state_zip: '1 Main St, Fresno, CA 93721' })).toEqual([
    '“1 Main St, Fresno, CA 93721” also contains the street. Map column B to “Whole address in one cell”.',
  ])
})

test('an empty cell with several fields is no problem', () => expect(read({ ...PLACE, full_address: null }).issues).toEqual([]))
test('an address that is the same for all rows has no column to map', () => {
  const plan = createReadPlan(
    {},
    () => '',
    (_, header) => columnStyle(header, [], SETTINGS),
    { address: '1 Main St, Fresno, CA 93721' },
  )
  expect(readRow([], plan).issues.map(({ message }) => message)).toEqual(
    ['City', 'State / province'].map(
      (label) => `${label} is missing. Type it, map the column that holds it, or set one value for all rows.`,
    ),
  )
})
test('the samples of a column show its parts, or that they cannot be split', () => {
  expect(splitSamples('city_state_zip', ['Fresno, CA 93721', 'somewhere'])).toEqual(['Fresno | CA | 93721', 'somewhere: cannot be split'])
  expect(splitSamples('location_building', ['12-3', '7'])).toEqual(['12 | 3', '7'])
})
