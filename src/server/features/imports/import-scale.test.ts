import { expect, test } from 'vitest'
import { begin, commit, put, register } from '#server/testing/factories/import-flow.ts'
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
