import { expect, test } from 'vitest'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const csv = (...rows: string[]) => ['Loc,Address,City,State,Zip,Building Value,Contents', ...rows].join('\n')
const WHOLE = '1,1 A St,Austin,TX,78701,500000,5000'

test('a row whose amounts are split by commas is an error until the question is answered', async () => {
  const data = await begin(desk, csv(WHOLE, '2,2 A St,Austin,TX,78701,1,000,000,6'))
  expect([data.counts.errors, data.questions]).toEqual([
    1,
    [
      {
        constant: 'split_amounts',
        suggestion: 'join',
        message: '1 row has more cells than the header, because commas between thousands split amounts. Join the parts of these amounts?',
        options: { errors: 'No, I correct the file' },
      },
    ],
  ])
  expect((await commit(desk, data)).status).toBe(409)
  expect((await rowsOf(desk, data.id, '&tab=errors'))[0]?.issues[0]).toMatchObject({
    code: 'split_amount',
    message: expect.stringContaining('The commas in 1,000,000 have split it.') as string,
  })
  await put(desk, data.id, { constants: { split_amounts: 'join' } })
  const joined = await settled(desk, data.id)
  expect([joined.questions, joined.counts.errors]).toEqual([[], 0])
  expect((await commit(desk, joined)).status).toBe(200)
  expect((await register(desk)).map((one) => [one.building_value, one.contents_value])).toEqual([
    [500_000, 5_000],
    [1_000_000, 6],
  ])
})

test('a row with more cells than the header that fit in no single way stays an error', async () => {
  const data = await begin(desk, csv(WHOLE, '2,2 A St,Suite 5,Austin,TX,78701,600000,6000', '3,3 A St,Austin,TX,78701,1,000,200,300'))
  expect([data.counts.errors, data.questions]).toEqual([2, []])
  expect((await rowsOf(desk, data.id, '&tab=errors')).map(({ issues }) => issues[0]?.code)).toEqual(['extra_cells', 'extra_cells'])
})

test('empty cells at the end, and cells below a header without a name, are no error', async () => {
  expect((await begin(desk, csv(WHOLE, '2,2 A St,Austin,TX,78701,600000,6000,,'))).counts.errors).toBe(0)
  const noted = 'Loc,Address,City,State,Zip,Building Value,Contents,\n1,1 A St,Austin,TX,78701,500000,5000,see file'
  expect((await begin(desk, noted)).counts.errors).toBe(0)
})
