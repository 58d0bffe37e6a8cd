import { describe, expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'

/** What the columns are proposed as, and the fields of the rows. */
async function read(header: string, ...rows: Cell[][]) {
  const { proposals = [], read: found = [] } = await readTable([header.split(';'), ...rows])
  return {
    targets: proposals.map(({ target }) => target),
    rows: found.map(({ fields }) => fields),
    issues: found.map(({ issues }) => issues),
  }
}

const PLACE = ['address', 'postal_code', 'city', 'state'] as const

describe('a Swiss schedule', () => {
  const values = ['building_value', 'contents_value', 'bi_value'] as const
  const expected = [
    { building_number: '1', year_built: 1990, stories: 3, building_value: 1_250_000, contents_value: 250_000, bi_value: 500_000 },
    { building_number: '2', year_built: 2001, stories: 2, building_value: 2_500_000, contents_value: 80_000, bi_value: 0 },
    { building_number: '1', year_built: 1955, stories: 4, building_value: 1_125_000_000, contents_value: 95_500, bi_value: 1_125_000 },
  ]
  const amounts = [
    ["CHF 1'250'000.–", "250'000.-", 'Fr. 0.5 Mio.'],
    ['Fr. 2.5 Mio.', "Fr. 80'000.—", '-'],
    ['1,125 Mrd. CHF', '95’500.00', '1,125 Mio. CHF'],
  ]

  test.each([
    ['German', 'Strasse;PLZ;Ort;Kanton;Gebäudenummer;Baujahr;Stockwerke;Gebäudewert;Inhalt;Betriebsunterbruch'],
    ['German', 'Adresse;PLZ;Gemeinde;Kanton;Geb.-Nr.;Baujahr;Anzahl Stockwerke;VS Gebäude;Fahrhabe;Versicherungssumme Betriebsunterbruch'],
    [
      'French',
      "Rue;NPA;Localité;Canton;N° de bâtiment;Année de construction;Nombre d'étages;Valeur du bâtiment;Contenu;Perte d'exploitation",
    ],
    [
      'French',
      "Adresse;NPA;Commune;Canton;No bâtiment;Année de construction;Étages;Somme assurée bâtiment;Somme assurée contenu;Interruption d'exploitation",
    ],
  ])('with %s headers is read completely, in cantons with the codes of US states, too', async (_, header) => {
    const places = [
      ['Bahnhofstrasse 12', '8001', 'Zürich', 'ZH'],
      ['Rue du Lac 4', '2000', 'Neuchâtel', 'NE'],
      ['Hauptgasse 7', 9100, 'Herisau', 'AR'],
    ]
    const facts = expected.map(({ building_number, year_built, stories }) => [building_number, year_built, stories])
    const { targets, rows, issues } = await read(
      header,
      ...places.map((place, at) => [...place, ...(facts[at] ?? []), ...(amounts[at] ?? [])]),
    )
    expect(targets).toEqual([...PLACE, 'building_number', 'year_built', 'stories', ...values])
    expect(rows).toMatchObject(
      expected.map((row, at) => ({ ...row, country: 'CH', currency: 'CHF', state: places[at]?.[3], postal_code: String(places[at]?.[1]) })),
    )
    expect(issues).toEqual([[], [], []])
  })
})

test('states below a foreign header must be confirmed, and are no country where they may be in several', async () => {
  const { proposals = [], read: rows = [] } = await readTable([
    ['Straße', 'PLZ', 'Ort', 'Bundesland', 'Gebäudewert'],
    ['Hauptstraße 5', '80331', 'München', 'Bayern', '1,5 Mio. €'],
    ['Lange Gasse 4', '20095', 'Hamburg', 'Hamburg', '1.250.000,- €'],
  ])
  expect(proposals[3]).toMatchObject({ target: 'state', status: 'confirm' })
  expect(rows.map(({ fields }) => [fields.country, fields.building_value])).toEqual([
    ['US', 1_500_000],
    ['US', 1_250_000],
  ])
})

test.each([
  ['State', 'NE', '68102', 'Omaha'],
  ['State', 'AR', '72201', 'Little Rock'],
  ['Canton', 'TX', '75103', 'Canton'],
])('“%s” with %s remains a state of the United States', async (header, state, zip, city) => {
  const { rows } = await read(
    `Address;Zip;City;${header};Building Value`,
    ['12 Main St', zip, city, state, 1_000_000],
    ['14 Main St', zip, city, state, 2_000_000],
  )
  expect(rows.map((row) => [row.country, row.state])).toEqual([
    ['US', state],
    ['US', state],
  ])
})
