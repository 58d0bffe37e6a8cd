import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADERS = ['Loc #', 'Location Name', 'Street Address', 'City', 'ST', 'Zip', 'Bldg Value']
type Sheet = readonly [name: string, rows: readonly (readonly SheetValue[])[], headers?: readonly string[]]
const workbook = (...sheets: Sheet[]): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      sheets: sheets.map(([name, rows, headers = HEADERS]) => ({
        name,
        columns: headers.map((header) => ({ header, width: 12, kind: 'text' as const })),
        rows,
      })),
    }),
  )
const site = (number: number, street: string, city: string, state: string, zip: string, value = 100_000): SheetValue[] => [
  number,
  `Site ${number}`,
  street,
  city,
  state,
  zip,
  value,
]
const total = (value: number): SheetValue[] => ['TOTAL', null, null, null, null, null, value]
const CALIFORNIA: Sheet = [
  'California',
  [site(1, '1 Main St', 'Fresno', 'CA', '93721'), site(2, '2 Main St', 'Fresno', 'CA', '93721'), total(200_000)],
]
const TEXAS: Sheet = [
  'West Texas',
  [site(11, '1 Elm Rd', 'Midland', 'TX', '79701', 300_000), site(12, '', 'Midland', 'TX', '79701', 400_000), total(700_000)],
]
const COPY: Sheet = ['California (2)', CALIFORNIA[1]]
const taken = (data: { sheets: { name: string; taken: boolean }[] }) => data.sheets.flatMap(({ name, taken: is }) => (is ? [name] : []))
const noteOn = (data: { sheets: { name: string; note: string | null }[] }, sheet: string) =>
  data.sheets.find(({ name }) => name === sheet)?.note

describe('last year’s values', () => {
  const headers = ['Loc #', 'Street Address', 'City', 'ST', 'Zip', '2025 RCV', '2026 RCV', '2026 Contents']
  const rows = (first: number, included: number): SheetValue[][] =>
    Array.from({ length: 12 }, (_, index) => {
      const value = first + index
      return [index + 1, `${index + 1} Main St`, 'Fresno', 'CA', '93721', value, index < included ? 'Incl.' : value + 500_000, 1_000]
    })
  const fieldsOf = (data: { columns: { header: string; field: string | null }[] }) =>
    data.columns.flatMap(({ header, field }) => (header.includes('RCV') ? [field] : []))
  test('are not mapped although the newest column has included values, and a correction stays with the newest year', async () => {
    const data = await begin(desk, await workbook(['SOV', rows(100_000, 5), headers]), 'years.xlsx')
    expect(fieldsOf(data)).toEqual([null, 'building_value'])
    const corrected = (await put(desk, data.id, { mapping: { F: 'ignore', G: 'other_value' } })).body.data
    expect((await commit(desk, corrected)).status).toBe(200)
    const next = headers.map((header) => header.replace('2026', '2027').replace('2025', '2026'))
    const renewal = await begin(desk, await workbook(['SOV', rows(200_000, 0), next]), 'renewal.xlsx')
    expect(fieldsOf(renewal)).toEqual([null, 'other_value'])
  })
})

test('answers about the amounts of a sheet are not those of another one; values of fields stay', async () => {
  const data = await begin(desk, await workbook(CALIFORNIA, ['Tanks', TEXAS[1], [...HEADERS.slice(0, 6), 'Value']]))
  await put(desk, data.id, { constants: { factor: '1000', currency: 'CAD', county: 'Fresno' } })
  const other = (await put(desk, data.id, { sheet: 1 })).body.data
  expect(other.constants).toEqual({ county: 'Fresno' })
  const sent = (await put(desk, data.id, { sheet: 0, answers: { factor: '1000' } })).body.data
  expect(sent.constants).toEqual({ county: 'Fresno', factor: '1000' })
  const replaced = (await put(desk, data.id, { sheet: 1, constants: { currency: 'USD' } })).body.data
  expect(replaced.constants).toEqual({ currency: 'USD' })
})

