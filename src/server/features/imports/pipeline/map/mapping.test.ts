import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { learnedKeys } from '#server/features/imports/pipeline/read/learned-keys.ts'
import { proposeMapping, type ColumnProposal } from './propose-mapping.ts'

const amounts = (count: number, first: number): Cell[] => Array.from({ length: count }, (_, index) => first + index)

/** Columns as header and cells; returns the proposals in file order. */
const propose = (columns: readonly (readonly [string, ...Cell[]])[], saved = new Map<string, string>()): Promise<ColumnProposal[]> =>
  proposeMapping(
    columns.map(([header, ...cells], index) => ({ column: String.fromCharCode(65 + index), header, cells })),
    saved,
    SETTINGS,
  )
const targets = async (...columns: (readonly [string, ...Cell[]])[]) => (await propose(columns)).map(({ target }) => target)

describe('the cells decide what a header means', () => {
  test('Building with amounts is the building value, with names the property name', async () => {
    expect(await targets(['Building', 45_000_000, '$18,000,000'])).toEqual(['building_value'])
    expect(await targets(['Building', 'Main Hall', 'Library'])).toEqual(['property_name'])
    expect(await targets(['Bldg.', 1, 2, 3])).toEqual(['building_number'])
  })
  test('Bldg with amounts is the building value, even if it was the building number in an earlier import', async () => {
    const learned = new Map([['building', 'building_number']])
    const learnedTargets = async (...columns: (readonly [string, ...Cell[]])[]) =>
      (await propose(columns, learned)).map(({ target }) => target)
    expect(await learnedTargets(['Bldg', 250_000, 291_337])).toEqual(['building_value'])
    expect(await learnedTargets(['Building', '250000', '291337', 'Incl'])).toEqual(['building_value'])
    expect(await learnedTargets(['Bldg', 250_000, 291_337], ['City', 'Fresno', 'Selma'])).toEqual(['building_value', 'city'])
    expect(await learnedTargets(['Bldg', '250,000', '291,337'])).toEqual(['building_value'])
    expect(await learnedTargets(['Bldg', 1001, 1002])).toEqual(['building_number'])
    expect(await learnedTargets(['Bldg', '850.000', '12.500'])).toEqual(['building_value'])
    expect(await learnedTargets(['Bldg', 101, 102, 104], ['Contents', 250_000, 250_000, 240_000])).toEqual([
      'building_number',
      'contents_value',
    ])
    expect(await learnedTargets(['Bldg', 101, 250, 390], ['Contents', 250, 250, 240])).toEqual(['building_value', 'contents_value'])
    expect(await learnedTargets(['Bldg', 20_101, 20_102], ['Building Value', 250_000, 291_337])).toEqual([
      'building_number',
      'building_value',
    ])
  })
  test('Building with amounts in several notations is the building value, not the name', async () =>
    expect(await targets(['Building', '$1.25M', '-500000', '750000', '600,000.00', '900,000 CR'])).toEqual(['building_value']))
  test('Bldg # with large numbers is the building number', async () =>
    expect(await targets(['Bldg #', 20_101, 20_102])).toEqual(['building_number']))
  test('amounts are never building numbers, also if another column has the building values', async () => {
    expect(await targets(['Bldg', 7_500_000, 3_600_000], ['Bldg', 7_950_000, 3_816_000])).toEqual(['building_value', null])
    expect(await targets(['Bldg', 250_000, 360_000], ['Bldg', 260_000, 380_000])).toEqual(['building_value', null])
    expect(await targets(['Building (USD)', 3_500_000, 7_400_000], ['Building (CAD)', 4_760_000, 10_064_000])).toEqual([
      'building_value',
      null,
    ])
    expect(await targets(['Building Value', 350_000, 740_000], ['Bldg', '$36K', '$47K'])).not.toContain('building_number')
  })
  test('amounts that are written as multiples are values', async () =>
    expect(
      await targets(['Bldg Val', '$7.50M', '$5.60M'], ['Cont Val', '1.5M', '900K'], ['Ins. Val. (Total)', '$9.00M', '$6.50M']),
    ).toEqual(['building_value', 'contents_value', 'stated_tiv']))
  test('the columns of a German schedule are understood', async () => {
    const columns: [string, ...Cell[]][] = [
      ['Standort-Nr.', 1, 2],
      ['Bezeichnung', 'Hotel Müller 0', 'Hotel Müller 1'],
      ['Strasse', 'Hauptstr. 3', 'Hauptstr. 4'],
      ['PLZ', 80000, 80031],
      ['Ort', 'München', 'Augsburg'],
      ['Land', 'DE', 'DE'],
      ['Baujahr', 1900, 1904],
      ['Geschosse', 1, 2],
      ['Fläche m²', '900,00', '933,00'],
      ['Gebäude (€)', '5.092.951,00', '2.370.495,00'],
      ['Inhalt (€)', '556.533,00', '413.884,00'],
      ['BU (€)', '248.236,00', '367.296,00'],
      ['Gesamt (€)', '5.897.720,00', '3.151.675,00'],
    ]
    expect(await targets(...columns)).toEqual([
      'location_number',
      'property_name',
      'address',
      'postal_code',
      'city',
      'country',
      'year_built',
      'stories',
      'floor_area',
      'building_value',
      'contents_value',
      'bi_value',
      'stated_tiv',
    ])
  })
  test('Area with state codes is the state, with numbers the floor area', async () => {
    expect(await targets(['Area', 1113, 632])).toEqual(['floor_area'])
    expect(await targets(['Area', 'CA', 'NV'])).toEqual(['state'])
  })
  test('Equipment with amounts is a value, with codes it is not mapped', async () => {
    expect(await targets(['Equipment', 250_000, 1_000_000])).toEqual(['machinery_value'])
    expect(await targets(['EquipmentBracing', 0, 1])).toEqual([null])
  })
  test('State with words is proposed for confirmation where the countries have other states', async () => {
    const states: [string, ...Cell[]] = ['Estado', 'CDMX', 'NL', 'JAL']
    const stateOf = async (...countries: Cell[]) => (await propose([states, ['País', ...countries]]))[0]
    expect(await stateOf('México', 'México', 'MX')).toMatchObject({ target: 'state', status: 'confirm' })
    expect(await stateOf('México', 'USA', 'USA')).toMatchObject({ target: null })
    expect(await stateOf('Canada', 'CA', 'CA')).toMatchObject({ target: null })
    expect((await propose([states]))[0]).toMatchObject({ target: null })
    expect(
      (
        await propose([
          ['Estado', 1, 2, 3],
          ['País', 'MX', 'MX', 'MX'],
        ])
      )[0],
    ).toMatchObject({ target: null })
  })
  test('Property is the name and Property # the location number', async () =>
    expect(await targets(['Property #', 'P-1', 'P-2'], ['Property', 'North Mill', 'South Mill'])).toEqual([
      'location_number',
      'property_name',
    ]))
  test('Site with numbers is the location number, with names the group of locations', async () => {
    expect(await targets(['Site', 'S01', 'S02'])).toEqual(['location_number'])
    expect(await targets(['Site', 'North Campus', 'Harbor'])).toEqual(['location_group'])
  })
  test('abbreviations and a lone number sign are understood', async () =>
    expect(await targets(['#', 1, 2], ['Cont', 9_000, 8_000], ['Year blt', 1990, 1975], ['Effective', '1/1/2026', '1/1/2026'])).toEqual([
      'location_number',
      'contents_value',
      'year_built',
      'ignore',
    ]))
  test('a column of words is not mapped to a value', async () => expect(await targets(['Building Value', 'brick', 'wood'])).toEqual([null]))
})

