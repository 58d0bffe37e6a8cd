import { describe, expect, test } from 'vitest'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const COLUMNS = 'Loc #\tName\tStreet Address\tCity\tState\tZip\tBuilding Value'
const FIRST = '1\tHall\t1 Main St\tFresno\tCA\t93721\t1000000'
const below = (number: number, address: string, city = 'Fresno', state = 'CA', zip = '93721') =>
  [number, `Site ${number}`, address, city, state, zip, `${number}000000`].join('\t')
/** Tab separated, since quotes have a meaning between commas. */
const schedule = (...rows: string[]) => [COLUMNS, FIRST, ...rows].map((row) => row.split('\t').map(quoted).join(',')).join('\n')
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const places = async () =>
  (await register(desk)).map(({ address, city, state, postal_code }) => [address, city, state, postal_code].join('|'))

describe('a mark in place of the value above', () => {
  test.each(['"', '″', 'do.', 'Idem', 'same', '-"-', '- " -', '" "', ',,', '-do-', 'ditto', '〃', 'as above', 'Ídem', 'dito'])(
    '“%s” takes the place of the row above, with a warning that has the mark',
    async (mark) => {
      const data = await begin(desk, schedule(below(2, '2 Main St', mark, mark, mark), below(3, '3 Main St', mark, mark, mark)))
      expect([data.questions, data.counts]).toMatchObject([[], { add: 3, errors: 0 }])
      const second = (await rowsOf(desk, data.id)).find(({ sheet_row }) => sheet_row === 3)
      expect(second?.issues).toMatchObject(
        ['Fresno', 'CA', '93721'].map((value) => ({
          code: 'value_above',
          severity: 'warning',
          value: mark,
          message: `“${mark}” is read as “${value}” of row 2. Correct it if the rows were sorted since.`,
        })),
      )
      expect((await commit(desk, data)).status).toBe(200)
      expect(await places()).toEqual([1, 2, 3].map((number) => `${number} Main St|Fresno|CA|93721`))
    },
  )
  test('takes the street, too, and nothing of another building', async () => {
    const data = await begin(desk, schedule(below(2, '"').replace(/2000000$/, '"')))
    expect((await commit(desk, data)).status).toBe(200)
    expect(await places()).toEqual(['1 Main St|Fresno|CA|93721', '1 Main St|Fresno|CA|93721'])
    expect((await register(desk)).map(({ building_value }) => building_value)).toEqual([1_000_000, null])
  })
  test('remains an error without a row directly above, and is never stored', async () => {
    const rows = schedule(below(2, '2 Main St', '"')).split('\n')
    const first = await begin(desk, [rows[0], rows[2]].join('\n'))
    expect(first.counts).toMatchObject({ add: 0, errors: 1 })
    const data = await begin(desk, schedule(below(2, '2 Elm St', 'Tulsa', 'OK', '74103'), below(3, '3 Elm St', 'same', 'same', 'same')))
    await put(desk, data.id, { exclusions: [{ row: 3, excluded: true }] })
    expect((await settled(desk, data.id)).counts).toMatchObject({ add: 1, excluded: 1, errors: 1 })
  })
  test('follows a change of the row above', async () => {
    const data = await begin(desk, schedule(below(2, '2 Main St', '"'), below(3, '3 Main St')))
    await put(desk, data.id, { edits: [{ row: 2, column: 'D', value: 'Clovis' }] })
    expect((await commit(desk, await settled(desk, data.id))).status).toBe(200)
    expect((await places())[1]).toBe('2 Main St|Clovis|CA|93721')
  })
  test('is read after it was typed', async () => {
    const data = await begin(desk, schedule(below(2, '2 Main St'), below(3, '3 Main St')))
    await put(desk, data.id, { edits: [{ row: 3, column: 'D', value: 'same' }] })
    expect((await settled(desk, data.id)).counts).toMatchObject({ add: 3, errors: 0 })
  })
  test('is not suspected in names that contain its words', async () => {
    const data = await begin(desk, schedule(below(2, '2 Ditto Landing', 'Do'), below(3, '5" Pipe Yard 3', 'Same Creek', 'ID.', '83702')))
    expect((await commit(desk, data)).status).toBe(200)
    expect((await places()).slice(1)).toEqual(['2 Ditto Landing|Do|CA|93721', '5" Pipe Yard 3|Same Creek|ID|83702'])
  })
})

