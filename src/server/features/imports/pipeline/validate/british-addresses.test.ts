import { describe, expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'

async function read(header: readonly string[], ...rows: Cell[][]) {
  const { proposals = [], read: found = [] } = await readTable([[...header], ...rows])
  return {
    targets: proposals.map(({ target }) => target),
    rows: found.map(({ fields: { address, address_2, city, county, postal_code, country } }) => [
      address,
      address_2,
      city,
      county,
      postal_code,
      country,
    ]),
    issues: found.map(({ issues }) => issues.map(({ code, severity }) => `${severity} ${code}`)),
    origins: found.map(({ origin }) => origin),
  }
}

describe('addresses of houses with names, in one cell', () => {
  test.each([
    ['The Old Mill, Mill Lane, Hebden Bridge HX7 6AA', ['The Old Mill, Mill Lane', undefined, 'Hebden Bridge', undefined, 'HX7 6AA']],
    [
      'The Old Mill, Mill Lane, Hebden Bridge, West Yorkshire, hx76aa',
      ['The Old Mill, Mill Lane', undefined, 'Hebden Bridge', 'West Yorkshire', 'HX7 6AA'],
    ],
    [
      'Rose Cottage, Church Street, Ludlow, Shropshire SY8 1AP',
      ['Rose Cottage, Church Street', undefined, 'Ludlow', 'Shropshire', 'SY8 1AP'],
    ],
    ['The Castle, Palace Green, Durham DH1 3RW', ['The Castle, Palace Green', undefined, 'Durham', undefined, 'DH1 3RW']],
    [
      'The Maltings, Station Road, Sawbridgeworth, CM21 9JX, United Kingdom',
      ['The Maltings, Station Road', undefined, 'Sawbridgeworth', undefined, 'CM21 9JX'],
    ],
    ['Unit 4 Riverside Park, Leeds LS1 4AP', ['Unit 4 Riverside Park', undefined, 'Leeds', undefined, 'LS1 4AP']],
    ['Unit 4, Riverside Park, Leeds, LS1 4AP', ['Riverside Park', 'Unit 4', 'Leeds', undefined, 'LS1 4AP']],
    ['Unit 4 Riverside Park, Kings Road, Leeds LS1 4AP', ['Kings Road', 'Unit 4 Riverside Park', 'Leeds', undefined, 'LS1 4AP']],
    ['12 Mill Lane, Hebden Bridge HX7 6AA', ['12 Mill Lane', undefined, 'Hebden Bridge', undefined, 'HX7 6AA']],
  ])('“%s” is split without a question about it', async (text, expected) => {
    const { targets, rows, issues } = await read(
      ['Ref', 'Address', 'Buildings Declared Value'],
      ['a', text, 1_000_000],
      ['b', text, 2_500_000],
    )
    expect(targets[1]).toBe('full_address')
    expect(rows[0]).toEqual([...expected, 'GB'])
    expect(issues).toEqual([[], []])
  })
  test.each(['Mill Lane HX7 6AA', 'The Old Mill Hebden Bridge HX7 6AA', 'The Old Mill, Mill Lane HX7 6AA'])(
    '“%s” has no certain city',
    async (text) => expect((await read(['Ref', 'Address', 'Building Value'], ['a', text, 1_000_000])).rows[0]?.[2]).toBeUndefined(),
  )
})

describe('a postal code without a column', () => {
  const header = ['Ref', 'Address', 'Town', 'Building Value (£)']
  test('is at the end of the address or the city, whose cell is its origin', async () => {
    const { rows, issues, origins } = await read(
      header,
      ['a', 'The Old Mill, Mill Lane, HX7 6AA', 'Hebden Bridge', 1_000_000],
      ['b', 'Unit 4 Riverside Park', 'Leeds LS1 4AP', 2_500_000],
      ['c', 'Rose Cottage, Church Street', 'Ludlow', 3_100_000],
    )
    expect(rows).toEqual([
      ['The Old Mill, Mill Lane', undefined, 'Hebden Bridge', undefined, 'HX7 6AA', 'GB'],
      ['Unit 4 Riverside Park', undefined, 'Leeds', undefined, 'LS1 4AP', 'GB'],
      ['Rose Cottage, Church Street', undefined, 'Ludlow', undefined, undefined, 'GB'],
    ])
    expect(issues).toEqual([[], [], []])
    expect(origins.map(({ postal_code }) => postal_code)).toEqual(['B', 'C', undefined])
  })
  test('comes with a warning if nothing else shows the country', async () => {
    const { rows, issues } = await read(
      ['Ref', 'Address', 'Town', 'Building Value'],
      ['a', 'The Old Mill, Mill Lane HX7 6AA', 'Hebden Bridge', 1_000_000],
    )
    expect(rows[0]).toEqual(['The Old Mill, Mill Lane', undefined, 'Hebden Bridge', undefined, 'HX7 6AA', 'GB'])
    expect(issues).toEqual([['warning value_elsewhere']])
  })
  test.each([
    [
      ['Ref', 'Address', 'City', 'State', 'Building Value'],
      ['a', '100 Main St Unit E1 4AB', 'Reno', 'NV', 1_000_000],
      '100 Main St Unit E1 4AB',
    ],
    [
      ['Ref', 'Address', 'City', 'Country', 'Building Value'],
      ['a', '5 Rue du Lac E1 4AB', 'Nice', 'France', 1_000_000],
      '5 Rue du Lac E1 4AB',
    ],
    [
      ['Ref', 'Address', 'City', 'Postcode', 'Building Value'],
      ['a', '5 High Street E1 4AB', 'London', 'E2 7DP', 1_000_000],
      '5 High Street E1 4AB',
    ],
  ])('is none in a row with a state, another country or a code of its own', async (names, cells, address) =>
    expect((await read(names, cells)).rows[0]?.[0]).toBe(address),
  )
})

test.each([
  ['Mill Lane', 'United Kingdom', ['warning address_parts']],
  ['The Old Mill, Mill Lane', 'United Kingdom', []],
  ['Riverside Park', 'United Kingdom', []],
  ['The Old Mill, Mill Lane', 'France', ['warning address_parts']],
])('“%s” in %s has the issues %j', async (address, country, expected) =>
  expect(
    (await read(['Ref', 'Address', 'Town', 'Country', 'Building Value'], ['a', address, 'Ludlow', country, 1_000_000])).issues[0],
  ).toEqual(expected),
)