describe('cells that do not fit a header', () => {
  test('numbers that repeat in a long column are not location numbers', async () => {
    const mapped = async (header: string, ...cells: Cell[]) => (await targets([header, ...cells]))[0]
    expect(await mapped('Item #', 7, 7, 7, 7, 7, 7)).toBeNull()
    expect(await mapped('Item #', 7, 7, 7, 7, 7)).toBe('location_number')
    expect(await mapped('Item #', 1, 1, 1, 1, 1, 2, 2, 2, 2, 2)).toBe('location_number')
    expect(await mapped('Bldg #', 7, 7, 7, 7, 7, 7)).toBe('building_number')
  })
  test('texts that are too long, or amounts, are not location numbers', async () => {
    expect(await targets(['Loc #', 'A'.repeat(20), 'B'.repeat(20)])).toEqual(['location_number'])
    expect(await targets(['Loc #', 'A'.repeat(21), 'B'.repeat(21)])).toEqual([null])
    expect(await targets(['Loc #', '$1', '$2'])).toEqual([null])
    expect(await targets(['Bldg #', '123456789', '223456789'])).toEqual([null])
  })
  test('words that are not in a list leave it unmapped; placeholders count for less', async () => {
    const score = async (...cells: Cell[]) => (await propose([['Roof Cover', ...cells]]))[0]
    expect(await score('zorp', 'blah')).toMatchObject({ target: null, score: 0 })
    expect(await score('tpo', 'tile')).toMatchObject({ target: 'roof_cover', score: 1 })
    expect(await score('?', '-')).toMatchObject({ target: 'roof_cover', score: 1 })
    expect((await propose([['Indemnity Period', 'TBD', 'TBD']]))[0]).toMatchObject({ target: 'bi_months', score: expect.closeTo(0.82) })
    expect((await propose([['Occupancy', 'Office', 'Zorp']]))[0]).toMatchObject({ target: 'property_type', score: expect.closeTo(0.85) })
    expect(await targets(['Year Built', 'soon', 'later'])).toEqual([null])
  })
  test('small numbers are not values or areas, and zeros must be confirmed', async () => {
    expect(await targets(['Building Value', 1, 20])).toEqual([null])
    expect(await targets(['Building Value', 1, 21])).toEqual(['building_value'])
    expect(await targets(['Floor Area', 1, 20])).toEqual([null])
    expect(await targets(['Floor Area', 1, 21])).toEqual(['floor_area'])
    expect((await propose([['Stock Value', 0, 0]]))[0]).toMatchObject({ target: 'stock_value', score: expect.closeTo(0.88) })
    expect((await propose([['Stories', 0.5, 1]]))[0]).toMatchObject({ target: 'stories' })
  })
  test.each<[string, Cell[], string | null]>([
    ['City', ['12', '34'], null],
    ['County', ['Kern', 'Inyo'], 'county'],
    ['State', ['Ontario', 'Quebec'], 'state'],
    ['State', ['north', 'south'], null],
    ['Zip', ['93721', '93721-1234'], 'postal_code'],
    ['Zip', ['M5H 1A1', '7030.0'], 'postal_code'],
    ['Zip', ['downtown', 'uptown'], null],
    ['Full Address', ['1 Main St, Fresno, CA 93721'], 'full_address'],
    ['Full Address', ['somewhere'], null],
    ['City, State Zip', ['somewhere'], null],
    ['Floor Area', ['500 sf', '700 sf'], 'floor_area'],
    ['Floor Area', ['5 sf', '7 sf'], null],
    ['Street Address', ['5', '6'], null],
    ['Street Address', ['Main Street'], 'address'],
    ['Tenant', ['5', '6'], 'tenants'],
    ['Date Sold', ['3/1/2030'], 'ignore'],
    ['Date Sold', ['soon'], null],
    ['Status', ['x'], 'ignore'],
  ])('%s with %j is mapped to %s', async (header, cells, target) => expect(await targets([header, ...cells])).toEqual([target]))
})

