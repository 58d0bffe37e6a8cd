import { describe, expect, test } from 'vitest'
import { begin, commit, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { findIncludedParts } from './pipeline/plan/included-parts.ts'

const desk = deskForEachTest()

const file = (headers: string, amounts: (row: number) => string) =>
  begin(
    desk,
    [`Loc #,Address,City,State,Zip,${headers}`, ...[1, 2, 3].map((row) => `${row},${row} Main St,Tulsa,OK,74103,${amounts(row)}`)].join(
      '\n',
    ),
  )
const answer = async (id: string, constants: Record<string, string>) => {
  await put(desk, id, { constants })
  return settled(desk, id)
}

describe('parts of the contents that may be in another column', () => {
  test.each([
    ['Building,Contents (incl. Stock),Stock', 'By the headers, column H, “Stock”, may be part of column G'],
    ['Building,Contents,of which Stock', 'By the headers, column H, “of which Stock”, may be part of column G'],
    ['Building,Contents,Stock,TIV', 'The values exceed column I, “TIV”, by exactly the amounts of column H, “Stock”'],
  ])('are a question: %s', async (headers, reason) => {
    const data = await file(headers, (row) => `1000000,350000,${100_000 + row}${headers.endsWith('TIV') ? ',1350000' : ''}`)
    expect(data.questions.map(({ constant, suggestion }) => [constant, suggestion])).toEqual([['included_parts', 'included']])
    expect(data.questions[0]?.message.startsWith(reason)).toBe(true)
    expect(data.sums?.file.tiv).toBe(4_350_006)
    expect((await commit(desk, data)).status).toBe(409)
    const left = await answer(data.id, { included_parts: 'included' })
    expect([left.questions, left.sums?.file.tiv, left.columns[7]?.field]).toEqual([[], 4_050_000, null])
    const open = await answer(data.id, {})
    expect([open.questions.length, open.sums?.file.tiv, open.columns[7]?.field]).toEqual([1, 4_350_006, 'stock_value'])
    const added = await answer(data.id, { included_parts: 'separate' })
    expect([added.questions, added.sums?.file.tiv]).toEqual([[], 4_350_006])
  })
  test.each(['Shell,TI,Total Bldg,Inv', 'Shell,Leasehold Improvements,Total Building,Inventory', 'Base Bldg,LHI,Bldg incl TI,Inventory'])(
    'count once next to the building without them: %s',
    async (headers) => {
      const data = await file(headers, (row) => `${row}000000,${row * row}50000,${row * 1_000_000 + row * row * 100_000 + 50_000},300000`)
      const amounts = data.columns.flatMap(({ header, field }) => (field?.endsWith('_value') ? [[header, field]] : []))
      expect(amounts).toEqual([
        [headers.split(',')[0], 'building_value'],
        [headers.split(',')[1], 'improvements_value'],
        [headers.split(',')[3], 'stock_value'],
      ])
      expect(data.unmapped_money).toEqual([])
    },
  )
  test('are none if the total includes them, or without a sign', async () => {
    const separate = await file('Building,Contents,Stock,TIV', (row) => `1000000,350000,${row}00000,${1_350_000 + row * 100_000}`)
    expect(separate.questions).toEqual([])
    expect((await file('Building,Contents,Stock', (row) => `1000000,350000,${row}00000`)).questions).toEqual([])
  })
  test('that were left out are mapped in the next file', async () => {
    const data = await file('Building,Contents (incl. Stock),Stock', () => '1000000,350000,100000')
    const answered = await answer(data.id, { included_parts: 'included' })
    expect((await commit(desk, answered)).status).toBe(200)
    const next = await file('Building,Contents,Stock,Year Built', (row) => `1000000,350000,100000,${1990 + row}`)
    expect([next.columns[7]?.field, next.constants['included_parts'], next.questions]).toEqual(['stock_value', undefined, []])
  })
})

test.each([
  ['Contents', 'Inventory', undefined],
  ['Contents & Stock', 'Stock', ['C']],
  ['BPP w/Stock and M&E', 'Stock', ['C']],
  ['Contents including inventory', 'Stock', ['C']],
  ['Contents (excl. stock)', 'Stock', undefined],
  ['Contents', 'Stock (included in contents)', ['C']],
])('by its headers, “%s” includes “%s”: %s', (contents, stock, included) => {
  const columns = [
    { column: 'B', header: contents, target: 'contents_value' as const },
    { column: 'C', header: stock, target: 'stock_value' as const },
  ]
  expect(findIncludedParts(columns, {})?.parts.map(({ column }) => column)).toEqual(included)
})
