import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { answering, begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADERS = ['Loc #', 'Address', 'City', 'State', 'Zip', 'Building Value', 'Contents Value']
const locations = (from: number, building: number, contents: number): (string | number)[][] =>
  [from, from + 1].map((number) => [number, `${number} Main St`, 'Tulsa', 'OK', '74103', building, contents])
type Sheet = readonly [name: string, ...rows: (string | number)[][]]

/** Sheets whose rows begin with their titles and the header. */
const file = (...sheets: Sheet[]): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      sheets: sheets.map(([name, first = [], ...rows]) => ({
        name,
        columns: HEADERS.map((_, index) => ({ header: String(first[index] ?? ''), width: 12, kind: 'text' as const })),
        rows: rows.map((row) => HEADERS.map((__, index) => row[index] ?? null)),
      })),
    }),
  )
const answer = answering(desk)

describe('the currency in a title', () => {
  test('is that of the file, without a question', async () => {
    const data = await begin(
      desk,
      await file(['SOV', ['Acme - all amounts in Canadian dollars'], HEADERS, ...locations(1, 500_000, 50_000)]),
    )
    expect([data.questions, data.sums?.file]).toEqual([[], { rows: 2, tiv: 1_100_000, currency: 'CAD' }])
    expect((await answer(data, { currency: 'USD' })).sums?.file).toEqual({ rows: 2, tiv: 1_100_000, currency: 'USD' })
    expect((await commit(desk, await answer(data, {}))).status).toBe(200)
    expect((await register(desk)).map(({ currency }) => currency)).toEqual(['CAD', 'CAD'])
  })
  test('is that of the rows of its sheet only', async () => {
    const canada: Sheet = ['Canada', ['All values CAD'], HEADERS, ...locations(11, 300_000, 30_000)]
    const data = await begin(desk, await file(['US', HEADERS, ...locations(1, 500_000, 50_000)], canada))
    expect(data.questions.map(({ message }) => message)).toEqual([
      'The amounts are in CAD (2 rows) and USD (2 rows), which cannot be added up. Import only the rows in USD?',
    ])
    expect(data.sums?.file.currency).toBeNull()
    expect((await answer(data, { currency: 'CAD' })).sums?.left_out).toEqual({ rows: 2, tiv: 1_100_000, currency: 'USD' })
    expect((await answer(data, { currency: 'USD' })).sums?.left_out).toEqual({ rows: 2, tiv: 660_000, currency: 'CAD' })
  })
  test('is no reason for the question whether foreign rows are in their own currency', async () => {
    const rows = [1, 2].map((number) => [number, `${number} King Street`, 'Toronto', 'ON', 'M5V 2T6', 500_000, 50_000])
    const data = await begin(desk, await file(['SOV', ['Values in US dollars'], HEADERS, ...rows]))
    expect([data.questions, data.sums?.file.currency]).toEqual([[], 'USD'])
  })
})

describe('the factor in the title of one of two sheets', () => {
  const EAST: Sheet = ['East', HEADERS, ...locations(1, 1_000_000, 100_000)]
  const WEST: Sheet = ['West', ['Values in $000'], HEADERS, ...locations(21, 1_000, 100), ['Total', '', '', '', '', 2_000, 200]]

  test('applies to the rows of its sheet after a question', async () => {
    const data = await begin(desk, await file(EAST, WEST))
    expect(data.questions.map(({ message }) => message)).toEqual(['The values in “West” are in thousands. Multiply these by 1,000?'])
    expect((await answer(data, { factor: '1000' })).sums?.file.tiv).toBe(4_400_000)
    expect((await answer(data, { factor: '1' })).sums?.file.tiv).toBe(2_202_200)
  })
  test('applies after a change of a cell, too', async () => {
    const data = await answer(await begin(desk, await file(EAST, WEST)), { factor: '1000' })
    expect((await put(desk, data.id, { edits: [{ row: 6, column: 'F', value: '2000' }] })).status).toBe(200)
    expect((await settled(desk, data.id)).sums?.file.tiv).toBe(5_400_000)
  })
  test('applies to all sheets if all announce it, and also to their totals rows', async () => {
    const data = await begin(
      desk,
      await file(['East', ['Values in $000'], HEADERS, ...locations(1, 3_000, 0), ['Total', '', '', '', '', 6_000, 0]], WEST),
    )
    expect(data.questions[0]?.message).toBe('The values in the file are in thousands. Multiply every amount by 1,000?')
    const { sums } = await answer(data, { factor: '1000' })
    expect([sums?.file.tiv, sums?.stated]).toEqual([8_200_000, 8_200_000])
  })
  test.each([
    ['name', ['West ($000s)', HEADERS, ...locations(21, 1_000, 100)]],
    ['note', ['West', HEADERS, ...locations(21, 1_000, 100), ['Note: all values in $000s']]],
  ] satisfies [string, Sheet][])('is used like one in the %s of the sheet', async (_, west) => {
    const data = await begin(desk, await file(EAST, west))
    expect(data.questions.map(({ message }) => message)).toEqual([`The values in “${west[0]}” are in thousands. Multiply these by 1,000?`])
    expect((await answer(data, { factor: '1000' })).sums?.file.tiv).toBe(4_400_000)
  })
  test('is named for each sheet if another sheet announces another one', async () => {
    const millions: Sheet = ['North', ['Values in $ millions'], HEADERS, ...locations(31, 3, 1)]
    const data = await begin(desk, await file(EAST, WEST, millions))
    expect(data.questions.map(({ message }) => message)).toEqual([
      'The values in “West” are in thousands, and those in “North” are in millions. Multiply these by 1,000 and 1,000,000?',
    ])
    expect((await answer(data, { factor: '1000000' })).sums?.file.tiv).toBe(12_400_000)
  })
})

test('the name of a sheet says the currency of its rows', async () => {
  const sheets: Sheet[] = [
    ['US (USD)', HEADERS, ...locations(1, 500_000, 50_000)],
    ['Canada (CAD)', HEADERS, ...locations(11, 300_000, 30_000)],
  ]
  const data = await begin(desk, await file(...sheets))
  expect(data.questions.map(({ message }) => message)).toEqual([
    'The amounts are in CAD (2 rows) and USD (2 rows), which cannot be added up. Import only the rows in USD?',
  ])
  const pounds = await begin(desk, await file(['SOV GBP', HEADERS, ...locations(1, 500_000, 50_000)]))
  expect(pounds.sums?.file).toEqual({ rows: 2, tiv: 1_100_000, currency: 'GBP' })
})

test.each(['SOV 2025', '2025', '25-26'])('a sheet “%s” with other locations next to “SOV” is a question', async (name) => {
  const data = await begin(
    desk,
    await file(['SOV', HEADERS, ...locations(1, 500_000, 50_000)], [name, HEADERS, ...locations(11, 300_000, 30_000)]),
  )
  const message = `“${name}” has the columns of “SOV”. Import its 2 rows, too?`
  expect(data.questions).toMatchObject([{ constant: 'other_sheets', message, suggestion: null }])
  expect((await answer(data, { other_sheets: 'exclude' })).sums?.file).toMatchObject({ rows: 2, tiv: 1_100_000 })
})
