import { expect, test } from 'vitest'
import { formatPropertyValue, fullAddress } from './property-format.ts'

test('a value of a property is formatted by the kind of its field', () => {
  expect(formatPropertyValue('construction_class', '2')).toBe('2 Joisted masonry')
  expect(formatPropertyValue('building_value', 1_234_567)).toBe('$1,234,567')
  expect(formatPropertyValue('floor_area', 12_000)).toBe('12,000 sq ft')
  expect(formatPropertyValue('floor_area', 12_000.4)).toBe('12,000.4 sq ft')
  expect(formatPropertyValue('year_built', 1987)).toBe('1987')
  expect(formatPropertyValue('latitude', 40.712776)).toBe('40.712776')
  expect(formatPropertyValue('valuation_date', '2026-03-04')).toBe('Mar 4, 2026')
  expect(formatPropertyValue('state', 'TX')).toBe('Texas')
  expect(formatPropertyValue('bi_value', null)).toBe('')
})

test('a full address leaves out empty parts and the country of the US', () => {
  const place = { address: '12 Main St', address_2: null, city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' }
  expect(fullAddress(place)).toBe('12 Main St, Springfield, IL 62701')
  expect(fullAddress({ ...place, address_2: 'Suite 4', postal_code: '', country: 'CA' })).toBe('12 Main St, Suite 4, Springfield, IL, CA')
})
