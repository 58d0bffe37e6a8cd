import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADERS = ['Loc #', 'Location Name', 'Street Address', 'City', 'ST', 'Zip', 'Building', 'Contents', 'BI']
const ROWS: SheetValue[][] = [
  [1, 'Hall', '1 Main St', 'Fresno', 'CA', '93721', 1_210, 300, 250_000],
  [2, 'Barn', '2 Main St', 'Fresno', 'CA', '93721', 1_220, 300, 150_000],
]
const SUM = { rows: 2, tiv: 3_430_000 }
const sheet = (name: string, rows: SheetValue[][], headers = HEADERS) => ({
  name,
  columns: headers.map((header) => ({ header, width: 12, kind: 'text' as const })),
  rows,
})
const file = (...sheets: ReturnType<typeof sheet>[]) => buffer(writeWorkbook({ sheets }))
const below = (text: string) => file(sheet('SOV', [...ROWS, [text]]))
const above = (text: string) => file(sheet('SOV', [HEADERS, ...ROWS], [text, ...HEADERS.slice(1).map(() => '')]))

describe('a text that does not say clearly which columns its unit is for', () => {
  test.each([
    ['below the table', below, 'Everything but BI is in thousands'],
    ['below the table, without a currency', below, 'Valores en miles salvo lucro cesante'],
    ['above it', above, 'Alle Werte in TEUR außer BI'],
    ['above it, with a full unit', above, 'Alle Werte in Tausend Euro, BU in Euro'],
    ['above it, without a column', above, 'Values shown in thousands only'],
  ])('is a question for each column with values, %s', async (_, content, text) => {
    const data = await begin(desk, await content(text))
    const asked = data.questions.filter(({ constant }) => constant.startsWith('factor'))
    expect(asked).toEqual(
      [
        ['G', 'Building'],
        ['H', 'Contents'],
        ['I', 'BI'],
      ].map(([letter, header]) => ({
        constant: `factor_${letter}`,
        suggestion: null,
        message: `The file says “${text}”. Are the values in column ${letter}, “${header}”, in thousands?`,
        options: { 1: 'No, as written', 1_000: 'Yes, × 1,000' },
      })),
    )
    expect(data.sums?.file.tiv).toBe(403_030)
  })
  test('is imported as the answers say, which are remembered for files with the same text', async () => {
    const content = await below('Everything but BI is in thousands')
    const data = await begin(desk, content)
    await put(desk, data.id, { constants: { ...data.constants, factor_G: '1000' } })
    const open = await settled(desk, data.id)
    expect(open.questions.map(({ constant }) => constant)).toEqual(['factor_H', 'factor_I'])
    expect((await commit(desk, open)).status).toBe(409)
    await put(desk, data.id, { constants: { ...open.constants, factor_H: '1000', factor_I: '1' } })
    const answered = await settled(desk, data.id)
    expect([answered.questions, answered.sums?.file]).toMatchObject([[], SUM])
    await commit(desk, answered)
    expect(
      (await register(desk)).map(({ building_value, contents_value, bi_value }) => [building_value, contents_value, bi_value]),
    ).toEqual([
      [1_210_000, 300_000, 250_000],
      [1_220_000, 300_000, 150_000],
    ])
    const next = await begin(desk, content)
    expect([next.questions, next.constants, next.sums?.file]).toMatchObject([
      [],
      { factor_G: '1000', factor_H: '1000', factor_I: '1' },
      SUM,
    ])
    const other = await begin(desk, await below('Everything but contents is in thousands'))
    expect(other.questions.map(({ constant }) => constant)).toEqual(['factor_G', 'factor_H', 'factor_I'])
    const tower = ROWS.map((row) => row.with(6, 900_000))
    const towers = await begin(desk, await file(sheet('SOV', [...tower, ['Everything but BI is in thousands']])))
    expect(towers.questions.map(({ constant }) => constant)).toEqual(expect.arrayContaining(['factor_G', 'factor_H', 'factor_I']))
  })
  test('is not answered for all columns at once', async () => {
    const data = await begin(desk, await below('Everything but BI is in thousands'))
    await put(desk, data.id, { constants: { ...data.constants, factor: '1000' } })
    const sent = await settled(desk, data.id)
    expect([sent.questions.length, sent.sums?.file.tiv]).toEqual([3, 403_030])
    expect((await put(desk, data.id, { constants: { ...data.constants, factor_G: '7' } })).status).toBe(400)
  })
  test('has an answer only by an answer to the question', async () => {
    const data = await begin(desk, await below('Everything but BI is in thousands'))
    for (const wrong of [
      { factor_G: '1000000' },
      { factor_A: '1' },
      { factor_ZZZ: '1000' },
      { constructor: '1' },
      { hasOwnProperty: '1' },
    ]) {
      const { status, body } = await put(desk, data.id, { constants: { ...data.constants, ...wrong } })
      expect([wrong, status, Object.keys(body.errors)]).toEqual([wrong, 400, Object.keys(wrong)])
    }
    await put(desk, data.id, { constants: { factor_G: '', factor_H: '1', factor_I: ' ' } })
    const open = await settled(desk, data.id)
    expect([open.constants, open.questions.map(({ constant }) => constant)]).toEqual([{ factor_H: '1' }, ['factor_G', 'factor_I']])
    expect((await commit(desk, open)).status).toBe(409)
  })
  test('keeps answers that two users give at once', async () => {
    const data = await begin(desk, await below('Everything but BI is in thousands'))
    const answers = [{ factor_G: '1000' }, { factor_H: '1000' }, { factor_I: '1' }]
    const sent = await Promise.all(answers.map((answer) => put(desk, data.id, { answers: answer })))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    const answered = await settled(desk, data.id)
    expect([answered.constants, answered.questions]).toEqual([Object.assign({}, ...answers), []])
    for (const [factor, status] of [
      ['1', 200],
      ['1000', 200],
      ['1000000', 400],
    ] as const)
      expect([factor, (await put(desk, data.id, { answers: { factor_G: factor } })).status]).toEqual([factor, status])
    expect((await settled(desk, data.id)).constants['factor_G']).toBe('1000')
    await put(desk, data.id, { answers: { factor_H: null } })
    expect((await settled(desk, data.id)).questions.map(({ constant }) => constant)).toEqual(['factor_H'])
  })
  test('is a question for each sheet that announces a unit', async () => {
    const full = ROWS.map((row, index) => row.with(0, index + 11).with(2, `${index + 11} Elm St`))
    const [one, other] = [sheet('East', [...full, ['All values in $000s']]), sheet('West', [...ROWS, ['All but BI in $000s']])]
    const data = await begin(desk, await file(one, other, sheet('North', [ROWS[0]?.with(0, 21).with(2, '5 Oak St') ?? []])))
    const asked = data.questions.filter(({ constant }) => constant.startsWith('factor'))
    expect(asked.map(({ constant }) => constant)).toEqual([
      'factor_G_0',
      'factor_H_0',
      'factor_I_0',
      'factor_G_1',
      'factor_H_1',
      'factor_I_1',
    ])
    expect(asked[3]?.message).toBe(
      'Sheet “West” says “All but BI in $000s”. Are the values in column G, “Building”, of sheet “West” in thousands?',
    )
    const answers = Object.fromEntries(asked.map(({ constant }) => [constant, constant.includes('_I_') ? '1' : '1000']))
    await put(desk, data.id, { constants: { ...data.constants, ...answers } })
    expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 5, tiv: 2 * 3_430_000 + 251_510 })
  })
})
test.each([
  ['in groups of columns', ['Property Values ($000)', '', 'Time Element ($)']],
  ['above each column', ['Values in thousands', 'Values in thousands', 'Values in dollars']],
])('units %s are those of these columns', async (_, labels) => {
  const content = await file(sheet('SOV', [HEADERS, ...ROWS], [...HEADERS.slice(0, 6).map(() => ''), ...labels]))
  const data = await begin(desk, content)
  expect(data.questions).toMatchObject([
    {
      constant: 'factor',
      message: expect.stringMatching(/^The values in “Building[^”]*”, “Contents[^”]*” are in thousands\. Multiply these by 1,000\?$/),
    },
  ])
  await put(desk, data.id, { answers: { factor: '1000' } })
  expect((await settled(desk, data.id)).sums?.file).toMatchObject(SUM)
})
test('the name of the file may announce the unit', async () => {
  const data = await begin(desk, await file(sheet('SOV', ROWS)), 'SOV ($000s).xlsx')
  expect(data.questions).toMatchObject([
    { constant: 'factor', suggestion: '1000', message: expect.stringContaining('“SOV ($000s)” (name of the file)') },
  ])
})
test('a note about something else is no question', async () =>
  expect((await begin(desk, await below('The company serves customers in the thousands, but not abroad'))).questions).not.toEqual(
    expect.arrayContaining([expect.objectContaining({ constant: 'factor_G' })]),
  ))
