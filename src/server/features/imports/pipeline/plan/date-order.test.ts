import { expect, test } from 'vitest'
import { clearDatesIn } from '#server/features/imports/pipeline/read/clear-dates.ts'
import { suggestDateOrder, type DateFacts } from './date-order.ts'

const suggest = (facts: Partial<DateFacts>) =>
  suggestDateOrder({ dates: [], countries: new Map(), currencies: new Map(), headers: [], ...facts })
const datesOf = (...texts: (string | number)[]) => clearDatesIn([{ cells: texts }])

test('clear dates are those in which only one number can be the month', () => {
  expect(datesOf('3/4/2025', '25/11/2025', '31.12.24', 26)).toEqual({ dmy: '25/11/2025' })
  expect(datesOf('Values as of 12/31/2025', 'Tel. 25-11-1234, 13.5.2')).toEqual({ mdy: '12/31/2025' })
  expect(datesOf('99/13/2025', '2025-11-25', '13/13/2025', '1/2/25-13')).toEqual({})
})

test.each([
  [
    { dates: [{}, { dmy: '25/11/2025' }], countries: new Map([['US', 9]]) },
    'dmy',
    'In 25/11/2025, another date of the file, the day comes first.',
  ],
  [{ dates: [{ mdy: '11/25/2025' }] }, 'mdy', 'In 11/25/2025, another date of the file, the month comes first.'],
  [{ countries: new Map([['GB', 9]]) }, 'dmy', 'In the country of the addresses, United Kingdom, the day comes first.'],
  [
    {
      countries: new Map([
        ['US', 9],
        ['DE', 1],
      ]),
    },
    'mdy',
    'In the country of the addresses, United States, the month comes first.',
  ],
  [
    {
      countries: new Map([
        ['FR', 2],
        ['DE', 1],
      ]),
    },
    'dmy',
    'In the countries of the addresses the day comes first.',
  ],
  [{ currencies: new Map([['GBP', 3]]) }, 'dmy', 'Where amounts are in GBP, the day comes first.'],
  [{ headers: ['Straße', 'PLZ', 'Ort', 'Baujahr', 'TIV'] }, 'dmy', 'In German, the language of the headers, the day comes first.'],
  [
    { countries: new Map([['CA', 5]]), headers: ['Adresse civique', 'Ville', 'Code postal'] },
    'dmy',
    'In French, the language of the headers, the day comes first.',
  ],
] as const)('%j suggests %s', (facts, order, reason) => expect(suggest(facts)).toEqual({ order, reason }))

test.each<Partial<DateFacts>>([
  {},
  { dates: [{ dmy: '25/11/2025' }, { mdy: '11/25/2025' }], countries: new Map([['US', 9]]) },
  {
    countries: new Map([
      ['US', 5],
      ['GB', 5],
    ]),
  },
  { countries: new Map([['CA', 5]]), currencies: new Map([['CAD', 5]]) },
  { headers: ['Address', 'City', 'State', 'Ville'] },
])('%j suggests no order', (facts) => expect(suggest(facts)).toBeUndefined())
