import { describe, expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'

async function read(header: string, ...rows: Cell[][]) {
  const { proposals = [], read: found = [] } = await readTable([header.split(';'), ...rows])
  return {
    targets: proposals.map(({ target }) => target),
    states: proposals.map(({ status }) => status),
    fields: found.map(({ fields }) => fields),
    addresses: found.map(({ fields: { address } }) => address),
    issues: found.flatMap(({ issues }) => issues.filter(({ field }) => field === 'address').map(({ message }) => message)),
    from: found.map(({ origin, houseNumberFrom }) => [origin.address, houseNumberFrom]),
  }
}

describe('house numbers in a column of their own', () => {
  test('may be below “St No”', async () =>
    expect(
      (await read('St No;Street Name;City;State;Zip', [100, 'Main', 'Reno', 'NV', '89501'], [45, 'Oak', 'Reno', 'NV', '89501'])).addresses,
    ).toEqual(['100 Main', '45 Oak']))
  test.each([
    ['Straße;Hausnr.;PLZ;Ort;Land;Gebäudewert', 'DE'],
    ['Strasse;Hausnummer;PLZ;Ort;Land;Gebäudewert', 'CH'],
    ['Strasse;Haus-Nr.;PLZ;Ort;Land;Gebäudewert', 'CH'],
  ])('below “%s” follow the street', async (header, country) => {
    const { targets, states, fields, issues, from } = await read(
      header,
      ['Bahnhofstrasse', 12, '8001', 'Zürich', country, 1_000_000],
      ['Am Markt', '4a', '8002', 'Zürich', country, 2_000_000],
      ['Lange Gasse', '10-14', '8003', 'Zürich', country, 3_100_000],
      ['Hof', '-', '8004', 'Zürich', country, 4_100_000],
    )
    expect(targets).toEqual(['address', 'house_number', 'postal_code', 'city', 'country', 'building_value'])
    expect(states).toEqual(['mapped', 'mapped', 'mapped', 'mapped', 'mapped', 'mapped'])
    expect(fields).toMatchObject([
      { address: 'Bahnhofstrasse 12', city: 'Zürich', country, building_value: 1_000_000 },
      { address: 'Am Markt 4a', city: 'Zürich', country, building_value: 2_000_000 },
      { address: 'Lange Gasse 10-14', city: 'Zürich', country, building_value: 3_100_000 },
      { address: 'Hof', city: 'Zürich', country, building_value: 4_100_000 },
    ])
    expect(issues).toEqual(['“Hof” has no house number. Type it if there is one.'])
    expect(from.slice(0, 3)).toEqual([
      ['A', 'B'],
      ['A', 'B'],
      ['A', 'B'],
    ])
  })

  test.each(['House Number;Street', 'Street No;Street Name', 'Street #;Street', 'Civic No.;Street'])(
    'below “%s” precede the street',
    async (header) => {
      const { targets, states, addresses, issues } = await read(
        `Loc #;${header};City;State;Zip;Building Value`,
        [1, 12, 'Main St', 'Austin', 'TX', '78701', 1_000_000],
        [2, '400 B', 'Congress Ave', 'Austin', 'TX', '78701', 2_000_000],
        [3, '7', 'Oak Ln', 'Austin', 'TX', '78701', 3_100_000],
      )
      expect(targets).toEqual(['location_number', 'house_number', 'address', 'city', 'state', 'postal_code', 'building_value'])
      expect(states.slice(0, 3)).toEqual(['mapped', 'mapped', 'mapped'])
      expect([addresses, issues]).toEqual([['12 Main St', '400 B Congress Ave', '7 Oak Ln'], []])
    },
  )

  test('follow the language of the street, not of the header', async () => {
    const header = 'Loc #;House Number;Street;City;Country;Building Value'
    const { addresses } = await read(
      header,
      [1, 12, 'Bahnhofstrasse', 'Zürich', 'CH', 1_000_000],
      [2, '4 bis', 'rue du Lac', 'Lausanne', 'CH', 2_000_000],
      [3, 7, 'Calle Mayor', 'Madrid', 'ES', 3_100_000],
    )
    expect(addresses).toEqual(['Bahnhofstrasse 12', '4 bis rue du Lac', 'Calle Mayor 7'])
    const romand = await read(
      'Rue;N° civique;NPA;Localité;Pays;Valeur du bâtiment',
      ['Rue du Lac', 12, '1003', 'Lausanne', 'CH', 1_000_000],
      ['Chemin Vert', 4, '1004', 'Lausanne', 'CH', 2_000_000],
    )
    expect(romand.addresses).toEqual(['12 Rue du Lac', '4 Chemin Vert'])
  })

  test('are not added to a street that has one', async () => {
    const { addresses, issues } = await read(
      'Straße;Hausnr.;PLZ;Ort;Land;Gebäudewert',
      ['Bahnhofstrasse', 12, '8001', 'Zürich', 'CH', 1_000_000],
      ['Hauptgasse 7', 7, '8001', 'Zürich', 'CH', 2_000_000],
      ['Hauptgasse 9', 11, '8001', 'Zürich', 'CH', 3_100_000],
      ['Straße des 17. Juni', 135, '10623', 'Berlin', 'DE', 4_100_000],
      ['Lange Gasse', 3, '8001', 'Zürich', 'CH', 5_100_000],
      ['Weg', 4, '8001', 'Zürich', 'CH', 5_200_000],
    )
    expect(addresses).toEqual(['Bahnhofstrasse 12', 'Hauptgasse 7', 'Hauptgasse 9', 'Straße des 17. Juni 135', 'Lange Gasse 3', 'Weg 4'])
    expect(issues).toEqual([
      'The house number “11” in column B is not added to “Hauptgasse 9”, which has one. Type the whole address if that is wrong.',
    ])
  })
})

describe('“Nr.” alone', () => {
  const rows = (...numbers: Cell[]) =>
    numbers.map((number, at): Cell[] => ['Bahnhofstrasse', number, `800${at}`, 'Zürich', 'CH', 1_000_000 + at * 77_000])
  test('is the house number next to streets without one, to be confirmed', async () => {
    const { targets, states, addresses } = await read('Strasse;Nr.;PLZ;Ort;Land;Gebäudewert', ...rows(12, '4a', 30))
    expect([targets[1], states[1]]).toEqual(['house_number', 'confirm'])
    expect(addresses).toEqual(['Bahnhofstrasse 12', 'Bahnhofstrasse 4a', 'Bahnhofstrasse 30'])
  })
  test('is the number of the location in the first column, also next to another one', async () => {
    const numbered = rows(12, '4a', 30).map((row, at) => [at + 1, ...row])
    const { targets, addresses } = await read('Nr.;Strasse;Nr.;PLZ;Ort;Land;Gebäudewert', ...numbered)
    expect(targets.slice(0, 3)).toEqual(['location_number', 'address', 'house_number'])
    expect(addresses[0]).toBe('Bahnhofstrasse 12')
  })
  test('remains the number of the location if it counts the rows', async () =>
    expect((await read('Strasse;Nr.;PLZ;Ort;Land;Gebäudewert', ...rows(1, 2, 3))).targets[1]).toBe('location_number'))
  test('is the house number in spite of that if another column has the number of the location', async () => {
    const numbered = rows(1, 2, 3).map((row, at) => [`S${at + 1}`, ...row])
    expect((await read('Standort-Nr;Strasse;Nr.;PLZ;Ort;Land;Gebäudewert', ...numbered)).targets.slice(0, 3)).toEqual([
      'location_number',
      'address',
      'house_number',
    ])
  })
  test('remains the number of the location next to whole addresses, and away from the street', async () => {
    const full = rows('A-12', 'A-13', 'A-14').map(([street = null, number = null, ...rest]): Cell[] => [
      `${cellText(street)} 5`,
      number,
      ...rest,
    ])
    expect((await read('Strasse;Nr.;PLZ;Ort;Land;Gebäudewert', ...full)).targets[1]).toBe('location_number')
    const away = rows(12, 40, 30).map(([street = null, number = null, ...rest]): Cell[] => [street, ...rest, number])
    expect((await read('Strasse;PLZ;Ort;Land;Gebäudewert;Nr.', ...away)).targets.at(-1)).toBe('location_number')
  })
  test('“Hausnr.” next to whole addresses is not joined', async () => {
    const { targets, addresses } = await read(
      'Adresse;Hausnr.;PLZ;Ort;Land;Gebäudewert',
      ...rows(12, 40, 30).map(([street = null, ...rest]): Cell[] => [`${cellText(street)} ${cellText(rest[0])}`, ...rest]),
    )
    expect(targets[1]).toBeNull()
    expect(addresses[0]).toBe('Bahnhofstrasse 12')
  })
})
