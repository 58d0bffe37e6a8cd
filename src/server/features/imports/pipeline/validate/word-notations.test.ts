import { describe, expect, test } from 'vitest'
import { PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'
import { isUnreadable, type ColumnStyle, type FilledCell } from './results.ts'

/** The notations that people use in schedules, by kind of field; undefined where a cell cannot be read. */
const PLAIN = columnStyle(normalizeHeader(''), [], SETTINGS)
const read = (field: PropertyFieldName, cell: FilledCell, over: Partial<ColumnStyle> = {}) => {
  const result = readCell(cell, field, { ...PLAIN, ...over })
  return isUnreadable(result) ? undefined : result.value
}
const all = (field: PropertyFieldName, cells: FilledCell[], over: Partial<ColumnStyle> = {}) => cells.map((cell) => read(field, cell, over))

describe('a word', () => {
  test('for a place or text has single spaces, and none for nothing', () =>
    expect(all('property_name', [' North   Mill ', 'n/a', 'None', '--', '?', '#N/A', 12])).toEqual([
      'North Mill',
      null,
      null,
      null,
      null,
      null,
      '12',
    ]))
  test('for the interest is not zero', () =>
    expect(all('interest', [0, '0.0', '0.00', '10', 'Owned', 'Fee', 'tenant', 'both'])).toEqual([
      null,
      null,
      null,
      null,
      'owned',
      'owned',
      'leased',
      'other',
    ]))
  test('for the currency has three letters', () =>
    expect(all('currency', [' usd ', 'chf', 'US dollars', '€', '£', 'US', 'EURS', 'X1X'])).toEqual([
      'USD',
      'CHF',
      'USD',
      'EUR',
      'GBP',
      null,
      null,
      null,
    ]))
  test('for the country may be a name', () =>
    expect(all('country', [' Canada ', 'us', 'TBD', 'Atlantis'])).toEqual(['CA', 'US', null, null]))
  test('for the flood zone may say whether it is shaded', () =>
    expect(all('flood_zone', ['X(shaded)', 'X shaded', 'X (unshaded)', 'shaded X'])).toEqual(['X', 'X', 'X', 'X']))
  test('for the flood zone may have prefixes', () =>
    expect(all('flood_zone', ['FEMA Zone AE', 'Flood Zone X (shaded)', 'X(500)', '0.2PCT', 'a e', '0', 'N/A'])).toEqual([
      'AE',
      'X',
      'X500',
      'X500',
      'AE',
      null,
      null,
    ]))
  test('for an alarm may be zero, which means none', () => {
    expect(all('fire_alarm', ['0', 'Central Station', 'y', 'no', 'unknown', '?'])).toEqual([
      'none',
      'central_station',
      null,
      'none',
      null,
      null,
    ])
    expect(all('burglar_alarm', ['0', 'local', 'smoke'])).toEqual(['none', 'local', null])
    expect(all('foundation', ['0', 'Not stated', '8', '8.0', 'Crawl space'])).toEqual([null, null, 'slab', 'slab', 'crawl_space'])
  })
})

describe('the sprinkler protection', () => {
  test('may be a word, a system or a share', () => {
    expect(all('sprinklered', [true, false, 100, 0, '100 %', '0 percent', 'ESFR', 'x', 'unsprinklered', 'nil', 'unk'])).toEqual([
      'full',
      'none',
      'full',
      'none',
      'full',
      'none',
      'full',
      'full',
      'none',
      'none',
      null,
    ])
    expect(all('sprinklered', ['50%', '50 percent', '.5', 'some', '0.5%', '101%', '-1', 'zorp'])).toEqual([
      'partial',
      'partial',
      'partial',
      'partial',
      'partial',
      undefined,
      undefined,
      null,
    ])
    const derived = (cell: FilledCell, over = {}) => readCell(cell, 'sprinklered', { ...PLAIN, ...over }).derived
    expect([derived('13D'), derived('Pre-action'), derived('deluge'), derived('Dry pipe'), derived('wet')]).toEqual(
      ['nfpa13d', 'preaction', 'deluge', 'dry', 'wet'].map((system) => ({ sprinkler_system: system })),
    )
    expect(derived(0.5, { share: true, european: true })).toEqual({ percent_sprinklered: 50 })
    expect([derived('13%'), derived(0.123456, { share: true }), derived('50%', { share: true }), derived(13)]).toEqual([
      { percent_sprinklered: 13 },
      { percent_sprinklered: 12.35 },
      { percent_sprinklered: 50 },
      undefined,
    ])
  })
})

describe('construction and occupancy', () => {
  test('are imported with the original text', () => {
    expect(readCell(' Wood   frame ', 'construction_class', PLAIN)).toEqual({
      value: '1',
      derived: { construction_original: 'Wood frame' },
    })
    expect(readCell(`Wood ${'x'.repeat(300)}`, 'construction_class', PLAIN).derived?.construction_original).toHaveLength(
      PROPERTY_FIELDS.construction_original.max,
    )
    expect(readCell('Office', 'property_type', PLAIN)).toEqual({ value: 'office', derived: { occupancy_original: 'Office' } })
  })
  test('of construction may be abbreviated, mixed or a code', () => {
    expect(all('construction_class', ['F', 'J.M.', 'N.C.', 'MNC', 'MFR', 'FR', 'semi fr', 'Masonry   NC', 'R.C.'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '5',
      '4',
      '6',
    ])
    expect(all('construction_class', ['FR / NC', 'Steel and brick', 'various steel', 'wood, joisted masonry', 'JM + F'])).toEqual([
      '3',
      '2',
      '3',
      '1',
      '1',
    ])
    expect(all('construction_class', ['Class 4', 'iso const 5', 'type-2', '#3', '4.0', 7, 0, 'unk', 'Other', 'none'])).toEqual([
      '4',
      '5',
      '2',
      '3',
      '4',
      null,
      null,
      null,
      null,
      null,
    ])
    expect(all('construction_class', [7, 3, 99], { constructionScheme: 'rms' })).toEqual([null, '6', null])
    expect(all('construction_class', [5099, 5100, 5249, 5250], { constructionScheme: 'oed' })).toEqual(['1', '4', '5', null])
    expect(all('construction_class', [101, 110, 130, 161], { constructionScheme: 'air' })).toEqual(['1', '1', '4', null])
  })
  test('of occupancy are those of the last phrase, or of the first in a list', () => {
    expect(all('property_type', ['Parking, hotel', 'Hotel & restaurant', 'hotel parking garage', 'research office'])).toEqual([
      'parking',
      'hospitality',
      'parking',
      'office',
    ])
    expect(all('property_type', ['Officer', 'house', 'warehouse', 'R&D', 'unk', 'not stated'])).toEqual([
      'other',
      'residential',
      'warehouse',
      'tech',
      null,
      null,
    ])
    expect(all('property_type', ['com1', 'RES9', 'Office', '0'], { occupancyScheme: 'hazus' })).toEqual(['retail', 'other', 'office', null])
  })
})
