import { expect, test } from 'vitest'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const schedule = (...lines: string[]) => ['Loc #,Address,City,Zip,Building Value', ...lines].join('\n')
const refOf = (sources: unknown, field: string): unknown => JSON.parse(JSON.stringify(sources))[field]?.ref

test('the state of a heading is imported with the cell of the heading as its origin', async () => {
  const data = await begin(
    desk,
    schedule('TEXAS,,,,', '1,1 Main St,Austin,78701,1000000', 'Florida (1 location),,,,', '2,1 Bay St,Tampa,,2500000'),
  )
  expect(data.questions).toEqual([])
  expect(data.issues).toMatchObject([{ code: 'value_elsewhere', field: 'state', severity: 'warning', count: 2 }])
  expect((await commit(desk, data)).status).toBe(200)
  expect((await register(desk)).map(({ state, sources }) => [state, refOf(sources, 'state')])).toEqual([
    ['TX', 'sov.csv, cell A2'],
    ['FL', 'sov.csv, cell A4'],
  ])
})

test('a heading that may mean something else is one question, which blocks the commit', async () => {
  const data = await begin(
    desk,
    schedule('Washington,,,,', '1,1 Main St,Springfield,,1000000', 'Warehouses,,,,', '2,1 Bay St,Springfield,,2500000'),
  )
  expect(data.questions).toMatchObject([
    {
      constant: 'heading_states',
      suggestion: 'use',
      message: 'No column has the state, and 1 row is below headings such as “Washington”. Is the heading the state of the rows below it?',
    },
  ])
  expect((await commit(desk, data)).status).toBe(409)
  await put(desk, data.id, { constants: { heading_states: 'use' } })
  const answered = await settled(desk, data.id)
  expect([answered.questions, answered.counts]).toMatchObject([[], { add: 1, errors: 1 }])
  const heading = (await rowsOf(desk, data.id)).find(({ kind }) => kind === 'section')
  await put(desk, data.id, { edits: [{ row: heading?.row ?? 0, column: 'B', value: '9 Elm St' }] })
  expect((await settled(desk, data.id)).counts).toMatchObject({ add: 1, errors: 1 })
})

test('headings that may be cities are one question, and their rows are imported after the answer', async () => {
  const rows = ['AUSTIN,,,,', '1,1 Main St,TX,78701,1000000', 'DALLAS,,,,', '2,1 Elm St,TX,75201,2500000']
  const data = await begin(desk, ['Loc #,Address,State,Zip,Building Value', ...rows].join('\n'))
  expect(data.questions).toMatchObject([
    {
      constant: 'heading_cities',
      suggestion: 'use',
      message: 'No column has the city, and 2 rows are below headings such as “AUSTIN”. Is the heading the city of the rows below it?',
    },
  ])
  expect((await commit(desk, data)).status).toBe(409)
  await put(desk, data.id, { constants: { heading_cities: 'use' } })
  expect((await commit(desk, await settled(desk, data.id))).status).toBe(200)
  expect((await register(desk)).map(({ city, sources }) => [city, refOf(sources, 'city')])).toEqual([
    ['AUSTIN', 'sov.csv, cell A2'],
    ['DALLAS', 'sov.csv, cell A4'],
  ])
})

test('an address with its house number in another column has two cells as its origin', async () => {
  const rows = ['Bahnhofstrasse,12,8001,Zürich,CH,1000000', 'Am Markt,4a,8002,Zürich,CH,2500000']
  const data = await begin(desk, ['Strasse,Nr.,PLZ,Ort,Land,Gebäudewert (CHF)', ...rows].join('\n'))
  expect(data.columns[1]).toMatchObject({ field: 'house_number', state: 'confirm', split: null })
  expect((await commit(desk, data)).status).toBe(200)
  expect(
    (await register(desk))
      .toSorted((a, b) => (a.address ?? '').localeCompare(b.address ?? ''))
      .map(({ address, sources }) => [address, refOf(sources, 'address')]),
  ).toEqual([
    ['Am Markt 4a', 'sov.csv, cell A3 and B3'],
    ['Bahnhofstrasse 12', 'sov.csv, cell A2 and B2'],
  ])
})
