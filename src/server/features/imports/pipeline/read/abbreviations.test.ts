import { expect, test } from 'vitest'
import { normalizeHeader, scoreHeader } from './headers.ts'

test.each([
  ['Sprklr Y/N', 'sprinklered'],
  ['Sprklr', 'sprinklered'],
  ['Spklr (Y/N)', 'sprinklered'],
  ['Sprk', 'sprinklered'],
  ['Spklrd', 'sprinklered'],
  ['Sprinklered Yes/No', 'sprinklered'],
  ['Sprklr %', 'percent_sprinklered'],
  ['YB', 'year_built'],
  ['Yr Blt', 'year_built'],
  ['Yr. Const.', 'year_built'],
  ['Blt', 'year_built'],
  ['Yr Reno', 'year_upgraded'],
  ['Yr Renov.', 'year_upgraded'],
  ['Stry', 'stories'],
  ['# Stry', 'stories'],
  ['No. Stys', 'stories'],
  ['# Stories', 'stories'],
  ['# Flrs', 'stories'],
  ['Bsmt', 'basement_levels'],
  ['Constr', 'construction_class'],
  ['Const Cls', 'construction_class'],
  ['Occ', 'property_type'],
  ['Occup. Type', 'property_type'],
  ['Occup %', 'percent_occupied'],
  ['Sq Ft', 'floor_area'],
  ['Sq. Footage', 'floor_area'],
  ['Tot SF', 'floor_area'],
  ['Bldg #', 'building_number'],
  ['Loc #', 'location_number'],
  ['RCV', 'building_value'],
  ['BPP', 'contents_value'],
  ['BI/EE', 'bi_value'],
  ['Tot. Val.', 'stated_tiv'],
  ['Cnty', 'county'],
  ['Zip+4', 'postal_code'],
  ['Prot Cls', 'protection_class'],
  ['Own/Lse', 'interest'],
])('the usual abbreviation “%s” is %s', (header, target) =>
  expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 1 }),
)

test.each(['Spr', 'Stor', 'Flr', 'Const. Loan #'])('“%s”, which may mean something else, is no exactly known header', (header) =>
  expect(scoreHeader(normalizeHeader(header))[0]?.score ?? 0).toBeLessThan(0.85),
)
