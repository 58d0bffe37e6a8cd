import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, put, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Name,Address,City,State,Zip,Bldg #,Building,Contents'
const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'possible_sums')

describe('a building with the sum of those above it in round numbers', () => {
  const rows = ['1,Oak Park,1 Main St,Tulsa,OK,74103,1,1000000,100000', ',,,,,,2,2000000,200000', ',,,,,,3,3000000,300000']
  const start = () => begin(desk, [HEADER, ...rows, '2,Elm,2 Main St,Tulsa,OK,74103,1,5000000,500000'].join('\n'))
  test('stays, and the import asks the user about it', async () => {
    const data = await start()
    expect((await rowsOf(desk, data.id)).map(({ kind }) => kind)).toEqual(['header', 'data', 'data', 'data', 'data'])
    expect(question(data)).toEqual({
      constant: 'possible_sums',
      suggestion: 'include',
      message: 'The values in row 4 are the sum of other rows or below the word “total”, but may be those of a building. Import it?',
      options: { include: 'Yes, it is a building', exclude: 'No, it is a total' },
    })
  })
  test('is left out with its amount if the user says that it is a total', async () => {
    const data = await start()
    await put(desk, data.id, { constants: { possible_sums: 'exclude', blank_addresses: 'above' } })
    const answered = await settled(desk, data.id)
    expect([question(answered), answered.sums?.left_out]).toEqual([undefined, { rows: 1, tiv: 3_300_000, currency: 'USD' }])
  })
})

describe('a row with the number and place of a campus and its round sums', () => {
  const rows = [1, 2].map((at) => `1,Oak Park,1 Main St,Tulsa,OK,74103,${at},${at}000000,${at}00000`)
  const start = () => begin(desk, [HEADER, ...rows, '1,Oak Park,1 Main St,Tulsa,OK,74103,,3000000,300000'].join('\n'))
  test('is one question with the answer that it is a total, before any about further buildings', async () => {
    const data = await start()
    expect(data.questions.map(({ constant, suggestion }) => [constant, suggestion])).toEqual([['possible_sums', 'exclude']])
    await put(desk, data.id, { constants: { possible_sums: 'exclude' } })
    const answered = await settled(desk, data.id)
    expect([answered.questions, answered.sums?.imported]).toEqual([[], { rows: 2, tiv: 3_300_000, currency: 'USD' }])
  })
})

test.each(['', 'Net', 'Overall'])(
  'a last row with the sums of all rows and only the text “%s” is suggested as the total',
  async (label) => {
    const file = `${HEADER}
1,,100 Main St,Dallas,TX,75201,1,1000000,50000
,,,,,,2,2000000,60000
,,,,,,3,3000000,70000
2,,200 Oak Ave,Austin,TX,78701,1,500000,20000
,Signs and canopies,,,,,,25000,
,${label},,,,,,6525000,200000`
    expect(question(await begin(desk, file))).toMatchObject({ suggestion: 'exclude' })
  },
)
