import { expect, test } from 'vitest'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const COUNT = 10
/** A schedule without areas, whose values are multiplied by `factor`. */
const schedule = (factor: number, header = 'Loc #,Location Name,Street Address,City,ST,Zip,Building Value,Contents Value') =>
  [
    header,
    ...Array.from(
      { length: COUNT },
      (_, index) =>
        `${index + 1},Hall ${index + 1},${index + 100} Main St,Fresno,CA,93721,${(900_000 + index * 50_000) * factor},${200_000 * factor}`,
    ),
  ].join('\n')
const valueOf = async () => (await register(desk)).reduce((sum, { building_value: value }) => sum + Number(value), 0)

test.each([
  ['about a thousandth', 1.08 / 1_000, '1000', 'fall to a thousandth. Are they in thousands?'],
  ['a thousandfold', 1_000, '1', 'rise to a thousandfold. Import them as written?'],
])('a renewal with %s of the values of the register is not imported without an answer', async (_, factor, suggestion, change) => {
  await commit(desk, await begin(desk, schedule(1)))
  const before = await valueOf()
  const data = await begin(desk, schedule(factor))
  const message = `The values of 10 of 10 matched properties would ${change}`
  expect(data.questions).toEqual([{ constant: 'factor', suggestion, message }])
  expect((await commit(desk, data)).status).toBe(409)
  expect(await valueOf()).toBe(before)
  const answered = (await put(desk, data.id, { constants: { factor: suggestion } })).body.data
  expect([answered.questions, (await commit(desk, answered)).status]).toEqual([[], 200])
})

test('a renewal with other values of the same size has no question', async () => {
  await commit(desk, await begin(desk, schedule(1)))
  expect((await begin(desk, schedule(1.3))).questions).toEqual([])
  expect((await begin(desk, schedule(0.4))).questions).toEqual([])
})

test('buildings that are worth less than a shed raise a question about their unit', async () => {
  expect((await begin(desk, schedule(1 / 1_000))).questions).toEqual([
    { constant: 'factor', suggestion: '1000', message: 'Most buildings are worth less than 5,000. Are the values in thousands?' },
  ])
})

test('addresses without names raise it, too', async () => {
  const [, ...rows] = schedule(1 / 1_000).split('\n')
  const unnamed = rows.map((row) => row.replace(/,Hall \d+,/, ','))
  const content = ['Loc #,Street Address,City,ST,Zip,Building Value,Contents Value', ...unnamed].join('\n')
  expect((await begin(desk, content)).questions).toMatchObject([{ constant: 'factor', suggestion: '1000' }])
})

test('values in thousands that count on, next to the numbers of the buildings, are a question', async () => {
  const rows = Array.from({ length: 8 }, (_, at) => `${at + 1},1,Hall ${at},${at + 1} Main St,Fresno,CA,93721,${500 + at * 7},${125 + at}`)
  const data = await begin(desk, ['Loc #,Bldg #,Property Name,Address,City,State,ZIP,Building,Contents', ...rows].join('\n'))
  expect([1, 7].map((at) => data.columns[at]?.field)).toEqual(['building_number', 'building_value'])
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000' }])
})

test('nothing is suggested for amounts in different units', async () => {
  const rows = [1_200, 2_500, 3_100_000, 1_900].map((value, at) => `${at + 1},Hall ${at},${at + 1} Main St,Fresno,CA,93721,${value},300`)
  const data = await begin(desk, ['Loc #,Property Name,Address,City,State,ZIP,Building Value,Contents', ...rows].join('\n'))
  expect(data.questions).toMatchObject([
    {
      constant: 'factor',
      suggestion: null,
      message:
        'Most buildings are worth less than 5,000. Are the values in thousands? 1 building would then be worth more than a building can be, so correct the cells first if their units differ.',
    },
  ])
})

const buildings = (...values: (number | string)[]) =>
  [
    'Loc #,Property Name,Address,City,State,ZIP,Building Value,Contents',
    ...values.map((value, at) => `${at + 1},Hall ${at},${at + 1} Main St,Fresno,CA,93721,"${value}",300`),
  ].join('\n')

test('nothing is suggested if one building would then be worth far more than the others', async () => {
  const note = ' 1 building would then be worth far more than most others, so check first whether its cell has another unit.'
  const data = await begin(desk, buildings(1_200, 2_500, 310_000, 1_800, 2_200))
  expect(data.questions.map(({ suggestion, message }) => [suggestion, message.endsWith(note)])).toEqual([[null, true]])
  expect((await begin(desk, buildings(1_200, 2_500, 90_000, 1_800, 2_200))).questions).toMatchObject([{ suggestion: '1000' }])
})

test('values that may be in thousands or in millions have no suggestion', async () => {
  const { questions } = await begin(desk, buildings(12.5, 22.15, 103.1))
  expect(questions).toMatchObject([
    { constant: 'factor', suggestion: null, options: { 1_000: 'Yes, × 1,000', 1_000_000: 'Yes, × 1,000,000' } },
  ])
})

test('values that are too low per square foot even in thousands are probably in millions', async () => {
  const rows = [12.5, 22.15, 103.1].map((value, at) => `${at + 1},Hall ${at},${at + 1} Main St,Fresno,CA,93721,${value},${at + 4}0000`)
  const data = await begin(desk, ['Loc #,Property Name,Address,City,State,ZIP,Building Value,Sq Ft', ...rows].join('\n'))
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000000' }])
})

test.each([
  ['a full amount', { edits: [{ row: 2, column: 'G', value: '310,000' }] }],
  ['an amount that would be too large', { edits: [{ row: 2, column: 'G', value: '3,100,000' }] }],
  ['another column of values', { mapping: { G: 'contents_value', H: 'building_value' } }],
])('the answer about the unit is a question again after %s', async (_, patch) => {
  const data = await begin(desk, schedule(1 / 1_000))
  await put(desk, data.id, { constants: { factor: '1000' } })
  await put(desk, data.id, patch)
  expect((await settled(desk, data.id)).questions.map(({ constant }) => constant)).toContain('factor')
})
