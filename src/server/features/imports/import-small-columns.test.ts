import { describe, expect, test } from 'vitest'
import { answering, begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()
const answer = answering(desk)

const file = (...rows: string[]) =>
  [
    'Loc #,Address,City,State,ZIP,Building,Contents,BI',
    ...rows.map((row, at) => `${at + 1},${at + 1} Mill St,Albany,NY,12203,${row}`),
  ].join('\n')
const asked = ({ questions }: { questions: readonly { constant: string; suggestion: string | null }[] }) =>
  questions.map(({ constant, suggestion }) => [constant, suggestion])

describe('values that may be in thousands next to buildings that are not', () => {
  const FILE = file('1200000,300,500', '2500000,400,250000', '3500000,600,300000')

  test('are a question about their column, which blocks the commit', async () => {
    const data = await begin(desk, FILE)
    expect(data.questions).toEqual([
      {
        constant: 'factor_G',
        suggestion: null,
        message: 'The values in column G, “Contents”, are less than 1,000, next to buildings of more than 500,000. Are they in thousands?',
        options: { 1: 'No, as written', 1_000: 'Yes, × 1,000' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
    const multiplied = await answer(data, { factor_G: '1000' })
    expect([multiplied.questions, multiplied.sums?.file.tiv]).toEqual([[], 7_200_000 + 1_300_000 + 550_500])
    await put(desk, data.id, { edits: [{ row: 2, column: 'G', value: '350' }] })
    const edited = await settled(desk, data.id)
    expect((await commit(desk, edited)).status).toBe(200)
    expect((await register(desk)).map(({ contents_value }) => Number(contents_value))).toEqual([350_000, 400_000, 600_000])
    expect(asked(await begin(desk, FILE))).toEqual([['factor_G', null]])
  })
  test('are imported as written if the user says so, and are no question when the register has them', async () => {
    const written = await answer(await begin(desk, FILE), { factor_G: '1' })
    expect([written.questions, written.sums?.file.tiv]).toEqual([[], 7_200_000 + 1_300 + 550_500])
    await commit(desk, written)
    expect(asked(await begin(desk, FILE))).toEqual([])
  })
  test('are each a question', async () =>
    expect(asked(await begin(desk, file('1200000,300,500', '2500000,400,250', '3500000,600,300')))).toEqual([
      ['factor_G', null],
      ['factor_H', null],
    ]))
  test('are none if some are larger, if the buildings are small, or if a header names the unit', async () => {
    expect(asked(await begin(desk, file('1200000,300,0', '2500000,40000,0', '3500000,60000,0')))).toEqual([])
    expect(asked(await begin(desk, file('120000,300,0', '250000,400,0', '350000,600,0')))).toEqual([])
    const named = await begin(desk, FILE.replace('Contents', 'Contents ($000)'))
    expect(asked(named)).toEqual([['factor', '1000']])
  })
})
