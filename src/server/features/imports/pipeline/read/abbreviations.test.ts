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
  ['Bldg Val 100%', 'building_value'],
  ['Cts Val', 'contents_value'],
  ['Bus Inc', 'bi_value'],
  ['Bus. Int. (CAD)', 'bi_value'],
  ['Ord. Payroll', 'bi_value'],
  ['Rental Inc.', 'bi_value'],
  ['Tenant Impr.', 'improvements_value'],
  ['Leasehold Imprv', 'improvements_value'],
  ['Mach. & Equip.', 'machinery_value'],
  ['M&E', 'machinery_value'],
  ['Inv.', 'stock_value'],
  ['Inv Val', 'stock_value'],
  ['Computer Eq.', 'edp_value'],
  ['Comp. Equip.', 'edp_value'],
  ['Pers. Prop.', 'contents_value'],
  ['Struct Val', 'building_value'],
  ['Tot Ins Val', 'stated_tiv'],
])('the usual abbreviation “%s” is %s', (header, target) =>
  expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 1 }),
)

test.each([
  ['EQ', 'eq_zone'],
  ['EQ Zone', 'eq_zone'],
])('“%s” is still an earthquake', (header, target) => expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 1 }))

test.each([
  ['Contents excl. stock', 'contents_value'],
  ['Building (excl. foundations)', 'building_value'],
  ['Insurable Value - Structures', 'building_value'],
  ['Insurable Value - Movable Equipment', 'machinery_value'],
  ['Insurable Value - Inventory', 'stock_value'],
])('“%s” names a value', (header, target) => expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 0.9 }))

test.each(['Inv #', 'Inv Date', 'Company Inc', 'Int. Rate', 'Wind/EQ', 'BI incl. EE', 'Contents incl. stock', 'Bldg Value (80%)'])(
  '“%s” names no value for certain',
  (header) => expect(scoreHeader(normalizeHeader(header))[0]?.score ?? 0).toBeLessThan(0.85),
)

test.each(['Spr', 'Stor', 'Flr', 'Const. Loan #'])('“%s”, which may mean something else, is no exactly known header', (header) =>
  expect(scoreHeader(normalizeHeader(header))[0]?.score ?? 0).toBeLessThan(0.85),
)