describe('cells with several fields', () => {
  const PLACES = ['Fresno, CA 93721', 'Selma CA 93662', 'Reedley, CA 93654']
  const WHOLE = ['1 Main St, Fresno, CA 93721', '2 Oak Ave, Selma, CA 93662', 'unknown']
  test.each([
    ['City', PLACES],
    ['Address 2', PLACES],
    ['', PLACES],
    ['City', [...PLACES, 'unknown']],
  ])('city, state and ZIP below “%s” are proposed to be split, to be confirmed', async (header, cells) =>
    expect((await propose([[header, ...cells]]))[0]).toMatchObject({ target: 'city_state_zip', status: 'confirm' }),
  )
  test('a header that names city, state and ZIP needs no confirmation', async () =>
    expect((await propose([['City, State Zip', ...PLACES]]))[0]).toMatchObject({ target: 'city_state_zip', status: 'mapped' }))
  test('whole addresses below “Address” are proposed to be split, to be confirmed', async () => {
    expect((await propose([['Address', ...WHOLE]]))[0]).toMatchObject({ target: 'full_address', status: 'confirm' })
    const saved = new Map([['address', 'address']])
    expect((await propose([['Address', ...WHOLE]], saved))[0]).toMatchObject({ target: 'full_address', status: 'confirm' })
  })
  test.each([
    [
      'of England',
      ['Ref', 'Premises', 'Postcode'],
      ['1 High Street, Leeds, West Yorkshire', '2 High Street, Leeds, West Yorkshire'],
      'LS1 1AB',
    ],
    ['of France', ['Ref', 'Address', 'Postcode'], ['12 Rue de Rivoli, Paris', '3 Rue Cler, Paris'], '75001'],
    ['of the United States', ['Loc #', 'Address', 'Zip'], ['100 Main St, Tulsa, OK', '2 Oak St, Tulsa, OK'], '74103'],
  ])(
    'addresses %s with the postal code in its own column are proposed to be split, to be confirmed',
    async (_, [ref, address, code], cells, zip) => {
      const columns = await propose([
        [ref ?? '', '1', '2'],
        [address ?? '', ...cells],
        [code ?? '', zip, zip],
      ])
      expect(columns[1]).toMatchObject({ target: 'full_address', status: 'confirm' })
      expect(columns[2]?.target).toBe('postal_code')
    },
  )
  test('are not split without a city in them, or with the city in a column of its own', async () => {
    expect(await targets(['Address', '100 Main St, Suite 200', '2 Oak Ave, #4'])).toEqual(['address'])
    const own = await propose([
      ['Address', '100 Main St, Riverside', '2 Oak Ave, Uptown'],
      ['City', 'Tulsa', 'Tulsa'],
    ])
    expect(own.map(({ target }) => target)).toEqual(['address', 'city'])
  })
  test('are not split if only a few of them can be', async () => {
    expect(await targets(['Address', '1 Main St', '2 Oak Ave', '3 Elm Rd, Fresno, CA'])).toEqual(['address'])
    expect(await targets(['City', 'Fresno', 'Port Washington', 'New York'])).toEqual(['city'])
    expect(await targets(['Tenant', ...PLACES])).toEqual(['tenants'])
  })
  test('numbers of locations with their buildings are proposed to be split', async () => {
    expect((await propose([['Loc #', 1.1, 1.2, 2.1, 3.1]]))[0]).toMatchObject({ target: 'location_building', status: 'confirm' })
    expect((await propose([['Loc/Bldg #', '1-1', '1-2', '2-1']]))[0]).toMatchObject({ target: 'location_building', status: 'mapped' })
    expect(await targets(['Loc #', '1.1', '2.1', '3.1'])).toEqual(['location_number'])
    expect(await targets(['Loc #', 'A-1', 'A-2'])).toEqual(['location_number'])
  })
  test('numbers of buildings are split only if no other column has the numbers of the locations', async () => {
    expect(await targets(['Bldg ID', '1.1', '1.2', '2.1'])).toEqual(['location_building'])
    expect(await targets(['Loc #', 1, 1, 2], ['Bldg ID', '1.1', '1.2', '2.1'])).toEqual(['location_number', 'building_number'])
    expect(await targets(['Bldg ID', '1.2', '2.1', '3.1'])).toEqual(['building_number'])
  })
})

