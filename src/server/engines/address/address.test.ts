import { describe, expect, test } from 'vitest'
import { addressKeys, isPlaceholderAddress } from './address-keys.ts'
import { normaliseStreet } from './normalise-street.ts'
import { similarity } from './similarity.ts'
import { splitFullAddress } from './split-full-address.ts'

const key = (address: string, postal_code = '92123', address_2 = '') =>
  addressKeys({ address, address_2, city: 'San Diego', state: 'CA', postal_code })

describe('the address key', () => {
  test.each([
    ['9210 Sky Park Court', '9210 SKY PARK CT'],
    ['200 N. Westlake Blvd.', '200 North Westlake Boulevard'],
    ['879 W 190Th St', '879 West 190th Street'],
    ['12 First Avenue', '12 1st Ave.'],
    ['5 Saint Louis Road', '5 ST. LOUIS RD'],
    ['10740-10760 4Th St', '10740 4th Street'],
    ['8800   8810 California Center Drive', '8800-8810 California Ctr Dr'],
    ['100 Main St Suite 400', '100 Main Street #400'],
    ['100 Main St, 3rd Floor', '100 MAIN ST FL 3RD'],
  ])('%s is %s', (left, right) => {
    expect(key(left).strong).toBe(key(right).strong)
    expect(key(left).strong).not.toBeNull()
  })

  test('the unit may stand in its own field', () => expect(key('100 Main St', '92123', 'Suite 400')).toEqual(key('100 Main St Ste 400')))
  test('another number, unit, street or ZIP is another address', () => {
    const keys = [key('100 Main St'), key('102 Main St'), key('100 Main Ave'), key('100 Main St #2'), key('100 Main St', '92124')].map(
      ({ strong }) => strong,
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
  test('ZIP+4 counts as its first five digits', () => expect(key('100 Main St', '92122-1243')).toEqual(key('100 Main St', '92122')))
  test('without a ZIP only the weak key is left', () =>
    expect(key('1600 Pennsylvania Ave', '')).toEqual({ strong: null, weak: '1600|PENNSYLVANIA AVE|SAN DIEGO|CA' }))
  test('a placeholder has no key', () =>
    expect(['TBD', 'Various', 'N/A', 'x', ''].map((text) => key(text).weak)).toEqual([null, null, null, null, null]))
  test('a street is not a placeholder', () =>
    expect(['1 X St', 'Pier 39', 'Old Mill'].map(isPlaceholderAddress)).toEqual([false, false, false]))
  test('a range keeps both numbers beside the low one', () =>
    expect(normaliseStreet('15451-15515 San Fernando Mission Blvd')).toMatchObject({ number: '15451', range: '15451-15515' }))
  test('a half number belongs to the number', () =>
    expect(normaliseStreet('1301 1/2 7th St NW')).toMatchObject({ number: '1301 1/2', street: '7TH ST NW' }))
})

describe('similarity counts whole words', () => {
  test.each([
    ['9210 Sky Park Court', '9210 SKY PARK CT', 1],
    ['Grand Prairie', 'Grand Total', 0.5],
    ['Tower', 'Flower', 0],
    ['', 'x', 0],
  ])('%s and %s: %d', (left, right, expected) => expect(similarity(left, right)).toBeCloseTo(expected))
})

describe('an address in one cell', () => {
  test('street, city, state and ZIP', () =>
    expect(splitFullAddress('100 Main St, New York, NY 10001')).toEqual({
      address: '100 Main St',
      address_2: null,
      city: 'New York',
      state: 'NY',
      postal_code: '10001',
      country: null,
    }))
  test('unit and country', () =>
    expect(splitFullAddress('100 Main St, Suite 4, Fresno, Calif. 93721-1234, USA')).toEqual({
      address: '100 Main St',
      address_2: 'Suite 4',
      city: 'Fresno',
      state: 'CA',
      postal_code: '93721-1234',
      country: 'US',
    }))
  test('no comma before the state', () =>
    expect(splitFullAddress('9 Elm Rd, Grand Prairie TX 75050')).toMatchObject({ city: 'Grand Prairie', state: 'TX' }))
  test('Canada', () =>
    expect(splitFullAddress('1 King St W, Toronto, ON M5H 1A1, Canada')).toMatchObject({
      city: 'Toronto',
      state: 'ON',
      postal_code: 'M5H 1A1',
      country: 'CA',
    }))
  test.each(['100 Main St', 'Fresno, CA', '', 'one, two, three, four'])('%s cannot be split', (text) =>
    expect(splitFullAddress(text)).toBeUndefined(),
  )
})