describe('a schedule that is split over sheets', () => {
  test('is imported together; each row has its sheet', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, TEXAS, ['Auto', [], ['VIN', 'Driver']]), 'split.xlsx')
    expect(taken(data)).toEqual(['California', 'West Texas'])
    expect(data).toMatchObject({ sheet: 0, header_row: 1, total: 6, sheet_rows: 8, counts: { add: 3, errors: 1, excluded: 2 } })
    expect((await rowsOf(desk, data.id)).map(({ row, sheet, sheet_row, kind }) => `${row} ${sheet} ${sheet_row} ${kind}`)).toEqual([
      '1 California 1 header',
      '2 California 2 data',
      '3 California 3 data',
      '4 California 4 total',
      '5 West Texas 1 header',
      '6 West Texas 2 data',
      '7 West Texas 3 data',
      '8 West Texas 4 total',
    ])
    expect(data.errors).toEqual([expect.objectContaining({ row: 7, sheet: 'West Texas', sheet_row: 3, field: 'address' })])
  })
  test('has the sum of its totals rows as stated total, unless one of them is missing', async () => {
    expect((await begin(desk, await workbook(CALIFORNIA, TEXAS))).sums).toMatchObject({ file: { tiv: 900_000 }, stated: 900_000 })
    const [name, rows] = TEXAS
    expect((await begin(desk, await workbook(CALIFORNIA, [name, rows.slice(0, 2)]))).sums?.stated).toBeNull()
  })
  test('is corrected and excluded row by row, and stores the cell of every value', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, TEXAS), 'split.xlsx')
    const corrected = (
      await put(desk, data.id, { edits: [{ row: 7, column: 'C', value: '2 Elm Rd' }], exclusions: [{ row: 3, excluded: true }] })
    ).body.data
    expect(corrected.counts).toMatchObject({ add: 3, errors: 0, excluded: 3 })
    await commit(desk, corrected)
    const refs = (await register(desk)).map(({ sources }) => Object(sources).building_value.ref)
    expect(refs).toEqual(['split.xlsx, cell California!G2', "split.xlsx, cell 'West Texas'!G2", "split.xlsx, cell 'West Texas'!G3"])
  })
  test('has messages that name the sheet of the other row', async () => {
    const twice: Sheet = ['Texas', [site(2, '9 Elm Rd', 'Midland', 'TX', '79701'), site(21, '8 Elm Rd', 'Midland', 'TX', '79701')]]
    const data = await begin(desk, await workbook(CALIFORNIA, twice))
    expect(data.errors.map(({ message }) => message)).toEqual([expect.stringContaining('is already used in row 3 of “California”')])
  })
  test('can have sheets turned off and on, without losing decisions about rows', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, TEXAS))
    await put(desk, data.id, { edits: [{ row: 7, column: 'C', value: '2 Elm Rd' }] })
    await put(desk, data.id, { sheets: [1] })
    const alone = await settled(desk, data.id)
    expect([taken(alone), alone.total, alone.counts.add, alone.counts.errors]).toEqual([['West Texas'], 3, 2, 0])
    await put(desk, data.id, { sheets: [0, 1] })
    expect((await settled(desk, data.id)).counts).toMatchObject({ add: 4, errors: 0 })
    expect((await rowsOf(desk, data.id))[6]?.cells[2]).toBe('2 Elm Rd')
  })
  test('can be replaced by another sheet together with its mapping', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, ['Other', [site(21, '1 Oak Rd', 'Reno', 'NV', '89501')]]))
    await put(desk, data.id, { sheets: [1], mapping: { B: 'tenants', G: 'other_value' } })
    const other = await settled(desk, data.id)
    expect(taken(other)).toEqual(['Other'])
    expect(other.columns.map(({ field }) => field)).toEqual([
      'location_number',
      'tenants',
      'address',
      'city',
      'state',
      'postal_code',
      'other_value',
    ])
  })
  test('can have a different header row in each sheet', async () => {
    const [name, rows] = TEXAS
    const late = await begin(desk, await workbook(CALIFORNIA, [name, [['Notes'], HEADERS, ...rows]]))
    const moved = (await put(desk, late.id, { header_row: 7 })).body.data
    expect(moved.header_row).toBe(1)
    expect((await rowsOf(desk, late.id)).slice(4, 8).map(({ kind }) => kind)).toEqual(['title', 'title', 'header', 'data'])
  })
})

