import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const row = (number: number, building: number, contents: number) =>
  `${number},Site ${number},${number} Oak St,Tulsa,OK,74103,${building},${contents}`
const PLACE = 'Loc #,Name,Address,City,State,Zip'
const STACKED = [
  'OWNED LOCATIONS',
  `${PLACE},Building Value,Contents`,
  ...[1, 2, 3].map((number) => row(number, 500_000, 1_000)),
  '',
  'LEASED LOCATIONS',
  `${PLACE},Tenant Improvements,Contents`,
  ...[4, 5].map((number) => row(number, 77_000, 3_000)),
].join('\n')

const question = ({ questions }: Import, name: string) => questions.find(({ constant }) => constant === name)
const answer = answering(desk)
const imported = async () => (await register(desk)).map((one) => [one.location_number, one.building_value, one.improvements_value])

describe('a table below another header', () => {
  test('comes before questions that only its rows cause', async () => {
    const vehicles = [
      'Unit #,VIN,Year,Make,Loc #,Cost New',
      '1,1FTSW21P34EA12345,2019,Ford,1,45000',
      '2,1FTSW21P34EA12346,2021,Ford,2,52000',
    ]
    const locations = STACKED.split('\n').slice(1, 5)
    const data = await begin(desk, [...locations, '', ...vehicles].join('\n'))
    expect(data.questions.map(({ constant }) => constant)).toEqual(['other_tables'])
    expect((await answer(data, { other_tables: 'include' })).questions.map(({ constant }) => constant)).toEqual(['repeated_locations'])
    expect((await answer(data, { other_tables: 'exclude' })).questions).toEqual([])
  })
  test('is a question, which blocks the commit; its rows are left out as suggested', async () => {
    const data = await begin(desk, STACKED)
    expect(question(data, 'other_tables')).toEqual({
      constant: 'other_tables',
      suggestion: 'exclude',
      message:
        'The header in row 8 names other columns than the first one: “Tenant Improvements” in column G instead of “Building Value”. ' +
        'Leave out the 2 rows below it? To import these, import the file again and choose that row as the header row.',
      options: { include: 'No, read them like the rows above' },
    })
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { other_tables: 'exclude' })
    expect([answered.questions, answered.counts]).toMatchObject([[], { add: 3, excluded: 4 }])
    expect(answered.sums).toMatchObject({ file: { rows: 5, tiv: 1_503_000 }, left_out: { rows: 2, tiv: 0 }, unread_rows: 2 })
    expect((await commit(desk, answered)).status).toBe(200)
    expect(await imported()).toEqual([1, 2, 3].map((number) => [String(number), 500_000, null]))
    const again = await begin(desk, STACKED)
    expect(question(again, 'other_tables')?.suggestion).toBe('exclude')
  })
  test('is imported with its own header row', async () => {
    const data = await answer(await begin(desk, STACKED), { other_tables: 'exclude' })
    expect((await put(desk, data.id, { header_row: 8 })).status).toBe(200)
    const leased = await settled(desk, data.id)
    expect([leased.questions, leased.constants, leased.counts]).toMatchObject([[], {}, { add: 2 }])
    expect((await commit(desk, leased)).status).toBe(200)
    expect(await imported()).toEqual([4, 5].map((number) => [String(number), null, 77_000]))
  })
  test('is read like the rows above if the user wants it, and the answer can be changed', async () => {
    const data = await answer(await begin(desk, STACKED), { other_tables: 'exclude' })
    const included = await answer(data, { other_tables: 'include' })
    expect(included.counts).toMatchObject({ add: 5 })
    const open = await answer(included, {})
    expect([question(open, 'other_tables')?.constant, open.counts.add]).toEqual(['other_tables', 5])
  })
})

describe('hidden rows', () => {
  const PLAIN = [`${PLACE},Building Value,Contents`, ...[1, 2, 3, 4].map((number) => row(number, 500_000, 1_000))].join('\n')
  const withHidden = async () => {
    const { id } = await begin(desk, PLAIN)
    await sql`UPDATE import_rows SET hidden = true WHERE import_id = ${id} AND row_number IN (3, 4)`.execute(desk.app.system.db)
    await put(desk, id, { constants: { country: 'US' } })
    return settled(desk, id)
  }
  test('are a question, which blocks the commit; they are imported as suggested', async () => {
    const data = await withHidden()
    expect(question(data, 'hidden_rows')).toEqual({
      constant: 'hidden_rows',
      suggestion: 'include',
      message: '2 rows are hidden in the file. Import them, too?',
      options: { exclude: 'No, leave them out' },
    })
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { hidden_rows: 'include' })
    expect([answered.questions, answered.counts]).toMatchObject([[], { add: 4, excluded: 0 }])
  })
  test('are left out if the user wants it, and imported again after another answer', async () => {
    const data = await withHidden()
    const left = await answer(data, { hidden_rows: 'exclude' })
    expect([left.questions, left.counts]).toMatchObject([[], { add: 2, excluded: 2 }])
    expect((await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row }) => sheet_row)).toEqual([3, 4])
    expect((await answer(data, { hidden_rows: 'include' })).counts).toMatchObject({ add: 4, excluded: 0 })
  })
  test('are no question if the user excluded all of them', async () => {
    const data = await withHidden()
    await put(desk, data.id, { exclusions: [3, 4].map((number) => ({ row: number, excluded: true })) })
    expect(question(await settled(desk, data.id), 'hidden_rows')).toBeUndefined()
  })
})

describe('rows without an address', () => {
  const BUILDINGS = [
    `${PLACE},Bldg Description,Building Value`,
    ...[1, 2, 3].flatMap((number) => [`${number},Site ${number},${number} Oak St,Tulsa,OK,74103,Hall,500000`, ',,,,,,Barn,70000']),
  ].join('\n')
  test('below a location are one question, which blocks the commit; they become its buildings as suggested', async () => {
    const data = await begin(desk, BUILDINGS)
    expect(data.questions).toEqual([
      {
        constant: 'blank_addresses',
        suggestion: 'above',
        message: '3 rows have no address. Import each as a further building of the location above it?',
        options: { errors: 'No, I correct the rows' },
      },
    ])
    expect([data.counts, data.issues]).toMatchObject([{ add: 3, errors: 3 }, [{ code: 'address_above', column: 'C', count: 3 }]])
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { blank_addresses: 'above' })
    expect([answered.questions, answered.counts]).toMatchObject([[], { add: 6, errors: 0 }])
    expect((await commit(desk, answered)).status).toBe(200)
    const stored = (await register(desk)).map((one) => `${one.location_number}/${one.building_number} ${one.address} ${one.building_value}`)
    expect(stored.toSorted()).toEqual(
      [1, 2, 3].flatMap((number) => [`${number}/1 ${number} Oak St 500000`, `${number}/2 ${number} Oak St 70000`]),
    )
  })
  test('are counted again after a location is excluded, and after one of them gets an address', async () => {
    const data = await begin(desk, BUILDINGS)
    await put(desk, data.id, { exclusions: [{ row: 2, excluded: true }] })
    const changed = await settled(desk, data.id)
    expect(question(changed, 'blank_addresses')?.message).toContain('2 rows have no address')
    await put(desk, data.id, { edits: [{ row: 5, column: 'C', value: '9 Elm St' }] })
    expect(question(await settled(desk, data.id), 'blank_addresses')?.message).toContain('A row')
  })
})
