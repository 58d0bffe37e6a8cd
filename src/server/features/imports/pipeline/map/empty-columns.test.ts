import { expect, test } from 'vitest'
import { PROPERTY_FIELDS, PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { SETTINGS, readTable } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

/** Columns as header and cells. */
type Columns = readonly (readonly [string, ...Cell[]])[]
async function propose(columns: Columns, saved: Readonly<Record<string, string>> = {}) {
  const rows = (columns[0]?.slice(1) ?? []).map((_, row) => columns.map((column) => column[row + 1] ?? null))
  const headers = columns.map(([header]) => header)
  const proposals = await proposeMapping(sheetColumns(headers, rows), new Map(Object.entries(saved)), SETTINGS)
  return proposals.map(({ target, status, note }) => [target, status, note])
}
const UNMAPPED = [null, 'unmapped', 'empty']

test('a column without values is mapped by an exact header, without a question', async () =>
  expect(
    await propose([
      ['City', null, ' '],
      ['Zorp', null],
      ['Real Property Asset Type Code', null],
      ['County', 'Kern', null],
    ]),
  ).toEqual([['city', 'mapped', 'empty'], UNMAPPED, UNMAPPED, ['county', 'mapped', null]]))

test('the labels of all fields are mapped without a question if no column has values', async () => {
  const labels = PROPERTY_FIELD_NAMES.filter((name) => PROPERTY_FIELDS[name].importable)
  const columns = labels.map((name) => [PROPERTY_FIELDS[name].label, null] as const)
  expect(await propose(columns)).toEqual(labels.map((name) => [name, 'mapped', 'empty']))
})

test.each(['Bldg', 'Building', 'Location'])(
  '%s, a name of several fields, is not mapped without values, even if it was before',
  async (header) => {
    const columns: Columns = [
      ['Loc #', 1, 2, 3],
      [header, null, null, null],
    ]
    expect((await propose(columns))[1]).toEqual(UNMAPPED)
    expect((await propose(columns, { building: 'property_name', location: 'property_name' }))[1]).toEqual(UNMAPPED)
    expect((await propose(columns, { building: 'ignore', location: 'ignore' }))[1]).toEqual(['ignore', 'unmapped', 'no_home'])
  },
)

test('a column without values leaves its field to one with values, even if only its own header was confirmed before', async () => {
  expect(
    (
      await propose([
        ['Loc #', null, null],
        ['Item #', 1, 2],
      ])
    ).map(([target]) => target),
  ).toEqual([null, 'location_number'])
  const names: Columns = [
    ['Site Name', null, null],
    ['Facility Name', 'Mill', 'Depot'],
  ]
  expect((await propose(names, { 'site name': 'property_name' })).map(([target]) => target)).toEqual([null, 'property_name'])
})

test('a column without values adds nothing to the contents, and does not have to be confirmed', async () =>
  expect(
    await propose([
      ['Contents', 100_000, 200_000],
      ['FF&E', null, null],
      ['Expiring Stock', null, null],
    ]),
  ).toEqual([['contents_value', 'mapped', null], UNMAPPED, ['stock_value', 'mapped', 'empty']]))

test('property damage next to an empty column for the contents must be confirmed', async () =>
  expect(
    (
      await propose([
        ['PD Value', 900_000, 800_000],
        ['Contents', null, null],
      ])
    )[0],
  ).toEqual(['building_value', 'confirm', null]))

test.each(['Bldg', 'Bldg #', 'Building'])(
  'numbers of locations with their buildings are split next to an empty column %s',
  async (header) => {
    const { mapping, read = [] } = await readTable([
      ['Loc #', header, 'Address', 'City', 'State', 'Zip', 'Building Value'],
      ...['1.1', '1.2', '2.1'].map((number) => [number, null, `${number[0]} Main St`, 'Fresno', 'CA', '93721', 1_000_000]),
    ])
    expect(mapping?.['A']).toBe('location_building')
    expect(read.map(({ fields }) => [fields.location_number, fields.building_number, fields.property_name])).toEqual([
      ['1', '1', undefined],
      ['1', '2', undefined],
      ['2', '1', undefined],
    ])
  },
)