describe('a divested sheet', () => {
  const FULL: Sheet = [
    'SOV',
    [
      site(1, '1 Main St', 'Fresno', 'CA', '93721'),
      site(2, '2 Main St', 'Fresno', 'CA', '93721'),
      site(3, '3 Main St', 'Fresno', 'CA', '93721'),
      site(4, '4 Main St', 'Fresno', 'CA', '93721'),
    ],
  ]
  const STILL_OWNED: Sheet = ['SOV', FULL[1].slice(0, 2)]
  const SOLD: Sheet = [
    'Sold - Deleted',
    [
      [3, '3 Main Street', 'Fresno', 'CA', '93721', '06/30/2025'],
      [4, '4 Maine St', 'Fresno', 'CA', '93700', ''],
      [2, '2 Main St', 'Fresno', 'CA', '93721', '07/01/2025'],
      [9, '9 Other Rd', 'Fresno', 'CA', '93721', '07/01/2025'],
    ],
    ['Loc #', 'Street Address', 'City', 'ST', 'Zip Code', 'Date Sold'],
  ]
  const stateOf = async () =>
    (await register(desk)).map(({ location_number, status, divested_on, divested_reason, divested_note }) =>
      [location_number, status, divested_on, divested_reason, divested_note].filter(Boolean).join(' '),
    )
  beforeEach(async () => {
    await commit(desk, await begin(desk, await workbook(FULL)))
  })
  test('proposes its properties that the schedule no longer lists, preselected if the match is exact', async () => {
    const data = await begin(desk, await workbook(STILL_OWNED, SOLD), 'renewal.xlsx')
    expect(data).toMatchObject({
      total: 2,
      counts: { unchanged: 2, remove: 2, excluded: 0 },
      ticked: 1,
      sold_sheets: [{ name: 'Sold - Deleted', used: true, rows: 4, found: 2, still_listed: 1 }],
      sums: { after: { rows: 3 } },
    })
    const removals = await rowsOf(desk, data.id, '&tab=remove')
    expect(removals.map(({ property, sheet_row, ticked, reason }) => [property?.name, sheet_row, ticked, reason])).toEqual([
      ['3 Site 3', 2, true, 'Row 2 of “Sold - Deleted”, sold on Jun 30, 2025'],
      ['4 Site 4', 3, false, 'Row 3 of “Sold - Deleted”: probably this property, please check'],
    ])
    expect((await rowsOf(desk, data.id)).map(({ sheet }) => sheet)).toEqual(['SOV', 'SOV', 'SOV'])
  })
  test('marks the selected properties divested on the date of sale, until the import is undone', async () => {
    const data = await begin(desk, await workbook(STILL_OWNED, SOLD), 'renewal.xlsx')
    const before = await stateOf()
    const removals = await rowsOf(desk, data.id, '&tab=remove')
    await commit(desk, data, removals.map(({ property }) => property?.id ?? '').slice(0, 1))
    expect(await stateOf()).toEqual([
      '1 active',
      '2 active',
      '3 divested 2025-06-30 sold Row 2 of “Sold - Deleted” in the imported file',
      '4 active',
    ])
    await desk.app.as(desk.userId).delete(`/api/v1/properties/import/${data.id}`)
    expect(await stateOf()).toEqual(before)
  })
  test.each(['Deletions 2026', 'Disposals 2025', 'Closed Stores', '2026 Deletions', 'Dispositions'])('is “%s”', async (name) => {
    const data = await begin(desk, await workbook(STILL_OWNED, [name, FULL[1].slice(2, 3)]))
    expect([taken(data), data.questions, data.sold_sheets.map((one) => one.name), data.counts.remove]).toEqual([['SOV'], [], [name], 1])
  })
  test('is named in the notes of its properties if the file has two of them', async () => {
    const [name, rows, headers = []] = SOLD
    const closed: Sheet = ['Disposed', rows.slice(1, 2), headers]
    const data = await begin(desk, await workbook(STILL_OWNED, [name, rows.slice(0, 1), headers], closed))
    const removals = await rowsOf(desk, data.id, '&tab=remove')
    expect(removals.map(({ reason }) => reason?.replace(/[,:].*/, ''))).toEqual(['Row 2 of “Sold - Deleted”', 'Row 2 of “Disposed”'])
    await commit(
      desk,
      data,
      removals.map(({ property }) => property?.id ?? ''),
    )
    expect((await register(desk)).map(({ divested_note }) => divested_note)).toEqual([
      null,
      null,
      'Row 2 of “Sold - Deleted” in the imported file',
      'Row 2 of “Disposed” in the imported file',
    ])
  })
  test('is not used if the user turns it off, and in the modes without removals only if the user turns it on', async () => {
    const data = await begin(desk, await workbook(STILL_OWNED, SOLD))
    const removed = async (patch: object) => (await put(desk, data.id, patch)).body.data.counts.remove
    expect(await removed({ mode: 'add_only' })).toBe(0)
    expect(await removed({ mode: 'full_replacement' })).toBe(2)
    expect(await removed({ sold_sheets: [] })).toBe(2)
    expect((await rowsOf(desk, data.id, '&tab=remove')).map(({ reason }) => reason)).toEqual(['Not in the file', 'Not in the file'])
    expect(await removed({ mode: 'update_only', sold_sheets: [1] })).toBe(2)
    const rejected = await put(desk, data.id, { sold_sheets: [0] })
    expect([rejected.status, Object.keys(rejected.body.errors)]).toEqual([400, ['sold_sheets']])
  })
})

