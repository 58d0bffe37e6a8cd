import { describe, expect, test } from 'vitest'
import { answering, begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()
const answer = answering(desk)

const HEADER = 'Loc #,Street Address,City,ST,Zip,Bldg Value,Contents'
const texas = (at: number, building: number, contents: number) => `${at},${at}00 Elm St,Dallas,TX,75201,${building},${contents}`
const nevada = (at: number, building: number, contents: number) => `${at},${at}00 Lake St,Reno,NV,89501,${building},${contents}`
const title = (text: string) => `${text},,,,,,`

const IN_THOUSANDS = [texas(1, 1_000, 100), texas(2, 2_000, 200)]
const IN_DOLLARS = [nevada(3, 3_000_000, 300_000), nevada(4, 4_000_000, 400_000)]
const schedule = (...lines: string[]): string => [HEADER, ...lines].join('\n')
const messages = ({ questions }: { questions: readonly { message: string }[] }) => questions.map(({ message }) => message)

describe('the unit in the title of a section', () => {
  test.each([
    ['Texas (in thousands)', 'Nevada (whole dollars)'],
    ['Texas ($000)', 'Nevada ($)'],
    ['Region 1 - values in thousands', 'Region 2 - values not in thousands'],
    ['TEXAS (000s)', 'NEVADA (actual)'],
  ])('“%s” is that of the rows below it, next to “%s”', async (first, second) => {
    const data = await begin(desk, schedule(title(first), ...IN_THOUSANDS, title(second), ...IN_DOLLARS))
    expect(messages(data)).toEqual([`The values in “${first}” are in thousands. Multiply these by 1,000?`])
    expect((await answer(data, { factor: '1000' })).sums?.file.tiv).toBe(11_000_000)
    expect((await answer(data, { factor: '1' })).sums?.file.tiv).toBe(7_703_300)
  })
  test('is that of all rows if all titles name it', async () => {
    const data = await begin(
      desk,
      schedule(title('Texas (in thousands)'), ...IN_THOUSANDS, title('Nevada (in thousands)'), nevada(3, 500, 50)),
    )
    expect(messages(data)).toEqual([
      'The values in “Texas (in thousands)”, “Nevada (in thousands)” are in thousands. Multiply these by 1,000?',
    ])
    expect((await answer(data, { factor: '1000' })).sums?.file.tiv).toBe(3_850_000)
  })
  test('is used after a change of a cell, too', async () => {
    const file = schedule(title('Texas (in thousands)'), ...IN_THOUSANDS, title('Nevada (whole dollars)'), ...IN_DOLLARS)
    const data = await answer(await begin(desk, file), { factor: '1000' })
    await put(desk, data.id, { edits: [{ row: 3, column: 'F', value: '5000' }] })
    expect((await settled(desk, data.id)).sums?.file.tiv).toBe(15_000_000)
  })
  test('is a question about the rows below other titles', async () => {
    const file = schedule(
      texas(9, 900, 0),
      title('Texas (in thousands)'),
      ...IN_THOUSANDS,
      title('Houston'),
      texas(5, 500, 0),
      title('Nevada ($)'),
      ...IN_DOLLARS,
    )
    const data = await begin(desk, file)
    expect(data.questions).toEqual([
      {
        constant: 'section_units',
        suggestion: null,
        message:
          'The values below “Texas (in thousands)” are in thousands. Nothing says it of “Houston” and the rows above the first title. Are those in thousands, too?',
        options: {
          all: 'Yes, all of them',
          below: 'Only those between such a title and the next one with a unit',
          only: 'No, none of them',
        },
      },
    ])
    const tivAfter = async (section_units: string) => (await answer(data, { section_units, factor: '1000' })).sums?.file.tiv
    expect([await tivAfter('all'), await tivAfter('below'), await tivAfter('only')]).toEqual([12_400_000, 11_500_900, 11_001_400])
  })
  test('is used if a user says the unit of each column', async () => {
    const note = title('Everything but contents is in thousands')
    const file = schedule(texas(9, 900, 90), title('Nevada (whole dollars)'), nevada(3, 3_000_000, 300_000), note)
    const data = await begin(desk, file)
    expect(data.questions.map(({ constant }) => constant)).toEqual(['factor_F', 'factor_G'])
    expect((await answer(data, { factor_F: '1000', factor_G: '1000' })).sums?.file.tiv).toBe(4_290_000)
  })
  test('is that of the sheet in a title that names nothing else', async () => {
    const data = await begin(desk, schedule(title('(values in thousands)'), ...IN_THOUSANDS, title('Nevada'), nevada(3, 500, 50)))
    expect(messages(data)[0]).toMatch(/the values in the file are in thousands\. Multiply every amount by 1,000\?$/)
  })
})

describe('the currency in the title of a section', () => {
  const canada = (at: number) => `${at},${at}00 King St,Toronto,ON,M5V 2T6,500000,50000`

  test('is that of the rows below it', async () => {
    const data = await begin(
      desk,
      schedule(title('United States (USD)'), texas(1, 1_000_000, 0), texas(2, 2_000_000, 0), title('Canada (CAD)'), canada(3)),
    )
    expect(messages(data)).toEqual([
      'The amounts are in USD (2 rows) and CAD (1 row), which cannot be added up. Import only the rows in USD?',
    ])
    const { sums } = await answer(data, { currency: 'USD' })
    expect(sums?.left_out).toEqual({ rows: 1, tiv: 550_000, currency: 'CAD' })
    expect((await commit(desk, await settled(desk, data.id))).status).toBe(200)
    expect((await register(desk)).map(({ currency }) => currency)).toEqual(['USD', 'USD'])
  })
  test.each([
    ['the unit of a column', 'Contents in thousands of dollars', { factor: '1000' }],
    ['a unit that is not clear', 'Everything but building is in thousands', { factor_F: '1', factor_G: '1000' }],
  ])('is that of the rows below it if a note names %s', async (_, note, constants) => {
    const data = await begin(desk, schedule(texas(1, 1_000_000, 0), title('Canada (CAD)'), canada(3), title(note)))
    const { questions } = await answer(data, constants)
    expect(questions.map(({ constant, message }) => [constant, /CAD \(1 row\)/.test(message)])).toEqual([['currency', true]])
  })
})
