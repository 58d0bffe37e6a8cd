import { expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const schedule = (header: string, ...rows: string[]) =>
  [`Site No,Address 1,Town,State,Zip Code,${header},Year Constructed`, ...rows.map((row, at) => `${at + 1},${row},1990`)].join('\n')
const GERMAN = schedule(
  'Building TIV (EUR)',
  'Hauptstrasse 1,Berlin,,10111,"1.250.000,00 €"',
  'Hauptstrasse 2,Berlin,,10112,"2.250.000,00 €"',
  'Hauptstrasse 3,Berlin,,10113,"3.250.000,00 €"',
)
const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'country')

test('rows in euros without a state or a country are one question for the country, which blocks the commit', async () => {
  const data = await begin(desk, GERMAN)
  expect(question(data)).toMatchObject({
    suggestion: 'DE',
    message:
      '3 of 3 rows without a country have no US state, but a currency or a postal code of another country. Is Germany the country of all these rows?',
    options: { DE: 'Yes, Germany', US: 'No, United States', FR: 'No, France' },
  })
  expect((await commit(desk, data)).status).toBe(409)
  await put(desk, data.id, { constants: { country: 'DE' } })
  const answered = await settled(desk, data.id)
  expect([answered.questions, answered.counts]).toMatchObject([[], { add: 3, errors: 0 }])
  expect((await commit(desk, answered)).status).toBe(200)
  expect((await register(desk)).map(({ country, currency, state, postal_code }) => [country, currency, state, postal_code])).toEqual(
    [10_111, 10_112, 10_113].map((code) => ['DE', 'EUR', null, String(code)]),
  )
})

test.each([
  ['Building Value', '1 Kalverstraat,Amsterdam,,1012 NX,1000000', 'NL'],
  ['Building (EUR)', '1 rue de Rivoli,Paris,,75001,1000000', 'FR'],
  ['Building (EUR)', 'Hauptstr. 1,Berlin,Brandenburg,14467,1000000', 'DE'],
  ['Building Value,Currency', '1 Long Street,Cape Town,,8001,1000000,ZAR', 'ZA'],
])('a row with “%s” and %s is probably in %s', async (header, row, country) =>
  expect(question(await begin(desk, schedule(header, row)))?.suggestion).toBe(country),
)

test.each([
  ['have states', 'Building (EUR)', ['1 Main St,Fresno,CA,93721,1000000', '2 Main St,Fresno,CA,93721,1000000']],
  ['lack only some states', 'Building (EUR)', ['1 Main St,Fresno,CA,93721,1000000', 'Hauptstr. 1,Berlin,,14467,1000000']],
  ['have no sign of another country', 'Building', ['1 Main St,Fresno,,93721,1000000', '2 Main St,Fresno,,9372A,1000000']],
  ['are in Canadian dollars', 'Building (CAD)', ['1 King St,Toronto,,M5H 1A1,1000000', '2 King St,Toronto,,M5H 1A1,1000000']],
])('rows that %s are no such question', async (_, header, rows) =>
  expect(question(await begin(desk, schedule(header, ...rows)))).toBeUndefined(),
)