describe('sheets that do not belong together', () => {
  test('of two years the newest is selected', async () => {
    const data = await begin(desk, await workbook(['SOV 2024', CALIFORNIA[1]], ['SOV 2025', TEXAS[1]]))
    expect([taken(data), noteOn(data, 'SOV 2024')]).toEqual([['SOV 2025'], 'It is for a different year than “SOV 2025”.'])
  })
  test('the one of last year is left out with its year, although it has more locations', async () => {
    const more: SheetValue[] = site(3, '3 Main St', 'Fresno', 'CA', '93721')
    const data = await begin(desk, await workbook(['SOV 2025', [...CALIFORNIA[1], more]], ['SOV 2026', CALIFORNIA[1]]))
    expect([taken(data), noteOn(data, 'SOV 2025')]).toEqual([
      ['SOV 2026'],
      'It has the values of 2025, and “SOV 2026” those of 2026. Import only the newer ones.',
    ])
  })
  test('the one of this year that has no values yet is left out, and the note says that those of last year are imported', async () => {
    const empty = CALIFORNIA[1].slice(0, 2).map((cells) => [...cells.slice(0, 6), null])
    const data = await begin(desk, await workbook(['2026', empty], ['2025', CALIFORNIA[1]]))
    expect([taken(data), noteOn(data, '2026')]).toEqual([['2025'], 'It has no values yet, so those of 2025 on “2025” are imported.'])
  })
  test('a part of another year with locations of its own is a question', async () => {
    const florida = [site(21, '1 Bay St', 'Tampa', 'FL', '33602'), site(22, '2 Bay St', 'Tampa', 'FL', '33602')]
    const data = await begin(desk, await workbook(['TX 2026', TEXAS[1].slice(0, 1)], ['CA 2026', CALIFORNIA[1]], ['FL 2025', florida]))
    expect(taken(data)).toEqual(['TX 2026', 'CA 2026', 'FL 2025'])
    expect(data.questions).toMatchObject([
      {
        constant: 'other_sheets',
        message: '“FL 2025” has the columns of “TX 2026”, “CA 2026”. Import its 2 rows, too?',
        suggestion: null,
        options: { include: 'Yes, import together', exclude: 'No, only “TX 2026”, “CA 2026”' },
      },
    ])
    await put(desk, data.id, { constants: { other_sheets: 'exclude' } })
    expect(taken(await settled(desk, data.id))).toEqual(['TX 2026', 'CA 2026'])
  })
  test('a part of another year that has a newer version is left out', async () => {
    const texas = [site(21, '1 Bay St', 'Austin', 'TX', '78701')]
    const data = await begin(desk, await workbook(['CA 2026', CALIFORNIA[1]], ['TX 2025', texas], ['TX 2026', TEXAS[1].slice(0, 1)]))
    expect(taken(data)).toEqual(['CA 2026', 'TX 2026'])
  })
  test('of two sheets with the same locations one is selected, with a note', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, COPY, TEXAS))
    expect(taken(data)).toEqual(['California', 'West Texas'])
    expect(noteOn(data, 'California (2)')).toContain('It lists the same locations as “California”')
  })
  test('sheets with different columns cannot be imported together', async () => {
    const data = await begin(desk, await workbook(CALIFORNIA, ['Tanks', [['T1', 5]], ['Tank', 'Gallons']]))
    const rejected = await put(desk, data.id, { sheets: [0, 1] })
    expect([rejected.status, rejected.body.errors.sheets]).toEqual([
      400,
      [expect.stringContaining('The columns of “Tanks” are not those of')],
    ])
    expect(noteOn(data, 'Tanks')).toBeNull()
  })
  test('a sheet with other values of the same locations has a note', async () => {
    const headers = [...HEADERS.slice(0, 6), 'Contents', 'BI']
    const others = CALIFORNIA[1].slice(0, 2).map((row) => [...row.slice(0, 6), 50_000, 10_000])
    const data = await begin(desk, await workbook(['Building Values', CALIFORNIA[1]], ['Contents and BI', others, headers]))
    const [left = ''] = data.sheets.flatMap(({ name, taken: is }: { name: string; taken: boolean }) => (is ? [] : [name]))
    expect(noteOn(data, left)).toContain('with other columns. Import it in a second import, unless')
  })
  test('a sheet with amounts by location number has a note, a list of losses has none', async () => {
    const income: Sheet = [
      'BI Worksheet',
      [
        [1, 250_000],
        [2, 90_000],
      ],
      ['Loc #', 'Business Income'],
    ]
    const losses: Sheet = ['Losses', [[1, '01/02/2025', 9_000]], ['Loc #', 'Date of Loss', 'Paid']]
    const data = await begin(desk, await workbook(CALIFORNIA, income, losses))
    expect(noteOn(data, 'BI Worksheet')).toBe(
      'It has amounts by location number, but no addresses, so it cannot be imported alone. Add them to “California” if they belong to the schedule.',
    )
    expect(noteOn(data, 'Losses')).toBeNull()
  })
  test('a schedule that is left out by its name or its columns has a note', async () => {
    const other: Sheet = ['Ohio', [[...site(31, '1 Bay Rd', 'Dayton', 'OH', '45402'), 5]], [...HEADERS, 'Widgets']]
    const vehicles: Sheet = [
      'Vehicles',
      [
        [1, '1 Main St', 'Fresno', 'CA', '93721', 45_000],
        [2, '2 Main St', 'Fresno', 'CA', '93721', 45_000],
      ],
      ['Unit #', 'Garaging Address', 'City', 'ST', 'Zip', 'Cost New'],
    ]
    const data = await begin(desk, await workbook(CALIFORNIA, ['DO NOT USE', TEXAS[1]], other, vehicles))
    expect([taken(data), data.questions]).toEqual([['California'], []])
    expect(noteOn(data, 'DO NOT USE')).toBe('Its name says that it may not belong to the schedule. It has 2 rows.')
    expect(noteOn(data, 'Ohio')).toBe(
      'Its columns are not those of “California”, or in another order. Import its 1 row in a second import.',
    )
    expect(data.sheets.map(({ name, rows }) => [name, rows])).toEqual([
      ['California', 2],
      ['DO NOT USE', 2],
      ['Ohio', 1],
      ['Vehicles', 2],
    ])
    expect(noteOn(data, 'Vehicles')).toBeNull()
  })
})