describe('each field is mapped to one column', () => {
  test('the values of two columns are added for contents, but not for buildings', async () => {
    const [first, second] = await propose([
      ['Contents', 100_000, 200_000],
      ['FF&E', 5_000, 6_000],
    ])
    expect([first?.target, second?.target, second?.note]).toEqual(['contents_value', 'contents_value', 'sum_of'])
    expect(await targets(['Building Value', 100_000, 5], ['Structure Value', 100_000, 5])).toEqual(['building_value', null])
  })
  test('three headers with the word construction are three fields', async () =>
    expect(
      await targets(['Construction', 'Frame', 'JM'], ['Roof Construction', 'TPO', 'Tile'], ['Reconstruction Date', 1999, 2005]),
    ).toEqual(['construction_class', 'roof_cover', 'year_upgraded']))
  test('Owned / Leased is the interest', async () =>
    expect(await targets(['Owned / Leased', 'Owned', 'Leased'], ['Occupancy', 'Office', 'Retail'])).toEqual(['interest', 'property_type']))
  test('columns with the same header get separate proposals', async () =>
    expect(await targets(['2024 - Increase 10%', 5], ['2024 - Increase 10%', 6], ['Comments', 'x'], ['Comments', 'y'])).toEqual([
      'ignore',
      'ignore',
      'ignore',
      'ignore',
    ]))
  test('the newest year is mapped and the older one is noted', async () => {
    const [older, newer] = await propose([
      ['Building Value 2024', 100_000, 200_000],
      ['Building Value 2025', 110_000, 220_000],
    ])
    expect([newer?.target, older?.target, older?.note]).toEqual(['building_value', 'ignore', 'older_year'])
  })
  test('the newest year is mapped although some of its cells say that the value is included elsewhere', async () => {
    const [older, newer] = await propose([
      ['2025 RCV', ...amounts(20, 100_000)],
      ['2026 RCV', ...amounts(15, 110_000), 'Incl.', 'Incl.', 'Incl.', 'Incl.', 'Incl.'],
    ])
    expect([newer?.target, older?.target, older?.note]).toEqual(['building_value', 'ignore', 'older_year'])
  })
  test('a column of the newest year that is nearly empty leaves the field to the year before', async () =>
    expect(await targets(['RCV 2026', ...amounts(20, 100_000)], ['RCV 2027', 5_000])).toEqual(['building_value', null]))
  test.each([
    ['equal columns', ['RCV', 'RCV']],
    ['columns of which a hidden one names a year', ['2026 RCV', 'RCV']],
  ])('of two %s the visible one is mapped', async (_name, headers) => {
    const columns = headers.map((header, index) => ({
      column: 'AB'[index] ?? '',
      header,
      cells: amounts(9, 100_000),
      ...(index === 0 ? { hidden: true } : {}),
    }))
    for (const learned of [new Map<string, string>(), new Map([[learnedKeys(headers)[0] ?? '', 'building_value']])]) {
      const proposals = await proposeMapping(columns, learned, SETTINGS)
      expect(proposals.map(({ target }) => target)).toEqual([null, 'building_value'])
    }
  })
  test('a mapping is learned for the newest year and the older ones separately', async () => {
    const [newest, older] = learnedKeys(['RCV 2026', '2025 RCV'])
    const saved = new Map([
      [newest ?? '', 'building_value'],
      [older ?? '', 'ignore'],
    ])
    const proposals = await propose(
      [
        ['2026 RCV', ...amounts(9, 100_000)],
        ['2027 RCV', ...amounts(9, 200_000)],
      ],
      saved,
    )
    expect(proposals.map(({ target, saved: isSaved }) => [target, isSaved])).toEqual([
      ['ignore', true],
      ['building_value', true],
    ])
    const reversed = new Map([
      [newest ?? '', 'ignore'],
      [older ?? '', 'building_value'],
    ])
    const other = await propose(
      [
        ['2026 RCV', ...amounts(9, 100_000)],
        ['2027 RCV', ...amounts(9, 200_000)],
      ],
      reversed,
    )
    expect(other.map(({ target }) => target)).toEqual(['building_value', 'ignore'])
  })
  test('parts of business income are proposed as a sum, to be confirmed', async () => {
    const [income, rents] = await propose([
      ['Business Income', 100_000, 200_000],
      ['Rents', 5_000, 6_000],
    ])
    expect([income?.status, rents?.target, rents?.status, rents?.note]).toEqual(['mapped', 'bi_value', 'confirm', 'sum_of'])
  })
  test('a TIV column of formulas without results is mapped', async () =>
    expect(await targets(['TIV', { formula: '=SUM(A1:B1)' }, { formula: '=SUM(A2:B2)' }])).toEqual(['stated_tiv']))
  test('a column of formulas without results is not mapped to another field than an amount', async () =>
    expect(await targets(['Stories', { formula: '=A1' }, { formula: '=A2' }])).toEqual([null]))
})

