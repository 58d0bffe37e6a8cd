import { describe, expect, test } from 'vitest'
import { addressKeys, isPlaceholderAddress } from './address-keys.ts'
import { normalizeStreet, similarity } from './normalize-street.ts'
import { splitCityStateZip, splitFullAddress, splitStreetAndCity } from './split-full-address.ts'

const key = (address: string, postal_code = '92123', address_2 = '') =>
  addressKeys({ address, address_2, city: 'San Diego', state: 'CA', postal_code })

describe('addressKeys', () => {
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
  ])('gives %s and %s the same key', (left, right) => {
    expect(key(left).strong).toBe(key(right).strong)
    expect(key(left).strong).not.toBeNull()
  })

  test('reads the unit from its own field, too', () => expect(key('100 Main St', '92123', 'Suite 400')).toEqual(key('100 Main St Ste 400')))
  test('gives different keys for another number, unit, street or ZIP', () => {
    const keys = [key('100 Main St'), key('102 Main St'), key('100 Main Ave'), key('100 Main St #2'), key('100 Main St', '92124')].map(
      ({ strong }) => strong,
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
  test('compares only five digits of a ZIP+4', () => expect(key('100 Main St', '92122-1243')).toEqual(key('100 Main St', '92122')))
  test('has only a weak key without a ZIP', () =>
    expect(key('1600 Pennsylvania Ave', '')).toEqual({ strong: null, weak: '1600|PENNSYLVANIA AVE|SAN DIEGO|CA' }))
  test('has no keys for a placeholder', () =>
    expect(['TBD', 'Various', 'N/A', 'x', '', 'To be determined'].map((text) => key(text).weak)).toEqual(Array(6).fill(null)))
  test('does not treat a street as a placeholder', () =>
    expect(['1 X St', 'Pier 39', 'Old Mill'].map(isPlaceholderAddress)).toEqual([false, false, false]))
  test('normalizes a range to its low number and the range', () =>
    expect(normalizeStreet('15451-15515 San Fernando Mission Blvd')).toMatchObject({ number: '15451', range: '15451-15515' }))
  test('reads a half number as part of the number', () =>
    expect(normalizeStreet('1301 1/2 7th St NW')).toMatchObject({ number: '1301 1/2', street: '7TH ST NW' }))
})

describe('similarity by whole words', () => {
  test.each([
    ['9210 Sky Park Court', '9210 SKY PARK CT', 1],
    ['Grand Prairie', 'Grand Total', 0.5],
    ['Tower', 'Flower', 0],
    ['', 'x', 0],
  ])('of %s and %s is %d', (left, right, expected) => expect(similarity(left, right)).toBeCloseTo(expected))
})

describe('splitFullAddress', () => {
  test('splits street, city, state and ZIP', () =>
    expect(splitFullAddress('100 Main St, New York, NY 10001')).toEqual({
      address: '100 Main St',
      address_2: null,
      city: 'New York',
      state: 'NY',
      postal_code: '10001',
      country: null,
    }))
  test('splits a unit above its street', () =>
    expect(splitFullAddress('Suite 3\n400 Elm Street\nDallas, Texas 75201')).toMatchObject({
      address: '400 Elm Street',
      address_2: 'Suite 3',
      city: 'Dallas',
    }))
  test('splits unit and country', () =>
    expect(splitFullAddress('100 Main St, Suite 4, Fresno, Calif. 93721-1234, USA')).toEqual({
      address: '100 Main St',
      address_2: 'Suite 4',
      city: 'Fresno',
      state: 'CA',
      postal_code: '93721-1234',
      country: 'US',
    }))
  test('needs no comma before the state', () =>
    expect(splitFullAddress('9 Elm Rd, Grand Prairie TX 75050')).toMatchObject({ city: 'Grand Prairie', state: 'TX' }))
  test('splits a Canadian address', () =>
    expect(splitFullAddress('1 King St W, Toronto, ON M5H 1A1, Canada')).toMatchObject({
      city: 'Toronto',
      state: 'ON',
      postal_code: 'M5H 1A1',
      country: 'CA',
    }))
  test.each(['100 Main St', 'Fresno, CA', '', 'one, two, three, four'])('does not split "%s"', (text) =>
    expect(splitFullAddress(text)).toBeUndefined(),
  )
})

describe('splitStreetAndCity', () => {
  const split = (text: string) => Object.values(splitStreetAndCity(text) ?? {}).map((part) => part ?? '-')
  test.each([
    ['1 High Street, Leeds, West Yorkshire', '1 High Street|-|Leeds|West Yorkshire|-|-'],
    ['12 Rue de Rivoli, Paris', '12 Rue de Rivoli|-|Paris|-|-|-'],
    ['12 Rue de Rivoli, 75001 Paris, France', '12 Rue de Rivoli|-|Paris|-|75001|FR'],
    ['Hauptstraße 5, 80331 München', 'Hauptstraße 5|-|München|-|80331|-'],
    ['Flat 3, Rose House, 1 High Street, Leeds LS1 1AB', '1 High Street|Rose House, Flat 3|Leeds|-|LS1 1AB|-'],
    ['100 Main St, Suite 200, Tulsa', '100 Main St|Suite 200|Tulsa|-|-|-'],
    ['11, rue Sherbrooke, Montréal', '11, rue Sherbrooke|-|Montréal|-|-|-'],
    ['12b, Rue de Rivoli, 75001 Paris', '12b, Rue de Rivoli|-|Paris|-|75001|-'],
    ['1 High Street, Leeds, West Yorkshire, LS1 1AB', '1 High Street|-|Leeds|West Yorkshire|LS1 1AB|-'],
  ])('splits “%s”', (text, parts) => expect(split(text).join('|')).toBe(parts))
  test.each([
    '100 Main St',
    '100 Main St, Suite 200',
    '100 Main St, #4',
    '100 Main St, 2nd Floor',
    '100 Main St, North Tower',
    'Fresno, CA 93721',
    '100 Main St, 200 Oak Ave',
    '100 Main St, Oak Avenue',
    'Leeds, West Yorkshire',
    '1 A St, Two, Three, Four',
    '',
    '11, rue Sherbrooke',
  ])('does not split “%s”', (text) => expect(splitStreetAndCity(text)).toBeUndefined())
})

describe('splitCityStateZip', () => {
  const split = (text: string) => Object.values(splitCityStateZip(text) ?? {}).map((part) => part ?? '-')
  test.each([
    ['Fresno, CA 93721', 'Fresno CA 93721 -'],
    ['Fresno CA 93721-1234', 'Fresno CA 93721-1234 -'],
    ['Fresno, CA, 93721', 'Fresno CA 93721 -'],
    ['New York NY 10001', 'New York NY 10001 -'],
    ['Charlotte, North Carolina 28202', 'Charlotte NC 28202 -'],
    ['Charlotte North Carolina 28202', 'Charlotte NC 28202 -'],
    ['Toronto, ON M5H 1A1', 'Toronto ON M5H 1A1 -'],
    ['Fresno, CA 93721, USA', 'Fresno CA 93721 US'],
    ['Fresno, California', 'Fresno CA - -'],
    ['Fresno CA', 'Fresno CA - -'],
  ])('splits “%s”', (text, parts) => expect(split(text).join(' ')).toBe(parts))
  test.each(['Fresno', 'Port Washington', 'CA 93721', '100 Main St, Fresno, CA 93721', '1 Elm Rd, Fresno', '93721', ''])(
    'does not split “%s”',
    (text) => expect(splitCityStateZip(text)).toBeUndefined(),
  )
})
