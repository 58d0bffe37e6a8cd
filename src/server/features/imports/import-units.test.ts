import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { workbookParts, zip } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import type { SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADERS = ['Loc #', 'Location Name', 'Street Address', 'City', 'ST', 'Zip', 'Building', 'Contents']
const ROWS: SheetValue[][] = [
  [1, 'Hall', '1 Main St', 'Fresno', 'CA', '93721', 1_210, 300],
  [2, 'Barn', '2 Main St', 'Fresno', 'CA', '93721', 1_220, 300],
]
const PLAIN = ROWS.map((row) => row.map((cell, column) => (column > 5 && typeof cell === 'number' ? cell * 1_000 : cell)))
const sheet = (name: string, rows: SheetValue[][], headers = HEADERS) => ({
  name,
  columns: headers.map((header) => ({ header, width: 12, kind: 'text' as const })),
  rows,
})
const file = (...sheets: ReturnType<typeof sheet>[]) => buffer(writeWorkbook({ sheets }))

test.each([
  ['a note below the rows', 'Note: all values in $000s', 'row 4'],
  ['a footnote', '* $ in thousands', 'row 4'],
  ['a unit of pounds', "Figures in £'000", 'row 4'],
])('%s announces thousands', async (_, text, place) => {
  const data = await begin(desk, await file(sheet('SOV', [...ROWS, [text]])))
  expect(data.questions).toMatchObject([
    { constant: 'factor', suggestion: '1000', message: expect.stringContaining(`“${text}” (${place})`) },
  ])
  await put(desk, data.id, { constants: { factor: '1000' } })
  expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 3_030_000 })
})

describe('a text about single columns', () => {
  const CONTENTS = [1_210_000, 1_220_000].map((building, index) => ROWS[index]?.with(6, building) ?? [])
  const TRUE = { rows: 2, tiv: 3_030_000 }
  const withTitle = (title: string, rows: SheetValue[][]) =>
    file(sheet('SOV', [HEADERS, ...rows], [title, ...HEADERS.slice(1).map(() => '')]))
  test.each([
    ['below the table', () => file(sheet('SOV', [...CONTENTS, ['Contents are in thousands']]))],
    ['above it', () => withTitle('Contents are shown in $000s', CONTENTS)],
    ['that names the others, too', () => withTitle('Contents in thousands; all other values in full dollars', CONTENTS)],
    ['that excludes the others', () => withTitle('All values in $000s, except buildings', CONTENTS)],
  ])('%s announces their unit only', async (_, content) => {
    const data = await begin(desk, await content())
    expect(data.questions.map(({ message }) => message)).toEqual([
      'The values in “Contents (in thousands)” are in thousands. Multiply these by 1,000?',
    ])
    expect((await put(desk, data.id, { constants: { factor: '1000' } })).status).toBe(200)
    const answered = await settled(desk, data.id)
    expect([answered.questions, answered.sums?.file]).toMatchObject([[], TRUE])
  })
  test('is read in the same way in the next file, without a question', async () => {
    const content = file(sheet('SOV', [...CONTENTS, ['Contents are in thousands']]))
    const data = await begin(desk, await content)
    await put(desk, data.id, { constants: { factor: '1000' } })
    await commit(desk, await settled(desk, data.id))
    const next = await begin(desk, await content)
    expect([next.questions, next.sums?.file, next.counts]).toMatchObject([[], TRUE, { unchanged: 2 }])
  })
  test('of one sheet multiplies these columns of this sheet only', async () => {
    const full = PLAIN.map((row, index) => row.with(0, index + 11).with(2, `${index + 11} Elm St`))
    const data = await begin(desk, await file(sheet('East', full), sheet('West', [...CONTENTS, ['Note: contents values in $000s']])))
    expect(data.questions.map(({ message }) => message)).toEqual([
      'The values in “Contents (West)” are in thousands. Multiply these by 1,000?',
    ])
    await put(desk, data.id, { constants: { factor: '1000' } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 4, tiv: 6_060_000 })
  })
  test.each(['Premiums and deductibles are in thousands', 'Values not in thousands', 'Amounts are never shown in $000s'])(
    'is no unit of the values: “%s”',
    async (text) => {
      expect((await begin(desk, await file(sheet('SOV', [...PLAIN, [text]])))).questions).toEqual([])
      expect((await begin(desk, await withTitle(text, PLAIN))).questions).toEqual([])
    },
  )
})

