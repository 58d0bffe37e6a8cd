import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const sheetOf = (headers: string, values: (at: number) => string) =>
  [
    `Loc #,Address,City,State,Zip,Building,${headers}`,
    ...[1, 2, 3].map((at) => `${at},${at} Oak St,Tulsa,OK,74103,${1_000_000 + at * 7_001},${values(at)}`),
  ].join('\n')
const FILE = sheetOf('Fine Art,Bus Inc,Ord. Payroll', (at) => `${5_000 + at},${90_000 + at * 307},${41_000 + at * 101}`)
const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'unmapped_values')
const answer = async (data: Import, value: string) => {
  const { status, body } = await put(desk, data.id, { constants: { ...data.constants, unmapped_values: value } })
  return { status, body, data: await settled(desk, data.id) }
}

describe('columns whose headers name values and that are not mapped', () => {
  test('are a question with their amounts, which blocks the commit', async () => {
    const data = await begin(desk, FILE)
    expect(question(data)).toEqual({
      constant: 'unmapped_values',
      suggestion: null,
      message:
        'These columns are not mapped, so their amounts will not be imported: G, “Fine Art” ($15,006); I, “Ord. Payroll” ($123,606). ' +
        'Leave them out? Otherwise, choose their fields above the columns.',
      options: { leave_out: 'Yes, leave them out', 'I=bi_value': 'No, import I as Business income / rents' },
    })
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('are left out by one answer, which is stored for these columns only', async () => {
    const { data } = await answer(await begin(desk, FILE), 'leave_out')
    expect([data.questions, data.constants]).toEqual([[], {}])
    expect(data.unmapped_money).toMatchObject([
      { letter: 'G', total: 15_006, left_out: true },
      { letter: 'I', total: 123_606, left_out: true },
    ])
    expect(data.columns.filter(({ state }) => state === 'ignored').map(({ letter }) => letter)).toEqual(['G', 'I'])
    expect((await commit(desk, data)).status).toBe(200)
    expect((await register(desk)).map(({ bi_value }) => bi_value)).toEqual([90_307, 90_614, 90_921])
  })
  test('are imported by the answer that names their field, and the question is about the others', async () => {
    const { data } = await answer(await begin(desk, FILE), 'I=bi_value')
    expect(question(data)?.message).toBe(
      'Column G, “Fine Art” ($15,006) is not mapped, so its amounts will not be imported. Leave it out? Otherwise, choose its field above the column.',
    )
    const mapped = await put(desk, data.id, { mapping: { G: 'other_value' } })
    expect(question(mapped.body.data)).toBeUndefined()
  })
  test('reject an answer that the question does not have', async () => {
    const { status, body } = await answer(await begin(desk, FILE), 'G=address')
    expect([status, Object.keys(body.errors)]).toEqual([400, ['unmapped_values']])
  })
})

test('an older version of a value is not offered as an addend of the newer one', async () => {
  const data = await begin(
    desk,
    sheetOf('Bound Contents 5/1/26,Proposed Contents 5/1/27', (at) => `${90_000 + at * 307},${95_000 + at * 311}`),
  )
  expect(question(data)?.options).toEqual({ leave_out: 'Yes, leave it out' })
})

test('amounts below an unknown header between values are named, without a question', async () => {
  const data = await begin(
    desk,
    sheetOf('Zorp,Contents', (at) => `${9_999 + at * 7},${at * 1_000}`),
  )
  expect([data.unmapped_money, question(data)]).toEqual([[{ letter: 'G', header: 'Zorp', total: 30_039, currency: null }], undefined])
})

test('amounts below years, and all amounts of a file without mapped values, are a question', async () => {
  const withoutBuilding = (headers: string) =>
    sheetOf(headers, (at) => `${700_000 + at * 1_000},${90_000 + at * 500}`).replace('Zip,Building,', 'Zip,Notes,')
  expect(question(await begin(desk, withoutBuilding('Zorp,Blurb')))?.message).toContain('G, “Zorp” (2,106,000); H, “Blurb” (273,000)')
  const data = await begin(desk, withoutBuilding('2026,Contents'))
  expect(question(data)?.message).toContain('Column G, “2026” ($2,106,000) is not mapped')
  expect((await answer(data, 'leave_out')).data.questions).toEqual([])
})

test('values that are stated for all locations of a schedule but named by abbreviations are mapped', async () => {
  const data = await begin(
    desk,
    sheetOf('Cts Val,Mach. & Equip.,Inv.,Computer Eq.,Tenant Impr.', (at) => [2, 3, 4, 5, 6].map((part) => part * 10_000 + at).join()),
  )
  expect(data.columns.slice(6).map(({ field, state }) => [field, state])).toEqual(
    ['contents_value', 'machinery_value', 'stock_value', 'edp_value', 'improvements_value'].map((field) => [field, 'mapped']),
  )
  expect(data.questions).toEqual([])
})

describe('amounts below an unknown name', () => {
  const rows = (of: (at: number) => string) => [1, 2, 3].map((at) => `${at},${at} Oak St,Tulsa,OK,74103,${of(at)}`)
  test('are a question if the totals of the rows include them', async () => {
    const header = 'Loc #,Address,City,State,Zip,Building,Canopy and Tanks,Contents,TIV'
    const of = (at: number) => [1_000_000 + at, 75_000 + at, 200_000, 1_275_000 + 2 * at].join(',')
    const data = await begin(desk, [header, ...rows(of)].join('\n'))
    expect(question(data)?.message).toMatch(/^Column G, “Canopy and Tanks” \(\$225,006\) is not mapped/)
    const { data: answered } = await answer(data, 'leave_out')
    expect([answered.questions, answered.unmapped_money]).toMatchObject([[], [{ letter: 'G', left_out: true }]])
  })
  test('are a question if no column has the values of buildings', async () => {
    const header = 'Loc #,Address,City,State,Zip,Geb.-Wert neu ($),Contents'
    const data = await begin(desk, [header, ...rows((at) => `${912_500 + at * 1_000},200000`)].join('\n'))
    expect(question(data)?.message).toMatch(/^Column F, “Geb\.-Wert neu \(\$\)”/)
  })
  test('are a question if the name has a word for business income or contents', async () => {
    const header = 'Loc #,Address,City,State,Zip,Building,Contents,Business Income,BI w/ EE,2027 Proj. Cont'
    const data = await begin(desk, [header, ...rows((at) => `1000000,200000,50000,${75_000 + at},${250_000 + at}`)].join('\n'))
    expect(question(data)?.message).toMatch(/I, “BI w\/ EE”.*J, “2027 Proj\. Cont”/)
  })
})
