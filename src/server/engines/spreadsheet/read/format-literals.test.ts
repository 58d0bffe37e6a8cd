import { expect, it } from 'vitest'
import { meaningOf } from './format-literals.ts'
import { parseFormat, withoutPlainDollars } from './number-formats.ts'
import { amountText } from './row-text.ts'

it.each([
  ['[$€-407] #,##0', '€'],
  ['#,##0.00\\ [$€-407]', '€'],
  ['_-[$£-809]* #,##0.00_-;\\-[$£-809]* #,##0.00_-', '£'],
  ['"€"#,##0', '€'],
  ['£#,##0;[Red]-£#,##0', '£'],
  ['[$¥-411]#,##0', 'JPY'],
  ['[$¥-804]#,##0', 'CNY'],
  ['¥#,##0', '¥'],
  ['[$$-1009]#,##0', 'CAD'],
  ['[$$-0C09]#,##0', 'AUD'],
  ['"CHF "#,##0', 'CHF'],
  ['[$CAD] #,##0', 'CAD'],
  ['#,##0 "kr"', 'kr'],
  ['#,##0\\ "zł"', 'zł'],
  ['[$R$-416] #,##0', 'R$'],
  ['$#,##0', '$'],
  ['[$$-409]#,##0', '$'],
])('reads the currency of %s as %s', (code, currency) => expect(meaningOf(code)).toEqual({ currency }))

it.each(['General', '#,##0', '[$-409]#,##0', '_-* #,##0\\ _€_-;\\-* #,##0\\ _€_-', '0 "sf"', '#,##0;"€"0'])(
  'finds no currency in %s',
  (code) => expect(parseFormat(code)).toEqual({ date: false }),
)

it.each([
  ['$#,##0"K"', 1_000],
  ['#,##0\\K', 1_000],
  ['#,##0K', 1_000],
  ['#,##0" 000s"', 1_000],
  ['0.0"M"', 1_000_000],
  ['0.0,"M"', 1_000],
  ['[$€-407]#,##0"m"', 1_000_000],
])('reads the numbers in %s as multiples of %d', (code, multiple) => expect(parseFormat(code)).toMatchObject({ multiple }))

it.each(['#,##0,', '#,##0,"K"', '0.0,,"M"', '#,##0,,', '0.0 "m"', '#,##0" km"'])('reads the numbers in %s as they are stored', (code) =>
  expect(parseFormat(code).multiple).toBeUndefined(),
)

it('counts a dollar sign only next to another currency', () => {
  const [dollars, euros] = [parseFormat('$#,##0'), parseFormat('[$€-407] #,##0')]
  expect(withoutPlainDollars([dollars])).toEqual([{ date: false }])
  expect(withoutPlainDollars([dollars, euros])).toEqual([dollars, euros])
})

it('writes an amount with its currency, never with three decimals', () => {
  const euro = { currency: '€' }
  expect([amountText(5, {}), amountText(2_001_001, euro), amountText(1.137, euro), amountText(-5.5, { currency: 'CAD' })]).toEqual([
    5,
    '€ 2001001',
    '€ 1.1370',
    'CAD -5.5',
  ])
})

it('writes an amount with the multiple that its format shows', () =>
  expect([
    amountText(1_250, { multiple: 1_000 }),
    amountText(1.5, { currency: '€', multiple: 1_000_000 }),
    amountText(0, { multiple: 1_000 }),
  ]).toEqual(['1250K', '€ 1.5M', '0']))
