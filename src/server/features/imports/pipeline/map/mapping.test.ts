import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { proposeMapping, type ColumnProposal } from './propose-mapping.ts'

/** Columns as header and cells; returns the proposals in file order. */
const propose = (columns: readonly (readonly [string, ...Cell[]])[], saved = new Map<string, string>()): Promise<ColumnProposal[]> =>
  proposeMapping(
    columns.map(([header, ...cells], index) => ({ column: String.fromCharCode(65 + index), header, cells })),
    saved,
    SETTINGS,
  )
const targets = async (...columns: (readonly [string, ...Cell[]])[]) => (await propose(columns)).map(({ target }) => target)

describe('the cells decide what a header means', () => {
  test('Building with amounts is the building value, with names the property name', async () => {
    expect(await targets(['Building', 45_000_000, '$18,000,000'])).toEqual(['building_value'])
    expect(await targets(['Building', 'Main Hall', 'Library'])).toEqual(['property_name'])
    expect(await targets(['Bldg.', 1, 2, 3])).toEqual(['building_number'])
  })
  test('Area with state codes is the state, with numbers the floor area', async () => {
    expect(await targets(['Area', 1113, 632])).toEqual(['floor_area'])
    expect(await targets(['Area', 'CA', 'NV'])).toEqual(['state'])
  })
  test('Equipment with amounts is a value, with codes it is not mapped', async () => {
    expect(await targets(['Equipment', 250_000, 1_000_000])).toEqual(['machinery_value'])
    expect(await targets(['EquipmentBracing', 0, 1])).toEqual([null])
  })
  test('Property is the name and Property # the location number', async () =>
    expect(await targets(['Property #', 'P-1', 'P-2'], ['Property', 'North Mill', 'South Mill'])).toEqual([
      'location_number',
      'property_name',
    ]))
  test('a column of words is not mapped to a value', async () => expect(await targets(['Building Value', 'brick', 'wood'])).toEqual([null]))
})

describe('each field is mapped to one column', () => {
  test('an empty Loc # column leaves the location number to a filled one', async () =>
    expect(await targets(['Loc #', null, null], ['Item #', 1, 2])).toEqual([null, 'location_number']))
  test('three headers with the word construction are three fields', async () =>
    expect(
      await targets(['Construction', 'Frame', 'JM'], ['Roof Construction', 'TPO', 'Tile'], ['Reconstruction Date', 1999, 2005]),
    ).toEqual(['construction_class', 'roof_cover', 'year_upgraded']))
  test('Owned / Leased is the interest', async () =>
    expect(await targets(['Owned / Leased', 'Owned', 'Leased'], ['Occupancy', 'Office', 'Retail'])).toEqual(['interest', 'property_type']))
  test('columns with the same header get separate proposals', async () =>
    expect(await targets(['2024 - Increase 10%', 5], ['2024 - Increase 10%', 6], ['Comments', 'x'], ['Comments', 'y'])).toEqual([
      'ignore',
      'ignore',
      'ignore',
      'ignore',
    ]))
  test('the newest year is mapped and the older one is noted', async () => {
    const [older, newer] = await propose([
      ['Building Value 2024', 100_000, 200_000],
      ['Building Value 2025', 110_000, 220_000],
    ])
    expect([newer?.target, older?.target, older?.note]).toEqual(['building_value', 'ignore', 'older_year'])
  })
  test('parts of business income are proposed as a sum, to be confirmed', async () => {
    const [income, rents] = await propose([
      ['Business Income', 100_000, 200_000],
      ['Rents', 5_000, 6_000],
    ])
    expect([income?.status, rents?.target, rents?.status, rents?.note]).toEqual(['mapped', 'bi_value', 'confirm', 'sum_of'])
  })
  test('a TIV column of formulas without results is mapped', async () =>
    expect(await targets(['TIV', { formula: '=SUM(A1:B1)' }, { formula: '=SUM(A2:B2)' }])).toEqual(['stated_tiv']))
})

describe('the certainty of a proposal', () => {
  test('an exact header with readable cells is mapped', async () =>
    expect((await propose([['City', 'Fresno', 'Ventura']]))[0]).toMatchObject({ status: 'mapped', score: 1 }))
  test('a partial match must be confirmed', async () =>
    expect((await propose([['Real Property Asset Type', 'BUILDING', 'STRUCTURE']]))[0]).toMatchObject({
      target: 'property_type',
      status: 'confirm',
    }))
  test('a mapping confirmed before has the full score', async () => {
    const [column] = await propose([['SW', 'A-1', 'A-2']], new Map([['sw', 'location_number']]))
    expect(column).toMatchObject({ target: 'location_number', status: 'mapped', saved: true, score: 1 })
  })
  test('a mapping confirmed before is not used if the cells do not fit', async () => {
    const names = ['Corporate headquarters of the group', 'Regional distribution center, north', 'Research campus with laboratories']
    const [column] = await propose([['Location Name', ...names]], new Map([['location name', 'location_number']]))
    expect(column).toMatchObject({ target: 'property_name', status: 'mapped', saved: false })
  })
  test('unmapped columns have up to three samples', async () =>
    expect((await propose([['Zorp', 'a', 'b', 'a', 'c', 'd']]))[0]).toMatchObject({
      target: null,
      status: 'unmapped',
      samples: ['a', 'b', 'c'],
      filled: 5,
    }))
})
