import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const sheet = (headers: string, ...amounts: string[]) =>
  [
    `Loc #,Name,Address,City,State,Zip,${headers}`,
    ...amounts.map((own, at) => `${at + 1},Site ${at + 1},${at + 1} Oak St,Tulsa,OK,74103,${own}`),
  ].join('\n')
const answer = answering(desk)
const asked = ({ questions }: Import) => questions.map(({ constant, options }) => [constant, options])
const missing = ({ unmapped_money }: Import) => unmapped_money.map(({ letter, total, left_out = false }) => [letter, total, left_out])

describe('a column that gave way to one that is then left out', () => {
  const YEARS = sheet(
    '2025 Building Value (USD),2026 Building Value (EUR),Contents Value (USD)',
    '1800000,1900000,300000',
    '1900000,2000000,300000',
    '2000000,2100000,300000',
  )
  const USE_OLDER = { leave_out: 'Yes, leave it out', 'G=building_value': 'No, import G as Building value' }

  test('by its currency is a question, whose answer imports it', async () => {
    const dollars = await answer(await begin(desk, YEARS), { currency: 'USD' })
    expect([asked(dollars), missing(dollars)]).toEqual([
      [['unmapped_values', USE_OLDER]],
      [
        ['G', 5_700_000, false],
        ['H', 6_000_000, true],
      ],
    ])
    expect((await commit(desk, dollars)).status).toBe(409)
    const imported = await answer(dollars, { currency: 'USD', unmapped_values: 'G=building_value' })
    expect([imported.questions, imported.sums?.imported]).toEqual([[], { rows: 3, tiv: 6_600_000, currency: 'USD' }])
    expect((await commit(desk, imported)).status).toBe(200)
    expect((await register(desk)).map((one) => [one.building_value, one.currency])).toEqual([
      [1_800_000, 'USD'],
      [1_900_000, 'USD'],
      [2_000_000, 'USD'],
    ])
  })
  test('is no question while the newer one is imported, also after the answer was changed', async () => {
    const data = await begin(desk, YEARS)
    expect(missing(data)).toEqual([])
    const euros = await answer(await answer(data, { currency: 'USD' }), { currency: 'EUR' })
    expect([euros.questions, missing(euros)]).toEqual([[], [['I', 900_000, true]]])
  })
  test('can be imported and give way again', async () => {
    const dollars = await answer(await begin(desk, YEARS), { currency: 'USD' })
    const imported = await answer(dollars, { currency: 'USD', unmapped_values: 'G=building_value' })
    const euros = await answer(imported, { currency: 'EUR' })
    expect([euros.questions, euros.sums?.imported, missing(euros)]).toEqual([
      [],
      { rows: 3, tiv: 6_000_000, currency: 'EUR' },
      [
        ['G', 5_700_000, true],
        ['I', 900_000, true],
      ],
    ])
  })
  test('by a user is a question, too', async () => {
    const data = await begin(desk, sheet('2025 Building Value,2026 Building Value,Contents Value', '1800000,1900000,300000'))
    expect((await put(desk, data.id, { mapping: { H: 'ignore' } })).status).toBe(200)
    expect(asked(await settled(desk, data.id))).toEqual([['unmapped_values', USE_OLDER]])
  })
  test('is no question if it is in another currency than the one that was chosen', async () => {
    const text = sheet('2025 Building Value (EUR),2026 Building Value (EUR),Contents Value (USD)', '1800000,1900000,300000')
    const dollars = await answer(await begin(desk, text), { currency: 'USD' })
    expect([asked(dollars), missing(dollars)]).toEqual([[], [['H', 1_900_000, true]]])
  })
})

describe('the amounts of a column that is left out are multiplied as those of the others', () => {
  const HEADERS = 'Building Value (USD 000s),Contents Value (EUR 000s)'
  const ROWS = ['2000,400', '3000,500'] as const
  test.each([
    ['while the question is open', HEADERS, { currency: 'USD' }, 900],
    ['as written', HEADERS, { currency: 'USD', factor: '1' }, 900],
    ['in thousands', HEADERS, { currency: 'USD', factor: '1000' }, 900_000],
    ['by the headers', 'Building Value (USD 000s),Contents Value (EUR)', { currency: 'USD', factor: '1000' }, 900],
    ['by an answer alone', 'Building Value (USD),Contents Value (EUR)', { currency: 'USD', factor: '1000' }, 900_000],
  ])('%s', async (_name, headers, constants, total) => {
    const data = await answer(await begin(desk, sheet(headers, ...ROWS)), constants)
    expect(missing(data)).toEqual([['H', total, true]])
  })
  test('and by its own header if no other column announces a factor', async () => {
    const data = await begin(desk, sheet('Building Value,Contents Value,Zone Value (000s)', '2000000,400000,900'))
    expect(missing(data)).toEqual([['I', 900_000, false]])
  })
  test('also if no imported column announces a factor any more', async () => {
    const text = sheet('2025 Building Value,2026 Building Value ($000),Contents Value', '4800000,5000,800000', '9600000,10015,1600000')
    const data = await answer(await begin(desk, text), { factor: '1000' })
    expect((await put(desk, data.id, { mapping: { H: null } })).status).toBe(200)
    expect(missing(await settled(desk, data.id))).toEqual([
      ['G', 14_400_000, false],
      ['H', 15_015_000, false],
    ])
  })
  test('and found, however small they are written', async () => {
    const title = 'Statement of Values (in thousands)'
    const text = sheet('Building RCV,Building Limit,Building ACV,Building Class', '900,700,500,3', '850,650,450,4')
    const data = await answer(await begin(desk, `${title}\n${text}`), { factor: '1000' })
    expect(missing(data).filter(([letter]) => letter === 'I' || letter === 'J')).toEqual([['I', 950_000, false]])
  })
  test('also if only the stated total announces the factor', async () => {
    const text = sheet(
      'Building Value,Contents Value,Fine Arts ($),Vehicles ($),TIV ($000)',
      '2000,1990,400,2,4390',
      '3000,2007,500,12,5507',
    )
    const data = await answer(await begin(desk, text), { factor: '1000' })
    expect((await put(desk, data.id, { mapping: { H: null } })).status).toBe(200)
    expect(missing(await settled(desk, data.id))).toEqual([
      ['H', 3_997_000, false],
      ['I', 900_000, false],
      ['J', 14_000, false],
    ])
  })
  test('and found if they are as large as years', async () => {
    const text = sheet('Building Value (USD),Stock (CAD),Contents Value (USD)', '6000,1990,400', '6100,1995,500', '6200,2003,600')
    const constants = { currency: 'USD', factor: '1000' }
    const data = await answer(await begin(desk, `Amounts in thousands\n${text}`), constants)
    expect(missing(data)).toEqual([['H', 5_988_000, true]])
  })
})

test('amounts of a schedule of which no column of money is imported are named without a currency', async () => {
  const data = await begin(desk, sheet('Building Value,Contents Value', '5000000,400000', '6000000,500000'))
  expect((await put(desk, data.id, { mapping: { G: null, H: null } })).status).toBe(200)
  const [question] = (await settled(desk, data.id)).questions
  expect(question?.message).toContain('G, “Building Value” (11,000,000); H, “Contents Value” (900,000)')
})
