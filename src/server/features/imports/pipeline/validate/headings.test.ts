import { describe, expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { observeReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { classifyRows } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { RowFields } from './results.ts'
import { hasHeadings } from './headings.ts'
import { headingState } from './state-headings.ts'
import { validateRows, type SourceRow } from './validate-rows.ts'

const pause = async () => {}
const FIELDS = ['location_number', 'address', 'city', 'postal_code', 'building_value']
const HEADER: Cell[] = ['Loc #', 'Address', 'City', 'Zip', 'Building Value']

interface Options {
  decision?: 'use' | 'ignore'
  cities?: 'use' | 'ignore'
  constants?: RowFields
  fields?: string[]
}

/** A schedule without a state column, whose rows with one cell are headings. */
async function read(lines: readonly (string | readonly Cell[])[], { decision, cities, constants = {}, fields = FIELDS }: Options = {}) {
  const all = [HEADER, ...lines.map((line) => (typeof line === 'string' ? [line] : line))]
  const rows = all.map((cells, at): SourceRow => ({
    number: at + 1,
    sheet: 0,
    sheetRow: at + 1,
    hidden: false,
    cells,
    matchedByHand: false,
    propertyId: null,
  }))
  const labels = HEADER.map(String)
  const kinds = classifyRows(rows, 1, labels)
  const sections = rows
    .filter((_, at) => kinds[at] === 'section')
    .map(({ number, cells }) => ({ number, column: 'A', text: cellText(cells[0]) }))
  const locations = rows.filter((_, at) => kinds[at] === 'data')
  async function* batches() {
    yield locations
  }
  const mapping = checkedMapping(Object.fromEntries(fields.map((field, at) => [columnLetters(at + 1), field])))
  const observed = await observeReadPlan(batches(), mapping, () => '', constants, SETTINGS, pause)
  const plan = { ...observed, sheets: new Map([[0, { currency: undefined, factor: 1, sections }]]) }
  const names = { merges: new Map(), rowLabel: (row: number) => `row ${row}`, onProgress: pause, pause }
  const found = await validateRows(batches(), plan, { ...names, headingStates: decision, headingCities: cities })
  return {
    plan,
    states: found.map((row) => row.fields.state),
    places: found.map(({ fields }) => [fields.state, fields.county, fields.city].map((place) => place ?? '-').join(' / ')),
    countries: found.map((row) => row.fields.country),
    from: found.map(({ origin }) => origin.state),
    codes: found.map(({ issues }) => issues.map(({ code }) => code).join()),
    messages: found.flatMap(({ issues }) => issues.map(({ message }) => message)),
  }
}
const at = (number: number, city: string, zip: Cell = null): Cell[] => [
  number,
  `${number}00 Main St`,
  city,
  zip,
  1_000_000 + number * 77_000,
]

describe('headings above blocks of rows', () => {
  test.each([
    [
      ['TEXAS', at(1, 'Austin'), at(2, 'Waco'), 'Florida (12 locations)', at(3, 'Tampa'), 'State: GA', at(4, 'Macon')],
      ['TX', 'TX', 'FL', 'GA'],
    ],
    [
      ['TX', at(1, 'Austin'), 'OR', at(2, 'Salem'), 'IN:', at(3, 'Gary')],
      ['TX', 'OR', 'IN'],
    ],
    [
      ['Washington', at(1, 'Seattle'), 'New York - 1 location', at(2, 'Albany')],
      ['WA', 'NY'],
    ],
    [
      ['State of Texas', at(1, 'Austin'), at(2, 'Waco')],
      ['TX', 'TX'],
    ],
    [
      ['CALIFORNIA LOCATIONS', at(1, 'Fresno'), 'Arizona (continued)', at(2, 'Tempe')],
      ['CA', 'AZ'],
    ],
  ])('%j name the states of the rows below', async (lines, expected) => {
    const { states, codes, from } = await read(lines)
    expect(states).toEqual(expected)
    expect(codes).toEqual(expected.map(() => 'value_elsewhere'))
    expect(from[0]).toBe('A2')
  })
  test('are named by the warning and the origin of each row', async () => {
    const { messages, from } = await read(['TEXAS', at(1, 'Austin', '78701'), 'Florida', at(2, 'Tampa', '33602')])
    expect(messages).toEqual([
      'The state TX is taken from the heading “TEXAS” in A2. Type the state if that is wrong.',
      'The state FL is taken from the heading “Florida” in A4. Type the state if that is wrong.',
    ])
    expect(from).toEqual(['A2', 'A4'])
  })
  test('may be provinces', async () => {
    const { states, countries } = await read(['Ontario', at(1, 'Toronto', 'M5H 1A1'), 'British Columbia', at(2, 'Vancouver', 'V6B 1A1')])
    expect([states, countries]).toEqual([
      ['ON', 'BC'],
      ['CA', 'CA'],
    ])
  })
})

describe('a heading that may mean something else', () => {
  test.each([
    [['Washington', at(1, 'Springfield')]],
    [['OK', at(1, 'Springfield')]],
    [['TEXAS', at(1, 'Austin'), 'Warehouses', at(2, 'Waco')]],
  ])('%j is a question', async (lines) => {
    const { states, codes } = await read(lines)
    expect([states[0], codes[0]]).toEqual([undefined, 'heading_state'])
    expect((await read(lines, { decision: 'use' })).states[0]).toMatch(/^[A-Z]{2}$/)
    expect((await read(lines, { decision: 'ignore' })).codes[0]).toBe('required_missing')
  })
  test('is certain for rows with a ZIP in its state', async () =>
    expect((await read(['Washington', at(1, 'Seattle', '98101'), at(2, 'Tacoma')])).codes).toEqual(['value_elsewhere', 'heading_state']))
  test('is never the state of a row with a ZIP of another one', async () => {
    const { states, messages } = await read(['TEXAS', at(1, 'Austin', '78701'), at(2, 'Tampa', '33602')])
    expect(states).toEqual(['TX', undefined])
    expect(messages.at(-1)).toBe('The state is missing, and the heading “TEXAS” in A2 does not fit the country or the ZIP. Type the state.')
  })
  test('without a state ends the block above', async () =>
    expect((await read(['TEXAS', at(1, 'Austin', '78701'), 'Warehouses', at(2, 'Waco', '76701')])).states).toEqual(['TX', undefined]))
})

describe('other headings', () => {
  test.each([
    'Warehouses',
    'OWNED LOCATIONS',
    'Division 12',
    'Retail - Texas',
    'In 2024',
    'Washington DC Metro',
    'Orlando',
    'Harris County',
  ])('“%s” is no state', (text) => expect(headingState(text)).toBeUndefined())
  test('do nothing in a schedule with another source of states', async () => {
    const lines = ['TEXAS', at(1, 'Austin', '78701')]
    expect(hasHeadings((await read(lines)).plan)).toBe(true)
    expect((await read(lines, { constants: { state: 'CA' } })).states).toEqual(['CA'])
    const withStates = await read(['TEXAS', [1, '1 Main St', 'Reno', 'NV', 1_000_000], [2, '2 Main St', 'Reno', null, 2_500_000]], {
      fields: ['location_number', 'address', 'city', 'state', 'building_value'],
    })
    expect([withStates.states, withStates.codes]).toEqual([
      ['NV', undefined],
      ['', 'required_missing'],
    ])
  })
  test('do nothing for rows in another country', async () => {
    const { states, countries } = await read(['Georgia', at(1, 'Leeds', 'LS1 4AP'), 'Texas', at(2, 'York', 'YO1 7HH')])
    expect([states, countries]).toEqual([
      [undefined, undefined],
      ['GB', 'GB'],
    ])
  })
})

describe('headings of cities and counties', () => {
  const WITHOUT_CITY = ['location_number', 'address', 'state', 'postal_code', 'building_value']
  const located = (number: number, state: string, zip: string): Cell[] => [
    number,
    `${number}00 Main St`,
    state,
    zip,
    1_000_000 + number * 77_000,
  ]
  const LINES = ['AUSTIN', located(1, 'TX', '78701'), located(2, 'TX', '78702'), 'Tulsa (1 location)', located(3, 'OK', '74103')]

  test('are a question about the cities of the rows below, since no list of cities shows what they name', async () => {
    const open = await read(LINES, { fields: WITHOUT_CITY })
    expect(open.codes).toEqual(['heading_city', 'heading_city', 'heading_city'])
    expect(open.messages[0]).toBe(
      'The city is missing. It may be in the heading “AUSTIN” in A2: answer the question about headings, or type it.',
    )
    const used = await read(LINES, { fields: WITHOUT_CITY, cities: 'use' })
    expect([used.places, used.codes[0], used.messages[2]]).toEqual([
      ['TX / - / AUSTIN', 'TX / - / AUSTIN', 'OK / - / Tulsa'],
      'value_elsewhere',
      'The city Tulsa is taken from the heading “Tulsa (1 location)” in A5. Type the city if that is wrong.',
    ])
    expect((await read(LINES, { fields: WITHOUT_CITY, cities: 'ignore' })).codes[0]).toBe('required_missing')
  })
  test('may be below headings of states, which they do not end', async () => {
    const fields = ['location_number', 'address', 'division', 'postal_code', 'building_value']
    const row = (number: number, zip: string) => located(number, 'East', zip)
    const lines = ['Texas', 'Travis County', 'Austin', row(1, '78701'), 'Dallas', row(2, '75201'), 'Colorado', 'Denver', row(3, '80202')]
    expect((await read(lines, { fields, cities: 'use' })).places).toEqual([
      'TX / Travis County / Austin',
      'TX / Travis County / Dallas',
      'CO / - / Denver',
    ])
  })
  test('with a county fill the county, with a warning, and leave the state of the block above', async () => {
    const { places, codes } = await read(['TEXAS', 'Harris County', at(1, 'Houston', '77002'), 'Travis County', at(2, 'Austin', '78701')])
    expect(places).toEqual(['TX / Harris County / Houston', 'TX / Travis County / Austin'])
    expect(codes).toEqual(['value_elsewhere,value_elsewhere', 'value_elsewhere,value_elsewhere'])
  })
  test.each(['Warehouses', 'OWNED LOCATIONS', 'Division 12', 'Retail - Texas', 'All', 'Acme Holdings LLC', 'Page 2 of 3'])(
    '“%s” is no place, and ends the block above',
    async (text) => {
      const { places } = await read(['AUSTIN', located(1, 'TX', '78701'), text, located(2, 'TX', '78702')], {
        fields: WITHOUT_CITY,
        cities: 'use',
      })
      expect(places).toEqual(['TX / - / AUSTIN', 'TX / - / -'])
    },
  )
})
