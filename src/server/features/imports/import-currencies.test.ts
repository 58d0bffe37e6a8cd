import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const sheet = (headers: string, ...amounts: string[]) =>
  [
    `Loc #,Name,Address,City,State,Zip,${headers}`,
    ...amounts.map((own, at) => `${at + 1},Site ${at + 1},${at + 1} Oak St,Tulsa,OK,74103,${own}`),
  ].join('\n')
const TWO = sheet('Building Value (USD),Contents (MXN)', '500000,4000000', '600000,', '700000,6000000')

const answer = answering(desk)
const targets = ({ columns }: Import) => columns.slice(6).map(({ field }) => field)

test('amounts without a currency are probably in that of their country, if another row names it', async () => {
  const rows = ['1,Bahnhofstrasse 1,Zürich,8001,Switzerland,1250000', '2,Bahnhofstrasse 2,Zürich,8001,Switzerland,CHF 2500000']
  const more = ['3,Bahnhofstrasse 3,Zürich,8001,Switzerland,900000', '4,Bahnhofstrasse 4,Zürich,8001,Switzerland,800000']
  const data = await begin(desk, ['Loc #,Address,City,Postal code,Country,Building Value', ...rows, ...more].join('\n'))
  expect(data.questions).toMatchObject([{ constant: 'currency', suggestion: 'CHF' }])
  const answered = await answer(data, { currency: 'CHF' })
  expect([answered.questions, answered.sums?.imported]).toEqual([[], { rows: 4, tiv: 5_450_000, currency: 'CHF' }])
})