const BUILDINGS =
  'Loc #\tName\tStreet Address\tCity\tState\tZip\tConstruction\tOccupancy\tSprinklered\tYear Built\tStories\tSq Ft\tBuilding Value'
/** A row for each list of cells from the construction on. */
const buildings = (...rows: string[]) =>
  [BUILDINGS, ...rows.map((cells, index) => `${index + 1}\tSite ${index + 1}\t${index + 1} Main St\tFresno\tCA\t93721\t${cells}`)]
    .map((row) => row.split('\t').map(quoted).join(','))
    .join('\n')
const characteristics = async () =>
  (await register(desk)).map((property) => [
    property.construction_class,
    property.construction_original,
    property.property_type,
    property.sprinklered,
    property.year_built,
    property.stories,
    property.floor_area,
    property.building_value,
  ])

describe('a mark in a column of codes, texts or years', () => {
  test.each(['"', 'do.', ',,', 'same as above'])('“%s” repeats the row above, and neither counts nor amounts', async (mark) => {
    const data = await begin(desk, buildings('JM\tOffice\tYes\t1990\t2\t20000\t1000000', Array<string>(7).fill(mark).join('\t')))
    expect([data.questions, data.counts]).toMatchObject([[], { add: 2, errors: 0 }])
    const issues = (await rowsOf(desk, data.id)).find(({ sheet_row }) => sheet_row === 3)?.issues ?? []
    expect(issues.map(({ code, field }) => `${field} ${code}`)).toEqual(
      expect.arrayContaining([
        'construction_class value_above',
        'property_type value_above',
        'sprinklered value_above',
        'year_built value_above',
        'stories placeholder_value',
        'floor_area placeholder_value',
        'building_value placeholder_value',
      ]),
    )
    expect((await commit(desk, data)).status).toBe(200)
    expect(await characteristics()).toEqual([
      ['2', 'JM', 'office', 'full', 1990, 2, 20_000, 1_000_000],
      ['2', 'JM', 'office', 'full', 1990, null, null, null],
    ])
  })
  test('is never read across a blank row or the title of a section', async () => {
    const [header = '', first = '', second = ''] = buildings(
      'JM\tOffice\tYes\t1990\t2\t20000\t1000000',
      '"\tOffice\tNo\t1995\t1\t9000\t2000000',
    ).split('\n')
    for (const between of [',,,,,,,,,,,,', 'Northern Region,,,,,,,,,,,,']) {
      const data = await begin(desk, [header, first, between, second].join('\n'))
      const { issues = [] } = (await rowsOf(desk, data.id)).find(({ sheet_row }) => sheet_row === 4) ?? {}
      expect(issues.map(({ code, field }) => `${field} ${code}`)).toEqual(['construction_class placeholder_value'])
    }
  })
  test('does not hide the scheme of the codes', async () => {
    const rows = ['103\tOffice\tYes\t1990\t2\t20000\t1000000', ...Array<string>(4).fill('"\tOffice\tYes\t1990\t2\t20000\t1000000')]
    const data = await begin(desk, buildings(...rows))
    expect(data.questions.map(({ constant, suggestion }) => [constant, suggestion])).toEqual([['construction_scheme', 'air']])
    await put(desk, data.id, { constants: { construction_scheme: 'air' } })
    expect((await commit(desk, await settled(desk, data.id))).status).toBe(200)
    expect(new Set((await register(desk)).map(({ construction_class }) => construction_class)).size).toBe(1)
  })
  test('repeats the text of a custom column, but not its number, and is never stored', async () => {
    const rows = ['Loc #,Street Address,City,State,Zip,Building Value,Landlord,Payroll']
      .concat('1,1 Main St,Fresno,CA,93721,1000000,Acme Trust,"$250,000"', '2,2 Main St,Fresno,CA,93721,2000000,same,same')
      .join('\n')
    const { id } = await begin(desk, rows)
    await put(desk, id, { mapping: { G: 'custom', H: 'custom' } })
    expect((await commit(desk, await settled(desk, id))).status).toBe(200)
    expect((await register(desk)).map(({ custom }) => custom)).toEqual([
      { Landlord: 'Acme Trust', Payroll: '$250,000' },
      { Landlord: 'Acme Trust' },
    ])
  })
})
