import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Bldg #,Location Name,Street Address,City,ST,Zip,Bldg Value 2026,Contents,Currency'
const row = (location: string, building: string, name: string, value: string, contents: string, currency = 'USD') =>
  `${location},${building},${name},${name.length}00 Main St,Fresno,CA,93721,${value},${contents},${currency}`
const REPEATED = [
  HEADER,
  row('1', '', 'Hall', '1000000', '100000'),
  row('1', '', 'Barn', '200000', ''),
  row('1', '2', 'Tower', '3000000', ''),
  row('1', '', 'Garage', '', '50000'),
  row('2', '', 'Depot', '4000000', ''),
].join('\n')

const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'repeated_locations')
const decide = async (data: Import, decision: string): Promise<Import> => {
  const answer = await put(desk, data.id, { constants: { repeated_locations: decision } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return settled(desk, data.id)
}
const imported = async () =>
  (await register(desk))
    .toSorted((a, b) => String(a.property_name).localeCompare(String(b.property_name)))
    .map((property) => [
      property.property_name,
      `${property.location_number}/${property.building_number}`,
      property.building_value,
      property.contents_value,
    ])

describe('repeated locations', () => {
  test('are one question, which blocks the commit', async () => {
    const data = await begin(desk, REPEATED)
    expect(question(data)).toEqual({
      constant: 'repeated_locations',
      suggestion: 'buildings',
      message: '2 rows repeat the location and building number of an earlier row. Import each as a further building of its location?',
      options: {
        first: 'No, only the first row of each',
        sum: 'No, add their values to the first row',
        errors: 'No, I correct the rows',
      },
    })
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('are a question without a suggestion if most of them are in another city', async () => {
    const elsewhere = [1, 2].map((at) =>
      row(String(at), '', 'Mill', '500000', '').replace('Fresno', 'Reno').replace('CA,93721', 'NV,89501'),
    )
    const data = await begin(
      desk,
      [HEADER, row('1', '', 'Hall', '1000000', ''), row('2', '', 'Depot', '4000000', ''), ...elsewhere].join('\n'),
    )
    expect(question(data)).toMatchObject({
      suggestion: null,
      message:
        '2 rows repeat the location and building number of an earlier row, 2 of them in another city. Import each as a further building of its location?',
      options: { buildings: 'Yes, as buildings' },
    })
    const [first] = await rowsOf(desk, data.id, '&tab=errors')
    expect(first?.issues).toMatchObject([
      { code: 'number_elsewhere', message: expect.stringContaining('is already used in row 2, in Fresno.') },
    ])
    expect((await decide(data, 'buildings')).counts).toMatchObject({ add: 4, errors: 0 })
  })
  test('become further buildings, with numbers that the location does not have', async () => {
    const data = await decide(await begin(desk, REPEATED), 'buildings')
    expect([question(data), data.counts]).toMatchObject([undefined, { add: 5, errors: 0, excluded: 0 }])
    await commit(desk, data)
    expect(await imported()).toEqual([
      ['Barn', '1/3', 200_000, null],
      ['Depot', '2/1', 4_000_000, null],
      ['Garage', '1/4', null, 50_000],
      ['Hall', '1/1', 1_000_000, 100_000],
      ['Tower', '1/2', 3_000_000, null],
    ])
    const again = await decide(await begin(desk, REPEATED), 'buildings')
    expect(again.counts).toMatchObject({ unchanged: 5, add: 0, errors: 0 })
  })
  test('are left out except for the first row of each, with the reason', async () => {
    const data = await decide(await begin(desk, REPEATED), 'first')
    expect(data.counts).toMatchObject({ add: 3, errors: 0, excluded: 2 })
    expect(data.sums?.file).toMatchObject({ rows: 5, tiv: 8_350_000 })
    expect((await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row, reason }) => [sheet_row, reason])).toEqual([
      [3, 'It repeats row 2, as decided for all repeated locations.'],
      [5, 'It repeats row 2, as decided for all repeated locations.'],
    ])
    await commit(desk, data)
    expect((await imported()).map(([name]) => name)).toEqual(['Depot', 'Hall', 'Tower'])
  })
  test('are added up, unless they are in another currency', async () => {
    const euros = row('1', '', 'Kiosk', '10000', '', 'EUR')
    const data = await decide(await begin(desk, `${REPEATED}\n${euros}`), 'sum')
    expect(data.counts).toMatchObject({ add: 3, errors: 1, excluded: 2 })
    const hall = (await rowsOf(desk, data.id)).find(({ cells }) => cells[2] === 'Hall')
    expect(hall?.tiv).toBe(1_350_000)
    const added = (await rowsOf(desk, data.id, '&tab=excluded'))[0]
    expect([added?.reason, added?.tiv]).toEqual(['Its values are added to row 2, as decided for all repeated locations.', null])
  })
  test('remain errors if the user wants to correct them, and the question is not repeated', async () => {
    const data = await decide(await begin(desk, REPEATED), 'errors')
    expect([question(data), data.counts]).toMatchObject([undefined, { add: 3, errors: 2 }])
  })
  test('are a question again in the next file with the same columns, because the answer depends on the rows', async () => {
    const data = await decide(await begin(desk, REPEATED), 'first')
    expect((await commit(desk, data)).status).toBe(200)
    expect(question(await begin(desk, REPEATED))?.suggestion).toBe('buildings')
  })
  test('are a question without a suggestion if there is only one', async () => {
    const data = await begin(desk, [HEADER, row('1', '', 'Hall', '1000', ''), row('1', '', 'Barn', '200', '')].join('\n'))
    expect([question(data), data.counts]).toMatchObject([{ suggestion: null }, { add: 1, errors: 1 }])
    expect((await decide(data, 'errors')).counts).toMatchObject({ add: 1, errors: 1 })
  })
  test('take no unknown answer', async () => {
    const data = await begin(desk, REPEATED)
    const answer = await put(desk, data.id, { constants: { repeated_locations: 'all' } })
    expect([answer.status, answer.body.errors]).toEqual([400, { repeated_locations: ['“all” is not possible here.'] }])
  })
})

describe('cells that are merged over the buildings of a location', () => {
  const MERGES = [1, 2, 3].map((column) => ({ top: 2, bottom: 3, left: column, right: column }))
  const CAMPUS = ['Campus #,Address,City / State / Zip,Building Value', '1,1 Main St,Fresno CA 93721,100000', ',,,200000'].join('\n')

  test('are repeated in the preview, and empty in the sheet as in the file', async () => {
    const { id } = await begin(desk, CAMPUS)
    await sql`UPDATE imports SET sheets = jsonb_set(sheets, '{0,merges}', ${JSON.stringify(MERGES)}::jsonb) WHERE id = ${id}`.execute(
      desk.app.system.db,
    )
    await put(desk, id, { constants: { country: 'US' } })
    await settled(desk, id)
    const place = ['1', '1 Main St', 'Fresno, CA 93721']
    const cellsOf = async (query?: string) => (await rowsOf(desk, id, query)).map(({ cells }) => cells.map((cell) => String(cell ?? '')))
    expect(await cellsOf('&tab=add')).toEqual([
      ['1', '1 Main St', 'Fresno CA 93721', '100000'],
      [...place, '200000'],
    ])
    expect((await cellsOf())[2]).toEqual(['', '', '', '200000'])
  })
})

test('limits by coverage that the user does not want in their fields are two questions, and are added up', async () => {
  const line = (location: number, coverage: string, limit: number) => `${location},${location} Main St,Fresno,CA,93721,${coverage},${limit}`
  const lines = [1, 2].flatMap((at) => [line(at, 'Building', 1_137_000), line(at, 'BPP', 100_000), line(at, 'Business Income', 50_000)])
  const { id } = await begin(desk, ['Loc,Address,City,State,Zip,Coverage,Limit', ...lines].join('\n'))
  await put(desk, id, { constants: { coverage_rows: 'ignore' } })
  const data = await settled(desk, id)
  expect(data.questions).toEqual([
    expect.objectContaining({ constant: 'tiv_column', suggestion: 'building_value' }),
    expect.objectContaining({
      constant: 'repeated_locations',
      suggestion: 'sum',
      message:
        '4 rows repeat the location and building number of an earlier row, with other coverages in column F, “Coverage”. Add their values to the first row?',
    }),
  ])
  await put(desk, data.id, { constants: { coverage_rows: 'ignore', tiv_column: 'building_value', repeated_locations: 'sum' } })
  const answered = await settled(desk, data.id)
  expect([answered.counts, answered.sums?.file.tiv]).toMatchObject([{ add: 2, errors: 0 }, 2_574_000])
})

test('an answer about repeated locations is not about a row that gets the number of another one later', async () => {
  const rows = ['1,1,Hall,1 Main St', '1,1,Annex,2 Main St', '2,1,Depot,3 Main St', '3,1,Mill,4 Main St']
  const file = ['Loc #,Bldg #,Name,Address,City,State,Zip,Building Value', ...rows.map((row) => `${row},Tulsa,OK,74103,1000000`)]
  const data = await begin(desk, file.join('\n'))
  expect(question(data)).toMatchObject({ suggestion: null, options: { first: 'No, leave it out' } })
  expect(question(await decide(data, 'first'))).toBeUndefined()
  await put(desk, data.id, { edits: [{ row: 5, column: 'A', value: '2' }] })
  const changed = await settled(desk, data.id)
  expect(question(changed)?.message).toMatch(/^2 rows repeat/)
  expect((await commit(desk, changed)).status).toBe(409)
})