describe('a title with two currencies', () => {
  const MIXED = `Amounts in USD except Canada in CAD\n${sheet('Building Value', '500000', '600000')}`
  test('is a question where no row names its currency', async () => {
    const data = await begin(desk, MIXED)
    expect(data.questions).toEqual([
      {
        constant: 'currency',
        suggestion: 'USD',
        message:
          'The file names USD and CAD above the columns, and 2 rows have amounts without a currency. Are they in USD? Rows in another currency need a column that names it.',
        options: { USD: 'Yes, in USD', CAD: 'No, in CAD' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { currency: 'CAD' })
    expect([answered.questions, answered.sums?.file]).toEqual([[], { rows: 2, tiv: 1_100_000, currency: 'CAD' }])
  })
  test('is none where the rows name theirs', async () => {
    const text = `Amounts in USD except Canada in CAD\n${sheet('Building Value,Currency', '500000,USD', '600000,USD')}`
    expect((await begin(desk, text)).questions).toEqual([])
  })
})

describe('columns in two currencies', () => {
  test('are a question, and neither the file nor a row shows their sum', async () => {
    const data = await begin(desk, TWO)
    expect(data.questions).toEqual([
      {
        constant: 'currency',
        suggestion: 'USD',
        message: 'The amounts are in USD (column G) and MXN (column H), which cannot be added up. Import only the amounts in USD?',
        options: { USD: 'Only the amounts in USD', MXN: 'Only the amounts in MXN' },
      },
    ])
    expect([data.sums?.file.currency, data.sums?.left_out?.currency]).toEqual([null, null])
    expect((await rowsOf(desk, data.id)).slice(1).map(({ tiv }) => tiv)).toEqual([null, 600_000, null])
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('are imported in the one that the user chooses, and the answer can be changed', async () => {
    const data = await begin(desk, TWO)
    const pesos = await answer(data, { currency: 'MXN' })
    expect([targets(pesos), pesos.questions, pesos.counts.add]).toEqual([[null, 'contents_value'], [], 3])
    const open = await answer(pesos, {})
    expect([targets(open), open.questions.length]).toEqual([['building_value', 'contents_value'], 1])
    const dollars = await answer(open, { currency: 'USD' })
    expect([targets(dollars), dollars.sums?.file]).toEqual([['building_value', null], { rows: 3, tiv: 1_800_000, currency: 'USD' }])
    expect(dollars.unmapped_money).toEqual([{ letter: 'H', header: 'Contents (MXN)', total: 10_000_000, currency: 'MXN', left_out: true }])
    expect((await commit(desk, dollars)).status).toBe(200)
    expect((await register(desk)).map((one) => [one.building_value, one.contents_value, one.currency])).toEqual([
      [500_000, null, 'USD'],
      [600_000, null, 'USD'],
      [700_000, null, 'USD'],
    ])
  })
  test('are a question if only the cells name them', async () => {
    const data = await begin(desk, sheet('Building Value,Contents', '£500000,€40000', '£600000,€50000'))
    expect(data.questions[0]?.message).toContain('in GBP (column G) and EUR (column H)')
    const euros = await answer(data, { currency: 'EUR' })
    expect(euros.sums?.file).toEqual({ rows: 2, tiv: 90_000, currency: 'EUR' })
    expect(euros.unmapped_money).toMatchObject([{ letter: 'G', total: 1_100_000, currency: 'GBP', left_out: true }])
  })
  test('are a question if one of them has a dollar sign only', async () => {
    const data = await begin(desk, sheet('Building Value ($),Contents (€)', '500000,40000', '600000,50000'))
    expect([data.questions[0]?.message, data.sums?.file.currency]).toEqual([
      'The amounts are in EUR (column H) and USD (column G), which cannot be added up. Import only the amounts in USD?',
      null,
    ])
  })
  test('are no question if one of them is ignored', async () => {
    const data = await begin(desk, TWO)
    await put(desk, data.id, { mapping: { H: 'ignore' } })
    const changed = await settled(desk, data.id)
    expect([changed.questions, changed.sums?.file.currency, changed.counts.add]).toEqual([[], 'USD', 3])
  })
})

test('rows in two currencies have no sum before the question is answered', async () => {
  const data = await begin(desk, sheet('Building Value,Currency', '500000,USD', '600000,MXN', '700000,USD'))
  expect([data.questions[0]?.message, data.sums?.file.currency, data.sums?.after.currency]).toEqual([
    'The amounts are in USD (2 rows) and MXN (1 row), which cannot be added up. Import only the rows in USD?',
    null,
    null,
  ])
  const answered = await answer(data, { currency: 'USD' })
  expect([answered.sums?.after, answered.sums?.left_out]).toEqual([
    { rows: 2, tiv: 1_200_000, currency: 'USD' },
    { rows: 1, tiv: 600_000, currency: 'MXN' },
  ])
})

describe('rows without a currency next to rows in another one', () => {
  const SOME = sheet('Building Value,Currency', '500000,CAD', '600000,', '"$700,000",', '800000,EUR')
  test('are counted by themselves, and each answer says what it means for them', async () => {
    const [question] = (await begin(desk, SOME)).questions
    expect(question).toEqual({
      constant: 'currency',
      suggestion: 'USD',
      message:
        'Some amounts are in CAD (1 row) and EUR (1 row), and 2 rows have no currency or only “$”. Amounts in several currencies cannot be added up. Which rows are imported?',
      options: {
        USD: 'Only rows without one, as USD',
        CAD: 'Rows in CAD, and those without one as CAD',
        EUR: 'Rows in EUR, and those without one as EUR',
      },
    })
  })
  test.each([
    ['USD', [600_000, 700_000]],
    ['CAD', [500_000, 600_000, 700_000]],
    ['EUR', [600_000, 800_000]],
  ])('are imported as the answer %s says', async (currency, values) => {
    const answered = await answer(await begin(desk, SOME), { currency })
    expect((await commit(desk, answered)).status).toBe(200)
    const written = await register(desk)
    expect(written.map((one) => [one.building_value, one.currency])).toEqual(values.map((value) => [value, currency]))
  })
})

describe('amounts with the sign of several currencies', () => {
  test('are a question', async () => {
    const data = await begin(desk, sheet('Building Value', '"¥900,000,000"', '"¥800,000,000"'))
    expect([data.sums?.file.currency, data.questions]).toEqual([
      null,
      [
        {
          constant: 'currency',
          suggestion: 'JPY',
          message: 'The amounts of 2 rows may be in JPY or CNY. Are they in JPY?',
          options: { JPY: 'Yes, in JPY', CNY: 'No, in CNY' },
        },
      ],
    ])
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { currency: 'CNY' })
    expect([answered.questions, answered.sums?.file]).toEqual([[], { rows: 2, tiv: 1_700_000_000, currency: 'CNY' }])
  })
  test('stay out if only the rows in another currency are imported', async () => {
    const data = await begin(desk, sheet('Building Value', '"$500,000"', '"€600,000"', '"£700,000"', '"CAD 800,000"', '"¥900,000"'))
    expect(data.questions.map(({ constant, options }) => [constant, Object.keys(options ?? {}).toSorted()])).toEqual([
      ['currency', ['CAD', 'CNY', 'EUR', 'GBP', 'JPY', 'USD']],
    ])
    const answered = await answer(data, { currency: 'USD' })
    expect([answered.counts.add, answered.counts.errors]).toEqual([1, 4])
    expect((await commit(desk, answered)).status).toBe(200)
    expect((await register(desk)).map((one) => [one.building_value, one.currency])).toEqual([[500_000, 'USD']])
  })
})

describe('amounts that cannot be read', () => {
  const MIXED = ['"$1,200,000"', '"$800,000"', '"€ 900.000,00"', '"€ 12.34.5"', '"CAD 5,000,000"', '"£700,000"']
  test('are in the currency of their sign, and stay out of an import in another one', async () => {
    const data = await begin(desk, sheet('Building Value,Contents', ...MIXED.map((amount) => `${amount},`)))
    expect(data.questions[0]?.message).toContain(
      'in EUR (2 rows) and CAD (1 row) and GBP (1 row), and 2 rows have no currency or only “$”.',
    )
    const answered = await answer(data, { currency: 'USD', unread_amounts: 'empty' })
    expect([answered.counts.add, answered.counts.errors, answered.sums?.left_out?.rows]).toEqual([2, 4, 4])
    expect((await commit(desk, answered)).status).toBe(200)
    expect((await register(desk)).map((one) => [one.building_value, one.currency])).toEqual([
      [1_200_000, 'USD'],
      [800_000, 'USD'],
    ])
  })
  test('are read in a column of other numbers if only one notation is possible', async () => {
    const data = await begin(desk, sheet('Building Value', ...MIXED))
    const euros = await answer(data, { currency: 'EUR', unread_amounts: 'empty' })
    expect([euros.counts.add, euros.sums?.after]).toEqual([2, { rows: 2, tiv: 900_000, currency: 'EUR' }])
  })
})

describe('an account with properties in another currency', () => {
  const CONFLICT = 'The properties of this account are in CAD, and rows of this file in another currency.'
  const inCanadianDollars = async () => {
    expect((await commit(desk, await begin(desk, sheet('Building Value,Currency', '500000,CAD')))).status).toBe(200)
  }
  const added = (...rows: string[]) =>
    sheet('Building Value,Currency', ...rows)
      .replaceAll('Oak St', 'Elm St')
      .replaceAll('Site', 'Plant')
      .replaceAll(/^(\d)/gm, '2$1')
  test('is only offered the rows in its currency', async () => {
    await inCanadianDollars()
    const data = await begin(desk, added('600000,USD', '700000,CAD', '800000,USD'))
    expect(data.questions.map(({ constant, suggestion, options }) => [constant, suggestion, options])).toEqual([
      ['currency', 'CAD', { CAD: 'Only rows in CAD' }],
    ])
    expect((await commit(desk, data)).body.message).toContain('Please answer first: The amounts are in USD (2 rows) and CAD (1 row)')
    const answered = await answer(data, { currency: 'CAD' })
    expect([answered.currency_conflict, answered.sums?.imported, answered.sums?.after]).toEqual([
      null,
      { rows: 1, tiv: 700_000, currency: 'CAD' },
      { rows: 2, tiv: 1_200_000, currency: 'CAD' },
    ])
    expect((await commit(desk, answered)).status).toBe(200)
  })
  test('is asked whether a file without a currency is in its currency', async () => {
    await inCanadianDollars()
    const data = await begin(desk, added('600000,', '"$700,000",'))
    expect([data.currency_conflict, data.questions]).toEqual([
      null,
      [
        {
          constant: 'currency',
          suggestion: 'CAD',
          message: 'The file does not name a currency, and the properties of this account are in CAD. Are the amounts in CAD?',
          options: { CAD: 'Yes, in CAD', USD: 'No, in USD' },
        },
      ],
    ])
    expect((await answer(data, { currency: 'USD' })).currency_conflict).toContain(CONFLICT)
    const answered = await answer(await settled(desk, data.id), { currency: 'CAD' })
    expect((await commit(desk, answered)).status).toBe(200)
    expect((await register(desk)).map((one) => one.currency)).toEqual(['CAD', 'CAD', 'CAD'])
  })
  test('learns before the commit why no row can be imported', async () => {
    await inCanadianDollars()
    const data = await begin(desk, added('600000,USD', '700000,EUR'))
    expect([data.questions, data.currency_conflict]).toEqual([[], expect.stringContaining(CONFLICT)])
    const dollars = await answer(data, { currency: 'USD' })
    expect([dollars.sums?.imported, dollars.currency_conflict]).toEqual([
      { rows: 1, tiv: 600_000, currency: 'USD' },
      expect.stringContaining(CONFLICT),
    ])
    const { status, body } = await commit(desk, dollars)
    expect([status, body.message]).toEqual([409, dollars.currency_conflict])
  })
})

test('an open question about the currency is named to an account without properties, which has no currency', async () => {
  const data = await begin(desk, sheet('Building Value,Currency', '500000,EUR', '600000,USD'))
  expect([data.sums?.before, data.currency_conflict]).toEqual([{ rows: 0, tiv: 0, currency: null }, null])
  const { status, body } = await commit(desk, data)
  expect([status, body.message]).toEqual([409, expect.stringContaining('Please answer first: The amounts are in')])
})
