import { expect, test } from 'vitest'
import { begin, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const beginWith = (headers: string, valuesOf: (at: number) => readonly number[]) =>
  begin(
    desk,
    [
      `Loc #,Name,Address,City,State,Zip,${headers}`,
      ...[1, 2, 3, 4, 5].map((at) => `${at},Site ${at},${at} Oak St,Tulsa,OK,74103,${valuesOf(at).join(',')}`),
    ].join('\n'),
  )
type Imported = Awaited<ReturnType<typeof begin>>
const fields = ({ columns }: Imported) => columns.slice(6).map(({ field, state }) => [field, state])
const unmapped = ({ unmapped_money }: Imported) => unmapped_money.map(({ header, total }) => [header, total])

test.each([
  ['Replacement Cost New', 'Insured Building Value'],
  ['Building Replacement Cost', 'Building Value'],
])('of %s and %s, a user confirms which one is the building value, and the other one is named', async (cost, insured) => {
  const data = await beginWith(`${cost},${insured},Contents Value`, (at) => [at * 1_250_000, at * 1_000_000, at * 100_000])
  const mapped = data.columns.find(({ field }) => field === 'building_value')
  const other = mapped?.header === cost ? [insured, 15_000_000] : [cost, 18_750_000]
  expect([mapped?.state, unmapped(data)]).toEqual(['confirm', [other]])
})

test('a limit that differs from the building value is a reason to confirm this', async () => {
  const data = await beginWith('CostModel_RCV,Insured_Bldg_Limit', (at) => [at * 1_250_000, at * 1_000_000])
  expect(fields(data)).toEqual([
    ['building_value', 'confirm'],
    [null, 'ignored'],
  ])
})

test('a column with the same values is no reason', async () => {
  const data = await beginWith('Replacement Cost New,Insured Building Value', (at) => [at * 1_000_000, at * 1_000_000])
  expect(data.columns.find(({ field }) => field === 'building_value')?.state).toBe('mapped')
})

test.each([
  ['Contents,Stock,Total Contents', ['contents_value', 'stock_value', null]],
  ['M&E,FF&E,Total BPP', ['machinery_value', 'contents_value', null]],
])('%s: the total is not imported, because it adds up several fields', async (headers, expected) => {
  const data = await beginWith(`Building Value,${headers}`, (at) => [at * 1_000_000, at * 70_000, at * 30_000, at * 100_000])
  expect(data.columns.slice(7).map(({ field }) => field)).toEqual(expected)
  expect([data.sums?.after.tiv, unmapped(data), data.questions]).toEqual([16_500_000, [], []])
})

test('the sum of a single field is imported instead of its parts', async () => {
  const data = await beginWith('Business Income,Extra Expense,Total BI/EE', (at) => [at * 70_000, at * 30_000, at * 100_000])
  expect(data.columns.slice(6).map(({ field }) => field)).toEqual([null, null, 'bi_value'])
  expect(data.sums?.after.tiv).toBe(1_500_000)
  expect((await put(desk, data.id, { mapping: { I: 'ignore', G: 'bi_value' } })).status).toBe(200)
  expect((await settled(desk, data.id)).sums?.after.tiv).toBe(1_050_000)
})
