import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const AMOUNTS = [
  [2_000_000, 400_000, 300_000],
  [3_000_000, 500_000, 350_000],
  [2_500_000, 450_000, 250_000],
  [1_500_000, 300_000, 200_000],
  [4_000_000, 900_000, 600_000],
] as const

const sheet = (contents: string, { place = 'Dallas,TX,75201', country = '', zip = 'ZIP', title = '' } = {}) =>
  [
    ...(title === '' ? [] : [title]),
    `Loc #,Address,City,State,${zip}${country && ',Country'},Building Value,${contents},Business Income`,
    ...AMOUNTS.map((amounts, at) => `${at + 1},${at + 1} Main St,${place}${country && `,${country}`},${amounts.join(',')}`),
    `Total,,,,${country && ','},13000000,2550000,1700000`,
  ].join('\n')
const DALLAS = sheet('Contents Value (€)')

const answer = answering(desk)
const targets = ({ columns }: Import) => columns.slice(5).map(({ field }) => field)
const written = async () => (await register(desk)).map((one) => [one.building_value, one.contents_value, one.bi_value, one.currency])

describe('a currency that only one of the columns of values names', () => {
  test('is a question that blocks the commit', async () => {
    const data = await begin(desk, DALLAS)
    expect(data.questions).toEqual([
      {
        constant: 'currency',
        suggestion: null,
        message:
          'Some amounts are in EUR (column G), and columns F, H name no currency. Amounts in several currencies cannot be added up. Are all amounts in EUR?',
        options: { EUR: 'Yes, all in EUR', USD: 'No, only those without one, as USD' },
      },
    ])
    expect(data.sums).toMatchObject({ file: { rows: 5, currency: null }, imported: { rows: 5, currency: null }, after: { currency: null } })
    const { status, body } = await commit(desk, data)
    expect([status, body.message]).toEqual([409, expect.stringContaining('Please answer first: Some amounts are in EUR (column G)')])
    expect(await written()).toEqual([])
  })
  test('is that of all amounts if a user says so', async () => {
    const euros = await answer(await begin(desk, DALLAS), { currency: 'EUR' })
    expect([euros.questions, euros.sums?.imported]).toEqual([[], { rows: 5, tiv: 17_250_000, currency: 'EUR' }])
    expect((await commit(desk, euros)).status).toBe(200)
    expect(await written()).toEqual(AMOUNTS.map((amounts) => [...amounts, 'EUR']))
  })
  test('stays out with its column if the others are in the one of the country, and the answer can be changed', async () => {
    const dollars = await answer(await begin(desk, DALLAS), { currency: 'USD' })
    expect([dollars.questions, targets(dollars), dollars.sums?.imported]).toEqual([
      [],
      ['building_value', null, 'bi_value'],
      { rows: 5, tiv: 14_700_000, currency: 'USD' },
    ])
    expect(dollars.unmapped_money).toEqual([
      { letter: 'G', header: 'Contents Value (€)', total: 2_550_000, currency: 'EUR', left_out: true },
    ])
    const open = await answer(dollars, {})
    expect([targets(open), open.questions.length]).toEqual([['building_value', 'contents_value', 'bi_value'], 1])
    const again = await answer(open, { currency: 'USD' })
    expect((await commit(desk, again)).status).toBe(200)
    expect(await written()).toEqual(AMOUNTS.map(([building, , income]) => [building, null, income, 'USD']))
  })
  test('can be chosen, changed and chosen again', async () => {
    const imported = ({ sums, questions }: Import) => [questions.length, sums?.imported?.tiv, sums?.imported?.currency]
    const first = await answer(await begin(desk, DALLAS), { currency: 'EUR' })
    const dollars = await answer(first, { currency: 'USD' })
    const euros = await answer(dollars, { currency: 'EUR' })
    expect([first, dollars, euros].map(imported)).toEqual([
      [0, 17_250_000, 'EUR'],
      [0, 14_700_000, 'USD'],
      [0, 17_250_000, 'EUR'],
    ])
  })
  test('is a question for an account in another one, which is only offered the other columns', async () => {
    expect((await commit(desk, await begin(desk, sheet('Contents Value')))).status).toBe(200)
    const data = await begin(desk, DALLAS)
    expect([data.currency_conflict, data.questions.map(({ suggestion, options }) => [suggestion, options])]).toEqual([
      null,
      [['USD', { USD: 'Yes, only these, as USD' }]],
    ])
    const dollars = await answer(data, { currency: 'USD' })
    expect([dollars.currency_conflict, targets(dollars), dollars.sums?.after]).toEqual([
      null,
      ['building_value', null, 'bi_value'],
      { rows: 5, tiv: 17_250_000, currency: 'USD' },
    ])
  })
  test('is no question for an account in it', async () => {
    expect((await commit(desk, await answer(await begin(desk, DALLAS), { currency: 'EUR' }))).status).toBe(200)
    expect((await begin(desk, DALLAS)).questions).toEqual([])
  })
})

const BERLIN = { place: 'Berlin,,10115', zip: 'Postal Code', country: 'DE' }
test.each([
  ['the rows are in a country with it', sheet('Contents Value (€)', BERLIN)],
  ['a title names it', sheet('Contents Value (€)', { title: 'All values in EUR' })],
  ['only a dollar sign is named', sheet('Contents Value ($)')],
  ['no column names one', sheet('Contents Value')],
])('no question about the currency of some columns comes up if %s', async (_reason, text) => {
  expect((await begin(desk, text)).questions).toEqual([])
})

test('the country of the rows is a question before the currency of some columns', async () => {
  const data = await begin(desk, sheet('Contents Value (€)', { place: 'Berlin,,D-10115', zip: 'Postal Code' }))
  expect(data.questions.map(({ constant }) => constant)).toEqual(['country'])
  expect((await answer(data, { country: 'DE' })).questions).toEqual([])
})
