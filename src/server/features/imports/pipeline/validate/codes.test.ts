import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readConstruction } from './read-construction.ts'
import { readOccupancy } from './read-occupancy.ts'
import type { ConstructionScheme, OccupancyScheme } from './results.ts'

const iso = (cell: string | number, scheme: ConstructionScheme = 'words') => {
  const { value, problem } = readConstruction(cell, scheme)
  return problem ? `${value ?? ''}?` : value
}
const type = (cell: string | number, scheme: OccupancyScheme = 'words') => {
  const { value, problem } = readOccupancy(cell, scheme)
  return problem ? `${value ?? ''}?` : value
}

describe('construction', () => {
  test.each([
    ['Frame', '1'],
    ['wood frame', '1'],
    ['Brick Veneer', '1'],
    ['JM', '2'],
    ['Joisted Masonry', '2'],
    ['CMU with wood roof', '2'],
    ['Non-Combustible', '3'],
    ['Pre-Eng Metal', '3'],
    ['Masonry Non-Combustible', '4'],
    ['tilt-up', '4'],
    ['Block with steel deck', '4'],
    ['Modified Fire Resistive', '5'],
    ['Fire Resistive', '6'],
    ['Fire Res.', '6'],
    ['Reinforced Concrete', '6'],
    ['ISO 4', '4'],
    ['4)', '4'],
    ['6 - Fire Resistive', '6'],
    [3, '3'],
    ['unprotected steel', '3'],
  ])('%s is ISO %s', (cell, expected) => expect(iso(cell)).toBe(expected))
  test.each([
    ['Steel Frame', '3?'],
    ['Concrete frame', '6?'],
    ['Masonry', '2?'],
    ['Brick', '2?'],
    ['Steel', '3?'],
    ['Concrete', '6?'],
    ['stone', '2?'],
    ['Concrete block', '2?'],
    ['Insulated Metal Panel', '3?'],
    ['Frame / Masonry', '1?'],
    ['mixed frame and fire resistive', '1?'],
    ['Glass dome', '?'],
    ['555451', '?'],
  ])('%s is proposed as %s', (cell, expected) => expect(iso(cell)).toBe(expected))
  test.each<[number, ConstructionScheme, string | null]>([
    [5050, 'oed', '1'],
    [5106, 'oed', '4?'],
    [5101, 'oed', '2?'],
    [5000, 'oed', '?'],
    [555451, 'oed', '?'],
    [111, 'air', '4'],
    [3, 'rms', '6'],
  ])('%d in %s is %s', (cell, scheme, expected) => expect(iso(cell, scheme)).toBe(expected))
  test('the codes of a column decide its scheme', () => {
    const scheme = (cells: (string | number)[], header = 'Construction') =>
      columnStyle(normalizeHeader(header), cells, SETTINGS).constructionScheme
    expect([
      scheme([5106, 5050, 555451]),
      scheme([111, 101, 0]),
      scheme([3, 6, 4]),
      scheme(['Frame', 'JM']),
      scheme([1, 2], 'RMS Construction'),
    ]).toEqual(['oed', 'air', 'iso', 'words', 'rms'])
  })
})

describe('occupancy', () => {
  test.each([
    ['Office', 'office'],
    ['Medical office', 'healthcare'],
    ['Cold Storage', 'warehouse'],
    ['Whse', 'warehouse'],
    ['Data Center', 'tech'],
    ['Laboratory', 'tech'],
    ['Recreation / Fitness', 'recreation'],
    ['Light manufacturing', 'industrial'],
    ['Single-family house', 'residential'],
    ['Nursing Home', 'senior_living'],
    ['Apartments', 'multifamily'],
    ['Parking garage', 'parking'],
    ['Vacant land', 'vacant'],
    ['Office / Warehouse', 'office?'],
    ['Office with warehouse', 'office?'],
    ['Hay barn', 'agriculture'],
    ['Barn #2', 'agriculture'],
    ['Bus barn', 'other?'],
    ['Pump house', 'other?'],
    ['Farm house', 'other?'],
    ['Tank farm', 'other?'],
    ['Maintenance shop', 'other?'],
    ['Auto repair shop', 'retail'],
    ['Food bank', 'other?'],
    ['Wells Fargo Bank', 'office'],
    ['Apartment homes', 'multifamily'],
    ['House of worship', 'religious'],
    ['Office park', 'office'],
    ['School bus garage', 'parking?'],
    ['Church parking lot', 'parking'],
    ['Restaurant supply store', 'retail?'],
    ['Storage for schools', 'warehouse'],
    ['Spaceport', 'other?'],
    ...['N/A', 'NA', 'Unknown', 'TBD', '??', '--', 'None', 'not stated'].map((text): [string, null] => [text, null]),
    ['None yet', 'other?'],
    ['Zorp - none', 'other?'],
  ])('%s is %s', (cell, expected) => expect(type(cell)).toBe(expected))
  test.each(['Bus barn', 'Salt barn', 'Tank farm', 'Wind mill'])(
    'a type that the other words of “%s” contradict is not offered',
    (text) => {
      const { value, problem } = readOccupancy(text, 'words')
      expect([value, problem?.code, problem?.suggestion]).toEqual(['other', 'unknown_code', undefined])
    },
  )
  test.each<[string | number, OccupancyScheme, string | null]>([
    [1104, 'oed', 'office'],
    ['1055.0', 'oed', 'multifamily'],
    ['1055.00', 'oed', 'multifamily'],
    ['110.04', 'oed', 'other?'],
    ['RES3.0', 'hazus', 'other?'],
    [1000, 'oed', null],
    [315, 'air', 'office'],
    ['RES3A', 'hazus', 'multifamily'],
    ['COM10', 'hazus', 'parking'],
    [5, 'atc', 'retail'],
    [1399, 'oed', 'other?'],
  ])('%s in %s is %s', (cell, scheme, expected) => expect(type(cell, scheme)).toBe(expected))
})