test('the name of the sheet announces thousands', async () => {
  const data = await begin(desk, await file(sheet('SOV ($000s)', ROWS)))
  expect(data.questions).toMatchObject([{ suggestion: '1000', message: expect.stringContaining('“SOV ($000s)” (name of the sheet)') }])
})

test('a cover announces thousands, but not a summary of amounts or a note about something else', async () => {
  const text = 'Amounts expressed in thousands of US dollars'
  const cover = await begin(desk, await file(sheet('Cover', [['2026 renewal'], [text]], ['ACME Inc.']), sheet('SOV', ROWS)))
  expect(cover.questions).toMatchObject([{ suggestion: '1000', message: expect.stringContaining(`“${text}” (sheet “Cover”)`) }])
  const summary = sheet('Recap', [['CA', 3]], ['State', 'TIV in thousands'])
  const note = ['Note: the company serves customers in the thousands']
  const plain = await begin(desk, await file(sheet('SOV', [...PLAIN, note]), summary))
  expect(plain.questions).toEqual([])
})

describe('areas without a unit', () => {
  const areas = (header: string, place: string, area = '5000') =>
    [
      `Loc #,Street Address,City,State,Country,Building Value (EUR),${header}`,
      `1,1 Main St,${place},1000000,${area}`,
      `2,2 Main St,${place},2000000,${area}`,
    ].join('\n')
  const questionsOf = async (content: string) => (await begin(desk, content)).questions

  test('are a question where square meters are usual, and converted by the answer', async () => {
    const data = await begin(desk, areas('Floor Area', 'Köln,,DE'))
    expect(data.questions).toEqual([
      {
        constant: 'area_unit',
        suggestion: 'm2',
        message: 'Column G, “Floor Area”, does not name a unit. Are the areas in square meters, as is usual in the country?',
        options: { m2: 'Yes, square meters', sqft: 'No, square feet' },
      },
    ])
    await put(desk, data.id, { constants: { area_unit: 'm2' } })
    const answered = await settled(desk, data.id)
    expect(answered.questions).toEqual([])
    await commit(desk, answered)
    expect((await register(desk)).map(({ floor_area }) => floor_area)).toEqual([53_820, 53_820])
  })
  test('are a question without a suggestion where both units are usual', async () =>
    expect(await questionsOf(areas('Floor Area', 'Leeds,,GB'))).toMatchObject([{ constant: 'area_unit', suggestion: null }]))
  test.each([
    ['Floor Area', 'Fresno,CA,US', '5000'],
    ['Sq Ft', 'Köln,,DE', '5000'],
    ['Floor Area (m²)', 'Köln,,DE', '5000'],
    ['Floor Area', 'Köln,,DE', '5000 m2'],
  ])('are no question below “%s” in %s with %s', async (header, place, area) =>
    expect((await questionsOf(areas(header, place, area))).filter(({ constant }) => constant === 'area_unit')).toEqual([]),
  )
})