describe('sheets with the columns of a sheet that is named as the whole schedule', () => {
  const SPLIT = () => workbook(['2026 SOV', CALIFORNIA[1]], ['Acquisitions', TEXAS[1]])
  const answered = async (id: string, patch: object) => {
    await put(desk, id, patch)
    return settled(desk, id)
  }
  test('are a question, which blocks the commit; they are imported as suggested', async () => {
    const data = await begin(desk, await SPLIT())
    expect(data.questions).toEqual([
      {
        constant: 'other_sheets',
        suggestion: 'include',
        message: '“Acquisitions” has the columns of “2026 SOV”. Import its 2 rows, too?',
        options: { exclude: 'No, only “2026 SOV”' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
    const joined = await answered(data.id, { constants: { other_sheets: 'include' } })
    expect([joined.questions, taken(joined)]).toEqual([[], ['2026 SOV', 'Acquisitions']])
  })
  test('are left out if the user wants it, and no question if the user selects them', async () => {
    const { id } = await begin(desk, await SPLIT())
    const alone = await answered(id, { constants: { other_sheets: 'exclude' } })
    expect([alone.questions, taken(alone), alone.counts.add]).toEqual([[], ['2026 SOV'], 2])
    const joined = await answered(id, { sheets: [0, 1] })
    expect([joined.questions, taken(joined)]).toEqual([[], ['2026 SOV', 'Acquisitions']])
  })
})

test.each([
  ['French', 'N° de bâtiment,Adresse,Ville,Code postal,Pays,Valeur du bâtiment (EUR)', 'Total général'],
  ['Spanish', 'Número de edificio,Dirección,Ciudad,Código postal,País,Valor del edificio (EUR)', 'Total'],
])('a %s schedule with decimal commas agrees with its totals row; the header row is not counted', async (_, header, label) => {
  const lines = [
    header,
    '1,10 rue de la Paix,Paris,75002,FR,"1.000.000,00"',
    '2,20 rue de la Paix,Paris,75002,FR,"2.500.000,40"',
    `${label},,,,,"3.500.000,40"`,
  ]
  const data = await begin(desk, lines.join('\n'))
  expect(data.columns.map(({ field }) => field)).toEqual(['building_number', 'address', 'city', 'postal_code', 'country', 'building_value'])
  expect(data).toMatchObject({ total: 3, counts: { add: 2, excluded: 1 } })
  expect([data.sums?.file, data.sums?.stated]).toEqual([{ rows: 2, tiv: 3_500_000, currency: 'EUR' }, 3_500_000])
})

test('the number of a location on a sold sheet is free for the location that has it now', async () => {
  const numbered = (...names: string[]) =>
    names.map((name, at) => [at + 1, name, `${name.length} Elm Rd`, 'Midland', 'TX', '79701', 100_000])
  const before = await begin(desk, await workbook(['SOV', numbered('Mill', 'Depot', 'Office')]), 'sov.xlsx')
  expect((await commit(desk, before)).status).toBe(200)
  const sold: Sheet = ['Sold', numbered('Mill')]
  const data = await begin(desk, await workbook(['SOV', numbered('Depot', 'Office')], sold), 'renewal.xlsx')
  expect(data).toMatchObject({ counts: { change: 2, remove: 1 }, issues: [], questions: [] })
  expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
  const names = (await register(desk)).map((one) => `${one.location_number} ${one.property_name} ${one.status}`)
  expect(names.toSorted()).toEqual(['1 Depot active', '1 Mill divested', '2 Office active'])
})
