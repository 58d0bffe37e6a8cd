import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc-Bldg,Location Name,Street Address,City,ST,Zip,Sq Ft,Sprinklered,Fire Alarm,Flood Zone,Building Value'
/** As a spreadsheet program writes 1-1, 1-2 and 2-1, with words that deny what they name. */
const SCHEDULE = [
  HEADER,
  '2026-01-01,Hall,100 Main St,Fresno,CA,93721,24.500,N - dry,Not monitored,X,1000000',
  '2026-01-02,Barn,100 Main St,Fresno,CA,93721,8.500,Wet - 40%,Central station,AE,200000',
  '2026-02-01,Depot,200 Main St,Fresno,CA,93721,24.250,Wet,Not monitored,x,3000000',
].join('\n')

test('dates for numbers and unclear dots are a question each, which block the commit, and words are listed once each', async () => {
  const data = await begin(desk, SCHEDULE)
  expect(data.questions.map(({ constant, suggestion }) => [constant, suggestion])).toEqual([
    ['number_dates', 'month_day'],
    ['dots', 'thousands'],
  ])
  expect(data.questions.map(({ message, options }) => [message, options])).toEqual([
    [
      'Column A, “Loc-Bldg”, contains dates such as 2026-01-02, probably numbers such as 1-2 that a spreadsheet program changed. Read them as 1-2, by month and day?',
      { month_day: 'Yes, as 1-2', day_month: 'As 2-1, by day and month', text: 'No, as the dates in the file' },
    ],
    ['Column G, “Sq Ft”, contains numbers such as 24.500. Read them as 24,500?', { thousands: 'Yes, as 24,500', decimals: 'No, as 24.5' }],
  ])
  expect((await commit(desk, data)).status).toBe(409)
  const words = (header: string) =>
    data.columns.find((column) => column.header === header)?.words.map(({ word, rows, code }) => [word, rows, code])
  expect(words('Fire Alarm')).toEqual([['Not monitored', 2, null]])
  expect(words('Sprinklered')).toEqual([
    ['N - dry', 1, 'none'],
    ['Wet - 40%', 1, 'partial'],
  ])
})

test('the answers are what is imported', async () => {
  const { id } = await begin(desk, SCHEDULE)
  await put(desk, id, { constants: { number_dates: 'month_day', dots: 'thousands' } })
  const answered = await settled(desk, id)
  expect([answered.questions, answered.columns[0]?.split]).toEqual([[], ['1 | 1', '1 | 2', '2 | 1']])
  await commit(desk, answered)
  const properties = (await register(desk)).toSorted((a, b) => String(a.property_name).localeCompare(String(b.property_name)))
  expect(
    properties.map((property) => [
      property.property_name,
      `${property.location_number}-${property.building_number}`,
      property.floor_area,
      property.sprinklered,
      property.fire_alarm,
      property.flood_zone,
    ]),
  ).toEqual([
    ['Barn', '1-2', 8500, 'partial', 'central_station', 'AE'],
    ['Depot', '2-1', 24_250, 'full', null, 'X'],
    ['Hall', '1-1', 24_500, 'none', null, 'X'],
  ])
})

test('the answers are remembered for the account, but not for another client with the same schedule', async () => {
  const { id } = await begin(desk, SCHEDULE)
  await put(desk, id, { constants: { number_dates: 'month_day', dots: 'thousands' } })
  await commit(desk, await settled(desk, id))
  await settled(desk, id)
  expect((await begin(desk, SCHEDULE)).questions).toEqual([])
  const { companyId } = await desk.app.viewer(desk.userId)
  const { id: accountId } = await makeAccount(desk.app.system, { companyId, users: [desk.userId] })
  const elsewhere = await begin({ ...desk, accountId }, SCHEDULE)
  expect(elsewhere.questions.map(({ constant }) => constant)).toEqual(['number_dates', 'dots'])
})

describe('dates of which no cell shows the order', () => {
  const HEADER = 'Loc #,Street Address,City,ST,Zip,Country,Building Value,Values as of,Last Updated'
  const us = (date: string, updated = '') =>
    [HEADER, `1,1 Main St,Fresno,CA,93721,US,1000000,${date},${updated}`, `2,2 Main St,Fresno,CA,93721,US,2000000,${date},`].join('\n')
  const british = (date: string) =>
    [
      HEADER.replace('Building Value', 'Building Value (£)'),
      `1,1 High St,Leeds,,LS1 4AP,GB,1000000,${date},`,
      `2,2 High St,Leeds,,LS1 4AP,GB,2000000,${date},`,
    ].join('\n')
  const questionsOf = (data: Import) => data.questions.map(({ constant, suggestion }) => [constant, suggestion])
  const storedDates = async () => (await register(desk)).map(({ valuation_date }) => valuation_date)

  test('are a question with the order of the country, and empty until it is answered', async () => {
    const data = await begin(desk, british('3/4/2025'))
    expect(data.questions).toEqual([
      {
        constant: 'date_order',
        suggestion: 'dmy',
        message:
          'Dates in column H such as 3/4/2025 can be read in two ways. In the country of the addresses, United Kingdom, the day comes first. Do they have the day first, too?',
        options: { dmy: 'Yes, day first', mdy: 'No, month first' },
      },
    ])
    expect(data.issues).toMatchObject([{ code: 'bad_date', field: 'valuation_date', count: 2 }])
    await put(desk, data.id, { constants: { date_order: 'dmy' } })
    const answered = await settled(desk, data.id)
    expect([answered.questions, answered.issues]).toEqual([[], []])
    await commit(desk, answered)
    expect(await storedDates()).toEqual(['2025-04-03', '2025-04-03'])
  })
  test('have the order of another date of the file before that of the country', async () => {
    expect(questionsOf(await begin(desk, us('3/4/2025')))).toEqual([['date_order', 'mdy']])
    expect(questionsOf(await begin(desk, us('3/4/2025', '25/11/2025')))).toEqual([['date_order', 'dmy']])
  })
  test('have no suggestion if nothing shows the order', async () => {
    const canadian = us('3/4/2025')
      .replaceAll('Fresno,CA,93721,US', 'Toronto,ON,M5V 2T6,CA')
      .replace('Building Value', 'Building Value (CAD)')
    expect((await begin(desk, canadian)).questions).toMatchObject([
      { constant: 'date_order', suggestion: null, options: { mdy: 'Month first', dmy: 'Day first' } },
    ])
  })
  test('are read as in the last import of the layout, unless the new file shows another order', async () => {
    const first = await begin(desk, british('3/4/2025'))
    await put(desk, first.id, { constants: { date_order: 'dmy' } })
    await commit(desk, await settled(desk, first.id))
    const next = await begin(desk, british('5/6/2025'))
    expect([next.questions, next.constants]).toMatchObject([[], { date_order: 'dmy' }])
    const other = await begin(desk, british('6/25/2025'))
    await commit(desk, other)
    expect(await storedDates()).toEqual(['2025-06-25', '2025-06-25'])
  })
})