describe('business income of a month', () => {
  const income = (header: string) =>
    [
      `Loc #,Street Address,City,ST,Zip,Building Value,${header}`,
      '1,1 Main St,Fresno,CA,93721,1000000,10000',
      '2,2 Main St,Fresno,CA,93721,2000000,"$25,000"',
      'Total,,,,,3000000,35000',
    ].join('\n')
  const mapped = async (header: string) => {
    const data = await begin(desk, income(header))
    await put(desk, data.id, { mapping: { G: 'bi_value' } })
    return settled(desk, data.id)
  }
  const answered = async (header: string, answer: string) => {
    const { id } = await mapped(header)
    await put(desk, id, { constants: { income_span: answer } })
    await commit(desk, await settled(desk, id))
    return (await register(desk)).map(({ bi_value }) => bi_value)
  }
  test('is a question after a user maps it, and blocks the import', async () => {
    const data = await mapped('BI per month')
    expect(data.questions).toEqual([
      {
        constant: 'income_span',
        suggestion: 'year',
        message:
          'The amounts in column G, “BI per month”, are those of a month, but business income is that of twelve months. Multiply them by 12?',
        options: { year: 'Yes, × 12', written: 'No, they are annual as written' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('is multiplied by twelve after that answer', async () => expect(await answered('BU monatlich', 'year')).toEqual([120_000, 300_000]))
  test('is imported as written after the other one', async () =>
    expect(await answered('Loyer mensuel', 'written')).toEqual([10_000, 25_000]))
  test('has no suggestion if the header names a number of months', async () =>
    expect((await mapped('BI (6 months)')).questions).toMatchObject([
      { suggestion: null, message: expect.stringContaining('are those of 6 months'), options: { year: 'Yes, × 2' } },
    ]))
})

describe('columns with units of their own', () => {
  const AMOUNTS: SheetValue[][] = [
    [1, 'Hall', '1 Main St', 'Fresno', 'CA', '93721', 3_000, 1.5],
    [2, 'Barn', '2 Main St', 'Fresno', 'CA', '93721', 1_500, 0.5],
  ]
  const TRUE = { rows: 2, tiv: 6_500_000 }
  test.each([
    ['in their names', file(sheet('SOV', AMOUNTS, HEADERS.with(6, 'Building (K)').with(7, 'Contents (M$)')))],
    ['in a row below their names', file(sheet('SOV', [['#', null, null, null, null, null, "$000's", '$MM'], ...AMOUNTS]))],
  ])('are each multiplied by their own, written %s', async (_place, content) => {
    const data = await begin(desk, await content)
    expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000000', options: { 1000000: 'Yes, as the headers say' } }])
    await put(desk, data.id, { constants: { factor: '1000000' } })
    const answered = await settled(desk, data.id)
    expect([answered.questions, answered.sums?.file]).toMatchObject([[], TRUE])
  })
  test('are all in millions of dollars if each says so', async () => {
    const millions = AMOUNTS.map((row) => row.with(6, 1.5))
    const data = await begin(desk, await file(sheet('SOV', millions, HEADERS.with(6, 'Building (M$)').with(7, 'Contents (M$)'))))
    expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000000' }])
    await put(desk, data.id, { constants: { factor: '1000000' } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 5_000_000 })
  })
})

describe('a unit above columns of values', () => {
  /** A workbook with a title that is merged over a range above the header. */
  const merged = (at: string, range: string) => {
    const cell = (value: SheetValue, ref: string) =>
      typeof value === 'number'
        ? `<c r="${ref}"><v>${value}</v></c>`
        : `<c r="${ref}" t="inlineStr"><is><t>${typeof value === 'string' ? value : ''}</t></is></c>`
    const lines = [[...HEADERS, 'BI'], ...ROWS.map((row) => [...row, 500_000])]
    const rows = lines.map((cells, row) => {
      const xml = cells.map((value, column) => cell(value, `${columnLetters(column + 1)}${row + 2}`))
      return `<row r="${row + 2}">${xml.join('')}</row>`
    })
    const title = `<row r="1">${cell("PD Values (in 000's)", `${at}1`)}</row>`
    return zip(
      workbookParts({
        sheets: [`<sheetData>${title}${rows.join('')}</sheetData><mergeCells count="1"><mergeCell ref="${range}"/></mergeCells>`],
      }),
    )
  }
  test('is theirs if it is merged over them and not over other values', async () => {
    const data = await begin(desk, await merged('G', 'G1:H1'), 'sov.xlsx')
    expect(data.questions).toMatchObject([
      { constant: 'factor', message: expect.stringContaining('“Building (in thousands)”, “Contents (in thousands)”') },
    ])
    await put(desk, data.id, { constants: { factor: '1000' } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 3_030_000 + 1_000_000 })
  })
  test.each([
    ['A', 'A1:H1'],
    ['G', 'G1:I1'],
  ])('is that of the file if it is merged from %s over %s', async (at, range) => {
    const data = await begin(desk, await merged(at, range), 'sov.xlsx')
    await put(desk, data.id, { constants: { factor: '1000' } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 3_030_000 + 1_000_000_000 })
  })
  test('is theirs if an empty column is between them and other values', async () => {
    const rows = ['1,Hall,1 Main St,Fresno,CA,93721,1210,300,,500000', '2,Barn,2 Main St,Fresno,CA,93721,1220,300,,500000']
    const data = await begin(desk, [',,,,,,Values ($000)', `${HEADERS.join(',')},,BI`, ...rows].join('\n'), 'sov.csv')
    await put(desk, data.id, { constants: { factor: '1000' } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 3_030_000 + 1_000_000 })
  })
})