describe('the certainty of a proposal', () => {
  test('an exact header with readable cells is mapped', async () =>
    expect((await propose([['City', 'Fresno', 'Ventura']]))[0]).toMatchObject({ status: 'mapped', score: 1 }))
  test('a partial match must be confirmed', async () =>
    expect((await propose([['Real Property Asset Type', 'BUILDING', 'STRUCTURE']]))[0]).toMatchObject({
      target: 'property_type',
      status: 'confirm',
    }))
  test('a mapping confirmed before has the full score', async () => {
    const [column] = await propose([['SW', 'A-1', 'A-2']], new Map([['sw', 'location_number']]))
    expect(column).toMatchObject({ target: 'location_number', status: 'mapped', saved: true, score: 1 })
  })
  test('a mapping confirmed before has the full score even for cells that are only plausible', async () => {
    const [column] = await propose([['SW', '1', '2']], new Map([['sw', 'tenants']]))
    expect(column).toMatchObject({ target: 'tenants', status: 'mapped', saved: true, score: 1 })
    expect((await propose([['SW', '1']], new Map([['sw', 'ignore']])))[0]).toMatchObject({ target: 'ignore', saved: true, note: 'no_home' })
    expect((await propose([['SW', '1']], new Map([['sw', 'zorp']])))[0]).toMatchObject({ target: null, saved: false })
  })
  test('a mapping confirmed before is not used if the cells do not fit', async () => {
    const names = ['Corporate headquarters of the group', 'Regional distribution center, north', 'Research campus with laboratories']
    const [column] = await propose([['Location Name', ...names]], new Map([['location name', 'location_number']]))
    expect(column).toMatchObject({ target: 'property_name', status: 'mapped', saved: false })
  })
  test('unmapped columns have up to three samples', async () =>
    expect((await propose([['Zorp', 'a', 'b', 'a', 'c', 'd']]))[0]).toMatchObject({
      target: null,
      status: 'unmapped',
      samples: ['a', 'b', 'c'],
      filled: 5,
    }))
})
